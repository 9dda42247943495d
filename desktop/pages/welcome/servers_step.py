"""Second step: add servers that AI apps on this computer have already, or others."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QPushButton, QWidget

from bridge.api import Draft, ServersStatus, Services, Status
from desktop.language import label_text
from desktop.pages.servers.proposals import ProposalList
from desktop.widgets.bidi import isolate_all
from desktop.widgets.controls import make_button
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import column, row
from desktop.widgets.safe_text import one_line
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.tab_order import set_tab_order


class ServersStep(QWidget):
    other_wanted = Signal()  # add another server
    chosen = Signal(bool)  # `pending` may have changed; whether its button had the focus

    def __init__(self, services: Services) -> None:
        super().__init__()
        self._service = services.servers
        self.setObjectName("serversStep")
        self._latest = ServersStatus()
        self._draft = -1  # number of the last Draft that is not ours
        self._told: int | None = None
        self._before: frozenset[str] | None = None  # servers configured when this step was shown
        self._list = ProposalList(tells_known=False)
        self._list.changed.connect(self._enable)
        self._list.grew.connect(self._keep_order)
        intro = self.tr(
            "These servers were found in your apps. Choose the ones Deskbell should run. The apps' own files "
            "stay as they are."
        )
        self._here = Label("", name="serversHere", tone=Tone.MUTED)
        self._outcome = Label("", name="serversOutcome", announced=True)
        self._add = make_button("addFound", self.tr("&Add these"), self._submit)
        self._other = make_button("addOther", self.tr("Add anot&her…"), self.other_wanted.emit)
        head = (Label(intro, name="serversIntro"), self._here, self._outcome)
        scroll, buttons = FittingScroll(self._list, name="scroll"), row(self._add, self._other, 1)
        self.setLayout(column(*head, (scroll, 1), buttons, spacing=10))
        self._enable()

    @property
    def pending(self) -> QPushButton | None:
        """Return the button that adds the checked servers; None if there is nothing to add."""
        return self._add if self._add.isEnabled() and self._list.rows else None

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self._look()

    def draw(self, status: Status) -> None:
        at = self._latest = status.at_servers
        here = [one.name for one in status.servers if one.kind != "built-in"]
        if self._before is None:
            self._before = frozenset(here)
        names = [one_line(name, 40) for name in here if name in self._before]
        known = self.tr("Already here: {names}.").format(names=isolate_all(names))
        self._here.show_text(known if names else "")
        if self._told is not None and at.told.number > self._told:
            self._told = None
            self._outcome.set_tone(Tone.ERROR if at.told.problem else Tone.PLAIN)
            self._outcome.show_text(label_text(at.told.problem or at.told.done))
            if not at.told.problem:
                self._draft = at.draft.number
                self._list.draw(Draft())
        elif at.draft.number > self._draft >= 0 and not at.draft.busy and self.isVisible():
            self._list.draw(at.draft)
            if not at.draft.proposals and self._told is None and not self._outcome.accessibleName():
                self._outcome.set_tone(Tone.MUTED)
                self._outcome.show_text(self.tr("No AI app on this computer has a server in its settings."))
        self._enable()

    def _keep_order(self) -> None:
        set_tab_order(self, self._list, (self._add, self._other))

    def _look(self) -> None:
        self._draft = self._latest.draft.number
        self._before = None
        self._service.find()

    def _enable(self) -> None:
        had_keyboard = self._add.hasFocus()  # disabling moves the focus
        self._add.setVisible(bool(self._list.rows))
        self._add.setEnabled(bool(self._list.choices()) and self._told is None)
        self.chosen.emit(had_keyboard)

    def _submit(self) -> None:
        choices = self._list.choices()
        if choices and self._told is None:
            self._told = self._latest.told.number
            self._outcome.show_text("")
            self._enable()
            self._service.add(choices)
