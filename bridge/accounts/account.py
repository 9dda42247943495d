"""An Account, and the AccountSecret that belongs to it. Values only.

The Account is stored unencrypted (accounts.json); the AccountSecret is in the Vault, as one short item: some
keyrings take at most 1280 characters.
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
    """`did` never changes; handle and server (`pds`) may, and are updated."""

    did: str
    handle: str
    pds: str
    method: Method
    issuer: str = ""  # OAuth: the authorization server that issued the tokens
    added: float = 0.0  # Unix time
    used: float = 0.0
    why_ended: str | StoredText = msgspec.field(default="", name="ended")

    @property
    def ended(self) -> str:
        """Return why the person has to sign in again; "" if the account works."""
        return restored(self.why_ended)


class AccountSecret(msgspec.Struct, frozen=True, omit_defaults=True):
    """The item in the Vault, with short keys. It can restore the account if accounts.json is lost."""

    did: str = msgspec.field(name="d")
    pds: str = msgspec.field(name="p")
    refresh: str = msgspec.field(default="", name="r")
    issuer: str = msgspec.field(default="", name="i")
    scope: str = msgspec.field(default="", name="s")
    key: str = msgspec.field(default="", name="k")  # OAuth: private value of the DPoP key
    password: str = msgspec.field(default="", name="a")  # an app password

    def __repr__(self) -> str:
        return f"AccountSecret({self.did})"

    def item(self) -> str:
        return msgspec.json.encode(self).decode()


def secret_of(item: str) -> AccountSecret:
    try:
        return msgspec.json.decode(item, type=AccountSecret)
    except (msgspec.MsgspecError, RecursionError) as error:
        words = say("The saved sign-in of this account cannot be read")
        raise VaultError(words, say("Sign in again.")) from error


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens issued by an authorization server or a PDS; in memory only."""

    access: str
    refresh: str
    did: str
    scope: str = ""
    lifetime: float = 0.0  # seconds of the access token; 0: unknown

    def __repr__(self) -> str:
        return f"Tokens({self.did})"


@dataclass(frozen=True, slots=True)
class Access:
    """The token and server for one request."""

    token: str
    pds: str
    key: str = ""  # "": a plain bearer token
    until: float = 0.0  # monotonic time; 0: until the server refuses it

    def __repr__(self) -> str:
        return f"Access({self.pds})"
