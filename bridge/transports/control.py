"""What other `deskbell` commands ask of the running one, over its socket. A new request is a new verb."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

import msgspec

Reply = bytes | Awaitable[bytes] | AsyncIterator[bytes]
Answering = Callable[[dict[str, Any]], Any]  # a value, something to wait for, or many values one by one


class Control:
    def __init__(self, verbs: Mapping[str, Answering]) -> None:
        self._verbs = verbs

    def answer(self, hello: dict[str, Any]) -> Reply:
        verb = hello.get("verb")
        answering = self._verbs.get(verb) if isinstance(verb, str) else None
        if answering is None:
            return msgspec.json.encode({"error": f"This Deskbell does not know {verb!r}."})
        said = answering(hello)
        if isinstance(said, AsyncIterator):
            return _each(said)
        return _later(said) if isinstance(said, Awaitable) else _encoded(said)


async def _later(said: Awaitable[Any]) -> bytes:
    return _encoded(await said)


async def _each(said: AsyncIterator[Any]) -> AsyncIterator[bytes]:
    async for word in said:
        yield _encoded(word)


def _encoded(said: Any) -> bytes:
    """Words cross as the English they are."""
    return msgspec.json.encode(said, enc_hook=str)
