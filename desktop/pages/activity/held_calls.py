"""The calls whose AI apps stopped waiting: their results are kept for a day, and can be deleted."""

from __future__ import annotations

from PySide6.QtCore import Signal

from bridge.api import HeldCallStatus
from desktop.pages.activity.call_list import CallLine, CallList
from desktop.pages.activity.history_texts import call_names
from desktop.widgets.controls import make_button


class HeldCallsPanel(CallList):
    delete_wanted = Signal(str)

    def __init__(self) -> None:
        about = self.tr("Delete the result of the selected call; a call in progress is cancelled")
        delete = make_button("deleteHeld", self.tr("Delete &result"), lambda: None, about=about)
        super().__init__("held", self.tr("Calls that AI apps no longer wait for"), delete)
        self.act_wanted.connect(self.delete_wanted)

    def draw(self, calls: tuple[HeldCallStatus, ...]) -> None:
        title = self.tr("Results kept for the AI app's next try: {count}").format(count=len(calls))
        lines = tuple(CallLine(call.ticket, self._words(call), call.begun) for call in calls)
        self.show_lines(title, lines)

    def _words(self, call: HeldCallStatus) -> str:
        text = self.tr("{tool} ({server}) is still in progress for {app}")
        if call.is_awaited:
            text = self.tr("{app} waits again for {tool} ({server})")
        elif call.finished:
            text = self.tr("{tool} ({server}) is done; {app} has not asked again")
        return text.format(**call_names(call.host, call.server, call.tool))
