"""Cards of AI apps: logo, name, state and one switch; on the AI apps page also where questions appear, and
more under an arrow. Lays out; the page decides what is shown, and calls the service."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLayout, QPushButton, QWidget

from bridge.api import AppStatus, HostStatus, Services, Status
from desktop.language import label_text
from desktop.pages.hosts.texts import app_state, live_host, patience_text, place_options
from desktop.theme.metrics import GRID, SMALL
from desktop.theme.painting import ButtonKind
from desktop.widgets.avatar import Avatar
from desktop.widgets.chip import Chip
from desktop.widgets.controls import Disclosure, make_button, make_choice
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import Part, column, row
from desktop.widgets.switch import Switch
from desktop.widgets.text.bidi import isolate, isolate_all
from desktop.widgets.text.safe_text import one_line

translate = QCoreApplication.translate
_AVATAR = 40  # pixels
_INDENT = _AVATAR + 2 * GRID
_LONGEST = 60  # letters of a name


class AppRow(NamedTuple):
    """What a card shows; a card is made anew when it changes."""

    app: AppStatus
    state: tuple[str, Tone]
    host: HostStatus | None = None  # while it is connected
    asks: str = "auto"
    conduct: tuple[str, str] = ("", "")  # "refuses" or "silent", and the host's name
    is_open: bool = False
    failures: int = 0  # a switch that failed is drawn anew, as the file is


def app_head(app: AppStatus, state: tuple[str, Tone], switch: Callable[[bool], object]) -> QHBoxLayout:
    """Return logo, name, state and switch of an app."""
    name = one_line(app.name, _LONGEST)
    title = Label(name, name=f"name:{app.id}", bold=True)
    chip = Chip(state[0], state[1], name=f"state:{app.id}", dot=True)
    spoken = translate("hosts", "Use Deskbell in {name}").format(name=name)
    turn = Switch(f"switch:{app.id}", spoken, checked=app.is_on)
    turn.setEnabled(not app.problem)
    turn.toggled.connect(switch)
    words = column(title, row(chip, 1), spacing=2)
    middle = Qt.AlignmentFlag.AlignVCenter
    return row(
        (Avatar(name, size=_AVATAR, app=app.id), 0, middle), (words, 1), (turn, 0, middle), spacing=2 * GRID
    )


class AppCards(QObject):
    """Lays out the cards of the AI apps page."""

    def __init__(self, services: Services, turn: Callable[[str, bool], object]) -> None:
        """`turn`: called when the person opens or closes the lower part of a card."""
        super().__init__()
        self._service = services.hosts
        self._turn = turn

    def row_of(
        self, app: AppStatus, status: Status, conduct: tuple[str, str], is_open: bool, failures: int
    ) -> AppRow:
        host, asks = live_host(app, status), status.at_hosts.asks(*app.names)
        return AppRow(app, app_state(app, status), host, asks, conduct, is_open, failures)

    def card(self, one: AppRow) -> QLayout:
        app, name = one.app, one_line(one.app.name, _LONGEST)
        lines: list[Part] = [app_head(app, one.state, partial(self._service.switch, app.id))]
        if app.problem:
            problem = label_text(app.problem)
            lines.append(
                self._below(Label(problem, name=f"problem:{app.id}", tone=Tone.ERROR, selectable=True))
            )
        if app.is_on and (app.stale or not app.current or not app.proven):
            again = partial(self._service.switch, app.id, True)
            spoken = self.tr("Connect {name} again").format(name=name)
            lines.append(
                self._below(make_button(f"again:{app.id}", self.tr("Connect again"), again, spoken=spoken), 1)
            )
        if app.is_on:
            lines.append(self._below(*self._place(app.id, app.called, name, one.asks), 1, self._arrow(one)))
            lines += self._conduct(app.id, name, one.asks, one.conduct)
        if one.is_open:
            lines += [self._below(part) for part in self._more(one, name)]
        return column(*lines, spacing=GRID)

    def other(self, host: HostStatus, asks: str, conduct: tuple[str, str]) -> QLayout:
        """Lay out a connected app that was set up by hand."""
        name = one_line(host.name, _LONGEST)
        title = Label(name, name=f"name:{host.name}", bold=True)
        chip = Chip(self.tr("Connected"), Tone.SUCCESS, name=f"state:{host.name}", dot=True)
        head = row(Avatar(name, size=_AVATAR), (column(title, row(chip, 1), spacing=2), 1), spacing=2 * GRID)
        place = self._below(*self._place(host.name, host.name, name, asks), 1)
        return column(head, place, *self._conduct(host.name, name, asks, conduct), spacing=GRID)

    def absent(self, app: AppStatus) -> QLayout:
        """Lay out an app that was not found: it can be set up all the same."""
        return app_head(
            app, (self.tr("Not found on this computer"), Tone.MUTED), partial(self._service.switch, app.id)
        )

    # --- parts -------------------------------------------------------------------------------------------

    def _below(self, *parts: Part) -> QHBoxLayout:
        return row(*parts, margins=(_INDENT, 0, 0, 0), spacing=GRID)

    def _arrow(self, one: AppRow) -> QWidget:
        words = self.tr("More about {name}").format(name=one_line(one.app.name, _LONGEST))
        arrow = Disclosure(self.tr("More"), words, name=f"more:{one.app.id}")
        arrow.setAccessibleName(words)
        arrow.setChecked(one.is_open)
        arrow.toggled.connect(partial(self._turn, one.app.id))
        return arrow

    def _place(self, key: str, host: str, name: str, asks: str) -> tuple[QWidget, QWidget]:
        title = self.tr("Where questions of {name} appear").format(name=name)
        box = make_choice(f"questions:{key}", title, place_options(name))
        box.setCurrentIndex(max(box.findData(asks), 0))
        box.setToolTip(title)
        box.activated.connect(lambda: self._service.ask_by(host, box.currentData()))
        label = QLabel(self.tr("Questions appear:"))
        label.setBuddy(box)
        return label, box

    def _conduct(self, key: str, name: str, asks: str, conduct: tuple[str, str]) -> list[Part]:
        """Return what an app did with questions, and a button that draws the consequence; [] if the user has
        chosen where they appear."""
        what, host = conduct
        if not what or asks != "auto":
            return []
        if what == "refuses":
            text = self.tr("{name} refused a question without showing it. Its questions now appear here.")
            words, spoken = self.tr("Try {name} again"), self.tr("Let {name} show questions again")
            act = partial(self._service.ask_again, host)
        else:
            text = self.tr("{name} left questions unanswered more than once.")
            words, spoken = self.tr("Always in Deskbell"), self.tr("Always show the questions of {name} here")
            act = partial(self._service.ask_by, host, "desktop")
        button = make_button(f"{what}:{key}", words.format(name=name), act, spoken=spoken.format(name=name))
        warning = Label(text.format(name=isolate(name)), name=f"conduct:{key}", tone=Tone.WARNING)
        return [self._below((warning, 1), button)]

    def _more(self, one: AppRow, name: str) -> Iterator[Part]:
        app, host = one.app, one.host
        facts = [patience_text(host)] if host is not None else []
        facts.append(self._shows(app.can if host is None else host.can, name))
        if app.wrapped:
            servers = self.tr("Servers of {name} that ask through Deskbell: {names}")
            facts.append(servers.format(name=isolate(name), names=isolate_all(app.wrapped)))
        if host is not None and host.version:
            version = isolate(one_line(host.version, 20))
            facts.append(self.tr("Version {version}").format(version=version))
        facts.append(self.tr("Settings file: {path}").format(path=isolate(app.file)))
        yield Label("\n".join(facts), name=f"facts:{app.id}", tone=Tone.MUTED, scale=SMALL, selectable=True)
        yield row(*self._buttons(app), 1, spacing=GRID)

    def _shows(self, can: tuple[str, ...], name: str) -> str:
        if "form" in can and "url" in can:
            return self.tr("{name} can show forms and links itself.").format(name=isolate(name))
        if "form" in can:
            return self.tr("{name} can show simple forms itself.").format(name=isolate(name))
        return self.tr("{name} cannot show questions itself.").format(name=isolate(name))

    def _buttons(self, app: AppStatus) -> Iterator[QPushButton]:
        undo = self.tr("Undo the last change in {name}")
        move = self.tr("Let Deskbell run the servers of {name} that have an address")
        http = self.tr("Connect {name} over HTTP")
        if app.undo:
            yield self._button(app, "undo", self.tr("Undo last change…"), undo)
        if app.addresses:
            yield self._button(app, "wrap", self.tr("Servers with an address…"), move, move=True)
        if app.by_address:
            yield self._button(app, "connect", self.tr("Connect over HTTP…"), http, http=True)
        if app.connected and app.proven:
            spoken = self.tr("Remove the access of {name}").format(name=one_line(app.name, _LONGEST))
            take, text = partial(self._service.revoke, app.id), self.tr("Remove access")
            button = make_button(f"revoke:{app.id}", text, take, spoken=spoken, kind=ButtonKind.QUIET)
            button.setToolTip(self.tr("End its connections and refuse it until you connect it again."))
            yield button

    def _button(
        self, app: AppStatus, what: str, text: str, spoken: str, *, move: bool = False, http: bool = False
    ) -> QPushButton:
        propose = partial(self._service.propose, app.id, what, move, http)
        name = one_line(app.name, _LONGEST)
        return make_button(
            f"{what}:{app.id}", text, propose, spoken=spoken.format(name=name), kind=ButtonKind.QUIET
        )
