"""SignIn: one server's OAuth, shared by all its connections. Decides when the person is asked, and when not.

Nothing is asked of anyone before the server has refused us. Then, once for all who wait: a refresh if there
is something to refresh with, else the person, who sees which server it is and where the browser would go. The
Presenter opens it, after that click, once. Who declined, or did not come back, is left alone for a while: the
server is shown as `sign-in needed` until the person wants it (`begin`, or `deskbell servers login NAME`), or
a call after the rest.

A knock at a server's door, so that it asks for a sign-in if it wants one: for a person who wants it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from bridge.core.ports import ServerSpec
from bridge.core.questions.question import Action, Answer
from bridge.core.routing.sign_in_state import NEEDED, SETTLED, UNDER_WAY
from bridge.errors import DeskbellError
from bridge.i18n import say, told
from bridge.upstreams.fill_secrets import Fill
from bridge.upstreams.http.client import Auth, Trouble, Web
from bridge.upstreams.oauth import token_refresh
from bridge.upstreams.oauth.saved_tokens import Kept
from bridge.upstreams.oauth.token_refresh import sealed_refresh
from bridge.vault.base import Vault

if TYPE_CHECKING:
    from bridge.upstreams.oauth.flow import Flow


_HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
_HELLO = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},'
    b'"clientInfo":{"name":"deskbell","version":"1"}}}'
)


async def knock(spec: ServerSpec, filled: ServerSpec, auth: Auth) -> None:
    """Returns when the server lets us in. Raises Trouble. `filled`: the same with its secrets in place."""
    web = Web(spec, auth)
    try:
        await web.open(filled)
        response = await web.request("POST", _HEADERS, _HELLO)
        response.close()
        if response.status in (401, 403):
            words = say(
                "{server} does not let you in. It answered HTTP {status}.",
                server=spec.name,
                status=response.status,
            )
            raise Trouble(words, response.status)
    finally:
        web.close()


REST = 300.0  # seconds after a sign-in that failed, before a call may ask again
PREFIX = "upstream/"

Ask = Callable[[ServerSpec, str], Awaitable[Answer]]  # puts the address before the person
Tell = Callable[[str, str], None]  # server, state
Open = Callable[[str], Awaitable[bool]]  # opens the address in the browser; False: there is none


class SignIn:
    def __init__(
        self,
        spec: ServerSpec,
        vault: Vault,
        fill: Fill,
        ask: Ask,
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
        self._folder = folder  # where answers wait that the vault does not have yet
        self._wanted = False  # by the person, at this moment
        self._visited = ""  # where the browser was sent, until it comes back
        self._kept: Kept | None = None
        self._looked = False
        self._working: asyncio.Task[None] | None = None
        self._rests_until = 0.0
        self._why: str = ""

    async def token(self) -> str:
        """What to show the server; "" if there is nothing. A token that is about to end is renewed first.

        The person is not asked to unlock anything for a server that may not want a token at all.
        """
        if not self._looked:
            self._looked = True
            if await self._vault.may_have(PREFIX + self._spec.name):
                await self._known()
        kept = self._kept
        if kept is not None and kept.stale:
            await self._once(_refresh)
        return kept.token if kept is not None else ""

    async def renew(self, used: str, revision: str, status: int, challenge: list[str], asks: bool) -> bool:
        """After a refusal: True when there is another token to try. Raises Trouble."""
        kept = await self._known()
        if kept is not None and kept.token and kept.token != used:
            return True

        async def work(flow: Flow) -> None:
            if status == 401 and used and await flow.refresh(revision):
                return
            if not asks:
                return
            self._check_rest()
            await self._signed_in(flow, revision, status, challenge)

        while True:
            mine = self._working is None
            await self._once(work)
            if self._kept is not None and self._kept.token not in ("", used):
                return True
            if mine:
                return False

    async def begin(self) -> None:
        """The person wants to sign in: the browser opens at once. Who wants it again has lost the page, and
        gets the same one. Raises Trouble."""
        if self._visited and self._show is not None:
            await self._show(self._visited)
            return
        self._rests_until = 0.0
        self._wanted = True
        try:
            await knock(self._spec, await self._filled(), self)
            self._tell(self._spec.name, SETTLED)
        finally:
            self._wanted = False

    def give_up(self) -> None:
        """Signed in anew, and refused again: asking once more would lead nowhere."""
        self._why = say("{server} refuses you although you have signed in.", server=self._spec.name)
        self._rests_until = time.monotonic() + REST
        self._tell(self._spec.name, NEEDED)

    def look_again(self) -> None:
        """The person signed in or out elsewhere: the vault knows."""
        self._kept = None
        self._looked = False
        self._rests_until = 0.0
        self._tell(self._spec.name, SETTLED)

    def try_again(self) -> None:
        """Its settings have another secret in them: what failed before may work."""
        self._rests_until = 0.0
        if self._working is None:
            self._tell(self._spec.name, SETTLED)

    def close(self) -> None:
        if self._working is not None:
            self._working.cancel()

    # --- the work ------------------------------------------------------------------------------------

    async def _once(self, work: Callable[[Flow], Awaitable[None]]) -> None:
        """Whoever comes while it is under way waits for the same, and his going away ends nothing."""
        if self._working is None:
            self._working = asyncio.get_running_loop().create_task(self._work(work))
            self._working.add_done_callback(self._over)
        await asyncio.shield(self._working)

    def _over(self, task: asyncio.Task[None]) -> None:
        self._working = None
        if not task.cancelled():
            task.exception()  # told to whoever waits

    async def _work(self, work: Callable[[Flow], Awaitable[None]]) -> None:
        oauth = await asyncio.to_thread(_load)
        spec = await self._filled()
        if self._kept is None:
            self._kept = Kept(url=self._spec.url)
        sealed = sealed_refresh(self._folder, spec.name) if self._folder is not None else None
        await work(oauth.Flow(spec, self._kept, self._save, self._consent, sealed))

    async def _filled(self) -> ServerSpec:
        try:
            return await self._fill(self._spec)
        except DeskbellError as error:
            raise self._not_signed_in(error) from error

    async def _signed_in(self, flow: Flow, revision: str, status: int, challenge: list[str]) -> None:
        name = self._spec.name
        self._tell(name, UNDER_WAY)
        state = NEEDED
        try:
            await flow.sign_in(revision, status, challenge)
            state = SETTLED
        except TimeoutError:
            self._rest(say("Nobody came back from the sign-in to {server}.", server=name))
        except Trouble as trouble:
            self._rest(trouble.words)
        finally:
            self._visited = ""
            self._tell(name, state)

    def _rest(self, why: str) -> None:
        self._why = why
        self._rests_until = time.monotonic() + REST
        raise self._needed()

    def _check_rest(self) -> None:
        if time.monotonic() < self._rests_until:
            raise self._needed()

    def _needed(self) -> Trouble:
        name = self._spec.name
        words = say(
            "{why} {server} needs you to sign in: {command}",
            why=self._why,
            server=name,
            command=f"deskbell servers login {name}",
        )
        return Trouble(words, 401)

    async def _consent(self, url: str, came_back: Callable[[], bool]) -> None:
        if self._wanted and self._show is not None:
            self._visited = url
            if await self._show(url) or came_back():  # another page of the same was faster
                return
            self._visited = ""
        answer = await self._ask(self._spec, url)
        if answer.action is not Action.ACCEPT:
            words = say("Nobody agreed to the sign-in to {server}.", server=self._spec.name)
            if answer.action is Action.DECLINE:
                words = say("You declined the sign-in to {server}.", server=self._spec.name)
            raise Trouble(words, 401)
        self._visited = url

    # --- what is kept --------------------------------------------------------------------------------

    async def _known(self) -> Kept | None:
        """From the vault, once. Tokens of another address under the same name are not used."""
        if self._kept is None:
            text = await self._read()
            if text:
                try:
                    kept = msgspec.json.decode(text, type=Kept)
                except msgspec.DecodeError:
                    return None
                if kept.url == self._spec.url and self._kept is None:
                    self._kept = kept
        return self._kept

    async def _read(self) -> str | None:
        try:
            return await self._vault.get_for(self._spec.name, PREFIX + self._spec.name)
        except DeskbellError as error:
            raise self._not_signed_in(error) from error

    def _not_signed_in(self, error: DeskbellError) -> Trouble:
        words = say("Could not sign in to {server}: {why}", server=self._spec.name, why=told(error))
        return Trouble(words, 401)

    async def _save(self) -> None:
        if self._kept is not None:
            kept = msgspec.json.encode(self._kept).decode()
            await self._vault.set_for(self._spec.name, PREFIX + self._spec.name, kept)


async def _refresh(flow: Flow) -> None:
    await flow.refresh("")


class SignIns:
    """Every server's, by name; one whose address or settings changed is another."""

    def __init__(
        self,
        vault: Vault,
        fill: Fill,
        ask: Ask,
        tell: Tell,
        show: Open | None = None,
        folder: Path | None = None,
    ) -> None:
        self._means = (vault, fill, ask, tell, show, folder)
        self._known: dict[str, tuple[tuple[str, Mapping[str, str]], SignIn]] = {}

    def of(self, spec: ServerSpec) -> SignIn:
        key = (spec.url, spec.oauth)
        known = self._known.get(spec.name)
        if known is None or known[0] != key:
            if known is not None:
                known[1].close()
            known = self._known[spec.name] = (key, SignIn(spec, *self._means))
        return known[1]

    def rename(self, old: str, new: str) -> None:
        """Whoever asks for `new` finds what the vault has under that name by now."""
        for name in (old, new):
            if name in self._known:
                self._known.pop(name)[1].close()
        if folder := self._means[-1]:
            token_refresh.rename(folder, old, new)

    def look_again(self, server: str) -> None:
        if server in self._known:
            self._known[server][1].look_again()

    def try_again(self, server: str) -> None:
        if server in self._known:
            self._known[server][1].try_again()

    def close(self) -> None:
        for _, one in self._known.values():
            one.close()


def _load():  # type: ignore[no-untyped-def]  # a module, which mypy cannot name
    from bridge.upstreams.oauth import flow as oauth_flow

    return oauth_flow
