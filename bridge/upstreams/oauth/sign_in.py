"""SignIn: the OAuth sign-in of one server, shared by all its connections. Decides when to ask the person.

Nothing happens before the server has refused a request. Then, once for all waiting requests: the token is
refreshed if there is a refresh token, else the person is asked, who sees which server it is and where the
browser would go. After a click the Presenter opens the browser, once. If the person declines or does not come
back, nobody is asked for a while: the server is shown as `sign-in needed` until the person starts the sign-in
(`begin`, or `deskbell servers login NAME`), or a call comes after the pause.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from bridge.core.ports import ServerSpec
from bridge.core.questions.question import Action, Answer
from bridge.core.routing.connections.sign_in_state import NEEDED, SETTLED, UNDER_WAY
from bridge.errors import DeskbellError
from bridge.i18n import failure_text, say, together
from bridge.system.background_tasks import SharedTask
from bridge.upstreams import FillSecrets
from bridge.upstreams.http.client import Auth, OriginClient
from bridge.upstreams.http.failures import RequestFailed
from bridge.upstreams.oauth.saved_tokens import SavedTokens, sealed_refresh
from bridge.vault.base import Vault

if TYPE_CHECKING:
    from bridge.upstreams.oauth.flow import OAuthFlow


_HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
_INITIALIZE = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},'
    b'"clientInfo":{"name":"deskbell","version":"1"}}}'
)


async def send_initialize(spec: ServerSpec, filled: ServerSpec, auth: Auth) -> None:
    """Send `initialize`, so that a server that wants a sign-in asks for it. Raises RequestFailed if refused.

    `filled`: `spec` with its secrets filled in.
    """
    http = OriginClient(spec, auth)
    try:
        await http.open(filled)
        response = await http.request("POST", _HEADERS, _INITIALIZE)
        response.close()
        if response.status in (401, 403):
            words = say(
                "{server} denies access. It answered HTTP {status}.",
                server=spec.name,
                status=response.status,
            )
            raise RequestFailed(words, response.status)
    finally:
        http.close()


PAUSE = 300.0  # seconds after a failed sign-in until a call may ask again
PREFIX = "upstream/"

AskToOpen = Callable[[ServerSpec, str], Awaitable[Answer]]  # shows the address to the person
Tell = Callable[[str, str], None]  # server, state
Open = Callable[[str], Awaitable[bool]]  # opens the address in the browser; False: there is no browser


class SignIn:
    def __init__(
        self,
        spec: ServerSpec,
        vault: Vault,
        fill: FillSecrets,
        ask: AskToOpen,
        tell: Tell,
        show: Open | None = None,
        folder: Path | None = None,
    ) -> None:
        self._spec = spec
        self._vault = vault
        self._fill = fill
        self._ask = ask
        self._tell = tell
        self._show = show
        self._folder = folder  # of sealed replies (token_refresh/)
        self._wanted = False  # True while the person has started the sign-in
        self._visited = ""  # where the browser was sent, until it comes back
        self._saved: SavedTokens | None = None
        self._has_read_vault = False
        self._running: SharedTask[None] = SharedTask()
        self._paused_until = 0.0  # monotonic
        self._why: str = ""  # the reason of the pause, in words
        self._asks = True  # False: a 401 is shown in Status, without asking the person

    async def token(self) -> str:
        """Return the access token to send, refreshed if it is about to expire; "" if there is none.

        A locked vault is left locked: this server may not want a token at all.
        """
        if not self._has_read_vault:
            self._has_read_vault = True
            if await self._vault.may_have(PREFIX + self._spec.name):
                await self._read_saved()
        saved = self._saved
        if saved is not None and saved.stale:
            await self._once(_refresh)
        return saved.token if saved is not None else ""

    async def renew(self, used: str, revision: str, status: int, challenge: list[str], may_ask: bool) -> bool:
        """After a refusal: True when there is another token to try. Raises RequestFailed."""
        saved = await self._read_saved()
        if saved is not None and saved.token and saved.token != used:
            return True

        async def work(flow: OAuthFlow) -> None:
            if status == 401 and used and await flow.refresh(revision):
                return
            if not may_ask:
                return
            if not self._asks:
                self._tell(self._spec.name, NEEDED)
            if not self._asks or time.monotonic() < self._paused_until:
                raise self._needed()
            await self._ask_person(flow, revision, status, challenge)

        while True:
            mine = not self._running.is_running
            await self._once(work)
            if self._saved is not None and self._saved.token not in ("", used):
                return True
            if mine:
                return False

    async def begin(self) -> None:
        """Sign in because the person wants to: open the browser at once. A second call opens the same page
        again. Raises RequestFailed."""
        if self._visited and self._show is not None:
            await self._show(self._visited)
            return
        self._paused_until = 0.0
        self._wanted = True
        try:
            await send_initialize(self._spec, await self._filled(), self)
            self._tell(self._spec.name, SETTLED)
        finally:
            self._wanted = False

    @contextmanager
    def without_asking(self) -> Iterator[None]:
        """Do not ask the person in this context: a server that needs a sign-in is only shown as such."""
        self._asks = False
        try:
            yield
        finally:
            self._asks = True

    def give_up(self) -> None:
        """Pause: the server refused a new token too, and another sign-in would not help."""
        self._pause(say("{server} refuses you although you have signed in.", server=self._spec.name))
        self._tell(self._spec.name, NEEDED)

    def reread_vault(self) -> None:
        """Forget the tokens: the person signed in or out elsewhere, and the vault has the result."""
        self._saved = None
        self._has_read_vault = False
        self._paused_until = 0.0
        self._tell(self._spec.name, SETTLED)

    def end_pause(self) -> None:
        """Allow a sign-in at once: the server's settings have a new secret."""
        self._paused_until = 0.0
        if not self._running.is_running:
            self._tell(self._spec.name, SETTLED)

    def close(self) -> None:
        self._running.cancel()

    # --- the work ------------------------------------------------------------------------------------

    async def _once(self, work: Callable[[OAuthFlow], Awaitable[None]]) -> None:
        """Run `work`, or wait for the one that runs already."""
        await self._running.run(lambda: self._work(work))

    async def _work(self, work: Callable[[OAuthFlow], Awaitable[None]]) -> None:
        oauth = await asyncio.to_thread(import_module, "bridge.upstreams.oauth.flow")  # slow
        spec = await self._filled()
        if self._saved is None:
            self._saved = SavedTokens(url=self._spec.url)
        sealed = sealed_refresh(self._folder, spec.name) if self._folder is not None else None
        await work(oauth.OAuthFlow(spec, self._saved, self._save, self._consent, sealed))

    async def _filled(self) -> ServerSpec:
        try:
            return await self._fill(self._spec)
        except DeskbellError as error:
            raise self._not_signed_in(error) from error

    async def _ask_person(self, flow: OAuthFlow, revision: str, status: int, challenge: list[str]) -> None:
        name = self._spec.name
        self._tell(name, UNDER_WAY)
        state = NEEDED
        try:
            await flow.sign_in(revision, status, challenge)
            state = SETTLED
        except TimeoutError:
            raise self._pause(say("The sign-in to {server} was not finished.", server=name)) from None
        except RequestFailed as error:
            raise self._pause(error.words) from error
        finally:
            self._visited = ""
            self._tell(name, state)

    def _pause(self, why: str) -> RequestFailed:
        self._why = why
        self._paused_until = time.monotonic() + PAUSE
        return self._needed()

    def _needed(self) -> RequestFailed:
        name = self._spec.name
        words = say(
            "{server} needs you to sign in: {command}", server=name, command=f"deskbell servers login {name}"
        )
        return RequestFailed(together(self._why, words), 401)

    async def _consent(self, url: str, came_back: Callable[[], bool]) -> None:
        if self._wanted and self._show is not None:
            self._visited = url
            if await self._show(url) or came_back():  # another page of this sign-in was faster
                return
            self._visited = ""
        answer = await self._ask(self._spec, url)
        if answer.action is not Action.ACCEPT:
            words = say("The sign-in to {server} was not approved.", server=self._spec.name)
            if answer.action is Action.DECLINE:
                words = say("You declined the sign-in to {server}.", server=self._spec.name)
            raise RequestFailed(words, 401)
        self._visited = url

    # --- the vault -----------------------------------------------------------------------------------

    async def _read_saved(self) -> SavedTokens | None:
        """Return the saved tokens, read from the vault once; not those of another address of this name."""
        if self._saved is None:
            try:
                text = await self._vault.get_for(self._spec.name, PREFIX + self._spec.name)
                saved = msgspec.json.decode(text, type=SavedTokens) if text else None
            except DeskbellError as error:
                raise self._not_signed_in(error) from error
            except (msgspec.DecodeError, RecursionError):
                return None
            if saved is not None and saved.url == self._spec.url and self._saved is None:
                self._saved = saved
        return self._saved

    def _not_signed_in(self, error: DeskbellError) -> RequestFailed:
        words = say("Could not sign in to {server}: {why}", server=self._spec.name, why=failure_text(error))
        return RequestFailed(words, 401)

    async def _save(self) -> None:
        if self._saved is not None:
            text = msgspec.json.encode(self._saved).decode()
            await self._vault.set_for(self._spec.name, PREFIX + self._spec.name, text)


async def _refresh(flow: OAuthFlow) -> None:
    await flow.refresh("")


class SignIns:
    """The sign-ins of all servers, by name. A server whose address or settings changed gets a new one."""

    def __init__(
        self,
        vault: Vault,
        fill: FillSecrets,
        ask: AskToOpen,
        tell: Tell,
        show: Open | None = None,
        folder: Path | None = None,
    ) -> None:
        self._arguments = (vault, fill, ask, tell, show, folder)
        self._known: dict[str, tuple[tuple[str, Mapping[str, str]], SignIn]] = {}

    def of(self, spec: ServerSpec) -> SignIn:
        key = (spec.url, spec.oauth)
        known = self._known.get(spec.name)
        if known is None or known[0] != key:
            if known is not None:
                known[1].close()
            known = self._known[spec.name] = (key, SignIn(spec, *self._arguments))
        return known[1]

    def rename(self, old: str, new: str) -> None:
        """Forget both names: the vault has the tokens under the new one."""
        for name in (old, new):
            if name in self._known:
                self._known.pop(name)[1].close()
        if folder := self._arguments[-1]:
            sealed_refresh(folder, old).move_to(sealed_refresh(folder, new))

    def signed_in_by_command(self, hello: dict[str, Any]) -> dict[str, Any]:
        """Note that `deskbell servers login` or `logout` has changed the tokens in the vault."""
        self.reread_vault(str(hello.get("server", "")))
        return {}

    def reread_vault(self, server: str) -> None:
        if server in self._known:
            self._known[server][1].reread_vault()

    def end_pause(self, server: str) -> None:
        if server in self._known:
            self._known[server][1].end_pause()

    def close(self) -> None:
        for _, sign_in in self._known.values():
            sign_in.close()
