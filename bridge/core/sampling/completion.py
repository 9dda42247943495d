"""A provider's answer, whatever its API, and the MCP result made of it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bridge.core.sampling.params import SCHEMA_TOOL, SamplingRequest

END, LENGTH, TOOL_USE, REFUSAL, FILTERED = "endTurn", "maxTokens", "toolUse", "refusal", "contentFilter"
PERSON = "person"  # `model` of a result that the person wrote


@dataclass(frozen=True, slots=True)
class CompletedCall:
    id: str
    name: str
    input: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Completion:
    model: str = ""
    text: str = ""
    calls: tuple[CompletedCall, ...] = ()
    stop: str = END
    tokens_in: int = 0
    tokens_out: int = 0
    problem: str = ""  # why a tool call cannot be read

    @property
    def refused(self) -> bool:
        return self.stop in (REFUSAL, FILTERED)


def result(request: SamplingRequest, completion: Completion, model: str) -> dict[str, Any]:
    """Return the CreateMessageResult. Without tools in the request, `content` is one text block."""
    text: dict[str, Any] = {"type": "text", "text": completion.text}
    calls = [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": call.input}
        for call in identified(request, completion.calls if request.tools else ())
    ]
    stop = END if completion.stop == TOOL_USE else completion.stop
    return {
        "role": "assistant",
        "content": ([text, *calls] if completion.text else calls) if calls else text,
        "model": completion.model or model,
        "stopReason": TOOL_USE if calls else stop,
    }


def identified(request: SamplingRequest, calls: Iterable[CompletedCall]) -> list[CompletedCall]:
    """Return the calls with ids that are unique in the conversation; Ollama gives none."""
    taken = {call["id"] for message in request.messages for call in message.of_type("tool_use")}
    made = []
    for call in calls:
        name, number = call.id, len(taken)
        while not name or name in taken:
            number += 1
            name = f"call_{number}"
        taken.add(name)
        made.append(CompletedCall(name, call.name, call.input))
    return made


def structured_result(request: SamplingRequest, data: Mapping[str, Any], model: str) -> dict[str, Any]:
    """Return the CreateMessageResult of structured output: one tool_use called `__schema__`."""
    (call,) = identified(request, [CompletedCall("", SCHEMA_TOOL, data)])
    content = {"type": "tool_use", "id": call.id, "name": call.name, "input": call.input}
    return {"role": "assistant", "content": content, "model": model, "stopReason": TOOL_USE}


def person_result(text: str) -> dict[str, Any]:
    """Return the CreateMessageResult of a text the person wrote."""
    return {
        "role": "assistant",
        "content": {"type": "text", "text": text},
        "model": PERSON,
        "stopReason": END,
    }
