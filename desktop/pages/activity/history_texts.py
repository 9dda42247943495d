"""History entries in words: who did what, one sentence each. Holds no Qt object: a thread uses it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication

from bridge.api import JournalRow, app_of
from desktop.language import translated
from desktop.widgets.text.bidi import isolate
from desktop.widgets.text.safe_text import one_line, strip_markdown, title_of

translate = QCoreApplication.translate
_LETTERS = 160  # characters of a message or an answer
_NAMES = 3  # tools that a folded line names
_BUILT_IN = {"desk": "Deskbell", "bluesky": "Bluesky"}  # servers by the names people know
_TECHNICAL = frozenset(
    (
        "stderr",
        "malformed",
        "stray",
        "duplicate",
        "spared",
        "slept",
        "clock changed",
        "silent",
        "delivered",
        "journal",
    )
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """`text`: names are isolated (bidi.py). `symbol`: of theme/symbols.py. `role`: a field of Colours."""

    text: str
    symbol: str
    role: str = "muted"


def is_technical(row: JournalRow) -> bool:
    """True for what only a developer asks about, and for a call whose question has a line of its own."""
    answered = row.kind == "call" and row.outcome == "ok" and bool(row.detail.get("questions"))
    return row.outcome in _TECHNICAL or answered


def is_foldable(row: JournalRow) -> bool:
    """True for a call that went well and asked nothing: many of them make one line."""
    return row.kind == "call" and row.outcome == "ok" and not row.detail.get("questions")


def sentence(rows: tuple[JournalRow, ...]) -> Sentence:
    """Return the sentence of an entry, or of the calls folded into it."""
    row = rows[0]
    if len(rows) > 1:
        return _folded(rows)
    made = {"question": _question, "call": _call, "server": _server}.get(row.kind, _notice)
    return made(row, _Names(row))


def call_names(host: str, server: str, tool: str) -> dict[str, str]:
    """Return the names of a call as people know them, for `format`: app, server and tool."""
    app = one_line(app_of(host).name, 60) if host else translate("history", "An AI app")
    name = _BUILT_IN.get(server) or one_line(server, 60)
    return {"app": isolate(app), "server": isolate(name), "tool": isolate(title_of(tool))}


class _Names:
    """What an entry tells, for `format`."""

    def __init__(self, row: JournalRow) -> None:
        self.words = isolate(_message(row.detail))
        self._names = call_names(row.host, row.server, row.tool)
        asks = row.kind == "question" and row.detail.get("mode") != "confirm"
        if asks and row.server == "desk" and row.host:
            self._names["server"] = self._names["app"]  # the app asks, by a tool of ours

    def fill(self, text: str, **more: str) -> str:
        more = {name: isolate(value) for name, value in more.items()}
        return text.format(words=self.words, **self._names, **more)


def _message(detail: Mapping[str, Any]) -> str:
    """Return the message, note or page of an entry, whichever it has."""
    found = next((str(detail[key]) for key in ("message", "text", "line", "page") if key in detail), "")
    return one_line(strip_markdown(translated(found)), _LETTERS)


def _question(row: JournalRow, names: _Names) -> Sentence:
    if row.detail.get("mode") == "confirm":
        return _approval(row, names)
    if row.outcome == "accept":
        sent = _sent(row.detail.get("sent"))
        text = (
            translate("history", "You answered {server}: {sent}")
            if sent
            else translate("history", "You agreed: {words}")
        )
        if row.detail.get("page"):
            text = translate("history", "You opened a page for {server}: {words}")
        if row.detail.get("asked by"):
            text = translate("history", "Answered in {app}: {words}")
        return Sentence(names.fill(text, sent=sent), "circle-check", "success")
    text, symbol, role = _endings().get(
        row.outcome, (translate("history", "{server} asked: {words}"), "info", "muted")
    )
    return Sentence(names.fill(text), symbol, role)


def _sent(sent: object) -> str:
    """Return the values of an answer: "Staging", or "name: Ada · city: Paris"."""
    if not isinstance(sent, dict) or not sent:
        return ""
    if len(sent) == 1:
        return one_line(_value(next(iter(sent.values()))), _LETTERS)
    return one_line(" · ".join(f"{name}: {_value(value)}" for name, value in sent.items()), _LETTERS)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return translate("history", "Yes") if value else translate("history", "No")
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _endings() -> dict[str, tuple[str, str, str]]:
    return {
        "decline": (translate("history", "You declined {server}: {words}"), "circle-x", "muted"),
        "cancel": (translate("history", "You closed a question from {server}: {words}"), "circle-x", "muted"),
        "expired": (translate("history", "You missed a question from {server}: {words}"), "clock", "warning"),
        "nobody": (translate("history", "No one was there to answer {server}: {words}"), "clock", "warning"),
        "withdrawn": (translate("history", "{server} withdrew its question: {words}"), "undo-2", "muted"),
        "answered": (translate("history", "Answered in {app}: {words}"), "circle-check", "success"),
        "muted": (translate("history", "Muted, so declined: {server} asked {words}"), "bell-off", "muted"),
        "too many": (translate("history", "Too many questions from {server}: {words}"), "ban", "warning"),
    }


def _approval(row: JournalRow, names: _Names) -> Sentence:
    if row.outcome == "accept":
        text = translate("history", "You allowed {app} to use {tool} ({server})")
        if row.detail.get("always"):
            text = translate("history", "You always allow {app} to use {tool} ({server})")
        return Sentence(names.fill(text), "shield-check", "success")
    if row.outcome in ("decline", "cancel"):
        return Sentence(
            names.fill(translate("history", "You didn't allow {app} to use {tool} ({server})")),
            "ban",
            "error",
        )
    if row.outcome == "expired":
        text = translate("history", "You missed a request: {app} wanted to use {tool} ({server})")
        return Sentence(names.fill(text), "clock", "warning")
    text = translate("history", "{app} wanted to use {tool} ({server})")
    return Sentence(names.fill(text), "shield-alert", "muted")


def _call(row: JournalRow, names: _Names) -> Sentence:
    text, symbol, role = {
        "ok": (translate("history", "{app} used {tool} ({server})"), "wrench", "muted"),
        "error": (translate("history", "{tool} failed for {app} ({server})"), "triangle-alert", "error"),
        "denied": (translate("history", "Blocked: {app} wanted to use {tool} ({server})"), "ban", "error"),
        "declined": (translate("history", "You stopped {tool} for {app} ({server})"), "ban", "muted"),
        "cancelled": (translate("history", "{app} cancelled {tool} ({server})"), "circle-x", "muted"),
        "interrupted": (
            translate("history", "{tool} was interrupted: Deskbell ended ({server})"),
            "unplug",
            "warning",
        ),
    }.get(row.outcome, (translate("history", "{app} called {tool} ({server})"), "wrench", "muted"))
    return Sentence(names.fill(text), symbol, role)


def _folded(rows: tuple[JournalRow, ...]) -> Sentence:
    names = _Names(rows[0])
    tools = list(dict.fromkeys(title_of(row.tool) for row in reversed(rows)))
    listed = ", ".join(tools[:_NAMES]) + ("…" if len(tools) > _NAMES else "")
    text = translate("history", "{app} used {server} {count} times: {tools}")
    return Sentence(names.fill(text, count=str(len(rows)), tools=listed), "wrench")


def _server(row: JournalRow, names: _Names) -> Sentence:
    if row.outcome == "ended":
        text = (
            translate("history", "{server} stopped: {words}")
            if names.words
            else translate("history", "{server} stopped")
        )
        return Sentence(names.fill(text), "unplug", "error")
    return Sentence(names.fill("{server}: {words}"), "server")


def _notice(row: JournalRow, names: _Names) -> Sentence:
    text = {
        "snoozed": translate("history", "You snoozed questions"),
        "resumed": translate("history", "Questions resumed"),
        "muted": translate("history", "You muted {server}"),
        "unmuted": translate("history", "You unmuted {server}"),
        "flood": translate("history", "{server} asked too often: {words}"),
    }.get(row.outcome, "{words}")
    symbol = (
        "bell-off"
        if row.outcome in ("snoozed", "muted")
        else "bell"
        if row.outcome in ("resumed", "unmuted")
        else "info"
    )
    return Sentence(names.fill(text), symbol)
