"""Tokens of AI applications: each proves which application connects. Only their SHA-256 digests are stored.

`hosts connect` writes a token into the application's entry; stdio passes it as DESKBELL_HOST_TOKEN, HTTP as
the bearer token. A revoked token is refused; the name it proved stays reserved until the application is
disconnected.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import time
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

import msgspec

from bridge.system.atomic_file import write

Identify = Callable[[str], str]  # token → the name it proves; "" if it is not known. Raises RevokedToken
_TOKEN = re.compile(rb"dbt-[A-Za-z0-9_-]{43}")


class RevokedToken(Exception):
    """The person revoked this token. The argument is the application's name."""


class IssuedToken(msgspec.Struct, frozen=True):
    host: str  # name in [hosts] that the token proves
    app: str  # Recipe.id
    at: float  # Unix time
    revoked: bool = False
    limit: float = 0.0  # seconds that the application's entries give a call; 0: not known
    dropped: bool = False  # removed from the file; kept if revoked, because an undo may bring it back


def unproven(token: str) -> str:
    """Identify nobody."""
    return ""


def new_token() -> str:
    return "dbt-" + secrets.token_urlsafe(32)


def tokens_in(raw: bytes | None) -> frozenset[str]:
    """Return the tokens that a file contains."""
    return frozenset(found.decode() for found in _TOKEN.findall(raw or b""))


class HostTokens:
    def __init__(self, file: Path) -> None:
        self._file = file
        self._issued: dict[str, IssuedToken] = {}  # digest → token
        self.reload()

    def reload(self) -> None:
        try:
            self._issued = msgspec.json.decode(self._file.read_bytes(), type=dict[str, IssuedToken])
        except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            self._issued = {}  # every host is unproven; connecting again issues new tokens

    @property
    def names(self) -> frozenset[str]:
        """Return the names that tokens prove, revoked ones too."""
        return frozenset(token.host for token in self._issued.values() if not token.dropped)

    @property
    def revoked_names(self) -> frozenset[str]:
        """Return the names that no valid token proves any more."""
        valid = frozenset(token.host for token in self._issued.values() if not token.revoked)
        return self.names - valid

    def host(self, token: str) -> str:
        """Return the name that this token proves; "" if it is not known. Raises RevokedToken."""
        found = self._issued.get(_digest(token)) if token else None
        if found is not None and found.revoked:
            raise RevokedToken(found.host)
        return found.host if found is not None else ""

    def valid_in(self, raw: bytes | None, app: str) -> str:
        """Return a valid token of this application that the file contains; "" if there is none."""
        return next((token for token in tokens_in(raw) if self.is_valid(token, app)), "")

    def is_valid(self, token: str, app: str) -> bool:
        found = self._issued.get(_digest(token))
        return found is not None and found.app == app and not found.revoked

    def replace(self, app: str, host: str, issued: Iterable[str], dropped: Collection[str]) -> None:
        """Record tokens written into the application's file, and forget those removed from it."""
        after = dict(self._issued)
        for digest in map(_digest, dropped):
            if (token := after.pop(digest, None)) is not None and token.revoked:
                after[digest] = msgspec.structs.replace(token, dropped=True)
        for digest in map(_digest, issued):
            revoked = digest in after and after[digest].revoked
            after[digest] = IssuedToken(host, app, time.time(), revoked)
        if after != self._issued:
            self._save(after)

    def note_limit(self, written: Iterable[str], seconds: float) -> None:
        """Record how long the application's entries, which have these tokens, let a call take."""
        known = {digest: self._issued[digest] for digest in map(_digest, written) if digest in self._issued}
        limited = {digest: msgspec.structs.replace(token, limit=seconds) for digest, token in known.items()}
        if limited != known:
            self._save(self._issued | limited)

    @property
    def limits(self) -> dict[str, float]:
        """Return how long the entries of each host let a call take, in seconds, where that is known."""
        return {token.host: token.limit for token in self._issued.values() if token.limit}

    def revoke(self, app: str) -> int:
        """Refuse the application's tokens from now on. Return how many there were."""
        valid = {
            digest: token for digest, token in self._issued.items() if token.app == app and not token.revoked
        }
        revoked = {digest: msgspec.structs.replace(token, revoked=True) for digest, token in valid.items()}
        self._save(self._issued | revoked)
        return len(valid)

    def _save(self, issued: dict[str, IssuedToken]) -> None:
        self._issued = issued
        write(self._file, msgspec.json.encode(issued), mode=0o600)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()
