"""The sheet that previews a change of an AI app's config file and asks for confirmation."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QDialog, QWidget

from bridge.api import AppChange
from desktop.widgets.bidi import isolate
from desktop.widgets.controls import make_button, make_check
from desktop.widgets.dialogs import accept_or_cancel
from desktop.widgets.diff_view import DiffView
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import DIALOG, column
from desktop.widgets.safe_text import escape_mnemonic, one_line


class ChangeSheet(QDialog):
    """`other_wanted`: preview a variant: app, action, move servers with an address, over HTTP."""

    agreed = Signal(int)
    other_wanted = Signal(str, str, bool, bool)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("change")
        self._change: AppChange | None = None
        self._again = Label("", name="again", tone=Tone.WARNING)
        self._what = Label("", name="what", bold=True, scale=1.15)
        self._file = Label("", name="file", tone=Tone.MUTED, selectable=True)
        self._diff = DiffView(name="diff")
        self._diff.setAccessibleName(self.tr("What changes"))
        self._move = make_check("move", act=lambda on: self._other(move=on))
        http = self.tr("Connect over &HTTP instead (advanced)")
        self._http = make_check("http", http, lambda on: self._other(http=on))
        self._note = Label("", name="note", tone=Tone.MUTED)
        self._yes = make_button("agree", "", self._agree)
        self._no = make_button("cancel", self.tr("&Cancel"), self.reject)
        head, below = (self._again, self._what, self._file), (self._move, self._http, self._note)
        buttons = accept_or_cancel(self._yes, self._no)
        self.setLayout(column(*head, (self._diff, 1), *below, buttons, margins=DIALOG, spacing=10))

    def draw(self, change: AppChange) -> None:
        if self._change is not None and self._change.number == change.number:
            return
        self._change = change
        name = one_line(change.app.name, 60)
        self.setWindowTitle(self._title(change.what).format(name=name))
        self._again.show_text(
            self.tr("The file was changed meanwhile. This is the difference now.") if change.again else ""
        )
        self._what.show_text(self._title(change.what).format(name=isolate(name)))
        self._file.show_text(change.file)
        self._diff.show_diff(change.diff)
        self._diff.setVisible(not change.nothing)
        self._offer(change)
        self._note.show_text(self._says(change))
        self._yes.setText(self._verb(change.what))
        self._yes.setVisible(not change.nothing)
        self._yes.setDefault(True)
        self._no.setText(self.tr("&Close") if change.nothing else self.tr("&Cancel"))
        self._enable(True)
        self.adjustSize()

    def _offer(self, change: AppChange) -> None:
        """Offer the variants of this change."""
        wraps = change.what == "wrap"
        self._move.setVisible(wraps and bool(change.moved or change.app.addresses))
        names = ", ".join(one_line(name, 30) for name in (change.moved or change.app.addresses))
        words = self.tr("&Move servers with an address into Deskbell too: {names}")
        self._move.setText(words.format(names=escape_mnemonic(one_line(names, 60))))
        self._http.setVisible(change.what == "connect" and change.app.by_address)
        with QSignalBlocker(self._move):
            self._move.setChecked(bool(change.moved))

    def _other(self, move: bool = False, http: bool = False) -> None:
        if self._change is not None:
            self._enable(False)
            self.other_wanted.emit(self._change.app.id, self._change.what, move, http)

    def _agree(self) -> None:
        """Confirm once; disabled until the file is written or a new preview arrives."""
        if self._change is not None and self._yes.isEnabled():
            self._enable(False)
            self.agreed.emit(self._change.number)

    def _enable(self, on: bool) -> None:
        for part in (self._yes, self._move, self._http):
            part.setEnabled(on)

    def begin(self) -> None:
        """Open for a new change."""
        for box in (self._move, self._http):
            with QSignalBlocker(box):
                box.setChecked(False)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        self.open()
        self._yes.setFocus()

    def _title(self, what: str) -> str:
        return {
            "connect": self.tr("Connect {name}"),
            "disconnect": self.tr("Disconnect {name}"),
            "wrap": self.tr("Let Deskbell handle {name}'s questions"),
            "unwrap": self.tr("Take Deskbell from before {name}'s servers"),
            "undo": self.tr("Undo the last change in {name}"),
        }[what]

    def _verb(self, what: str) -> str:
        return {
            "connect": self.tr("C&onnect"),
            "disconnect": self.tr("&Disconnect"),
            "wrap": self.tr("&Wrap"),
            "unwrap": self.tr("&Unwrap"),
            "undo": self.tr("&Undo"),
        }[what]

    def _says(self, change: AppChange) -> str:
        if change.nothing:
            return self.tr("There is nothing to change.")
        if change.exact:
            return self.tr("The file will be as it was before, to the byte.")
        if change.creates:
            return self.tr("There is no such file yet; it will be made.")
        note = self.tr("Nothing else is touched. A copy of the file is kept, and you can undo this.")
        moved = self.tr("Keys of servers that move go into the vault.") if change.moved else ""
        return f"{note} {moved}".strip()
