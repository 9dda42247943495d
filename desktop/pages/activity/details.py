"""What is known of a history entry: in words for reading, and its raw data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from PySide6.QtCore import QDateTime, QLocale, QObject

from bridge.api import Contents, JournalRow, app_of, conversation_of
from desktop.pages.activity.history_model import HistoryLine
from desktop.pages.activity.history_texts import sentence
from desktop.widgets.text.bidi import strip_isolates
from desktop.widgets.text.safe_text import format_json, readable
from desktop.widgets.text.time_text import format_duration

_MOST = 50  # folded calls that are listed
Fact = tuple[str, str]  # title, text


def _moment(at: float) -> str:
    """Format date and time without the zone: Qt takes longer for the zone than for all the rest."""
    when = QDateTime.fromMSecsSinceEpoch(round(at * 1000))
    day = QLocale().toString(when.date(), QLocale.FormatType.LongFormat)
    return f"{day}, {QLocale().toString(when.time(), 'HH:mm:ss')}"


def took(ms: float) -> str:
    """Format milliseconds: "42 ms", "4.2 s", "1:05"."""
    if not ms:
        return ""
    if ms < 995:
        return f"{ms:.0f} ms" if ms >= 1 else "1 ms"
    return format_duration(ms / 1000) if ms >= 10_000 else f"{ms / 1000:.1f} s"


class EntryDetails(QObject):
    def facts(self, line: HistoryLine) -> list[Fact]:
        """Return what is known of a line, in words."""
        row = line.rows[0]
        if len(line.rows) > 1:
            return [*self._who(row)[:-1], (self.tr("Calls"), self._calls(line))]
        known = [*self._who(row), (self.tr("Took"), took(row.ms)), *self._details(row.detail)]
        talk = conversation_of(row) if "messages" in row.detail else ""
        facts = [*known, *self._questions(row), (self.tr("Conversation"), talk)]
        return [(title, readable(text)) for title, text in facts if text]

    def describe(self, line: HistoryLine) -> str:
        """Return all facts of a line as text, for copying."""
        lines = (f"{title}: {text}" for title, text in self.facts(line))
        return "\n".join((strip_isolates(line.what.text), *lines))

    def raw(self, row: JournalRow, found: Contents | None) -> str:
        """Return the entry as it is stored, with the contents of its call."""
        known = {"kind": row.kind, "host": row.host, "server": row.server, "tool": row.tool}
        known |= {"outcome": row.outcome, "ms": str(round(row.ms, 1)), "size": str(row.size)}
        lines = "\n".join(f"{name}: {readable(text)}" for name, text in known.items() if text and text != "0")
        return "\n\n".join(filter(None, (self._contents(found) if row.kind == "call" else "", lines)))

    def _who(self, row: JournalRow) -> list[Fact]:
        app = app_of(row.host).name if row.host else ""
        return [
            (self.tr("When"), _moment(row.at)),
            (self.tr("AI app"), readable(app)),
            (self.tr("Server"), readable(row.server)),
            (self.tr("Tool"), readable(row.tool)),
        ]

    def _calls(self, line: HistoryLine) -> str:
        calls = [f"{_clock(row.at)}  {readable(row.tool)}" for row in line.rows[:_MOST]]
        rest = len(line.rows) - len(calls)
        return "\n".join([*calls, *([f"… {rest}"] if rest else [])])

    def _contents(self, found: Contents | None) -> str:
        """Return arguments and result of a call."""
        if found is None:
            return self.tr("The contents of this call were not kept, or have expired. See Settings.")
        parts = (
            (self.tr("Arguments"), found.arguments, found.arguments_size, found.arguments_cut),
            (self.tr("Result"), found.result, found.result_size, found.result_cut),
        )
        return "\n\n".join(self._part(*part) for part in parts if part[1])

    def _part(self, title: str, text: str, whole: int, is_cut: bool) -> str:
        rest = self.tr("… Only the beginning is kept.") if is_cut else ""
        return "\n".join(filter(None, (f"{title} ({_size(whole)}):", format_json(text.encode()), rest)))

    def _details(self, detail: Mapping[str, Any]) -> Iterator[Fact]:
        titles = {
            "message": self.tr("Question"),
            "page": self.tr("Page"),
            "sent": self.tr("Your answer"),
            "text": self.tr("Note"),
            "line": self.tr("Message"),
            "doubt": self.tr("Note"),
            "change": self.tr("What changed"),
            "thought": self.tr("You took"),
        }
        for key, value in detail.items():
            if key == "sent" and isinstance(value, dict):
                value = "\n".join(f"{name}: {entry}" for name, entry in value.items())
            elif key == "thought" and isinstance(value, int | float):
                value = took(value * 1000)
            if key in titles:
                yield titles[key], str(value)

    def _questions(self, row: JournalRow) -> Iterator[Fact]:
        """Yield the questions asked during a call."""
        for asked in row.detail.get("questions", ()):
            outcome = str(asked.get("outcome"))
            question = JournalRow("question", row.host, row.server, row.tool, outcome, detail=asked)
            details = "\n".join(f"{title}: {text}" for title, text in self._details(asked))
            yield self.tr("Question in it"), f"{strip_isolates(sentence((question,)).text)}\n{details}"


def _clock(at: float) -> str:
    return QLocale().toString(QDateTime.fromSecsSinceEpoch(round(at)).time(), QLocale.FormatType.ShortFormat)


def _size(count: int) -> str:
    formats = QLocale.DataSizeFormat.DataSizeTraditionalFormat
    return QLocale().formattedDataSize(count, 1 if count >= 1024 else 0, formats) if count else ""
