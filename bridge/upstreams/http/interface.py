"""What the client of one server needs of an HTTP/1.1 implementation.

`fast/http1.py` is the one in use; tests/fixtures/plain_http.py is a plain one on httpx, which a test compares
it with.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from typing import Protocol


class ConnectionLost(OSError):
    """The connection ended before the reply was complete."""


class UnreadableReply(ConnectionLost):
    """The reply is not valid HTTP; its argument says why. The connection was closed."""


class ProxyRefused(OSError):
    """The proxy cannot be reached, or refuses the connection."""


class Response(Protocol):
    """A reply whose head has arrived; its body may still be on the way."""

    @property
    def status(self) -> int: ...
    @property
    def reason(self) -> str: ...
    @property
    def complete(self) -> bool:
        """True if the whole body has arrived."""

    @property
    def ok(self) -> bool: ...
    @property
    def content_type(self) -> str:
        """The media type in lower case, without parameters."""

    def header(self, name: str) -> str:
        """Return the first header of this name (in lower case); "" if there is none."""

    def headers(self, name: str) -> list[str]:
        """Return all headers of this name (in lower case)."""

    def take(self) -> bytes:
        """Return and remove the part of the body that has arrived."""

    def parts(self) -> AsyncGenerator[bytes, None]:
        """Yield the body as it arrives, decoded. Raises ConnectionLost."""

    def close(self) -> None:
        """Drop the rest of the body, and the connection with it."""


class ConnectionPool(Protocol):
    async def request(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None = None
    ) -> Response:
        """Send a request to the origin; return as its reply begins. Raises OSError and ValueError."""

    def retire(self) -> None:
        """Send no further request; replies under way may still end well."""

    def close(self) -> None: ...


# (url, headers of every request) → a function that makes pools for that origin. Blocks; raises UnusableProxy.
Prepare = Callable[[str, Mapping[str, str]], Callable[[], ConnectionPool]]
