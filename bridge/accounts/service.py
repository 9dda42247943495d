"""AccountService: the actions of windows, `deskbell accounts` and tools on Bluesky accounts.

The window has one sign-in at a time, with its progress in Status; it can be cancelled. A failure becomes a
sentence in Status, not an exception.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec

from bridge import i18n as phrases
from bridge.accounts import autoreply_import, avatar, texts
from bridge.accounts import sign_in as account_sign_in
from bridge.accounts.account import Account
from bridge.accounts.registry import AccountRegistry
from bridge.accounts.xrpc import AccountCalls, PublicCalls
from bridge.core.status import AccountsStatus, AccountStatus
from bridge.errors import DeskbellError, UsageError, failure_reply
from bridge.system.background_tasks import BackgroundTasks

Say = Callable[[dict[str, Any]], None]


class AccountRequest(msgspec.Struct, frozen=True):
    """A request of `deskbell accounts`."""

    do: str
    who: str = ""
    service: str = ""
    password: str = ""


class AccountService:
    """`show` opens an address in the browser; it returns False if it cannot."""

    def __init__(
        self,
        registry: AccountRegistry,
        pictures: Path,
        show: account_sign_in.Open,
        on_change: Callable[[], None],
    ) -> None:
        self.registry = registry
        self._pictures = pictures
        self._show = show
        self._on_change = on_change
        self._step: str = ""
        self._problem: str = ""
        self._done: str = ""
        self._arrived = ""  # DID of the account that `_done` is about
        self._url = ""
        self._signing_in: asyncio.Task[None] | None = None
        self._tasks = BackgroundTasks()

    def open(self) -> None:
        """Rebuild a damaged accounts.json from the Vault. An intact one leaves the keyring alone."""
        if self.registry.problem:
            self._start(self.registry.recover())

    async def close(self) -> None:
        await self._tasks.cancel()
        await self.registry.close()

    def calls(self, who: str = "") -> AccountCalls:
        """Return what sends requests as this account, or as the default one."""
        return AccountCalls(self.registry, self.registry.find(who).did)

    def public_calls(self) -> PublicCalls:
        """Return what sends requests as nobody."""
        return PublicCalls(self.registry.http, self.registry.places.appview)

    def status(self) -> AccountsStatus:
        return AccountsStatus(
            accounts=tuple(self._look(account) for account in self.registry.accounts),
            signing_in=self._step,
            url=self._url,
            problem=self._problem,
            done=self._done if self._is_current else "",
        )

    @property
    def _is_current(self) -> bool:
        """True unless the account that `_done` is about was deleted or has to sign in again."""
        account = self.registry.get(self._arrived)
        return not self._arrived or (account is not None and not account.ended)

    def notices(self) -> tuple[str, ...]:
        """Return problems that a person should see on Home."""
        ended = (account for account in self.registry.accounts if account.ended)
        again = tuple(
            phrases.say("Please sign in again as @{handle}. {why}", handle=one.handle, why=one.ended)
            for one in ended
        )
        return (*again, *([self.registry.problem] if self.registry.problem else []))

    def _look(self, account: Account) -> AccountStatus:
        picture = avatar.path(self._pictures, account.did)
        return AccountStatus(
            did=account.did,
            handle=account.handle,
            pds=account.pds,
            method=account.method.value,
            default=account.did == self.registry.default,
            added=account.added,
            used=account.used,
            problem=account.ended,
            avatar=str(picture) if picture.exists() else "",
        )

    # --- for the window: each returns at once, and Status has the result ---------------------------------

    def sign_in(self, who: str = "", service: str = "", password: str = "") -> None:
        if self._signing_in is not None:
            return
        self._problem = self._done = self._arrived = self._url = ""
        self._signing_in = self._tasks.start(self._sign_in(who, service, password))

    def cancel(self) -> None:
        if self._signing_in is not None:
            self._signing_in.cancel()

    def delete(self, did: str) -> None:
        self._start(self._delete(did))

    def make_default(self, did: str) -> None:
        self._start(self._make_default(did))

    def look_for_pictures(self) -> None:
        self._start(self._fetch_pictures())

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self._problem = self._done = self._arrived = ""
        self._run(work)

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._tasks.start(self._guarded(work))
        task.add_done_callback(lambda _: work.close())  # cancelled before it was awaited

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except DeskbellError as error:
            self._problem = phrases.failure_text(error)
        finally:
            self._on_change()

    async def _sign_in(self, who: str, service: str, password: str) -> None:
        try:
            if password:
                account = await account_sign_in.by_app_password(self.registry, who, password, self._tell)
            else:
                account = await account_sign_in.by_browser(
                    self.registry, who, service, self._tell, self._shown
                )
            self.welcome(account)
        except DeskbellError as error:
            self._problem = phrases.failure_text(error)
        finally:
            self._step, self._url, self._signing_in = "", "", None
            self._on_change()

    def welcome(self, account: Account) -> str:
        """Show a new sign-in on the desktop, wherever it was started; return the text about it."""
        self._done, self._arrived, self._problem = texts.logged_in(account.handle), account.did, ""
        self._on_change()
        self._run(self._fetch_pictures())
        return self._done

    async def _shown(self, url: str) -> bool:
        self._url = url
        return await self._show(url)

    def _tell(self, step: str) -> None:
        self._step = step
        self._on_change()

    async def _delete(self, did: str) -> None:
        self._problem = await self.delete_now(did)

    async def delete_now(self, did: str) -> str:
        """Delete an account; return in words what could not be revoked at the server."""
        problem = await self.registry.delete(did)
        avatar.path(self._pictures, did).unlink(missing_ok=True)
        return problem

    async def _make_default(self, did: str) -> None:
        self.registry.make_default(did)

    async def _fetch_pictures(self) -> None:
        for account in self.registry.accounts:
            if await avatar.fetch(self.registry.http, account, self._pictures):
                self._on_change()

    # --- for `deskbell accounts`, over the socket or in its own process ----------------------------------

    async def talk(self, wanted: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
        """Yield the messages of `serve`; ending the iteration cancels the work."""
        messages: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        work = asyncio.create_task(self.serve(wanted, messages.put_nowait))
        try:
            while True:
                message = await messages.get()
                yield message
                if "done" in message or "failed" in message:
                    break
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)

    async def serve(self, wanted: dict[str, Any], say: Say) -> None:
        """Call `say` with {"progress": …} and {"open": URL}, at last with {"done": …} or {"failed": …}."""
        try:
            say({"done": await self._serve(msgspec.convert(wanted, AccountRequest), say)})
        except DeskbellError as error:
            say(failure_reply(error))
        self._on_change()

    async def _serve(self, request: AccountRequest, say: Say) -> Any:
        match request.do:
            case "list":
                return [msgspec.to_builtins(one, enc_hook=str) for one in self.status().accounts]
            case "login":
                return self.welcome(await self._log_in(request, say))
            case "default":
                account = self.registry.find(request.who)
                self.registry.make_default(account.did)
                return f"@{account.handle} is the default account now."
            case "delete":
                account = self.registry.find(request.who)
                problem = await self.delete_now(account.did)
                return f"✓ Deleted @{account.handle}" + (f" (⚠️ {problem})" if problem else "")
            case "autoreply":
                return (
                    await autoreply_import.adopt(self.registry, lambda step: say({"progress": step}))
                ).words()
            case action:
                raise UsageError(f"This Deskbell cannot {action} accounts", "Restart it after an update.")

    async def _log_in(self, request: AccountRequest, say: Say) -> Account:
        def tell(step: str) -> None:
            say({"progress": step})

        async def show(url: str) -> bool:
            say({"open": url})
            return True

        if request.password:
            return await account_sign_in.by_app_password(self.registry, request.who, request.password, tell)
        return await account_sign_in.by_browser(self.registry, request.who, request.service, tell, show)
