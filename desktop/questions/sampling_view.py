"""A sampling request as a person reads and edits it: system text, messages with pictures, parameters, tools.

Fetches nothing: pictures are in the request itself.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSpinBox, QWidget

from bridge.api import ReviewFile, ReviewMessage, SamplingReview
from desktop.lazy.time_slices import Steps
from desktop.widgets.controls import ignore_wheel
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import CachedColumn, column, row
from desktop.widgets.panel import Panel
from desktop.widgets.picture import make_picture
from desktop.widgets.text.bidi import isolate, isolate_all
from desktop.widgets.text.paged_text import PagedText
from desktop.widgets.text.safe_text import one_line, readable
from desktop.widgets.text.text_box import LIMIT, TextBox

_MOST = 40  # messages that have a panel of their own
_ROOM = 320  # pixels of a picture
_LINES = 12
_GREATEST = 10_000_000  # tokens
_CAPS = ("maxTokens", "max_completion_tokens", "max_tokens")  # have a field of their own
translate = QCoreApplication.translate


class RequestView(QWidget):
    """`edit` makes its texts editable; `changes` returns what the person changed."""

    def __init__(self, review: SamplingReview) -> None:
        super().__init__()
        self.setObjectName("request")
        self._review = review
        self._system: TextBox | None = None
        self._texts: dict[int, TextBox] = {}  # number of the message → its text, if it may be changed
        self._most: QSpinBox | None = None
        self._column = CachedColumn(self, spacing=8)

    def build(self) -> Steps:
        """Fill the view in time slices."""
        review = self._review
        if review.system:
            self._system = self._text("system", self.tr("System text"), review.system)
            self._add(self.tr("System text"), "system", [self._system])
        for number, message in enumerate(review.messages[:_MOST]):
            self._add(self._role(message), f"message:{number}", list(self._parts(number, message)))
            yield None
        if len(review.messages) > _MOST:
            rest = review.messages[_MOST:]
            title = self.tr("Further messages: {count}").format(count=len(rest))
            words = "\n\n".join(f"{self._role(one)}:\n{one.text}" for one in rest)
            self._add(title, "rest", [PagedText(words, name="rest", title=title, lines=_LINES)])
        if review.model:  # else the person answers, without temperature and limits
            self._column.addLayout(self._parameters())

    def edit(self) -> None:
        """Make editable what the person may change, and put the keyboard there."""
        boxes = [*([self._system] if self._system else []), *self._texts.values()]
        for box in boxes:
            box.set_framed(True)
            box.setUndoRedoEnabled(True)
            box.setReadOnly(False)
        if self._most is not None:
            self._most.setEnabled(True)
        first: QWidget | None = next(iter(self._texts.values()), self._system) or self._most
        if first is not None:
            first.setFocus()

    def freeze(self) -> None:
        for box in self.findChildren(TextBox):
            box.setReadOnly(True)
        if self._most is not None:
            self._most.setEnabled(False)

    def changes(self) -> dict[str, object]:
        """Return the members of the request that were changed, as Answer.content has them."""
        review, made = self._review, dict[str, object]()
        if self._system is not None and self._system.toPlainText() != readable(review.system):
            made["systemPrompt"] = self._system.toPlainText()
        if self._most is not None and self._most.value() != review.max_tokens:
            made["maxTokens"] = self._most.value()
        texts = {
            str(number): box.toPlainText()
            for number, box in self._texts.items()
            if box.toPlainText() != readable(review.messages[number].text)
        }
        return {**made, "texts": texts} if texts else made

    # building

    def _add(self, title: str, name: str, parts: list[QWidget]) -> None:
        panel = Panel()
        panel.setAccessibleName(title)
        head = Label(title, name=f"{name}:title", bold=True, scale=0.92, tone=Tone.MUTED)
        panel.setLayout(column(head, *parts, margins=(10, 8, 10, 10), spacing=4))
        self._column.addWidget(panel)

    def _parts(self, number: int, message: ReviewMessage) -> Iterator[QWidget]:
        name, title = f"text:{number}", self._role(message)
        if len(message.text) > LIMIT:
            yield PagedText(message.text, name=name, title=title, lines=_LINES)
        elif message.text:
            box = self._text(name, title, message.text)
            if message.editable:
                self._texts[number] = box
            yield box
        for place, file in enumerate(message.files):
            yield self._file(file, f"file:{number}:{place}")

    def _text(self, name: str, title: str, text: str) -> TextBox:
        box = TextBox(readable(text), name=name, lines=_LINES, least=1)
        box.setFont(self.font())
        box.set_framed(False)  # its panel has an edge
        box.setAccessibleName(title)
        return box

    def _file(self, file: ReviewFile, name: str) -> QWidget:
        try:
            data = base64.b64decode(file.data, validate=True)
        except (binascii.Error, ValueError):
            data = b""
        if file.mime_type.startswith("image/"):
            ratio = self.devicePixelRatioF()
            return make_picture(data, file.mime_type, name=name, room=_ROOM, ratio=ratio)
        words = self.tr("{kind}, {count} bytes").format(kind=one_line(file.mime_type, 60), count=len(data))
        return Label(words, name=name, tone=Tone.MUTED)

    def _parameters(self) -> QHBoxLayout:
        """Return the parameters; the most tokens may be changed, if the request names them."""
        review = self._review
        others = [f"{name} {readable(value)}" for name, value in review.parameters if name not in _CAPS]
        if review.tools:
            tools = isolate_all(one_line(tool, 60) for tool in review.tools)
            others.append(self.tr("it may call: {tools}").format(tools=tools))
        more = Label(" · ".join(others), name="parameters", tone=Tone.MUTED)
        return row(*self._cap(review.max_tokens), (more, 1))

    def _cap(self, most: int) -> list[QWidget]:
        if not most:
            return []
        title = QLabel(self.tr("&At most"))
        self._most = QSpinBox()
        self._most.setObjectName("maxTokens")
        self._most.setAccessibleName(self.tr("The most tokens of the answer"))
        self._most.setRange(1, max(_GREATEST, min(most, 2**31 - 1)))
        self._most.setGroupSeparatorShown(True)
        self._most.setValue(min(most, 2**31 - 1))
        self._most.setSuffix(self.tr(" tokens back"))
        self._most.setEnabled(False)
        self._most.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        ignore_wheel(self._most)
        title.setBuddy(self._most)
        return [title, self._most]

    def _role(self, message: ReviewMessage) -> str:
        return self.tr("Assistant") if message.role == "assistant" else self.tr("User")


def about_model(review: SamplingReview) -> str:
    """Return which model it is, where, and what the request may take, on one line."""
    here, there = translate("sampling", "on this computer"), isolate(one_line(review.place, 80))
    capped = translate("sampling", "about {count} tokens, at most {most} back")
    tokens = capped if review.max_tokens else translate("sampling", "about {count} tokens")
    parts = [
        isolate(one_line(review.model_id, 80)),
        here if review.is_local else there,
        tokens.format(count=review.tokens_in, most=review.max_tokens),
    ]
    if review.cost:
        parts.append(translate("sampling", "may cost {price}").format(price=f"{review.cost:.4f}"))
    return " · ".join(parts)
