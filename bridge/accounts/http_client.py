"""Asking servers on the network: short, bounded, encrypted, and with failures in words.

Only https, or http to this machine. Redirects are not followed; an answer is read up to a limit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO
from urllib.parse import urlsplit

import msgspec

from bridge import __version__
from bridge.core.policy.network_addresses import is_public
from bridge.core.policy.url_safety import judge
from bridge.errors import NetworkError, TimeoutError_
from bridge.i18n import Words, say, together

if TYPE_CHECKING:
    import httpx

PATIENCE = 20.0  # seconds for one answer
LARGEST = 5 << 20  # bytes


@dataclass(frozen=True, slots=True)
class Reply:
    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300

    def json(self) -> dict[str, Any]:
        """The JSON object in it; an empty one if there is none."""
        try:
            said = msgspec.json.decode(self.body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return {}
        return said if isinstance(said, dict) else {}

    @property
    def error(self) -> str:
        """The name of the failure, as OAuth and XRPC both call it."""
        said = self.json().get("error")
        return said if isinstance(said, str) else ""

    @property
    def words(self) -> str:
        """What the server says about the failure, on one line."""
        said = self.json()
        text = said.get("error_description") or said.get("message") or said.get("error")
        text = text if isinstance(text, str) and text else f"HTTP {self.status}"
        return " ".join(text.split())[:300]


class Web:
    """One pool of connections; made on first use, because httpx takes its time to load."""

    def __init__(self) -> None:
        self._http: httpx.AsyncClient | None = None
        self._making = asyncio.Lock()

    async def ask(
        self,
        method: str,
        url: str,
        *,
        params: Mapping[str, Any] | None = None,
        form: Mapping[str, str] | None = None,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        largest: int = LARGEST,
        patience: float = PATIENCE,
    ) -> Reply:
        """Whatever the server answers; raises NetworkError if it does not, TimeoutError_ if not in time."""
        check(url)
        http = await self._made()
        import httpx

        request = http.build_request(method, url, params=params, data=form, content=content, headers=headers)
        try:
            async with asyncio.timeout(patience):
                reply = await http.send(request, stream=True)
                try:
                    body = await _body(reply, largest)
                finally:
                    await reply.aclose()
        except TimeoutError as error:
            raise _silent(url) from error
        except httpx.TimeoutException as error:
            raise _silent(url) from error
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            raise _out_of_reach(url, error) from error
        return Reply(url, reply.status_code, reply.headers, body)

    async def save(
        self,
        url: str,
        params: Mapping[str, Any],
        file: BinaryIO,
        largest: int,
        told: Callable[[int, int], Any],
    ) -> Reply:
        """What the server sends, written to a file as it comes; `told` awaits how much there is, of how much
        (0: nobody knows). A refusal is in the reply's body, as `ask` gives it."""
        check(url)
        http = await self._made()
        import httpx

        request = http.build_request("GET", url, params=params, headers={"Accept": "*/*"})
        try:
            reply = await http.send(request, stream=True)
            try:
                if reply.status_code != 200:
                    return Reply(url, reply.status_code, reply.headers, await _body(reply, LARGEST))
                length = reply.headers.get("Content-Length", "")
                await _saved(reply, file, largest, told, int(length) if length.isdigit() else 0)
            finally:
                await reply.aclose()
        except httpx.TimeoutException as error:
            raise _silent(url) from error
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            raise _out_of_reach(url, error) from error
        return Reply(url, reply.status_code, reply.headers, b"")

    async def close(self) -> None:
        http, self._http = self._http, None
        if http is not None:
            await http.aclose()

    async def _made(self) -> httpx.AsyncClient:
        async with self._making:
            if self._http is None:
                self._http = await asyncio.to_thread(_new)
            return self._http


_TRY_LATER = say("Check your connection, and try again.")


def _new() -> httpx.AsyncClient:
    import httpx

    limits = httpx.Limits(max_connections=32, max_keepalive_connections=8, keepalive_expiry=20)
    agent = {"User-Agent": f"Deskbell/{__version__}"}
    return httpx.AsyncClient(headers=agent, limits=limits, timeout=PATIENCE, follow_redirects=False)


async def _body(reply: httpx.Response, largest: int) -> bytes:
    parts, size = [], 0
    async for part in reply.aiter_bytes():
        parts.append(part)
        size += len(part)
        if size > largest:
            raise _too_much(reply, say("More than {count} KiB.", count=largest >> 10))
    return b"".join(parts)


async def _saved(
    reply: httpx.Response, file: BinaryIO, largest: int, told: Callable[[int, int], Any], total: int
) -> None:
    size = 0
    async for part in reply.aiter_bytes(1 << 18):
        size += len(part)
        if size > largest:
            raise _too_much(reply, say("More than {count} MiB.", count=largest >> 20))
        file.write(part)
        await told(size, total)


def _too_much(reply: httpx.Response, most: str) -> NetworkError:
    return NetworkError(say("{host} sent too much", host=host(str(reply.url))), most)


def _silent(url: str) -> TimeoutError_:
    return TimeoutError_(say("{host} did not answer", host=host(url)), _TRY_LATER)


def _out_of_reach(url: str, error: Exception) -> NetworkError:
    return NetworkError(say("{host} cannot be reached", host=host(url)), together(_why(error), _TRY_LATER))


def later(said: str) -> Words:
    """What a server said, and what to do."""
    return say("{said}. Try again later.", said=said)


def _why(error: Exception) -> str:
    text = " ".join(str(error).split())
    return f"{text.rstrip('.')}." if text else f"{type(error).__name__}."


def check(url: str) -> str:
    """The same address, if it may be asked at all: https, or http on this machine."""
    address = judge(url)
    if address.refusal is not None or "@" in urlsplit(url).netloc:
        hint = say("It must begin with https:// (http:// is for this computer only).")
        raise NetworkError(
            say("{address} is not an address Deskbell will ask", address=repr(url[:200])), hint
        )
    return url


def named_by(source: str, url: str) -> str:
    """The same address, if `source` may send us there: what is on the internet names nothing around here."""
    check(url)
    if is_public(_name(source)) and not is_public(_name(url)):
        words = say("{address} is on this computer or in the network around it", address=repr(url[:200]))
        hint = say(
            "Nothing on the internet may lead there. If it is yours, name it as `service` in config.toml."
        )
        raise NetworkError(words, hint)
    return url


def _name(url: str) -> str:
    return urlsplit(url).hostname or ""


def host(url: str) -> str:
    return urlsplit(url).netloc


def origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}".lower()
