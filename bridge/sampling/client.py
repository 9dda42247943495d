"""Send requests to models. The answer is streamed, so that cancelling closes the connection at once.

429 and 5xx are tried again, with back-off. What a provider refuses by 400 is left out (core/sampling).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from bridge.core.sampling.budget import estimate
from bridge.core.sampling.completion import Completion
from bridge.core.sampling.dialect import Dialect
from bridge.core.sampling.model_call import ModelCall, ModelFailed
from bridge.core.sampling.model_choice import ModelSpec
from bridge.core.sampling.params import SamplingRequest
from bridge.errors import DeskbellError, NetworkError
from bridge.http_client.client import HttpClient, HttpStream
from bridge.i18n import explained, say
from bridge.sampling.failures import in_words, provider_words, words_in
from bridge.sampling.stream import objects

TRIES = 3
FIRST_PAUSE = 1.0  # seconds; doubled each time
LONGEST_PAUSE = 20.0
_TRANSIENT = (408, 409, 425, 429, 500, 502, 503, 504, 529)


class ModelClient:
    """`fill`: puts secrets into a text such as `${vault:NAME}`. `pause`: waits so many seconds."""

    def __init__(
        self,
        fill: Callable[[str], Awaitable[str]],
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._fill = fill
        self._pause = pause
        self._http = HttpClient()
        self._learnt: dict[ModelSpec, Dialect] = {}

    async def close(self) -> None:
        await self._http.close()

    async def answer(
        self, spec: ModelSpec, request: SamplingRequest, on_tokens: Callable[[int, int], None]
    ) -> dict[str, Any]:
        """Return the CreateMessageResult. Raises BadParams, and ModelFailed in words that name the model.

        `on_tokens` is called after each attempt with its tokens, also if it was cancelled or is no good.
        """
        call = ModelCall(request, spec.provider, self._learnt.get(spec, spec.dialect))
        call.body()  # BadParams: nothing is sent
        if request.tools and request.schema is None:
            await self._check_tools(spec)
        try:
            while True:
                result = call.completed(await self._complete(spec, call, on_tokens))
                if result is not None:
                    self._learnt[spec] = call.learnt
                    return result
        except DeskbellError as error:
            why = explained(error)
            raise ModelFailed(say("The model {model}: {why}", model=spec.name, why=why)) from error
        except ModelFailed as error:
            raise error if spec.name in str(error) else ModelFailed(f"{spec.name}: {error}") from error

    async def _complete(
        self, spec: ModelSpec, call: ModelCall, on_tokens: Callable[[int, int], None]
    ) -> Completion:
        """Send the call's body until it is not refused; return what the model wrote."""
        tries, pause, again = TRIES, FIRST_PAUSE, True
        while True:
            try:
                async with self.open(spec, call.body()) as stream:
                    again = False
                    if stream.status < 300:
                        return await _read(spec, call.request, stream, on_tokens)
                    reply = await stream.read()
            except NetworkError:
                if not again:
                    raise
                again = False  # a connection of the pool that the server has closed meanwhile
                continue
            words = provider_words(reply.body)
            tries -= 1
            if reply.status in _TRANSIENT and tries and "quota" not in words.lower():
                await self._pause(
                    min(_retry_after(reply.headers.get("Retry-After", "")) or pause, LONGEST_PAUSE)
                )
                pause *= 2
            elif not call.rejected(reply.status, words):
                raise ModelFailed(in_words(spec.name, reply.status, words))

    @asynccontextmanager
    async def open(
        self, spec: ModelSpec, body: Mapping[str, Any], url: str = ""
    ) -> AsyncIterator[HttpStream]:
        """POST this body to a model, at the address of its API or at `url`."""
        key = await self._fill(spec.key)
        headers = {"Content-Type": "application/json", **spec.provider.headers(key)}
        content = msgspec.json.encode(body)
        url = url or spec.provider.api(spec.url)
        async with self._http.stream(url, content, headers, spec.timeout) as stream:
            yield stream

    async def _check_tools(self, spec: ModelSpec) -> None:
        """Ask a llama.cpp server whether its model can call tools: one that cannot answers in prose."""
        if spec.kind != "openai" or not spec.is_local or spec in self._learnt:
            return
        url = spec.url.rstrip("/").removesuffix("/v1") + "/props"
        try:
            props = (await self._http.request("GET", url, timeout=5.0)).json()
        except DeskbellError:
            return
        caps = props.get("chat_template_caps")
        if isinstance(caps, dict) and caps.get("supports_tools") is False:
            raise ModelFailed(say("The model {model} cannot call tools.", model=spec.name))


async def _read(
    spec: ModelSpec, request: SamplingRequest, stream: HttpStream, on_tokens: Callable[[int, int], None]
) -> Completion:
    reader = spec.provider.reader()
    try:
        async for part in objects(stream.chunks(), spec.name):
            if part.get("error"):
                raise ModelFailed(in_words(spec.name, 500, words_in(part)))
            reader.feed(part)
        return reader.completion()
    finally:
        done = reader.completion()
        on_tokens(done.tokens_in or request.estimated_tokens, done.tokens_out or estimate(done.text))


def _retry_after(text: str) -> float:
    try:
        return max(0.0, float(text))
    except ValueError:
        return 0.0
