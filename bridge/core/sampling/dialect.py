"""The interface of a provider's API: what its request bodies may hold, and a reader of its stream. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from bridge.core.sampling.completion import Completion
from bridge.core.sampling.params import SamplingRequest

SCHEMA_MODE, FORCED_TOOL, PROMPTED = "schema", "tool", "prompt"  # ways to get structured output, best first


@dataclass(frozen=True, slots=True)
class Dialect:
    """What was learnt of a provider. `structured`: how it is asked for structured output."""

    model: str
    structured: str = SCHEMA_MODE
    bare: bool = False  # the model refused temperature, stop or metadata
    renamed_cap: bool = False  # `max_completion_tokens` in place of `max_tokens`
    limit: int = 0  # the model's own limit of output tokens; 0: unknown

    def cap(self, request: SamplingRequest) -> int:
        return min(request.max_tokens, self.limit) if self.limit else request.max_tokens


class Reader(Protocol):
    """Collects the objects of one stream; a provider that does not stream sends one object."""

    def feed(self, part: Mapping[str, Any]) -> None: ...
    def completion(self) -> Completion: ...


class Provider(Protocol):
    """`kind` as in [models.NAME]; `api`: its path below the model's URL."""

    kind: str

    def api(self, url: str) -> str: ...
    def headers(self, key: str) -> dict[str, str]: ...
    def body(self, request: SamplingRequest, dialect: Dialect) -> dict[str, Any]:
        """Raises BadParams, naming what the provider cannot take."""

    def reader(self) -> Reader: ...
