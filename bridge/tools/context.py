"""ToolContext: a running tool asks the user, reports progress, logs, and samples a model.

Works with hosts of both eras; the core decides whether the host or Deskbell shows a question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from bridge.core.protocol.log_levels import LEVELS
from bridge.core.questions.question import Action, Answer
from bridge.tools.base import NoModel, Peer, PeerRefused
from bridge.tools.elicitor import Elicitor, read_answer


@dataclass(frozen=True, slots=True)
class Sample:
    """The reply of a model."""

    text: str
    model: str = ""
    stop_reason: str = ""


class ToolContext:
    """One call of a tool."""

    def __init__(self, peer: Peer, token: object = None) -> None:
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
        """What tools remember for as long as the application is connected."""
        return self._peer.session

    async def elicit(self, message: str, schema: Mapping[str, Any]) -> Answer:
        """Ask with a form; accept, decline and cancel are all results. Elicitor raises exceptions instead."""
        params = {"message": message, "requestedSchema": dict(schema)}
        action, content, _ = read_answer(await self._peer.request("elicitation/create", params))
        return Answer(action, msgspec.json.encode(content) if action is Action.ACCEPT else b"")

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

    async def sample(
        self, messages: str | Sequence[Mapping[str, Any]], *, max_tokens: int = 1000, system: str = ""
    ) -> Sample:
        """Let a model reply, by sampling/createMessage. Raises NoModel if there is none."""
        if isinstance(messages, str):
            messages = [{"role": "user", "content": {"type": "text", "text": messages}}]
        params: dict[str, Any] = {"messages": list(messages), "maxTokens": max_tokens}
        if system:
            params["systemPrompt"] = system
        try:
            result = await self._peer.request("sampling/createMessage", params)
        except PeerRefused as error:
            raise NoModel(f"No model can be asked through {self.host}: {error}") from error
        blocks = result.get("content")
        blocks = blocks if isinstance(blocks, list) else [blocks]
        text = "".join(str(block.get("text", "")) for block in blocks if isinstance(block, dict))
        return Sample(text, str(result.get("model", "")), str(result.get("stopReason", "")))
