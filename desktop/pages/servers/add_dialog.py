"""Dialogs that add servers: from a command, an address or pasted settings; or from AI apps on this computer.

The servers are shown before they are added.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QWidget

from bridge.api import Draft, ServersStatus, Services
from desktop.language import label_text
from desktop.pages.servers.proposals import ProposalList
from desktop.theme.painting import ButtonKind
from desktop.widgets.controls import make_button
from desktop.widgets.dialogs import accept_or_cancel, resize_for_text, submit_on_keys
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import DIALOG, Part, column
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.tab_order import set_tab_order

_CALM = 1000  # milliseconds before what a link proposes can be added: a click may have been meant for another
_PAUSE = 250  # milliseconds after the last key until the text is read
_WIDE, _TALL = 84, 36  # characters, lines
_EXAMPLE = "npx -y @modelcontextprotocol/server-everything"


class ProposalDialog(QDialog):
    """Base class: shows a Draft and adds the checked servers."""

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.service = services.servers
        self._shown_action: int | None = None  # the number of the answer that is not ours yet
        self._latest = ServersStatus()
        self._draft = -1  # number of the last Draft that is not ours
        self.list = ProposalList()
        self.list.changed.connect(self._enable)
        self.list.grew.connect(self._keep_order)
        self.problem = Label("", name="problem", tone=Tone.ERROR)
        self.add_button = make_button("add", self.tr("&Add"), self._add, kind=ButtonKind.PRIMARY)
        self.cancel = make_button("cancel", self.tr("&Cancel"), self.reject)
        self.scroll_area = FittingScroll(self.list, name="scroll")
        buttons = accept_or_cancel(self.add_button, self.cancel)
        parts: tuple[Part, ...] = (*self.make_head(), self.problem, (self.scroll_area, 1), buttons)
        self.setLayout(column(*parts, margins=DIALOG, spacing=10))
        submit_on_keys(self, self._add)
        self._enable()
        resize_for_text(self, _WIDE, _TALL)

    def make_head(self) -> tuple[QWidget, ...]:
        """Return what is above the list."""
        raise NotImplementedError

    def first_stop(self) -> QWidget:
        """Return the tab stop before the list."""
        return self

    def draw_found(self, draft: Draft) -> None:
        """Show whether there is anything to choose from."""

    def expect(self) -> None:
        """Take the next Draft as ours."""
        self._draft = self._latest.draft.number

    def draw(self, status: ServersStatus) -> None:
        self._latest = status
        if self._shown_action is not None and status.last_action.number > self._shown_action:
            self._shown_action = None
            if not status.last_action.problem:
                self.accept()
                return
            self.problem.show_text(label_text(status.last_action.problem))
        elif status.draft.number > self._draft >= 0 and not status.draft.busy:
            self.list.draw(status.draft)
            self.problem.show_text("\n".join(map(label_text, status.draft.problems)))
            self.draw_found(status.draft)
        self._enable()

    def _keep_order(self) -> None:
        set_tab_order(self.first_stop(), self.list, (self.add_button, self.cancel))

    def may_add(self) -> bool:
        return bool(self.list.choices()) and self._shown_action is None

    def _enable(self) -> None:
        count = len(self.list.choices())
        self.add_button.setEnabled(self.may_add())
        self.add_button.setText(self.tr("&Add {count}").format(count=count) if count > 1 else self.tr("&Add"))

    def _add(self) -> None:
        choices = self.list.choices()
        if self.may_add():
            self._shown_action = self._latest.last_action.number
            self._enable()
            self.service.add(choices)


class AddDialog(ProposalDialog):
    def make_head(self) -> tuple[QWidget, ...]:
        self.setObjectName("addServers")
        self.setWindowTitle(self.tr("Add a server"))
        intro = self.tr("Paste anything: a command, a URL, or a snippet from a README.")
        self._text = QPlainTextEdit()
        self._text.setObjectName("text")
        self._text.setAccessibleName(self.tr("Command, address or settings"))
        self._text.setPlaceholderText(_EXAMPLE)
        self._text.setTabChangesFocus(True)
        self._text.setFixedHeight(self._text.fontMetrics().lineSpacing() * 7)
        rules = Label(self._rules(), name="rules", tone=Tone.MUTED, scale=0.92)
        self._text.setAccessibleDescription(rules.accessibleName())
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE)
        self._pause.timeout.connect(self._read)
        self._text.textChanged.connect(self._pause.start)
        self._calm = QTimer(self, singleShot=True, interval=_CALM)
        self._calm.timeout.connect(self._enable)
        self._text.setFocus()
        self._intro = Label(intro, name="intro")
        return self._intro, self._text, rules

    def propose(self, link: str) -> None:
        """Show the server that a link on a web page proposes; the person decides."""
        self.setWindowTitle(self.tr("Add a server from a link?"))
        words = self.tr("A link proposes this server. Add it only if you trust where the link came from.")
        self._intro.show_text(words)
        self.list.grew.connect(self._calm.start)
        self._text.setPlainText(link)

    def may_add(self) -> bool:
        return super().may_add() and not self._calm.isActive()

    def first_stop(self) -> QWidget:
        return self._text

    def _rules(self) -> str:
        return self.tr("Example: API_KEY=abc npx -y some-server. Use quotes for spaces.")

    def _read(self) -> None:
        self.expect()
        self.service.draft(self._text.toPlainText())


class ImportDialog(ProposalDialog):
    def make_head(self) -> tuple[QWidget, ...]:
        self.setObjectName("importServers")
        self.setWindowTitle(self.tr("Import servers"))
        self._intro = Label(self._words(found=True), name="intro")
        return (self._intro,)

    def begin(self, status: ServersStatus) -> None:
        """Start the search. `status`: the current one."""
        self._latest = status
        self.expect()
        self.service.find()

    def draw_found(self, draft: Draft) -> None:
        found = bool(draft.proposals)
        self._intro.show_text(self._words(found=found))
        self._intro.setVisible(found or not draft.problems)
        self.cancel.setText(self.tr("&Cancel") if found else self.tr("&Close"))
        if found != self.add_button.isVisibleTo(self):
            self.add_button.setVisible(found)
            self.scroll_area.setVisible(found)
            resize_for_text(self, _WIDE, _TALL if found else 0)  # at least as tall as its texts

    def _words(self, *, found: bool) -> str:
        if found:
            return self.tr("We found these servers in your apps. Choose the ones Deskbell should run.")
        return self.tr("No AI app on this computer has a server in its settings.")
