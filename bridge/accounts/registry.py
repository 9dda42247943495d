"""AccountRegistry: owns the accounts, and is the only one that refreshes their tokens.

accounts.json lists the accounts, without secrets; the Vault holds one item per account. Adding writes the
list first and the Vault second, deleting the other way round: a crash leaves at worst an account that has to
sign in again, never a secret without an account.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import msgspec

from bridge.accounts import app_password, oauth, texts
from bridge.accounts.account import Access, Account, AccountSecret, Method, Tokens, secret_of
from bridge.accounts.dpop import Nonces
from bridge.accounts.identity import Resolver, reference
from bridge.accounts.token_refresh import AccountRefreshes
from bridge.errors import AccountError, DeskbellError, NotFoundError, SignInAgain, VaultError
from bridge.http_client.client import HttpClient
from bridge.http_client.urls import host
from bridge.i18n import failure_text, say, stored
from bridge.settings import Bluesky
from bridge.system.atomic_file import write_private
from bridge.system.background_tasks import SharedTask
from bridge.vault.base import Vault

log = logging.getLogger(__name__)
_MARGIN = 30.0  # seconds before its expiry a token is refreshed, or a tenth of its lifetime
_USED_EVERY = 60.0  # seconds between two updates of `used`
PUBLIC_RESOLVER = "https://public.api.bsky.app"


class _File(msgspec.Struct):
    version: int = 1
    default: str = ""
    accounts: list[Account] = []


class AccountRegistry:
    def __init__(
        self,
        path: Path,
        vault: Vault,
        places: Bluesky | None = None,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        self.http = HttpClient()
        self.nonces = Nonces()
        self.vault = vault
        self.problem: str = ""  # with accounts.json or a save, in words
        self.places = places or Bluesky()
        self._path = path
        self._on_change = on_change
        self._file = _File()
        self._accesses: dict[str, Access] = {}
        self._renewing: defaultdict[str, SharedTask[Access]] = defaultdict(SharedTask)
        self._arriving: set[str] = set()  # DIDs of first sign-ins that are being saved
        self._ending: set[asyncio.Task[str]] = set()
        self._alone: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)  # DID → lock for its secret
        self._refreshes = AccountRefreshes(path.parent / "renewals")
        self._load()

    # --- reading -----------------------------------------------------------------------------------------

    @property
    def accounts(self) -> tuple[Account, ...]:
        """All accounts except first sign-ins that are being saved: a keyring may still ask the person."""
        return tuple(one for one in self._file.accounts if one.did not in self._arriving)

    @property
    def default(self) -> str:
        """The DID of the default account; "" without accounts."""
        known = [account.did for account in self.accounts]
        return self._file.default if self._file.default in known else (known[0] if known else "")

    def get(self, did: str) -> Account | None:
        return next((account for account in self._file.accounts if account.did == did), None)

    def find(self, who: str = "") -> Account:
        """Return the account with this handle or DID, or the default one. Raises NotFoundError."""
        if not self.accounts:
            hint = "Sign in first: page Bluesky of Deskbell, or run: deskbell accounts login"
            raise NotFoundError("There is no Bluesky account yet", hint)
        wanted = reference(who) if who else self.default
        for account in self.accounts:
            if wanted in (account.did, account.handle):
                return account
        known = ", ".join(f"@{account.handle}" for account in self.accounts)
        raise NotFoundError(f"{who.strip()} is not signed in here", f"There is {known}.")

    def resolver(self) -> Resolver:
        places = self.places
        service = places.resolver or PUBLIC_RESOLVER
        return Resolver(self.http, places.plc, service, chosen=bool(places.resolver))

    # --- changing ----------------------------------------------------------------------------------------

    async def add(self, account: Account, secret: AccountSecret, tokens: Tokens) -> Account:
        """Save a sign-in: of a new account, or again of a known one."""
        async with self._alone[account.did]:
            return await self._add(account, secret, tokens)

    async def _add(self, account: Account, secret: AccountSecret, tokens: Tokens) -> Account:
        before = self.get(account.did)
        dated = msgspec.structs.replace(account, added=before.added if before else time.time())
        old = await self._secret_if_any(account.did) if before else None
        if before is None:
            self._arriving.add(account.did)
        self._put(dated if before else _ended(dated, texts.NOT_FINISHED))
        try:
            await self.vault.set(_name(account.did), secret.item())
        except BaseException:  # also cancelled by the person
            self._put(before) if before else self._drop(account.did)
            self._end_later(secret)
            raise
        finally:
            self._arriving.discard(account.did)
        self._refreshes.settle(account.did)
        self._put(dated)
        self._accesses[account.did] = _access(tokens, secret)
        if old is not None and old.refresh != secret.refresh:
            await self._end_quietly(old)
        return dated

    async def delete(self, did: str) -> str:
        """Delete an account and revoke its tokens; return in words what could not be revoked."""
        async with self._alone[did]:
            return await self._delete(did)

    async def _delete(self, did: str) -> str:
        if self.get(did) is None:
            raise NotFoundError(f"{did} is not signed in here")
        secret = await self._secret_if_any(did)
        problem = await self._end_quietly(secret) if secret else ""
        await self.vault.delete(_name(did))
        self._refreshes.forget(did)
        self._accesses.pop(did, None)
        self._drop(did)
        return problem

    def make_default(self, did: str) -> None:
        self._file.default = did
        self._save()

    def used(self, did: str) -> None:
        """Store when the account was used, at most once a minute."""
        account = self.get(did)
        if account is not None and time.time() - account.used > _USED_EVERY:
            self._put(msgspec.structs.replace(account, used=time.time()))

    async def close(self) -> None:
        """Close. A refresh under way goes on in its own process; the next Deskbell finds the result."""
        for renewal in self._renewing.values():
            renewal.cancel()
        for task in self._ending:
            task.cancel()
        await self.http.close()

    # --- tokens ------------------------------------------------------------------------------------------

    async def access(self, did: str, refused: str = "") -> Access:
        """Return a valid token. `refused`: the token that the server has just refused.

        The tokens are refreshed once, however many calls wait.
        """
        known = self._accesses.get(did)
        fresh = known and known.token != refused and (not known.until or time.monotonic() < known.until)
        if known and fresh:
            return known
        account = self.get(did)
        if account is None:
            raise NotFoundError(f"{did} is not signed in here")
        if account.ended:
            raise self._again(account, account.ended)
        return await self._renewing[did].run(lambda: self._renew(account, refused))

    async def _renew(self, account: Account, refused: str) -> Access:
        async with self._alone[account.did]:
            known = self._accesses.get(account.did)
            if known is not None and refused and known.token != refused:
                return known  # a new sign-in was faster
            return await self._renew_alone(account, refused)

    async def _renew_alone(self, account: Account, refused: str) -> Access:
        try:
            secret, left = await self._current_secret(account.did)
            if left is not None and left.access != refused:  # an earlier refresh, cut short, had succeeded
                return self._keep(secret, left)
            account = await self.follow(account)
            if account.ended:
                raise SignInAgain(say("The sign-in has ended"), account.ended)
            tokens = await (self._by_oauth if secret.key else self._by_password)(account, secret)
        except SignInAgain as error:
            known = self.get(account.did) or account
            reason = known.ended or texts.ended(error.message)
            self._put(_ended(known, reason))
            raise self._again(known, reason) from error
        after = msgspec.structs.replace(secret, refresh=tokens.refresh, pds=account.pds)
        try:
            await self.vault.set(_name(account.did), after.item())
            self._refreshes.settle(account.did)
            self.problem = ""
        except VaultError as error:
            if not secret.key:
                raise
            # It is sealed on disk, and goes into the Vault before the next refresh.
            self.problem = say(
                "The sign-in of @{handle} could not be stored yet. {why}",
                handle=account.handle,
                why=failure_text(error),
            )
            self._on_change()
        return self._keep(after, tokens)

    async def _by_oauth(self, account: Account, secret: AccountSecret) -> Tokens:
        server = await oauth.describe(self.http, secret.issuer)
        return await self._refreshes.refresh(secret, server.token_endpoint, self.nonces)

    async def _by_password(self, account: Account, secret: AccountSecret) -> Tokens:
        """Refresh without a worker: a PDS accepts an old token of this kind for two more hours."""
        try:
            return await app_password.renew(self.http, account.pds, account.did, secret.refresh)
        except SignInAgain:
            if not secret.password:
                raise
        try:
            return await app_password.sign_in(self.http, account.pds, account.did, secret.password)
        except AccountError as error:
            raise SignInAgain(say("The app password no longer works"), error.message) from error

    async def _current_secret(self, did: str) -> tuple[AccountSecret, Tokens | None]:
        """Return the secret, and the tokens of a refresh that was cut short, now saved in the Vault."""
        item = await self.vault.get(_name(did))
        if item is None:
            raise SignInAgain(say("The saved sign-in is missing"), texts.gone(self.vault.store.kind))
        secret = secret_of(item)
        left = await self._refreshes.unsaved(secret) if secret.key else None
        if left is not None:
            secret = msgspec.structs.replace(secret, refresh=left.refresh)
            await self.vault.set(_name(did), secret.item())
        self._refreshes.settle(did)
        return secret, left

    def _keep(self, secret: AccountSecret, tokens: Tokens) -> Access:
        access = self._accesses[secret.did] = _access(tokens, secret)
        return access

    async def follow(self, account: Account) -> Account:
        """Update handle and server of an account; if they cannot be looked up, return it unchanged."""
        try:
            now = await self.resolver().follow(account.did)
        except DeskbellError as error:
            log.info("%s cannot be looked up: %s", account.did, error)
            return account
        known = self.get(account.did)
        if known is None or (now.handle, now.pds) == (known.handle, known.pds):
            return known or account
        moved = msgspec.structs.replace(known, handle=now.handle, pds=now.pds)
        if now.pds != known.pds and not await self._same_issuer(moved):
            moved = _ended(moved, texts.moved(host(now.pds)))
        self._put(moved)
        self._accesses.pop(account.did, None)
        return moved

    async def _same_issuer(self, account: Account) -> bool:
        """True if the tokens may be used at the server the account has moved to."""
        if account.method is not Method.OAUTH:
            return False
        try:
            return await oauth.issuer_of(self.http, account.pds) == account.issuer
        except DeskbellError:
            return True  # unreachable: the next call will show

    def _again(self, account: Account, reason: str) -> SignInAgain:
        hint = f"{reason} {texts.sign_in_again(account.handle)}"
        return SignInAgain(f"Please sign in again as @{account.handle}", hint)

    async def _end_quietly(self, secret: AccountSecret) -> str:
        """Revoke the tokens at the server; return in words why it failed, or ""."""
        try:
            if secret.key:
                await oauth.revoke(self.http, secret, self.nonces)
            elif secret.refresh:
                await app_password.revoke(self.http, secret.pds, secret.refresh)
        except DeskbellError as error:
            return say("{host} could not be told: {why}", host=host(secret.pds), why=failure_text(error))
        return ""

    def _end_later(self, secret: AccountSecret) -> None:
        """Revoke tokens that could not be saved, in the background."""
        task = asyncio.create_task(self._end_quietly(secret))
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    async def _secret_if_any(self, did: str) -> AccountSecret | None:
        try:
            return (await self._current_secret(did))[0]
        except DeskbellError:
            return None

    # --- the file ----------------------------------------------------------------------------------------

    def _load(self) -> None:
        try:
            self._file = msgspec.json.decode(self._path.read_bytes(), type=_File)
        except FileNotFoundError:
            return
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            aside = self._path.with_suffix(".broken")
            with contextlib.suppress(OSError):
                os.replace(self._path, aside)
            self.problem = say(
                "{file} could not be read ({why}); it is now {aside}.",
                file=self._path.name,
                why=str(error),
                aside=aside.name,
            )

    async def recover(self) -> None:
        """Rebuild a damaged accounts.json from the items in the Vault."""
        if not self.problem or self._file.accounts:
            return
        for name in await self.vault.names():
            if name.startswith("account/"):
                secret = secret_of(await self.vault.get(name) or "")
                method = Method.OAUTH if secret.key else Method.APP_PASSWORD
                found = Account(secret.did, "handle.invalid", secret.pds, method, secret.issuer)
                self._put(found)
                await self.follow(found)

    def _put(self, account: Account) -> None:
        others = self._file.accounts
        if any(one.did == account.did for one in others):
            self._file.accounts = [account if one.did == account.did else one for one in others]
        else:
            self._file.accounts = [*others, account]
        self._save()

    def _drop(self, did: str) -> None:
        self._file.accounts = [one for one in self._file.accounts if one.did != did]
        self._save()

    def _save(self) -> None:
        try:
            write_private(self._path, msgspec.json.format(msgspec.json.encode(self._file), indent=1))
        finally:
            self._on_change()


def _name(did: str) -> str:
    return f"account/{did}"


def _ended(account: Account, why: str) -> Account:
    return msgspec.structs.replace(account, why_ended=stored(why))


def _access(tokens: Tokens, secret: AccountSecret) -> Access:
    margin = min(_MARGIN, tokens.lifetime / 10)
    until = time.monotonic() + tokens.lifetime - margin if tokens.lifetime else 0.0
    return Access(tokens.access, secret.pds, secret.key, until)
