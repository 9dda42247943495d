"""Sheets with the difference of an AI app's settings file: one previews a change and asks for confirmation,
one shows what was written."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QWidget

from bridge.api import AppChange, AppNews
from desktop.theme.painting import ButtonKind
from desktop.widgets.controls import make_button
from desktop.widgets.dialogs import accept_or_cancel
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import DIALOG, column, row
from desktop.widgets.text.bidi import isolate
from desktop.widgets.text.diff_view import DiffView
from desktop.widgets.text.safe_text import one_line


class ChangeSheet(QDialog):
    agreed = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("change")
        self._change: AppChange | None = None
        self._again = Label("", name="again", tone=Tone.WARNING)
        self._what = Label("", name="what", bold=True, scale=1.15)
        self._file = Label("", name="file", tone=Tone.MUTED, selectable=True)
        self._diff = DiffView(name="diff")
        self._diff.setAccessibleName(self.tr("What changes"))
        self._note = Label("", name="note", tone=Tone.MUTED)
        self._yes = make_button("agree", "", self._agree, kind=ButtonKind.PRIMARY)
        self._no = make_button("cancel", self.tr("&Cancel"), self.reject)
        head = (self._again, self._what, self._file)
        buttons = accept_or_cancel(self._yes, self._no)
        self.setLayout(column(*head, (self._diff, 1), self._note, buttons, margins=DIALOG, spacing=10))

    def draw(self, change: AppChange) -> None:
        if self._change is not None and self._change.number == change.number:
            return
        self._change = change
        name = one_line(change.app.name, 60)
        self.setWindowTitle(self._title(change).format(name=name))
        self._again.show_text(
            self.tr("The file was changed meanwhile. This is the difference now.") if change.again else ""
        )
        self._what.show_text(self._title(change).format(name=isolate(name)))
        self._file.show_text(change.file)
        self._diff.show_diff(change.diff)
        self._diff.setVisible(not change.nothing)
        self._note.show_text(self._says(change))
        self._yes.setText(self._verb(change.what))
        self._yes.setVisible(not change.nothing)
        self._yes.setDefault(True)
        self._no.setText(self.tr("&Close") if change.nothing else self.tr("&Cancel"))
        self._yes.setEnabled(True)
        self.adjustSize()

    def _agree(self) -> None:
        """Confirm once; disabled until the file is written or a new preview arrives."""
        if self._change is not None and self._yes.isEnabled():
            self._yes.setEnabled(False)
            self.agreed.emit(self._change.number)

    def begin(self) -> None:
        """Open for a new change."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        self.open()
        self._yes.setFocus()

    def _title(self, change: AppChange) -> str:
        return {
            "connect": self.tr("Connect {name}"),
            "disconnect": self.tr("Disconnect {name}"),
            "wrap": self.tr("Let Deskbell handle {name}'s questions"),
            "unwrap": self.tr("Stop using Deskbell for {name}'s servers"),
            "undo": self.tr("Undo the last change in {name}"),
        }[change.what]

    def _verb(self, what: str) -> str:
        return {
            "connect": self.tr("C&onnect"),
            "disconnect": self.tr("&Disconnect"),
            "wrap": self.tr("C&hange"),
            "unwrap": self.tr("C&hange"),
            "undo": self.tr("&Undo"),
        }[what]

    def _says(self, change: AppChange) -> str:
        if change.nothing:
            return self.tr("There is nothing to change.")
        if change.exact:
            return self.tr("The file will be exactly as it was before.")
        if change.creates:
            return self.tr("This file does not exist yet; it will be created.")
        note = self.tr("Nothing else changes. A copy of the file is kept, and you can undo this.")
        moved = self.tr("Keys of servers that move are stored in your keychain.") if change.moved else ""
        return f"{note} {moved}".strip()


class WrittenChangeSheet(QDialog):
    """Shows the difference that the last change made to a file."""

    def __init__(self, news: AppNews, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("written")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        name = one_line(news.name, 60)
        self.setWindowTitle(self.tr("What changed in {name}").format(name=name))
        title = Label(
            self.tr("What changed in {name}").format(name=isolate(name)), name="what", bold=True, scale=1.15
        )
        file = Label(news.file, name="file", tone=Tone.MUTED, selectable=True)
        diff = DiffView(name="diff")
        diff.setAccessibleName(self.tr("What changed"))
        diff.show_diff(news.diff)
        note = self.tr("Nothing else was changed. Switch the app off to get its file back exactly as it was.")
        close = make_button("close", self.tr("&Close"), self.accept)
        close.setDefault(True)
        parts = (title, file, (diff, 1), Label(note, name="note", tone=Tone.MUTED), row(1, close))
        self.setLayout(column(*parts, margins=DIALOG, spacing=10))
