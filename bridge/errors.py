"""Every failure Deskbell explains to a person, in one tree.

    DeskbellError            title and message, written for the reader; exit code 5
    ├── UsageError           what was typed cannot be done                1
    ├── NetworkError         a server or the running app is out of reach  2
    ├── NotFoundError        no such server, tool, host, account          3
    ├── TimeoutError_        nobody answered in time                      4
    ├── SettingsError        config.toml: line, column and what is wrong  5
    ├── AlreadyRunning       another Deskbell owns this home              5
    ├── UpstreamError        a server could not be started or ended       5
    ├── VaultError           secrets cannot be read or kept               5
    │   └── VaultLocked      … before a passphrase is given               5
    └── AccountError         a Bluesky account cannot be used             5
        ├── SignInAgain      its sign-in has ended; signing in again helps 5
        ├── RequestRefused   its server refused it, and why               5
        └── RateLimited      its server wants us to wait                  2

Foreign exceptions are translated where they are caught, `from error`.
"""

from __future__ import annotations

from typing import Any


class DeskbellError(Exception):
    """A failure with a title (what happened) and a message (why, and what to do)."""

    exit_code = 5

    def __init__(self, title: str, message: str = "") -> None:
        super().__init__(title, message)
        self.title = title
        self.message = message

    def __str__(self) -> str:
        return f"{self.title}: {self.message}" if self.message else self.title


class UsageError(DeskbellError):
    exit_code = 1


class NetworkError(DeskbellError):
    exit_code = 2


class NotFoundError(DeskbellError):
    exit_code = 3


class TimeoutError_(DeskbellError):  # noqa: N801 - the builtin's name is taken
    exit_code = 4


class SettingsError(DeskbellError):
    """A config file that cannot be used; `line` and `column` count from 1."""

    def __init__(self, title: str, message: str = "", *, line: int = 0, column: int = 0) -> None:
        super().__init__(title, message)
        self.line = line
        self.column = column


def failure_reply(error: DeskbellError) -> dict[str, Any]:
    """Return the reply that reports a failure to another `deskbell` process, in English."""
    return {"failed": {"title": error.title, "message": error.message, "code": error.exit_code}}


def checked_reply(reply: dict[str, Any]) -> dict[str, Any]:
    """Return the reply of another `deskbell` process; raise the failure that it reports."""
    if failed := reply.get("failed"):
        raise error_with_code(failed["code"], failed["title"], failed["message"])
    return reply


def error_with_code(exit_code: int, title: str, message: str = "") -> DeskbellError:
    """Return an error that ends the command with this exit code."""
    return _BY_CODE.get(exit_code, DeskbellError)(title, message)


_BY_CODE = {kind.exit_code: kind for kind in (UsageError, NetworkError, NotFoundError, TimeoutError_)}


class AlreadyRunning(DeskbellError):
    """Another process holds the lock of this DESKBELL_HOME."""


class UpstreamError(DeskbellError):
    """A server that could not be started, or ended while it was needed."""


class VaultError(DeskbellError):
    """A secret store that is locked, gone, full or damaged."""


class VaultLocked(VaultError):
    """A secret store that waits for its passphrase."""


class AccountError(DeskbellError):
    """A Bluesky account that cannot be signed in or used."""


class SignInAgain(AccountError):
    """The sign-in has ended, as every one does after some time. The person has to sign in again."""


class RequestRefused(AccountError):
    """What a Bluesky server would not do; `name` is the error's name on the wire."""

    def __init__(self, title: str, message: str = "", *, name: str = "", status: int = 0) -> None:
        super().__init__(title, message)
        self.name = name
        self.status = status


class RateLimited(AccountError):
    """Too many requests; `retry_after` is in seconds."""

    exit_code = 2

    def __init__(self, title: str, message: str = "", *, retry_after: float = 0.0) -> None:
        super().__init__(title, message)
        self.retry_after = retry_after


def wrong_method(allowed: str) -> str:
    """Return the text of HTTP status 405, for REST and CGI alike."""
    return f"Use {allowed} here."
