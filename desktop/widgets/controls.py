"""Make Qt's controls with object name, accessible name and callback; repair what Qt's accessibility lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from desktop.theme.metrics import CONTROL
from desktop.theme.painting import ButtonKind, set_kind
from desktop.theme.symbols import symbol
from desktop.widgets.icons import app_icon

_ICON_ROLES = {ButtonKind.PRIMARY: "on_accent", ButtonKind.QUIET: "link", ButtonKind.DANGER: "error"}


def make_button(
    name: str,
    text: str,
    act: Callable[[], object],
    *,
    spoken: str = "",
    about: str = "",
    auto_default: bool = True,
    kind: ButtonKind = ButtonKind.PLAIN,
    icon: str = "",
) -> QPushButton:
    """`spoken`: accessible name, if not the text. `about`: accessible description. `auto_default`: Return
    presses it while it has the focus in a dialog. `icon`: the name of a symbol (theme/symbols.py)."""
    button = QPushButton(text)
    button.setObjectName(name)
    button.setAccessibleName(spoken)
    button.setAccessibleDescription(about)
    button.setAutoDefault(auto_default)
    if kind:
        set_kind(button, kind)
    if icon:
        button.setIcon(symbol(icon, _ICON_ROLES.get(kind, "text")))
    button.clicked.connect(lambda: act())
    return button


def make_check(
    name: str, text: str = "", act: Callable[[bool], object] | None = None, *, checked: bool = False
) -> QCheckBox:
    """`act` is called when the user or the program checks or unchecks it."""
    box = QCheckBox(text)
    box.setObjectName(name)
    box.setChecked(checked)
    if act is not None:
        box.toggled.connect(act)
    return box


def make_line(name: str, title: str = "", text: str = "", *, placeholder: str = "") -> QLineEdit:
    """`title`: accessible name."""
    line = QLineEdit(text)
    line.setObjectName(name)
    line.setAccessibleName(title)
    line.setPlaceholderText(placeholder)
    line.setCursorPosition(0)
    return line


def make_search(name: str, title: str, act: Callable[[str], object], clear: tuple[str, str]) -> QLineEdit:
    """Make a search line. `clear`: object name and accessible name of its clear button."""
    line = make_line(name, title, placeholder=title)
    make_clearable(line, *clear)
    line.textChanged.connect(act)
    return line


def make_choice(name: str, title: str, options: Iterable[tuple[str, object]] = ()) -> QComboBox:
    """Make a combo box. `title`: accessible name; `options`: text and value of each."""
    box = QComboBox()
    box.setObjectName(name)
    box.setAccessibleName(title)
    for text, value in options:
        box.addItem(text, value)
    ignore_wheel(box)
    return box


class Disclosure(QToolButton):
    """A button with an arrow that shows or hides more. `toggled(True)`: opened."""

    def __init__(self, text: str, words: str, *, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setText(text)
        self.setToolTip(words)
        self.setAccessibleDescription(words)
        self.setCheckable(True)
        self.setAutoRaise(True)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        self.toggled.connect(self._turn)
        self._turn(False)

    def _turn(self, on: bool) -> None:
        closed = Qt.ArrowType.LeftArrow if self.isRightToLeft() else Qt.ArrowType.RightArrow
        self.setArrowType(Qt.ArrowType.DownArrow if on else closed)


def app_picture(size: int) -> QLabel:
    """Return Deskbell's icon, `size` pixels wide."""
    picture = QLabel()
    picture.setPixmap(app_icon().pixmap(size, size))
    picture.setAccessibleName("Deskbell")
    return picture


def make_tool_button(
    name: str, text: str, spoken: str, act: Callable[[], object], *, icon: str = ""
) -> QToolButton:
    """`spoken`: accessible name. `icon`: a symbol; without a text it is the whole button, with a tooltip."""
    button = QToolButton()
    button.setObjectName(name)
    button.setText(text)
    button.setAccessibleName(spoken)
    if icon:
        button.setIcon(symbol(icon))
        button.setAutoRaise(True)
        button.setMinimumSize(CONTROL, CONTROL)
        beside = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        button.setToolButtonStyle(beside if text else Qt.ToolButtonStyle.ToolButtonIconOnly)
        button.setToolTip("" if text else spoken)
    button.clicked.connect(lambda: act())
    return button


def make_clearable(line: QLineEdit, name: str, title: str) -> None:
    """Add Qt's clear button to a line, with an accessible name."""
    line.setClearButtonEnabled(True)
    for button in line.findChildren(QToolButton):
        button.setObjectName(name)
        button.setAccessibleName(title)


@cache
def preload_clear_button() -> None:
    """Make one clear button ahead of time: the first one searches the system theme for its icon."""
    QLineEdit().setClearButtonEnabled(True)


def add_hidden_label(box: QComboBox) -> None:
    """Give a combo box in a layout a hidden label with its accessible name.

    On Linux Qt reports the chosen text as the name of a combo box, unless it has a label.
    """
    label = QLabel(box.accessibleName(), box.parentWidget())
    label.setBuddy(box)
    label.hide()


class _WheelFilter(QObject):
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is not QEvent.Type.Wheel:
            return False
        event.ignore()  # for the scroll area around it
        return True


def ignore_wheel(widget: QWidget) -> None:
    """Let the wheel scroll the page instead of changing a combo box or spin box under the pointer."""
    widget.installEventFilter(_WheelFilter(widget))
