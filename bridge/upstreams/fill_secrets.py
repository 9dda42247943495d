"""How a server's secrets come into its settings at the last moment: a Fill is given to each connection."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bridge.core.ports import ServerSpec

Fill = Callable[[ServerSpec], Awaitable[ServerSpec]]  # raises DeskbellError, in words


async def unchanged(spec: ServerSpec) -> ServerSpec:
    return spec
