"""Look for model servers on this computer: Ollama, llama.cpp, LM Studio and vLLM at their usual ports.

Only when the person wants it, and only on the loopback interface.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, NamedTuple

from bridge.core.sampling.model_choice import ModelSpec
from bridge.errors import DeskbellError
from bridge.http_client.client import HttpClient

_SOON = 2.0  # seconds for a reply


class Place(NamedTuple):
    """Where a kind of server listens, and where it lists its models."""

    name: str
    kind: str
    port: int
    path: str

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}" + ("" if self.kind == "ollama" else "/v1")


PLACES = (
    Place("ollama", "ollama", 11434, "/api/tags"),
    Place("llama.cpp", "openai", 8080, "/v1/models"),
    Place("lm-studio", "openai", 1234, "/v1/models"),
    Place("vllm", "openai", 8000, "/v1/models"),
)


async def find(places: tuple[Place, ...] = PLACES) -> tuple[ModelSpec, ...]:
    """Return the models that answer now, ready to be added."""
    async with HttpClient() as http:
        found = await asyncio.gather(*(_models(http, place) for place in places))
    return tuple(model for models in found for model in models)


async def _models(http: HttpClient, place: Place) -> list[ModelSpec]:
    try:
        url = f"http://127.0.0.1:{place.port}{place.path}"
        reply = await http.request("GET", url, timeout=_SOON)
    except DeskbellError:
        return []
    listed = reply.json().get("models" if place.kind == "ollama" else "data") if reply.ok else None
    names = [_name(one) for one in listed] if isinstance(listed, list) else []
    return [ModelSpec(f"{place.name}-{name}", place.kind, place.url, name) for name in names if name]


def _name(listed: Any) -> str:
    if not isinstance(listed, Mapping):
        return ""
    return str(listed.get("id") or listed.get("name") or "")
