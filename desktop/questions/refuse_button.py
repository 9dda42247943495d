"""The button "Don't answer" of a question, with the choice and a reason under its arrow.

Decline and Cancel are buttons of their own for assistive technology, out of sight: MCP tells them apart.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QMenu, QPushButton, QToolButton, QWidget

from bridge.api import CANCEL, DECLINE, Action, Answer
from desktop.theme.painting import ButtonKind, set_kind
from desktop.theme.symbols import symbol
from desktop.widgets.controls import make_button, make_line, make_tool_button
from desktop.widgets.layouts import row

_SPECK = 2  # pixels


def make_menu_button(name: str, spoken: str, menu: QMenu) -> QToolButton:
    """Return an arrow that opens a menu. Not by `setMenu`: Qt would draw an arrow of its own beside it."""
    arrow = make_tool_button(
        name, "", spoken, lambda: menu.popup(arrow.mapToGlobal(QPoint(0, arrow.height())))
    )
    arrow.setIcon(symbol("chevron-down"))
    arrow.setToolTip(spoken)
    return arrow


class SpokenButton(QPushButton):
    """A button for assistive technology only: it paints nothing and takes no focus."""

    def __init__(self, name: str, text: str, press: object) -> None:
        super().__init__(text)
        self.setObjectName(name)
        self.setAccessibleName(text)
        self.setFixedSize(_SPECK, _SPECK)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAutoDefault(False)
        self.clicked.connect(press)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint nothing."""


class RefuseButton(QWidget):
    """`refused`: with this Answer. `wants_reason`: the asker accepts a reason. `resized`: for the reason."""

    refused = Signal(object)
    resized = Signal()

    def __init__(self, words: str = "", *, wants_reason: bool = False) -> None:
        super().__init__()
        self._main = make_button(
            "refuse",
            words or self.tr("Do&n't answer"),
            self._decline,
            auto_default=False,
            kind=ButtonKind.QUIET,
        )
        menu = self._menu(wants_reason)
        self._arrow = make_menu_button("refuseMenu", self.tr("Other ways not to answer"), menu)
        self._arrow.setAutoRaise(True)
        self._reason = make_line("reason", self.tr("Reason"), placeholder=self.tr("Why? (optional)"))
        self._reason.returnPressed.connect(self._decline)
        self._reason.setMinimumWidth(self.fontMetrics().averageCharWidth() * 24)
        self._reason.hide()
        spoken = (
            SpokenButton("decline", self.tr("Decline"), self._decline),
            SpokenButton("cancel", self.tr("Cancel"), self._cancel),
        )
        self.setLayout(row(self._main, self._arrow, self._reason, *spoken, spacing=2))

    @property
    def stops(self) -> tuple[QWidget, ...]:
        """Return its tab stops, in order."""
        return (self._main, self._arrow, self._reason)

    @property
    def main(self) -> QPushButton:
        return self._main

    def typed(self) -> str:
        return self._reason.text().strip()

    def _menu(self, wants_reason: bool) -> QMenu:
        menu = QMenu(self)
        menu.addAction(self.tr("Decline: say no"), self._decline)
        menu.addAction(self.tr("Cancel: close without an answer"), self._cancel)
        if wants_reason:
            menu.addSeparator()
            menu.addAction(self.tr("Decline with a reason…"), self._ask_why)
        return menu

    def _ask_why(self) -> None:
        self._reason.show()
        self._main.setText(self.tr("&Decline"))
        set_kind(self._main, ButtonKind.PLAIN)
        self._reason.setFocus()
        self.resized.emit()

    def _decline(self) -> None:
        reason = self.typed()
        self.refused.emit(Answer(Action.DECLINE, reason=reason) if reason else DECLINE)

    def _cancel(self) -> None:
        self.refused.emit(CANCEL)
