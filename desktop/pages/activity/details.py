"""The details of a history entry as text, for reading and copying."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from PySide6.QtCore import QDateTime, QLocale, QObject

from bridge.api import Contents, JournalRow
from desktop.pages.activity.history_table import HistoryModel, size, took
from desktop.widgets.safe_text import format_json, readable


def _moment(at: float) -> str:
    """Format date and time without the zone: Qt takes longer for the zone than for all the rest."""
    when = QDateTime.fromMSecsSinceEpoch(round(at * 1000))
    day = QLocale().toString(when.date(), QLocale.FormatType.LongFormat)
    return f"{day}, {QLocale().toString(when.time(), 'HH:mm:ss')}"


class EntryDetails(QObject):
    def __init__(self, model: HistoryModel) -> None:
        super().__init__(model)
        self._model = model

    def describe(self, row: JournalRow) -> str:
        lines = [
            (self.tr("When"), _moment(row.at)),
            (self.tr("What"), self._model.line_texts.kind(row.kind)),
            (self.tr("Server"), row.server),
            (self.tr("AI app"), row.host),
            (self.tr("Tool"), row.tool),
            (self.tr("Outcome"), self._model.line_texts.outcome(row)),
            (self.tr("Took"), took(row.ms)),
            (self.tr("Size of the answer"), size(row.size)),
        ]
        known = "\n".join(f"{title}: {readable(text)}" for title, text in lines if text)
        return "\n".join(filter(None, (known, *self._details(row.detail), *self._questions(row))))

    def contents(self, found: Contents | None) -> str:
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
        return "\n".join(filter(None, (f"{title} ({size(whole)}):", format_json(text.encode()), rest)))

    def _details(self, detail: Mapping[str, Any]) -> Iterator[str]:
        titles = {
            "message": self.tr("Asked"),
            "page": self.tr("Page"),
            "sent": self.tr("Sent"),
            "text": self.tr("Note"),
            "line": self.tr("Said"),
            "asked by": self.tr("Asked by"),
            "doubt": self.tr("Doubt"),
            "change": self.tr("What changed"),
            "thought": self.tr("Of that, people took"),
        }
        for key, value in detail.items():
            if key == "sent" and isinstance(value, dict):
                value = "".join(f"\n    {name}: {entry}" for name, entry in value.items())
            elif key == "change":
                value = f"\n{value}"
            elif key == "thought" and isinstance(value, int | float):
                value = took(value * 1000)
            if key in titles:
                yield f"{titles[key]}: {readable(str(value))}"

    def _questions(self, row: JournalRow) -> Iterator[str]:
        """Yield the questions asked during a call."""
        for asked in row.detail.get("questions", ()):
            question = JournalRow("question", outcome=str(asked.get("outcome")), detail=asked)
            ending = self._model.line_texts.outcome(question)
            told = "\n".join(f"  {line}" for line in self._details(asked))
            title = self.tr("A question in it")
            yield f"\n{title} – {ending}\n{told}"
