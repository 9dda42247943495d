"""ToolContext: a running tool asks the user, reports progress, logs, and samples a model.

Works with hosts of both eras; the core decides whether the host or Deskbell shows a question.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, overload

from msgspec import convert

from bridge.core.protocol.log_levels import LEVELS
from bridge.core.questions.question import Action
from bridge.tools.base import Cancelled, Declined, NobodyToAsk, Peer, TimedOut
from bridge.tools.conversation_turns import ElicitExchange, ElicitReply
from bridge.tools.elicitor import Elicitor
from bridge.tools.files import Files
from bridge.tools.sampling import Conversation, Message, Sampler, branched
from bridge.tools.signature import schema_of


class ToolContext(Sampler):
    """One call of a tool."""

    def __init__(
        self,
        peer: Peer,
        token: object = None,
        conversation: Conversation | None = None,
        elicits: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(peer, conversation)
        self._elicits = elicits or {}
        self._peer = peer
        self._progress_token = token  # None: the host wants no progress
        self.elicitor = Elicitor(peer)

    @property
    def host(self) -> str:
        """The name that the application gives itself; "Unknown Client" without one."""
        return self._peer.host

    @property
    def known_as(self) -> str:
        """The name of the application in windows and policy rules."""
        return self._peer.known_as

    @property
    def session(self) -> dict[str, Any]:
        """Values that tools keep for as long as the application is connected."""
        return self._peer.session

    @overload
    async def elicit(self, message: str, schema: Mapping[str, Any], /) -> ElicitReply[dict[str, Any]]: ...
    @overload
    async def elicit(self, key: str, message: str, /, **context: Any) -> ElicitReply[Any]: ...
    async def elicit(
        self, message: str, schema: str | Mapping[str, Any], /, **context: Any
    ) -> ElicitReply[Any]:
        """Ask with a form; accept, decline and cancel are all results, and the content fits the schema.
        Raises TimedOut and NobodyToAsk.

        With a key of the tool's `elicits` and a message, the form is that of the key, and the reply has an
        exchange. `context`: what the question is about, for the person as details.
        """
        if isinstance(schema, str):
            return await self._elicit_by_key(message, schema, context)
        return await self._elicit(message, schema)

    async def _elicit(self, message: str, schema: Mapping[str, Any]) -> ElicitReply[dict[str, Any]]:
        try:
            return ElicitReply(Action.ACCEPT, await self.elicitor.form(message, schema))
        except (TimedOut, NobodyToAsk):
            raise
        except Declined:
            return ElicitReply(Action.DECLINE)
        except Cancelled:
            return ElicitReply(Action.CANCEL)

    async def _elicit_by_key(self, key: str, message: str, context: Mapping[str, Any]) -> ElicitReply[Any]:
        if key not in self._elicits:
            raise ValueError(f"Unknown elicitation key {key!r}: the tool's `elicits` does not have it")
        kind = self._elicits[key]
        schema = dict(kind) if isinstance(kind, Mapping) else schema_of(kind)
        if context:
            schema["x-elicit-context"] = dict(context)
        reply = await self._elicit(message, schema)
        if reply.content is None:
            return reply
        content = reply.content
        self._conversation.elicits += 1
        exchange = ElicitExchange.of(key, message, context, content, self._conversation.elicits)
        return ElicitReply(
            Action.ACCEPT, content if isinstance(kind, Mapping) else convert(content, kind), exchange
        )

    @property
    def files(self) -> Files:
        """The folders that the person mounted for this Toolbox."""
        return self._peer.files

    def notify_resource(self, uri: str) -> None:
        """Tell the hosts that have subscribed to this resource of the Toolbox that it has changed."""
        self._peer.notify_resource(uri)

    async def progress(self, done: float, total: float | None = None, message: str = "") -> None:
        """Report progress; this also restarts the timeout of the call."""
        if self._progress_token is None:
            return
        params: dict[str, Any] = {"progressToken": self._progress_token, "progress": done}
        if total is not None:
            params["total"] = total
        if message:
            params["message"] = message
        self._peer.notify("notifications/progress", params)

    async def log(self, level: str, data: object, logger: str = "") -> None:
        """Send a line for the host's log. `level` is one of debug, info, notice, warning, error, critical,
        alert and emergency; never log a secret."""
        if level not in LEVELS:
            raise ValueError(f"{level!r} is not a level of a log; use one of {', '.join(LEVELS)}")
        if LEVELS.index(level) < LEVELS.index(self._peer.log_level):
            return
        params = {"level": level, "data": data} | ({"logger": logger} if logger else {})
        self._peer.notify("notifications/message", params)

    @asynccontextmanager
    async def branch(
        self,
        *,
        inherit_messages: bool = True,
        inherit_system: bool = True,
        messages: Sequence[Message] = (),
        system: str | None = None,
        max_depth: int | None = None,
        max_tokens: int | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - it is a limit of the branch, as the others
    ) -> AsyncIterator[ToolContext]:
        """Begin a conversation inside this one, for `async with`. What is said in it stays in it.

        Raises DepthExceeded, BudgetExceeded for the tokens of it and all its branches, and TimeoutError.
        """
        talk = branched(
            self._conversation, inherit_messages, inherit_system, messages, system, max_depth, max_tokens
        )
        async with asyncio.timeout(timeout):
            yield ToolContext(self._peer, self._progress_token, talk, self._elicits)
