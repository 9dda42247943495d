"""Show a sampling request to a person: as values for windows, and as text for a terminal. Pure."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlsplit

import msgspec

from bridge.core.questions.sampling_review import ReviewFile, ReviewMessage, SamplingReview
from bridge.core.sampling.content import Block, mime_type, result_blocks
from bridge.core.sampling.model_choice import ModelSpec, cost
from bridge.core.sampling.params import SCHEMA_TOOL, Message, SamplingRequest
from bridge.i18n import say

LONGEST = 20_000  # characters of the text


def review(request: SamplingRequest, model: ModelSpec | None, why: str = "") -> SamplingReview:
    """Return what the person sees. `why`: the reason for asking beyond the usual; "": none."""
    notes = [why] if why else []
    if request.context != "none":
        notes.append(say("It asks for the context of other servers, which is not sent."))
    seen = SamplingReview(
        system=request.system,
        messages=tuple(_message(one) for one in request.messages),
        parameters=tuple(_parameters(request)),
        tools=tuple(tool.name for tool in request.tools if tool.name != SCHEMA_TOOL),
        tokens_in=request.estimated_tokens,
        max_tokens=request.max_tokens,
        notes=tuple(notes),
        editable=model is not None,
    )
    if model is None:
        return seen
    return replace(
        seen,
        model=model.name,
        model_id=model.model,
        place=urlsplit(model.url).netloc,
        is_local=model.is_local,
        cost=cost(model, seen.tokens_in, model.dialect.cap(request)),
    )


def _parameters(request: SamplingRequest) -> list[tuple[str, str]]:
    made = [("maxTokens", str(request.max_tokens))]
    if request.temperature is not None:
        made.append(("temperature", f"{request.temperature:g}"))
    if request.stop:
        made.append(("stopSequences", _json(request.stop)))
    if request.metadata:
        made.append(("metadata", _json(request.metadata)))
    if request.hints:
        made.append(("hints", ", ".join(request.hints)))
    return made


def _message(message: Message) -> ReviewMessage:
    texts: list[str] = []
    files: list[ReviewFile] = []
    for block in message.blocks:
        _show(block, texts, files)
    plain = len(texts) == len(message.of_type("text")) == 1
    return ReviewMessage(message.role, "\n\n".join(texts), tuple(files), plain)


def _show(block: Block, texts: list[str], files: list[ReviewFile]) -> None:
    match block["type"]:
        case "text":
            texts.append(block["text"])
        case "tool_use":
            texts.append(f"→ {block['name']} {_json(block['input'])}")
        case "tool_result":
            texts.append("←")
            for one in result_blocks(block):
                _show(one, texts, files)
        case _:
            files.append(ReviewFile(mime_type(block), block["data"]))


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def text(seen: SamplingReview) -> str:
    """Return the review as text, for a terminal and for windows without pictures."""
    lines = [_who(seen), *seen.notes]
    if seen.answer_kind:
        lines += ["", seen.answer, "", "It answers this:"]
    if seen.system:
        lines += ["", "System:", seen.system]
    for message in seen.messages:
        files = "".join(f"\n[{one.mime_type}]" for one in message.files)
        lines += ["", f"{message.role.capitalize()}:", message.text + files]
    lines += ["", ", ".join(f"{name} {value}" for name, value in seen.parameters)]
    if seen.tools:
        lines.append(f"Tools: {', '.join(seen.tools)}")
    whole = "\n".join(lines)
    return whole if len(whole) <= LONGEST else f"{whole[: LONGEST - 1]}…"


def _who(seen: SamplingReview) -> str:
    if not seen.model:
        return "You are asked to answer in place of a model."
    if seen.answer_kind:
        return f"The model {seen.model} answered. Nothing is returned before you accept it:"
    price = f", which may cost {seen.cost:.4f}" if seen.cost else ""
    place = "on this computer" if seen.is_local else f"at {seen.place}"
    return (
        f"To the model {seen.model} ({seen.model_id}, {place}): "
        f"about {seen.tokens_in} tokens, at most {seen.max_tokens} back{price}."
    )
