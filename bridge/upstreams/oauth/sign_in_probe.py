"""A knock at a server's door, so that it asks for a sign-in if it wants one: for a person who wants it."""

from __future__ import annotations

from bridge.core.ports import ServerSpec
from bridge.i18n import say
from bridge.upstreams.http.client import Auth, Trouble, Web

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
