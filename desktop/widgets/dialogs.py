"""Confirmation boxes, and what dialogs share: first size, buttons, keys."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QStandardPaths, Qt
from PySide6.QtGui import QFontMetrics, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QMessageBox,
    QPushButton,
    QToolButton,
    QWidget,
)

from desktop.theme.painting import ButtonKind, set_kind
from desktop.widgets.icons import app_icon

_PICTURE = 48
_WIDE = 44  # characters; a box with a short title would be a few words wide


def confirm(
    parent: QWidget,
    title: str,
    text: str,
    yes: str,
    act: Callable[[], object],
    *,
    name: str = "sure",
    otherwise: Callable[[], object] = lambda: None,
    check: QCheckBox | None = None,
    kind: ButtonKind = ButtonKind.DANGER,
) -> QMessageBox:
    """Ask the user without blocking; call `act` on yes, else `otherwise`. Esc and Return choose Cancel.

    `check`: an additional check box. `kind`: of the yes.
    """
    box = QMessageBox(QMessageBox.Icon.Question, "Deskbell", title, parent=parent)
    box.setObjectName(name)
    box.setInformativeText(text)
    agree = box.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
    set_kind(agree, kind)
    keep = box.addButton(QCoreApplication.translate("asking", "&Cancel"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(keep)
    box.setEscapeButton(keep)
    box.finished.connect(lambda: act() if box.clickedButton() is agree else otherwise())
    if check is not None:
        box.setCheckBox(check)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    style_box(box)
    box.open()
    return box


def style_box(box: QMessageBox) -> None:
    """Show plain text only, the title bold, our icon on questions, and the explanation in wide lines."""
    box.setTextFormat(Qt.TextFormat.PlainText)
    if box.icon() is QMessageBox.Icon.Question:
        box.setIconPixmap(app_icon().pixmap(_PICTURE, _PICTURE))
    for title in box.findChildren(QLabel, "qt_msgbox_label"):
        font = title.font()
        font.setBold(True)
        title.setFont(font)
    for text in box.findChildren(QLabel, "qt_msgbox_informativelabel"):
        text.setTextFormat(Qt.TextFormat.PlainText)
        letters = min(len(text.text()), _WIDE)
        text.setMinimumWidth(text.fontMetrics().averageCharWidth() * letters)


def resize_for_text(window: QWidget, characters: int, lines: int, font: QFontMetrics | None = None) -> None:
    """Resize a window to hold so much text, as far as the screen allows. `font`: if not the window's."""
    metrics, screen = font or window.fontMetrics(), window.screen().availableSize()
    wide, tall = metrics.averageCharWidth() * characters, metrics.lineSpacing() * lines
    window.resize(min(wide, round(screen.width() * 0.94)), min(tall, round(screen.height() * 0.88)))


def accept_or_cancel(accept: QPushButton, cancel: QPushButton) -> QDialogButtonBox:
    """Return a box of both buttons; Return presses `accept`."""
    accept.setDefault(True)
    set_kind(accept, ButtonKind.PRIMARY)
    cancel.setAutoDefault(False)
    box = QDialogButtonBox()
    box.addButton(accept, QDialogButtonBox.ButtonRole.AcceptRole)
    box.addButton(cancel, QDialogButtonBox.ButtonRole.RejectRole)
    return box


def submit_on_keys(window: QWidget, act: Callable[[], object]) -> None:
    """Call `act` on Ctrl+Return and Ctrl+Enter in the window."""
    for keys in ("Ctrl+Return", "Ctrl+Enter"):
        QShortcut(QKeySequence(keys), window, act)


def close_on_key(window: QWidget) -> None:
    """Close the window on Ctrl+W, or the platform's own key for that."""
    QShortcut(QKeySequence(QKeySequence.StandardKey.Close), window, window.close)


def press_focused(window: QWidget, otherwise: QPushButton | None) -> None:
    """Press the button with the focus, else `otherwise`: what Return does in windows of many buttons."""
    focused = window.focusWidget()
    button = focused if isinstance(focused, QPushButton | QToolButton) else otherwise
    if button is not None:
        button.click()


def save_dialog(
    parent: QWidget,
    name: str,
    title: str,
    folder: QStandardPaths.StandardLocation,
    filters: list[str],
    file: str,
) -> QFileDialog:
    """Return a dialog that asks where to save `file`, not yet open."""
    box = QFileDialog(parent, title, QStandardPaths.writableLocation(folder))
    box.setObjectName(name)
    box.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    box.setNameFilters(filters)
    box.setDefaultSuffix(file.rpartition(".")[2])
    box.selectFile(file)
    box.finished.connect(lambda _: box.deleteLater())
    return box
