"""Import the accounts that the program autoreply has saved in the system's keyring, when the person asks.

Its `autoreply-bluesky` entries hold an app password each, its `autoreply` entries the tokens of a sign-in.
The entries are not changed; but a token that is used here may be refused there, until the person signs in
there again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import msgspec

from bridge.accounts import app_password, sign_in
from bridge.accounts.account import Account, AccountSecret, Method
from bridge.accounts.identity import reference
from bridge.accounts.registry import AccountRegistry
from bridge.accounts.texts import logged_in
from bridge.errors import DeskbellError, VaultError
from bridge.i18n import failure_text, lines, say

_APP_PASSWORDS = "autoreply-bluesky"
_TOKENS = "autoreply"
_TIMEOUT = 60.0  # seconds; the keyring may ask the person


class SavedAccount(msgspec.Struct, frozen=True):
    """One entry, of either kind."""

    identifier: str = ""
    handle: str = ""
    password: str = ""
    refresh_token: str = ""

    @property
    def who(self) -> str:
        return self.identifier or self.handle


@dataclass(frozen=True, slots=True)
class ImportReport:
    added: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()  # with the reason

    def words(self) -> str:
        if not self.added and not self.skipped:
            return say("autoreply has no saved accounts here.")
        skipped = (say("⚠️ {reason}", reason=reason) for reason in self.skipped)
        return lines(*map(logged_in, self.added), *skipped)


Read = Callable[[str, str], str | None]  # service, name → secret


def _from_keyring(service: str, name: str) -> str | None:
    import keyring
    import keyring.errors

    try:
        return keyring.get_password(service, name)
    except keyring.errors.KeyringError as error:
        hint = say("{why}. Unlock it, and try again.", why=str(error) or type(error).__name__)
        raise VaultError(say("The system's keychain cannot be read"), hint) from error


def saved(read: Read) -> Iterator[SavedAccount]:
    """Yield the saved accounts. Blocks. A keyring cannot be listed: an entry names the others."""
    names = _texts(read(_APP_PASSWORDS, "account_list")) or _word(read(_APP_PASSWORDS, "default_account"))
    for name in names:
        yield from _entry(read(_APP_PASSWORDS, name))
    for handle in _word(read(_TOKENS, "default_handle")):
        yield from _entry(read(_TOKENS, f"user:{handle}"))


def _entry(item: str | None) -> Iterator[SavedAccount]:
    try:
        found = msgspec.json.decode(item or "{}", type=SavedAccount)
    except msgspec.MsgspecError:
        return
    if found.who:
        yield found


def _texts(item: str | None) -> list[str]:
    try:
        return msgspec.json.decode(item or "[]", type=list[str])
    except msgspec.MsgspecError:
        return []


def _word(item: str | None) -> list[str]:
    return [item] if item else []


async def adopt(
    registry: AccountRegistry, tell: sign_in.Tell = lambda _: None, read: Read = _from_keyring
) -> ImportReport:
    """Sign in to each saved account; one that fails does not stop the others."""
    tell("Reading what autoreply has saved in the keychain…")
    async with asyncio.timeout(_TIMEOUT):
        found = await asyncio.to_thread(lambda: list(saved(read)))
    added: list[str] = []
    skipped: list[str] = []
    for entry in found:
        try:
            account = await _sign_in(registry, entry, tell)
            added.append(account.handle)
        except DeskbellError as error:
            skipped.append(say("{title}: {message}", title=entry.who, message=failure_text(error)))
    return ImportReport(tuple(added), tuple(skipped))


async def _sign_in(registry: AccountRegistry, entry: SavedAccount, tell: sign_in.Tell) -> Account:
    if entry.password:
        return await sign_in.by_app_password(registry, entry.who, entry.password, tell)
    tell(f"Looking up {entry.who}…")
    identity = await registry.resolver().resolve(reference(entry.who))
    tokens = await app_password.renew(registry.http, identity.pds, identity.did, entry.refresh_token)
    account = Account(identity.did, identity.handle, identity.pds, Method.APP_PASSWORD)
    return await registry.add(account, AccountSecret(identity.did, identity.pds, tokens.refresh), tokens)
