"""How Deskbell reaches servers: child processes, HTTP, and those built in. Connections decide nothing."""

from collections.abc import Awaitable, Callable

from bridge.core.ports import ServerSpec

# Puts a server's secrets into its settings, just before it is started. Raises DeskbellError.
FillSecrets = Callable[[ServerSpec], Awaitable[ServerSpec]]


async def unchanged(spec: ServerSpec) -> ServerSpec:
    """Fill in nothing: a FillSecrets for servers without secrets."""
    return spec
