"""Fill: the function that puts a server's secrets into its settings, just before it is started."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bridge.core.ports import ServerSpec

Fill = Callable[[ServerSpec], Awaitable[ServerSpec]]  # raises DeskbellError, in words


async def unchanged(spec: ServerSpec) -> ServerSpec:
    return spec
