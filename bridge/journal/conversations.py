"""Exchanges with models and people as conversations, from the history: JSON that can be sent on, or Markdown.

A line is an exchange if a model or the person answered a server's request for a model, or the person
answered a form. Every line of what was said begins with `> ` in Markdown: it cannot pass for structure.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import IO, Any

from bridge.core.sampling import kept_messages
from bridge.core.sampling.completion import PERSON
from bridge.core.sampling.params import SCHEMA_TOOL
from bridge.journal.entries import JournalRow

Exchange = dict[str, Any]


def exchange_of(row: JournalRow) -> Exchange | None:
    """Return an entry's exchange as MCP `messages`, with host, time and model; None if it has none."""
    detail = row.detail
    if row.kind != "question":
        return None
    if "messages" in detail:
        messages = [*detail["messages"], *_by_person(detail)]
    elif detail.get("mode") == "form" and row.outcome == "accept":
        name = row.tool or "elicitation"
        messages = kept_messages.elicited(
            name, f"elicit_{row.id}", str(detail.get("message", "")), detail.get("sent", {})
        )
    else:
        return None
    when = datetime.fromtimestamp(row.at).astimezone().isoformat(timespec="seconds")
    about = {"time": when, "host": row.host, "server": row.server, "tool": row.tool}
    known = {key: detail[key] for key in ("model", "system") if detail.get(key)}
    return {**about, "outcome": row.outcome, **known, "messages": messages}


def _by_person(detail: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the answer that the person gave in place of a model, which is in `sent`."""
    if "model" in detail or not detail.get("sent"):
        return []
    sent = detail["sent"]
    if set(sent) == {"answer"} and not detail.get("structured"):
        return kept_messages.answered({"type": "text", "text": str(sent["answer"])})
    return kept_messages.answered({"type": "tool_use", "id": PERSON, "name": SCHEMA_TOOL, "input": sent})


def conversation_of(row: JournalRow) -> str:
    """Return the exchange of a line as Markdown; "" if it is none."""
    exchange = exchange_of(row)
    return markdown(exchange) if exchange is not None else ""


def write_json(file: IO[str], exchanges: Iterable[Exchange]) -> int:
    """Write the exchanges as one JSON array; return their number."""
    listed = list(exchanges)
    json.dump(listed, file, ensure_ascii=False, indent=2)
    file.write("\n")
    return len(listed)


def write_markdown(file: IO[str], exchanges: Iterable[Exchange]) -> int:
    """Write the exchanges one below the other; return their number."""
    count = 0
    for count, exchange in enumerate(exchanges, 1):  # noqa: B007 - counted on purpose
        file.write(f"{markdown(exchange)}\n")
    return count


def markdown(exchange: Exchange) -> str:
    """Return one exchange as text."""
    names = (exchange["server"], exchange["tool"], exchange["host"], exchange.get("model"))
    head = " · ".join(filter(None, (exchange["time"], *(_one_line(name) for name in names if name))))
    parts = [f"## {head}"]
    if exchange.get("system"):
        parts.append(f"**System**\n\n{_quoted(exchange['system'])}")
    for message in exchange["messages"]:
        parts += _parts(message)
    return "\n\n".join(parts) + "\n"


def _parts(message: Mapping[str, Any]) -> Iterator[str]:
    who = "Assistant" if message["role"] == "assistant" else "User"
    for block in message["content"]:
        match block["type"]:
            case "tool_use":
                yield f"**{who}** calls {_one_line(block['name'])}\n\n{_quoted(_data(block['input']))}"
            case "tool_result":
                texts = [one.get("text", "") for one in block["content"]]
                yield f"**{who}** returns\n\n{_quoted(chr(10).join(texts))}"
            case _:
                yield f"**{who}**\n\n{_quoted(block.get('text', ''))}"


def _data(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def _quoted(text: object) -> str:
    return "\n".join(f"> {line}".rstrip() for line in str(text).splitlines() or [""])


def _one_line(text: object) -> str:
    return " ".join(str(text).split())
