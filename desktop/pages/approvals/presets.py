"""The list of servers with one choice each: what Deskbell asks before the server's tools are used."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLayout, QWidget

from bridge.api import ServerStatus, Services, Status
from desktop.pages.texts import PRESETS, preset_of
from desktop.theme.metrics import GRID, SMALL
from desktop.widgets.avatar import Avatar
from desktop.widgets.controls import make_choice
from desktop.widgets.empty_state import EmptyState
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import column, row, widget_with
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.section import Section
from desktop.widgets.text.safe_text import one_line

_AVATAR = 36  # pixels


class _PresetRow(NamedTuple):
    server: str
    preset: str
    tools: int
    asks: int  # tools that ask first
    blocked: int


class PresetList(QWidget):
    grew = Signal()  # its tab stops have changed

    def __init__(self, services: Services) -> None:
        super().__init__()
        self.setObjectName("presets")
        self._service = services.approvals
        self._cards = Section("presetCards", "", cards=True)
        self._cards.grew.connect(self.grew)
        none = self.tr(
            "Add a server or switch on an AI app. Then choose here what tools may do without asking."
        )
        self._empty = EmptyState("noPresets", "shield-check", self.tr("No servers yet"), none)
        words = self.tr(
            "Servers say themselves what their tools do. For a server you don't trust, choose Always ask."
        )
        self._note = Label(words, name="presetNote", tone=Tone.MUTED, scale=SMALL)
        content = column(self._empty, self._cards, self._note, 1, spacing=GRID)
        self.setLayout(column((FittingScroll(widget_with(content), name="presetScroll"), 1)))

    def draw(self, status: Status) -> None:
        shown = [one for one in status.servers if one.kind != "built-in"]
        self._cards.draw({one.name: self._row(one, status) for one in shown}, self._card)
        self._empty.setVisible(not shown and bool(status.version))
        self._note.setVisible(bool(shown))

    def _row(self, server: ServerStatus, status: Status) -> _PresetRow:
        verdicts = [tool.verdict for tool in status.tools if tool.server == server.name]
        asks, blocked = verdicts.count("confirm"), verdicts.count("deny")
        return _PresetRow(server.name, server.approval, len(verdicts), asks, blocked)

    def _card(self, one: _PresetRow) -> QLayout:
        name = one_line(one.server, 60)
        title = Label(name, name=f"name:{one.server}", bold=True)
        about = Label(self._about(one), name=f"about:{one.server}", tone=Tone.MUTED, scale=SMALL)
        spoken = self.tr("What is asked before {name} is used").format(name=name)
        box = make_choice(f"preset:{one.server}", spoken, [(preset_of(preset), preset) for preset in PRESETS])
        title.setBuddy(box)
        box.setCurrentIndex(max(box.findData(one.preset), 0))
        box.activated.connect(lambda: self._service.set_preset(one.server, box.currentData()))
        middle = Qt.AlignmentFlag.AlignVCenter
        return row(
            (Avatar(name, size=_AVATAR, server=one.server), 0, middle),
            (column(title, about, spacing=2), 1),
            (box, 0, middle),
            spacing=GRID + 4,
        )

    def _about(self, one: _PresetRow) -> str:
        if not one.tools:
            return self.tr("Tools not loaded yet")
        if one.blocked == 1:
            return self.tr("1 of {all} tools is blocked").format(all=one.tools)
        if one.blocked:
            return self.tr("{count} of {all} tools are blocked").format(count=one.blocked, all=one.tools)
        if one.asks == 1:
            return self.tr("1 of {all} tools asks first").format(all=one.tools)
        return self.tr("{count} of {all} tools ask first").format(count=one.asks, all=one.tools)
