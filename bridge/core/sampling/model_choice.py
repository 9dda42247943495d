"""Which model answers: by the hints and priorities of the request, among those the person allowed. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from bridge.core.sampling.anthropic import Anthropic
from bridge.core.sampling.dialect import Dialect, Provider
from bridge.core.sampling.ollama import Ollama
from bridge.core.sampling.openai import OpenAI
from bridge.core.sampling.params import SamplingRequest

PROVIDERS: dict[str, Provider] = {one.kind: one for one in (OpenAI(), Anthropic(), Ollama())}
SLOTS = ("cheap", "fast", "clever")
EVERY_SERVER = "*"


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """One [models.NAME] of the settings."""

    name: str
    kind: str
    url: str
    model: str
    key: str = ""  # may hold ${vault:NAME}
    slots: tuple[str, ...] = ()
    servers: tuple[str, ...] = (EVERY_SERVER,)
    tools: bool = True  # the model can call tools
    limit: int = 0  # most tokens it writes; 0: unknown
    price_in: float = 0.0  # per million tokens, in the person's own currency; 0: unknown
    price_out: float = 0.0
    timeout: float = 120.0  # seconds without a byte

    @property
    def provider(self) -> Provider:
        return PROVIDERS[self.kind]

    @property
    def dialect(self) -> Dialect:
        """The dialect to try first: OpenAI itself renamed `max_tokens`."""
        host = urlsplit(self.url).hostname or ""
        return Dialect(self.model, renamed_cap=host == "api.openai.com", limit=self.limit)

    def serves(self, server: str) -> bool:
        return EVERY_SERVER in self.servers or server in self.servers

    @property
    def is_local(self) -> bool:
        return (urlsplit(self.url).hostname or "") in ("localhost", "127.0.0.1", "::1")


def choose(models: Iterable[ModelSpec], server: str, request: SamplingRequest) -> ModelSpec | None:
    """Return the model for this request: by hints, in order; else by the priorities; else the first."""
    needs_tools = bool(request.tools) and request.schema is None
    allowed = [one for one in models if one.serves(server) and (one.tools or not needs_tools)]
    for hint in request.hints:
        for model in allowed:
            if hint.lower() in model.model.lower() or hint.lower() in model.name.lower():
                return model
    wishes = (("cheap", request.cost), ("fast", request.speed), ("clever", request.intelligence))
    for slot, priority in sorted(wishes, key=lambda wish: -wish[1]):
        for model in allowed:
            if priority > 0 and slot in model.slots:
                return model
    return allowed[0] if allowed else None


def cost(model: ModelSpec, tokens_in: int, tokens_out: int) -> float:
    """Return the price of these tokens; 0 if the person named none."""
    return (tokens_in * model.price_in + tokens_out * model.price_out) / 1_000_000
