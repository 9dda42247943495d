"""Inputs for text: one line, several lines, lists with one item per line, JSON.

An unchanged default is returned exactly as it was: Qt's widgets would change some characters.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QFocusEvent, QFontDatabase, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QToolButton

from bridge.api import schema
from desktop.theme.symbols import symbol
from desktop.widgets.controls import make_tool_button
from desktop.widgets.inputs.base import RETURN, Input, entered_text
from desktop.widgets.layouts import column, row
from desktop.widgets.text.safe_text import readable

_UNBOUNDED = 1 << 30
_TALLEST = 8  # lines
_SKETCH = 2_000  # characters
_BY_JSON = (schema.Kind.JSON, schema.Kind.LIST)
_PARAGRAPH = "\N{PARAGRAPH SEPARATOR}"
_PLACEHOLDERS = {"email": "name@example.org", "uri": "https://"}


class LineInput(Input):
    """One line of text; a secret is masked, with a button to show it."""

    def __init__(self, field: schema.Field, *, secret: bool = False) -> None:
        super().__init__(field)
        self._initial = _as_text(field) if secret else entered_text(field.initial)
        self._line = QLineEdit()
        self._line.setMaxLength(_UNBOUNDED)  # too long is an error the person sees, not a silent cut
        self._line.setText(self._initial)
        self._shown = self._line.text()
        self._line.setCursorPosition(0)
        self._line.setPlaceholderText(_PLACEHOLDERS.get(field.format, ""))
        self._line.textChanged.connect(self.changed)
        if field.kind in (schema.Kind.NUMBER, schema.Kind.INTEGER):
            self._line.setInputMethodHints(Qt.InputMethodHint.ImhFormattedNumbersOnly)
        buttons = [self._mask()] if secret else []
        self.setLayout(row((self._line, 1), *buttons))
        self.set_main_widget(self._line)
        self._line.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.FocusIn and watched is self._line:
            self._select_default(event)
        return False

    def _select_default(self, event: QEvent) -> None:
        """Select an unchanged default, so that typing replaces it; a click places the caret."""
        by_mouse = isinstance(event, QFocusEvent) and event.reason() is Qt.FocusReason.MouseFocusReason
        if self._line.text() != self._shown:
            if not self._line.hasFocus():  # QDialog says Tab when it is shown again, and Qt selects all
                QTimer.singleShot(0, self._line, lambda: self._line.end(False))
        elif not by_mouse and self._shown:
            QTimer.singleShot(0, self._line, self._line.selectAll)

    def entered(self) -> schema.Entered:
        return self._initial if self._line.text() == self._shown else self._line.text()

    def enter(self, entered: schema.Entered) -> None:
        self._line.setText(entered_text(entered))

    def freeze(self) -> None:
        self._line.setReadOnly(True)

    def _mask(self) -> QToolButton:
        """Mask the line; return the button that shows it."""
        hints = Qt.InputMethodHint.ImhSensitiveData | Qt.InputMethodHint.ImhNoPredictiveText
        self._line.setInputMethodHints(self._line.inputMethodHints() | hints)
        self._line.setEchoMode(QLineEdit.EchoMode.Password)
        spoken = self.tr("Show {field}").format(field=self.title)
        show = make_tool_button(f"show:{self.field.name}", "", spoken, lambda: None)
        show.setIcon(symbol("eye"))
        show.setToolTip(spoken)
        show.setCheckable(True)
        show.toggled.connect(lambda on: show.setIcon(symbol("eye-off" if on else "eye")))
        modes = (QLineEdit.EchoMode.Password, QLineEdit.EchoMode.Normal)
        show.toggled.connect(lambda on: self._line.setEchoMode(modes[on]))
        return show


class MultiLineInput(Input):
    """Several lines, growing with the text. Ctrl+Enter submits; `eager`: Return does too, and Shift+Return
    begins a new line."""

    def __init__(self, field: schema.Field, *, lines: int = 4, eager: bool = False) -> None:
        super().__init__(field)
        self._lines = max(lines, min(field.sketch.count("\n") + 1, _TALLEST))
        self._eager = eager
        self._by_line = field.kind is schema.Kind.LIST and _fits_lines(field.initial)
        self._initial = entered_text(field.initial) if self._by_line else _as_text(field)
        self._box = QPlainTextEdit(self._initial)
        self._shown = self._box.document().toRawText()
        self._box.setTabChangesFocus(True)
        self._box.textChanged.connect(self.changed)
        self._box.textChanged.connect(self._grow)
        self._box.installEventFilter(self)
        self._box.setPlaceholderText(self._placeholder())
        if field.kind is schema.Kind.JSON or (field.kind is schema.Kind.LIST and not self._by_line):
            self._box.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        layout = column(self._box, spacing=4)
        self.setLayout(layout)
        self.set_main_widget(self._box)
        self._example: QToolButton | None = None
        if field.kind in _BY_JSON and not self._by_line and 0 < len(field.sketch) <= _SKETCH:
            self._example = self._offer_example(field.sketch)
            layout.addWidget(self._example, 0, Qt.AlignmentFlag.AlignLeading)
        self._grow()

    def _offer_example(self, sketch: str) -> QToolButton:
        """Add a button that inserts an example, so that nobody has to type its braces."""

        def insert() -> None:
            self._box.setPlainText(sketch)
            self._box.setFocus()

        text = self.tr("Start from this example")
        spoken = self.tr("Start {field} from this example").format(field=self.title)
        button = make_tool_button(f"example:{self.field.name}", text, spoken, insert)
        button.setEnabled(not self._initial)
        self._box.textChanged.connect(lambda: button.setEnabled(self._box.document().isEmpty()))
        return button

    def entered(self) -> schema.Entered:
        raw = self._box.document().toRawText()  # the plain text would have lost its no-break spaces
        text = self._initial if raw == self._shown else raw.replace(_PARAGRAPH, "\n")
        return tuple(filter(str.strip, text.split("\n"))) if self._by_line else text

    def enter(self, entered: schema.Entered) -> None:
        by_json = isinstance(entered, tuple) and not (self._by_line and _fits_lines(entered))
        self._box.setPlainText(schema.shown(list(entered)) if by_json else entered_text(entered))  # type: ignore[arg-type]

    def freeze(self) -> None:
        self._box.setReadOnly(True)
        if self._example is not None:
            self._example.hide()

    def takes_key(self, event: QKeyEvent) -> bool:
        if event.key() not in RETURN or not self._eager:
            return False
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._box.insertPlainText("\n")  # by itself Qt would insert a line separator
            return True
        return super().takes_key(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._grow()

    def _grow(self) -> None:
        shown = round(self._box.document().size().height())  # in lines, as they wrap
        lines = min(max(self._lines, shown), max(self._lines, _TALLEST))
        margins = 2 * (self._box.document().documentMargin() + self._box.frameWidth())
        line = max(self._box.cursorRect().height(), self._box.fontMetrics().lineSpacing())
        tall = round(lines * line + margins) + 2
        if tall != self._box.height() or self._box.minimumHeight() != tall:
            self._box.setFixedHeight(tall)

    def _placeholder(self) -> str:
        if self._by_line:
            return self.tr("One per line")
        if self.field.kind in _BY_JSON:
            return readable(self.field.sketch[:_SKETCH]) or self.tr("JSON")
        return ""


def _fits_lines(entered: schema.Entered) -> bool:
    """True if every item of a list fits on one line."""
    items = map(str, entered) if isinstance(entered, tuple) else ()
    return all(item.strip() and "\n" not in item and "\r" not in item for item in items)


def _as_text(field: schema.Field) -> str:
    """Return the initial text, with lists as JSON."""
    if field.kind is schema.Kind.LIST:
        return "" if field.default is schema.UNSET else schema.shown(field.default)
    return entered_text(field.initial)
