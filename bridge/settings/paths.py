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


@dataclass(frozen=True, slots=True)
class Home:
    """The folder that holds all of Deskbell's state."""

    root: Path

    @classmethod
    def find(cls, env: Mapping[str, str]) -> Home:
        return cls(Path(shim.home(env)))

    @property
    def config(self) -> Path:
        return self.root / "config.toml"

    @property
    def token(self) -> Path:
        return self.root / "token"

    @property
    def journal(self) -> Path:
        return self.root / "journal.db"

    @property
    def lists(self) -> Path:
        return self.root / "lists.json"

    @property
    def pins(self) -> Path:
        return self.root / "pins.json"

    @property
    def allowed(self) -> Path:
        return self.root / "allowed.json"

    @property
    def met(self) -> Path:
        return self.root / "met"

    @property
    def welcomed(self) -> Path:
        """A marker: the welcome window was shown."""
        return self.root / "welcomed"

    @property
    def accounts(self) -> Path:
        """Bluesky accounts, without secrets."""
        return self.root / "accounts.json"

    @property
    def renewals(self) -> Path:
        """Sealed token refreshes that are not in the vault yet."""
        return self.root / "renewals"

    @property
    def pictures(self) -> Path:
        return self.root / "pictures"

    @property
    def repositories(self) -> Path:
        """Search index of Bluesky posts; may be deleted at any time."""
        return self.root / "repositories"

    @property
    def socket(self) -> str:
        """Path of the socket; a str, since on Windows it names a pipe."""
        return shim.socket_path(str(self.root))

    @property
    def lock(self) -> Path:
        return self.root / "deskbell.lock"

    @property
    def log(self) -> Path:
        return self.root / "deskbell.log"

    @property
    def updates(self) -> Path:
        """Result of the last update check."""
        return self.root / "updates.json"

    @property
    def login_path(self) -> Path:
        """Cached PATH of the login shell; may be deleted at any time."""
        return self.root / "login-path.json"

    @property
    def keyring_service(self) -> str:
        """The keyring's service name; another home has another one."""
        return "deskbell" if self.is_usual else f"deskbell {self.root}"

    @property
    def is_usual(self) -> bool:
        """True if this is the default home, found without DESKBELL_HOME."""
        usual = shim.home({name: value for name, value in os.environ.items() if name != "DESKBELL_HOME"})
        return str(self.root) == usual

    @property
    def hosts(self) -> Path:
        """Backups of AI applications' config files, and the list of changes."""
        return self.root / "hosts"

    def ensure(self) -> None:
        """Create the folder, for its owner only. Raises SettingsError."""
        try:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.root.chmod(0o700)
        except OSError as error:
            hint = say("{why}. Set DESKBELL_HOME to a folder of your own.", why=error.strerror)
            raise SettingsError(say("{path} cannot be used", path=self.root), hint) from error

    def read_token(self) -> str:
        """Return the token for HTTP; create it if it does not exist. Raises SettingsError."""
        try:
            with contextlib.suppress(FileNotFoundError):
                kept = self.token.read_text("utf-8").strip()
                if kept:
                    return kept
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
        beside = self.token.with_name(f".token.{secrets.token_hex(4)}")
        try:
            with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(fresh + "\n")
            os.replace(beside, self.token)
        except OSError as error:
            with contextlib.suppress(OSError):
                beside.unlink()
            raise SettingsError(say("{path} cannot be replaced", path=self.token), f"{error}.") from error
        return fresh
