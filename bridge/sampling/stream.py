"""Read JSON objects from a provider's stream: server-sent events, lines of JSON, or one object."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import msgspec

from bridge.errors import NetworkError
from bridge.i18n import say

LARGEST = 32 << 20  # bytes of one answer


async def objects(chunks: AsyncIterator[bytes], who: str) -> AsyncIterator[dict[str, Any]]:
    """Yield the objects of a stream as they come; one that is not streamed, at its end.

    Raises NetworkError.
    """
    rest, whole, size = b"", bytearray(), 0
    streams = False
    async for chunk in chunks:
        size += len(chunk)
        if size > LARGEST:
            limit = say("More than {count} MiB.", count=LARGEST >> 20)
            raise NetworkError(say("{host} sent too much", host=who), limit)
        if not streams:
            whole += chunk
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            found = _object(line)
            if found is not None:
                streams = True
                yield found
    found = _object(rest if streams else bytes(whole))
    if found is not None:
        yield found


def _object(line: bytes) -> dict[str, Any] | None:
    text = line.removeprefix(b"data:").strip()
    if not text.startswith(b"{"):
        return None
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
