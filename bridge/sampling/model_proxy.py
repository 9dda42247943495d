"""Lend models to servers over HTTP: `/models/v1/chat/completions` (OpenAI's API) and `/models/v1/messages`.

A server whose entry says `models = true` gets a token and this address in its environment, which vendors'
SDKs read by themselves. Consent, budgets and history are those of sampling; the real key stays here.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any, Protocol

import msgspec
from msgspec import DecodeError

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.questions.question import Action, Answer, Mode
from bridge.core.questions.sampling_review import SamplingReview
from bridge.core.routing.asking import question_history
from bridge.core.routing.asking.model_proxy_policy import ModelProxyPolicy, ModelProxyVerdict
from bridge.core.sampling import completion, kept_messages, review
from bridge.core.sampling.budget import estimate
from bridge.core.sampling.completion import Completion
from bridge.core.sampling.model_choice import SLOTS, ModelSpec
from bridge.core.sampling.openai import OpenAI
from bridge.core.sampling.rules import SamplingRules
from bridge.errors import DeskbellError
from bridge.http_client.client import HttpStream
from bridge.i18n import explained
from bridge.sampling.client import ModelClient
from bridge.sampling.model_proxy_review import CAPS, request_of, review_of
from bridge.sampling.stream import objects

APIS = {"chat/completions": ("openai", "ollama"), "messages": ("anthropic",)}  # path → kinds of models


class Refused(Exception):
    """The server's request is not sent; `status` is HTTP's."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class AskPerson(Protocol):
    async def __call__(self, mode: Mode, message: str, **more: Any) -> Answer: ...


class ModelProxy:
    """`ask`: asks the person. `allow`: saves "Always for this server"."""

    def __init__(
        self,
        client: ModelClient,
        rules: Callable[[], SamplingRules],
        policy: ModelProxyPolicy,
        ask: AskPerson,
        feed: Callable[[ev.Event], None],
        record: Callable[[do.Record], None],
        allow: Callable[[do.AllowSampling], None],
    ) -> None:
        self._client = client
        self._rules = rules
        self._policy = policy
        self._ask = ask
        self._feed = feed
        self._record = record
        self._allow = allow
        self._tokens: dict[str, str] = {}  # server → its token

    def environment(self, server: str, address: str) -> dict[str, str]:
        """Return the variables by which vendors' SDKs find the proxy. `address`: of our HTTP endpoint."""
        base = address.removesuffix("/mcp") + "/models"
        token = self._tokens.setdefault(server, f"deskbell-{secrets.token_urlsafe(24)}")
        return {
            "OPENAI_BASE_URL": f"{base}/v1",
            "OPENAI_API_KEY": token,
            "ANTHROPIC_BASE_URL": base,
            "ANTHROPIC_API_KEY": token,
        }

    def user_of(self, headers: Mapping[bytes, bytes]) -> str:
        """Return the server whose token is in these headers, as OpenAI's or Anthropic's SDK sends it."""
        scheme, _, token = headers.get(b"authorization", b"").partition(b" ")
        token = token.strip() if scheme.lower() == b"bearer" else headers.get(b"x-api-key", b"")
        same = (name for name, one in self._tokens.items() if hmac.compare_digest(one.encode(), token))
        return next(same, "")

    async def forward(self, server: str, api: str, content: bytes) -> Reply:
        """Send a request to a model, with consent; return its reply. Raises Refused."""
        body = _object(content)
        model = self._model(server, api, str(body.get("model", "")))
        verdict = self._policy.decide(server, time.time())
        if verdict.refusal:
            raise Refused(403, verdict.refusal)
        wanted = {**body, "model": model.model}
        seen = review_of(body, model)
        if verdict.asks:
            await self._consent(
                server, replace(seen, notes=(verdict.why,) if verdict.why else ()), verdict.host
            )
        else:
            wanted |= self._cap(server, model, body)
        self._policy.sent(server, time.time())
        return await Reply(self, server, model, wanted, seen, verdict).send(_address(model, api))

    def _cap(self, server: str, model: ModelSpec, body: Mapping[str, Any]) -> dict[str, int]:
        """Return the limit of tokens that the person's budget leaves for the answer; {} if none is needed."""
        usual = "max_completion_tokens" if model.dialect.renamed_cap else "max_tokens"
        name = next((one for one in CAPS if isinstance(body.get(one), int)), usual)
        most = self._policy.capped(server, time.time(), body.get(name) or 0)
        return {name: most} if most != (body.get(name) or 0) else {}

    def _model(self, server: str, api: str, name: str) -> ModelSpec:
        """Return the model by name or slot, among those this server may use with this API."""
        allowed = [one for one in self._rules().models if one.serves(server) and one.kind in APIS[api]]
        if not allowed:
            kinds = " or ".join(APIS[api])
            raise Refused(404, f"There is no model of the kind {kinds} that {server} may use.")
        by_name = [one for one in allowed if name and name in (one.name, one.model)]
        by_slot = [one for one in allowed if name in SLOTS and name in one.slots]
        return (by_name or by_slot or allowed)[0]

    async def _consent(self, server: str, seen: SamplingReview, host: str) -> None:
        answer = await self._ask(Mode.SAMPLING, review.text(seen), server=server, host=host, review=seen)
        if answer.action is not Action.ACCEPT:
            raise Refused(403, "The person did not allow this request to a model.")
        if answer.always:
            self._allow(do.AllowSampling(server))

    def used(self, server: str, tokens: tuple[int, int], record: do.Record) -> None:
        self._feed(ev.ModelUsed("", server, *tokens))
        self._record(record)

    @property
    def client(self) -> ModelClient:
        return self._client


class Reply:
    """A model's reply, passed on as it comes. Its tokens are counted in passing."""

    def __init__(
        self,
        model_proxy: ModelProxy,
        server: str,
        model: ModelSpec,
        body: Mapping[str, Any],
        seen: SamplingReview,
        verdict: ModelProxyVerdict,
    ) -> None:
        self._model_proxy = model_proxy
        self._server = server
        self._model = model
        self._body = body
        self._seen = seen
        self._verdict = verdict
        self._began = time.time()
        self._open = AsyncExitStack()
        self._stream: HttpStream

    async def send(self, url: str) -> Reply:
        """Send the request. Raises Refused."""
        try:
            sent = self._model_proxy.client.open(self._model, self._body, url)
            self._stream = await self._open.enter_async_context(sent)
        except DeskbellError as error:
            raise Refused(502, f"The model {self._model.name}: {explained(error)}") from error
        return self

    @property
    def status(self) -> int:
        return self._stream.status

    @property
    def content_type(self) -> str:
        return self._stream.headers.get("Content-Type", "application/json")

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yield the body as the model sends it; leaving closes the connection to the model."""
        passed = bytearray()
        try:
            async for chunk in self._stream.chunks():
                passed += chunk
                yield chunk
        finally:
            await self._open.aclose()
            await self._count(bytes(passed))

    async def _count(self, passed: bytes) -> None:
        reader = OpenAI().reader() if self._model.kind == "ollama" else self._model.provider.reader()
        async for part in objects(_once(passed), self._model.name):
            reader.feed(part)
        done = reader.completion()
        read = done.tokens_in or estimate(msgspec.json.encode(self._body).decode())
        tokens = read, done.tokens_out or estimate(done.text)
        self._model_proxy.used(self._server, tokens, self._record(done, tokens))

    def _record(self, done: Completion, tokens: tuple[int, int]) -> do.Record:
        """Return the line of history, as sampling has it."""
        model, request, verdict = self._model, request_of(self._seen), self._verdict
        message = question_history.short(review.text(self._seen), question_history.MESSAGE)
        facts: dict[str, object] = {"mode": Mode.SAMPLING.value, "message": message, "model": model.name}
        facts |= {"tokens in": tokens[0], "tokens out": tokens[1]}
        outcome = "answered" if self.status < 300 else "failed"
        if outcome == "answered":
            facts |= kept_messages.facts(request, completion.result(request, done, model.model)["content"])
        took = time.time() - self._began
        return do.Record("question", verdict.host, self._server, verdict.tool, outcome, took, facts=facts)


async def _once(data: bytes) -> AsyncIterator[bytes]:
    yield data


def _address(model: ModelSpec, api: str) -> str:
    if model.kind == "anthropic":
        return model.provider.api(model.url)
    base = model.url.rstrip("/")
    return f"{base.removesuffix('/v1')}/v1/{api}" if model.kind == "ollama" else f"{base}/{api}"


def _object(content: bytes) -> dict[str, Any]:
    try:
        value = msgspec.json.decode(content)
    except (DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(400, f"The body is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise Refused(400, "The body must be a JSON object.")
    return value
