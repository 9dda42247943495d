"""What a person sees before a server's request goes to a model. Frozen, for windows; no decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

TEXT, DATA, CALLS = "text", "data", "calls"  # what a model's answer is; all but TEXT are JSON


@dataclass(frozen=True, slots=True)
class ReviewFile:
    """An image or sound of a message."""

    mime_type: str
    data: str  # base64


@dataclass(frozen=True, slots=True)
class ReviewMessage:
    role: str  # "user" | "assistant"
    text: str  # tool calls and results are part of it
    files: tuple[ReviewFile, ...] = ()
    editable: bool = False  # the message has one text, which the person may change


@dataclass(frozen=True, slots=True)
class SamplingReview:
    model: str = ""  # name in [models.NAME]; "": the person answers
    model_id: str = ""  # the model's name at its provider
    place: str = ""  # host of its address
    is_local: bool = False
    system: str = ""
    messages: tuple[ReviewMessage, ...] = ()
    parameters: tuple[tuple[str, str], ...] = ()  # name, value
    tools: tuple[str, ...] = ()  # names of tools the model may call
    tokens_in: int = 0  # estimate
    max_tokens: int = 0
    cost: float = 0.0  # the most it may cost, by the person's own prices; 0: unknown
    notes: tuple[str, ...] = ()  # why the person is asked though the server is allowed, what is left out
    editable: bool = False  # the person may change the request, and see its answer before it is returned
    answer_kind: str = ""  # TEXT, DATA or CALLS: the model has answered, the person checks it; "": not yet
    answer: str = ""
    structured: bool = False  # data of a schema is wanted
    exchange: tuple[Mapping[str, Any], ...] = ()  # the messages, as the history keeps them
