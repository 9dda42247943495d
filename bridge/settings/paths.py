"""Home: paths of all files that Deskbell keeps, and the token for HTTP."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bridge import shim
from bridge.errors import SettingsError
from bridge.i18n import say
from bridge.system.atomic_file import OWNER_ONLY, write
from bridge.system.ownership import refuse_foreign, refuse_foreign_contents


class _HomePath:
    """The path of this name in a Home."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, home: Home, kind: type[Home]) -> Path:
        return home.root / self._name


@dataclass(frozen=True, slots=True)
class Home:
    """The folder that holds all of Deskbell's state."""

    root: Path

    config = _HomePath("config.toml")
    token = _HomePath("token")  # for HTTP
    port = _HomePath("port")  # the port that entries of AI applications have
    host_tokens = _HomePath("host_tokens.json")  # digests of the applications' own tokens
    journal = _HomePath("journal.db")
    lists = _HomePath("lists.json")
    memory = _HomePath("memory.json")  # introductions and lists of servers, by what hosts can
    pins = _HomePath("pins.json")
    usage = _HomePath("usage.json")
    allowed = _HomePath("allowed.json")
    held = _HomePath("held.json")  # calls whose hosts stopped waiting; their replies are encrypted
    drafts = _HomePath("drafts.bin")  # what was typed and not sent; encrypted
    patience = _HomePath("patience.json")  # how long hosts wait for a call, as learned
    met = _HomePath("met")
    seen = _HomePath("seen.json")  # when AI applications were connected last
    failures = _HomePath("failures.json")  # why servers did not work last
    refusals = _HomePath("refusals.json")  # AI applications that refused a question unseen
    welcomed = _HomePath("welcomed")  # a marker: the welcome window was shown
    accounts = _HomePath("accounts.json")  # of Bluesky, without secrets
    renewals = _HomePath("renewals")  # sealed token refreshes that are not in the vault yet
    pictures = _HomePath("pictures")  # of Bluesky accounts
    icons = _HomePath("icons")  # of servers; may be deleted at any time
    repositories = _HomePath("repositories")  # search index of Bluesky posts; may be deleted at any time
    hosts = _HomePath("hosts")  # backups of AI applications' config files, and the list of changes
    secret_uses = _HomePath("secret_uses.json")  # programs outside config.toml that may have a secret
    lock = _HomePath("deskbell.lock")
    log = _HomePath("deskbell.log")
    updates = _HomePath("updates.json")  # result of the last update check
    staged = _HomePath("updates")  # a newer version, until the next start
    login_path = _HomePath("login-path.json")  # cached PATH of the login shell; may be deleted at any time

    @classmethod
    def find(cls, env: Mapping[str, str]) -> Home:
        return cls(Path(shim.home(env)))

    @property
    def socket(self) -> str:
        """Path of the socket; a str, since on Windows it names a pipe."""
        return shim.socket_path(str(self.root))

    @property
    def keyring_service(self) -> str:
        """The keyring's service name; another home has another one."""
        return "deskbell" if self.is_usual else f"deskbell {self.root}"

    @property
    def is_usual(self) -> bool:
        """True if this is the default home, found without DESKBELL_HOME."""
        usual = shim.home({name: value for name, value in os.environ.items() if name != "DESKBELL_HOME"})
        return str(self.root) == usual

    def ensure(self) -> None:
        """Create the folder, for its owner only. Raises SettingsError, also for a folder in which another
        user has put something before it was closed."""
        try:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            refuse_foreign(self.root)
            self.root.chmod(0o700)
            refuse_foreign_contents(self.root)
        except OSError as error:
            hint = say("{why}. Set DESKBELL_HOME to a folder of your own.", why=error.strerror)
            raise SettingsError(say("{path} cannot be used", path=self.root), hint) from error

    @property
    def deleted(self) -> str:
        """What to say when the folder of a running Deskbell was deleted."""
        return say(
            "{path} was deleted while Deskbell runs: nothing is saved any more. "
            "Quit Deskbell and start it again.",
            path=self.root,
        )

    def read_token(self) -> str:
        """Return the token for HTTP; create it if it does not exist. Raises SettingsError."""
        try:
            with contextlib.suppress(FileNotFoundError):
                token = self.token.read_text("utf-8").strip()
                if token:
                    return token
                self.token.unlink()  # left by a crash between creating and writing it
            fresh = secrets.token_urlsafe(32)
            with open(os.open(self.token, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(fresh + "\n")
        except (OSError, UnicodeDecodeError) as error:
            hint = say("{why}. Delete it to get a new one.", why=str(error))
            raise SettingsError(say("{path} cannot be used", path=self.token), hint) from error
        return fresh

    def renew_token(self) -> str:
        """Replace the token atomically; return the new one. Raises SettingsError."""
        fresh = secrets.token_urlsafe(32)
        write(self.token, f"{fresh}\n".encode(), OWNER_ONLY)
        return fresh
