"""One input per kind of field. It yields what was entered; what that means is bridge.api.schema's to say.

TEXT, NUMBER, INTEGER   a line (several where the text is long); never a spin box, which cannot be blank
BOOLEAN                 Yes, No and, where it may be left out, neither
CHOICE                  radio buttons up to five options, a drop-down list above
MULTI                   check boxes, a list of them when there are many
JSON                    a text box
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFontDatabase, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QBoxLayout,
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QRadioButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from bridge.api import schema
from desktop.widgets.text import one_line, unmnemonic

_FEW_CHOICES = 5
_FEW_CHECKS = 8
_LONG_TEXT = 300
_UNBOUNDED = 1 << 30
_WRAP = 60  # letters
_RETURN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Input(QFrame):
    """`submitted`: Return was pressed where it does not mean a new line."""

    changed = Signal()
    submitted = Signal()

    def __init__(self, field: schema.Field, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = field
        self.title = one_line(field.title or field.name, 200)
        self.setObjectName(f"input:{field.name}")
        self.named: QWidget = self  # what bears the field's name

    def entered(self) -> schema.Entered:
        raise NotImplementedError

    def freeze(self) -> None:
        """Shows what was entered, takes nothing more."""
        self.setEnabled(False)

    def describe(self, text: str) -> None:
        """Help and errors, for those who cannot see them beside the field."""
        self.named.setAccessibleDescription(text)

    def _lead(self, widget: QWidget) -> None:
        """This widget takes the focus and bears the field's name."""
        self.setFocusProxy(widget)
        self.named = widget
        widget.setObjectName(f"field:{self.field.name}")
        widget.setAccessibleName(self.title)

    def _dress(self, button: QAbstractButton, place: int, text: str) -> None:
        """One option of several; its text wraps, which Qt's buttons do not do by themselves."""
        button.setText(unmnemonic(textwrap.fill(text, _WRAP)))
        button.setObjectName(f"option:{self.field.name}:{place}")
        button.setAccessibleName(text)
        button.setAccessibleDescription(self.title)
        button.installEventFilter(self)

    def _column(self) -> QBoxLayout:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        return column

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Return on a check box, radio button or list: some platform themes would press it instead."""
        pressed = event.type() is QEvent.Type.KeyPress
        if pressed and isinstance(event, QKeyEvent) and event.key() in _RETURN:
            self.submitted.emit()
            return True
        return super().eventFilter(watched, event)


class LineInput(Input):
    """One line of text; masked when it looks like a secret, with a button to review it."""

    def __init__(self, field: schema.Field, parent: QWidget | None = None, *, secret: bool = False) -> None:
        super().__init__(field, parent)
        self._line = QLineEdit()
        self._line.setMaxLength(_UNBOUNDED)  # too long is an error the person sees, not a silent cut
        self._line.setText(_text(field.initial))
        self._line.setCursorPosition(0)
        self._line.setPlaceholderText(_PLACEHOLDERS.get(field.format, ""))
        self._line.textChanged.connect(self.changed)
        if field.kind is not schema.Kind.TEXT:
            self._line.setInputMethodHints(Qt.InputMethodHint.ImhFormattedNumbersOnly)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._line, 1)
        self._lead(self._line)
        if secret:
            self._mask(row)

    def entered(self) -> schema.Entered:
        return self._line.text()

    def freeze(self) -> None:
        self._line.setReadOnly(True)

    def _mask(self, row: QHBoxLayout) -> None:
        self._line.setEchoMode(QLineEdit.EchoMode.Password)
        show = QToolButton()
        show.setObjectName(f"show:{self.field.name}")
        show.setText(self.tr("Show"))
        show.setAccessibleName(self.tr("Show {field}").format(field=self.title))
        show.setCheckable(True)
        modes = (QLineEdit.EchoMode.Password, QLineEdit.EchoMode.Normal)
        show.toggled.connect(lambda on: self._line.setEchoMode(modes[on]))
        row.addWidget(show)


class BoxInput(Input):
    """Several lines of text, or JSON. Return is a new line here; Ctrl+Enter sends."""

    def __init__(self, field: schema.Field, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self._box = QPlainTextEdit(_lines(field.initial))
        self._box.setTabChangesFocus(True)
        self._box.setFixedHeight(self._box.fontMetrics().lineSpacing() * 5)
        self._box.textChanged.connect(self.changed)
        if field.kind is schema.Kind.JSON:
            self._box.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
            self._box.setPlaceholderText(self.tr("JSON"))
        self._column().addWidget(self._box)
        self._lead(self._box)

    def entered(self) -> schema.Entered:
        text = self._box.toPlainText()
        return text if self.field.kind is not schema.Kind.LIST else tuple(filter(str.strip, text.split("\n")))

    def freeze(self) -> None:
        self._box.setReadOnly(True)


class RadioInput(Input):
    """A few options side by side or below one another, at most one chosen."""

    def __init__(
        self, field: schema.Field, options: list[tuple[schema.Entered, str]], parent: QWidget | None = None
    ) -> None:
        super().__init__(field, parent)
        self.setAccessibleName(self.title)
        self._group = QButtonGroup(self)
        self._values = [value for value, _ in options]
        layout = self._column()
        if sum(len(text) for _, text in options) < 40:
            layout.setDirection(QBoxLayout.Direction.LeftToRight)
            layout.setSpacing(16)
        for place, (value, text) in enumerate(options):
            button = QRadioButton()
            self._dress(button, place, text)
            button.setChecked(value == field.initial)
            self._group.addButton(button, place)
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        if layout.direction() is QBoxLayout.Direction.LeftToRight:
            layout.addStretch(1)
        self.setFocusProxy(self._group.checkedButton() or self._group.button(0))
        self._group.idToggled.connect(lambda place, on: self.changed.emit() if on else None)

    def entered(self) -> schema.Entered:
        place = self._group.checkedId()
        return None if place < 0 else self._values[place]


class DropInput(Input):
    """Many options, one chosen, in a list that drops down."""

    def __init__(self, field: schema.Field, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self._blanks = len(_blank(field))
        self._drop = QComboBox()
        self._drop.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._drop.setMinimumContentsLength(24)
        self._drop.setMaxVisibleItems(14)
        blank = [text for _, text in _blank(field)]
        self._drop.addItems(blank + [one_line(option.title, 200) for option in field.options])
        self._drop.setPlaceholderText(self.tr("Please choose…"))
        initial = field.initial
        self._drop.setCurrentIndex(self._blanks + initial if isinstance(initial, int) else self._blanks - 1)
        self._drop.currentIndexChanged.connect(self.changed)
        self._drop.installEventFilter(self)
        self._column().addWidget(self._drop)
        self._lead(self._drop)

    def entered(self) -> schema.Entered:
        place = self._drop.currentIndex() - self._blanks
        return None if place < 0 else place


class ChecksInput(Input):
    """A few options, any number chosen."""

    def __init__(self, field: schema.Field, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self.setAccessibleName(self.title)
        column = self._column()
        self._checks = [QCheckBox() for _ in field.options]
        chosen = field.initial if isinstance(field.initial, tuple) else ()
        for place, check in enumerate(self._checks):
            self._dress(check, place, one_line(field.options[place].title, 200))
            check.setChecked(place in chosen)
            check.toggled.connect(self.changed)
            column.addWidget(check, 0, Qt.AlignmentFlag.AlignLeft)
        if self._checks:
            self.setFocusProxy(self._checks[0])

    def entered(self) -> schema.Entered:
        return tuple(place for place, check in enumerate(self._checks) if check.isChecked())


class ListInput(Input):
    """Many options, any number chosen: a list whose rows are ticked by click or Space."""

    def __init__(self, field: schema.Field, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self._list = QListWidget()
        self._list.setUniformItemSizes(True)
        self._list.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self._list.setFixedHeight(self._list.fontMetrics().lineSpacing() * 9)
        chosen = set(field.initial) if isinstance(field.initial, tuple) else set()
        for place, option in enumerate(field.options):
            item = QListWidgetItem(one_line(option.title, 200))
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if place in chosen else Qt.CheckState.Unchecked)
            self._list.addItem(item)
        self._list.itemChanged.connect(self.changed)
        self._list.installEventFilter(self)
        self._column().addWidget(self._list)
        self._lead(self._list)

    def entered(self) -> schema.Entered:
        rows = range(self._list.count())
        return tuple(row for row in rows if self._list.item(row).checkState() is Qt.CheckState.Checked)


def make_input(field: schema.Field) -> Input:
    return _MAKERS[field.kind](field)


def _text(entered: schema.Entered) -> str:
    return entered if isinstance(entered, str) else ""


def _lines(entered: schema.Entered) -> str:
    return "\n".join(map(str, entered)) if isinstance(entered, tuple) else _text(entered)


def _make_text(field: schema.Field) -> Input:
    if schema.looks_secret(field):
        return LineInput(field, secret=True)
    long = (field.max_length or 0) >= _LONG_TEXT or "\n" in _text(field.initial)
    return BoxInput(field) if long else LineInput(field)


def _make_yes_no(field: schema.Field) -> Input:
    return RadioInput(field, [(True, _say("Yes")), (False, _say("No")), *_blank(field)])


def _make_choice(field: schema.Field) -> Input:
    if len(field.options) > _FEW_CHOICES:
        return DropInput(field)
    titles: list[tuple[schema.Entered, str]] = [
        (place, one_line(option.title, 200)) for place, option in enumerate(field.options)
    ]
    return RadioInput(field, [*titles, *_blank(field)])


def _make_multi(field: schema.Field) -> Input:
    return ChecksInput(field) if len(field.options) <= _FEW_CHECKS else ListInput(field)


def _blank(field: schema.Field) -> list[tuple[schema.Entered, str]]:
    return [(None, _say("Not answered"))] if not field.required or field.nullable else []


def _say(text: str) -> str:
    return QCoreApplication.translate("inputs", text)


_MAKERS: dict[schema.Kind, Callable[[schema.Field], Input]] = {
    schema.Kind.TEXT: _make_text,
    schema.Kind.NUMBER: LineInput,
    schema.Kind.INTEGER: LineInput,
    schema.Kind.BOOLEAN: _make_yes_no,
    schema.Kind.CHOICE: _make_choice,
    schema.Kind.MULTI: _make_multi,
    schema.Kind.LIST: BoxInput,
    schema.Kind.JSON: BoxInput,
}
_PLACEHOLDERS = {
    "email": "name@example.org",
    "uri": "https://",
    "date": "YYYY-MM-DD",
    "date-time": "YYYY-MM-DDThh:mm:ss+00:00",
}
