"""Cards of servers: avatar, name, state, a switch; a failure with the button that fixes it. Lays out only."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, Signal, SignalInstance
from PySide6.QtWidgets import QLayout, QPushButton

from bridge.api import ServerStatus, Status, app_of
from desktop.language import label_text
from desktop.pages.texts import problem_of, state_of, tone_of
from desktop.theme.metrics import GRID, SMALL
from desktop.widgets.avatar import Avatar
from desktop.widgets.chip import Chip
from desktop.widgets.controls import make_button
from desktop.widgets.flow_layout import flow
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import Part, column, row
from desktop.widgets.switch import Switch
from desktop.widgets.text.bidi import isolate_all
from desktop.widgets.text.safe_text import one_line

BLUESKY = "bluesky"  # the built-in server
_AVATAR = 36  # pixels
_LONGEST = 60  # letters of a name
_PROBLEM = 240


class ServerRow(NamedTuple):
    """What a card shows; a card is made anew when it changes."""

    server: ServerStatus
    users: tuple[str, ...] = ()  # AI apps that use it now
    sets_up: bool = False  # Bluesky without an account: the card offers to sign in
    failures: int = 0  # a switch that failed is drawn anew, as the settings are


def users_of(server: ServerStatus, status: Status) -> tuple[str, ...]:
    """Return the names of the AI apps that are connected to this server."""
    return tuple(
        dict.fromkeys(app_of(host.name).name for host in status.hosts if server.name in host.servers)
    )


class ServerCards(QObject):
    restart_wanted = Signal(str)
    edit_wanted = Signal(str)
    sign_in_wanted = Signal(str)
    secret_wanted = Signal(str)  # name of a missing key
    switched = Signal(str, bool)
    bluesky_switched = Signal(bool)
    accounts_wanted = Signal()  # sign in to Bluesky

    def card(self, one: ServerRow) -> QLayout:
        server, name = one.server, one_line(one.server.name, _LONGEST)
        title = Label(self.title(server), name=f"name:{server.name}", bold=True)
        chip = Chip(state_of(server), tone_of(server), name=f"state:{server.name}", dot=True)
        about = Label(self._about(one), name=f"about:{server.name}", tone=Tone.MUTED, scale=SMALL)
        middle = Qt.AlignmentFlag.AlignVCenter
        head: list[Part] = [(Avatar(name, size=_AVATAR, server=server.name), 0, Qt.AlignmentFlag.AlignTop)]
        head.append((column(title, row(chip, 1), spacing=2), 1))
        if server.configured and server.kind != "built-in":
            turn = Switch(f"turn:{server.name}", self.tr("Use {name}").format(name=name))
            turn.setChecked(server.state != "disabled")
            turn.toggled.connect(partial(self.switched.emit, server.name))
            head.append((turn, 0, middle))
        if server.name == BLUESKY and server.kind == "built-in":
            on = server.state != "disabled"
            spoken = self.tr("Offer Bluesky to AI apps")
            turn = Switch("turnBluesky", spoken, self.bluesky_switched.emit, checked=on)
            head.append((turn, 0, middle))
        lines: list[Part] = [row(*head, spacing=GRID + 4)]
        if self._about(one):
            lines.append(about)
        problem = problem_of(server)
        if problem:
            text = one_line(label_text(problem), _PROBLEM)
            lines.append(Label(text, name=f"problem:{server.name}", tone=tone_of(server), scale=SMALL))
        remedies = list(self._remedies(server, name))
        if one.sets_up:
            words = self.tr("Sign in to Bluesky…")
            remedies.append(make_button("setUpBluesky", words, self.accounts_wanted.emit, icon="at-sign"))
        if remedies:
            lines.append(flow(*remedies, spacing=GRID))
        return column(*lines, spacing=GRID)

    def title(self, server: ServerStatus) -> str:
        """Return the name of a server; a built-in one has a name in words."""
        own = {"desk": self.tr("Questions for you"), "bluesky": self.tr("Bluesky")}
        known = own.get(server.name) if server.kind == "built-in" else None
        return known or one_line(server.name, _LONGEST)

    def _about(self, one: ServerRow) -> str:
        parts = []
        if one.server.tools >= 0:
            words = self.tr("1 tool") if one.server.tools == 1 else self.tr("{count} tools")
            parts.append(words.format(count=one.server.tools))
        if one.users:
            parts.append(self.tr("used by {names}").format(names=isolate_all(one.users)))
        return " · ".join(parts)

    def _remedies(self, server: ServerStatus, name: str) -> Iterator[QPushButton]:
        for key in server.missing:
            spoken = self.tr("Set the key {key} of {name}").format(key=one_line(key, 60), name=name)
            ask = partial(self.secret_wanted.emit, key)
            yield make_button(f"setKey:{key}", self.tr("Set key…"), ask, spoken=spoken, icon="key-round")
        if server.sign_in:
            words = self.tr("Sign in…") if server.sign_in == "needed" else self.tr("Open the page again")
            yield self._button("signIn", server, words, self.sign_in_wanted)
        if server.state in ("failed", "back-off"):
            yield self._button("retry", server, self.tr("Try again"), self.restart_wanted)
            if server.configured:
                words = self.tr("Edit command…") if server.kind == "stdio" else self.tr("Edit address…")
                yield self._button("mend", server, words, self.edit_wanted)

    def _button(self, what: str, server: ServerStatus, text: str, wish: SignalInstance) -> QPushButton:
        spoken = f"{text.rstrip('…')} {one_line(server.name, _LONGEST)}"
        return make_button(f"{what}:{server.name}", text, partial(wish.emit, server.name), spoken=spoken)
