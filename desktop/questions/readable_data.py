"""JSON in words: a list of names and values, for people who do not read JSON. Raw data is somewhere else."""

from __future__ import annotations

import json

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from desktop.widgets.labels import Label, Tone
from desktop.widgets.text.safe_text import readable, title_of

_MOST = 12  # lines
_LONGEST = 400  # characters of a value
_READ = 100_000  # bytes; more is not parsed here
_DEEP = 3  # levels


def describe_json(data: bytes) -> list[tuple[str, str]]:
    """Return name and value of each member, in words; of anything but an object one value without a name."""
    try:
        value = json.loads(data) if len(data) <= _READ else None
    except (ValueError, RecursionError):
        value = None
    if value is None:
        return []
    members = value.items() if isinstance(value, dict) else (("", value),)
    return [(title_of(str(name)), _words(one, _DEEP)) for name, one in members]


def _words(value: object, deep: int) -> str:
    translate = QCoreApplication.translate
    match value:
        case bool():
            return translate("readable data", "yes") if value else translate("readable data", "no")
        case None:
            return "–"
        case str():
            return value
        case int() | float():
            return json.dumps(value)
        case list() if deep and any(isinstance(item, str) and len(item) > 20 for item in value):
            return "\n".join(_words(item, deep - 1) for item in value)
        case list() if deep:
            return ", ".join(_words(item, deep - 1) for item in value) or "–"
        case dict() if deep:
            return "; ".join(f"{title_of(str(k))}: {_words(v, deep - 1)}" for k, v in value.items()) or "–"
        case _:
            return "…"


class ReadableData(QWidget):
    """`is_whole`: nothing was left out."""

    def __init__(self, pairs: list[tuple[str, str]], *, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        self.is_whole = len(pairs) <= _MOST and all(len(text) <= _LONGEST for _, text in pairs)
        for place, (title, text) in enumerate(pairs[:_MOST]):
            shown = readable(text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…")
            label = Label(title, tone=Tone.MUTED, selectable=True)  # as its value: else it stands lower
            label.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            value = Label(shown, name=f"value:{place}", selectable=True)
            value.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            label.setBuddy(value)
            grid.addWidget(label, place, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(value, place, 1)
        if len(pairs) > _MOST:
            more = self.tr("… and {count} more").format(count=len(pairs) - _MOST)
            grid.addWidget(Label(more, name="moreValues", tone=Tone.MUTED), _MOST, 1)
