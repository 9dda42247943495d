"""What a running tool can do besides computing: ask the person, tell how far it is, log, ask a model.

It works the same with hosts of either era; which of them shows a question is not the tool's business.
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
    """What a model said."""

    text: str
    model: str = ""
    stop_reason: str = ""


class ToolContext:
    """One call of a tool. Everything it offers is awaited."""

    def __init__(self, peer: Peer, token: object = None) -> None:
        self._peer = peer
        self._token = token  # of the host, if it wants to hear of progress
        self.elicitor = Elicitor(peer)

    @property
    def host(self) -> str:
        """What the application calls itself; "Unknown Client" if it does not say."""
        return self._peer.host

    @property
    def known_as(self) -> str:
        """What the person calls the application, and rules do."""
        return self._peer.known_as

    async def elicit(self, message: str, schema: Mapping[str, Any]) -> Answer:
        """A form question without the elicitor's comfort: accept, decline and cancel are all results."""
        said = await self._peer.request(
            "elicitation/create", {"message": message, "requestedSchema": dict(schema)}
        )
        action, content, _ = read_answer(said)
        return Answer(action, msgspec.json.encode(content) if action is Action.ACCEPT else b"")

    async def progress(self, done: float, total: float | None = None, message: str = "") -> None:
        """How far it is; also keeps a long call from running out of time."""
        if self._token is None:
            return
        told: dict[str, Any] = {"progressToken": self._token, "progress": done}
        if total is not None:
            told["total"] = total
        if message:
            told["message"] = message
        self._peer.notify("notifications/progress", told)

    async def log(self, level: str, data: object, logger: str = "") -> None:
        """A line for the host's log. `level` is one of debug, info, notice, warning, error, critical, alert
        and emergency; never log a secret."""
        if level not in LEVELS:
            raise ValueError(f"{level!r} is not a level of a log; use one of {', '.join(LEVELS)}")
        if LEVELS.index(level) < LEVELS.index(self._peer.loudness):
            return
        told = {"level": level, "data": data}
        self._peer.notify("notifications/message", {**told, "logger": logger} if logger else told)

    async def sample(
        self, messages: str | Sequence[Mapping[str, Any]], *, max_tokens: int = 1000, system: str = ""
    ) -> Sample:
        """Let the host's model answer. Raises NoModel where there is none."""
        if isinstance(messages, str):
            messages = [{"role": "user", "content": {"type": "text", "text": messages}}]
        wanted: dict[str, Any] = {"messages": list(messages), "maxTokens": max_tokens}
        if system:
            wanted["systemPrompt"] = system
        try:
            said = await self._peer.request("sampling/createMessage", wanted)
        except PeerRefused as error:
            raise NoModel(f"No model can be asked through {self.host}: {error}") from error
        blocks = said.get("content")
        blocks = blocks if isinstance(blocks, list) else [blocks]
        text = "".join(str(one.get("text", "")) for one in blocks if isinstance(one, dict))
        return Sample(text, str(said.get("model", "")), str(said.get("stopReason", "")))
