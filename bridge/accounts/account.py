"""An Account, and the Secret that belongs to it. Values only.

The Account is written down in the open (accounts.json); the Secret lives in the Vault, as one short item:
some keyrings take 1280 characters and no more.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import msgspec

from bridge.errors import VaultError
from bridge.i18n import StoredText, restored, say


class Method(StrEnum):
    OAUTH = "oauth"
    APP_PASSWORD = "app-password"  # noqa: S105 - the name of a way to sign in


class Account(msgspec.Struct, frozen=True, omit_defaults=True):
    """`did` never changes; handle and server (`pds`) may, and are followed."""

    did: str
    handle: str
    pds: str
    method: Method
    issuer: str = ""  # OAuth: who gave the tokens
    added: float = 0.0  # seconds since the epoch
    used: float = 0.0
    why_ended: str | StoredText = msgspec.field(default="", name="ended")

    @property
    def ended(self) -> str:
        """Return why the person has to sign in again; "" if the account works."""
        return restored(self.why_ended)


class Secret(msgspec.Struct, frozen=True, omit_defaults=True):
    """Short keys, short item. Enough to find the account again if accounts.json were lost."""

    did: str = msgspec.field(name="d")
    pds: str = msgspec.field(name="p")
    refresh: str = msgspec.field(default="", name="r")
    issuer: str = msgspec.field(default="", name="i")
    scope: str = msgspec.field(default="", name="s")
    key: str = msgspec.field(default="", name="k")  # OAuth: private value of the DPoP key
    password: str = msgspec.field(default="", name="a")  # an app password

    def __repr__(self) -> str:
        return f"Secret({self.did})"

    def item(self) -> str:
        return msgspec.json.encode(self).decode()


def secret_of(item: str) -> Secret:
    try:
        return msgspec.json.decode(item, type=Secret)
    except msgspec.MsgspecError as error:
        words = say("What is kept for this account cannot be read")
        raise VaultError(words, say("Sign in again.")) from error


@dataclass(frozen=True, slots=True)
class Tokens:
    """What an authorisation server or a PDS answered. In memory, and sealed on disk for a moment."""

    access: str
    refresh: str
    did: str
    scope: str = ""
    lifetime: float = 0.0  # seconds the access token is good for; 0: not said

    def __repr__(self) -> str:
        return f"Tokens({self.did})"


@dataclass(frozen=True, slots=True)
class Access:
    """What one call needs."""

    token: str
    pds: str
    key: str = ""  # "": a plain bearer token
    until: float = 0.0  # monotonic seconds; 0: until the server says no

    def __repr__(self) -> str:
        return f"Access({self.pds})"
