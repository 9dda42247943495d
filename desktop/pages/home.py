"""The Home page: waiting questions, problems and the buttons that fix them, apps, servers, last answers.

Drawn from Status; unchanged parts keep their widgets, so that focus and selection stay.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLayout, QWidget

from bridge.api import History, HistoryFilter, ServerStatus, Services, Status, app_of
from desktop.language import label_text, translated
from desktop.lazy.time_slices import SlicedTask, Steps
from desktop.pages.activity.last_entries import LastEntries
from desktop.pages.base_page import StatusPage
from desktop.pages.texts import state_of, tone_of
from desktop.questions.waiting_cards import WaitingCards
from desktop.theme.metrics import GRID, SMALL
from desktop.theme.painting import ButtonKind
from desktop.widgets.avatar import Avatar
from desktop.widgets.chip import Chip
from desktop.widgets.controls import make_button
from desktop.widgets.empty_state import EmptyState
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import PAGE, column, row, widget_with
from desktop.widgets.message_bar import MessageBar, MessageBarList
from desktop.widgets.page_head import PageHead
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.section import Section, key_by_name
from desktop.widgets.text.bidi import isolate, isolate_all
from desktop.widgets.text.safe_text import one_line, readable
from desktop.widgets.text.time_text import format_time

_ANSWERS = HistoryFilter(kind="question")
_LAST = 5  # answers
_MOST = 4  # waiting questions
_LINES = 1000  # of problems: the page scrolls, not their list
_AVATAR = 28
_LETTERS = 240  # of a server's problem
_BUILT_IN = "built-in"
_BROKEN = ("failed", "back-off")


@dataclass(frozen=True, slots=True)
class ConnectedApp:
    """One AI app, however many connections it has. `servers`: those it uses, without the built-in ones."""

    id: str
    name: str
    servers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem, and the button that fixes it. `fix`: what the button does."""

    text: str
    fix: str  # "settings file" | "sign in" | "rules" | the name of a page
    label: str
    server: str = ""
    tone: Tone = Tone.ERROR


class HomePage(StatusPage):
    page_wanted = Signal(str)
    question_wanted = Signal(str)  # Question id
    answered = Signal(str, object)  # Question id, Answer
    settings_wanted = Signal()  # open config.toml
    welcome_wanted = Signal()

    def __init__(self, past: History, services: Services, *, in_slices: bool = False) -> None:
        """`in_slices`: the page is usable when `building` is done."""
        super().__init__("home")
        self._servers_service = services.servers
        self._settings_service = services.settings
        self._problems_drawn: object = None
        self._waiting_ids: frozenset[str] = frozenset()
        self._past = past
        self.shown.connect(lambda: services.servers.look_for_secrets(missing_only=True))
        self.building = SlicedTask(self, self._build(), at_once=not in_slices)

    def close_history(self) -> None:
        """Stop searching: Deskbell ends."""
        self.building.finish()
        self._answers.close_history()

    def show_tray(self, there: bool) -> None:
        """Show or remove the note for desktops without a tray."""
        self.building.when_done(partial(self._show_tray, there))

    # building

    def _build(self) -> Steps:
        first_steps = make_button(
            "firstSteps", self.tr("&First steps…"), self.welcome_wanted.emit, kind=ButtonKind.QUIET
        )
        self._head = PageHead(self.tr("Home"), "", first_steps)
        self._no_tray = Label("", name="noTray", tone=Tone.WARNING)
        self._problems = MessageBarList("problems", _LINES)
        self._waiting = WaitingCards(_MOST)
        self._waiting.open_wanted.connect(self.question_wanted)
        self._waiting.answered.connect(self.answered)
        yield None
        self._more = make_button(
            "allWaiting", "", partial(self.page_wanted.emit, "questions"), kind=ButtonKind.QUIET
        )
        self._more.hide()
        self._apps = Section("hosts", self.tr("AI apps"))
        self._servers = Section("servers", self.tr("Servers"))
        connect = make_button(
            "connectApp",
            self.tr("&Connect an AI app…"),
            partial(self.page_wanted.emit, "hosts"),
            kind=ButtonKind.PRIMARY,
        )
        self._no_apps = EmptyState(
            "noApps",
            "app-window",
            self.tr("No AI app is connected right now"),
            self.tr(
                "Connect one, or start one that you have connected. Deskbell rings when it needs an answer "
                "from you."
            ),
            connect,
        )
        yield None
        self._answers = LastEntries("lastAnswers", self.tr("Last answers"), self._past, _ANSWERS, _LAST)
        self._answers.all_wanted.connect(partial(self.page_wanted.emit, "activity"))
        for part in (self._problems, self._waiting, self._apps, self._servers, self._answers):
            part.grew.connect(self.grew)
        both = row((self._apps, 1, _TOP), (self._servers, 1, _TOP), spacing=2 * GRID)
        waiting = column(self._waiting, row(self._more, 1), spacing=4)
        parts = (waiting, self._problems, self._no_apps, both, self._answers)
        rows = column(self._head, self._no_tray, *parts, 1, margins=PAGE, spacing=2 * GRID)
        self.setLayout(column((FittingScroll(widget_with(rows), name="scroll"), 1)))
        yield None

    # drawing

    def _redraw(self) -> None:
        status = self._status
        self._head.show_subtitle(self._state(status))
        self._waiting.draw(status.waiting, paused=status.snoozed)
        rest = len(status.waiting) - _MOST
        self._more.setVisible(rest > 0)
        self._more.setText(self.tr("{count} more waiting").format(count=rest))
        self._draw_problems(self._find_problems(status))
        own = [server for server in status.servers if server.kind != _BUILT_IN]
        self._no_apps.setVisible(not status.apps)
        self._apps.draw(key_by_name(connected_apps(status), lambda app: app.name), self._app)
        self._servers.draw(key_by_name(map(_shown_server, own), lambda one: one.name), self._server)
        waiting = frozenset(question.id for question in status.waiting)
        if self._waiting_ids - waiting:
            self._answers.look_soon()
        self._waiting_ids = waiting

    def _state(self, status: Status) -> str:
        if not status.version:
            return self.tr("Starting…")
        if status.snoozed:
            until = format_time(status.snoozed_until)
            snoozed = self.tr("Snoozed until {time}").format(time=until)
            return snoozed if status.snoozed_until else self.tr("Snoozed until you resume")
        count = len(connected_apps(status))
        if count == 1:
            return self.tr("Ready · 1 app connected")
        if count:
            return self.tr("Ready · {count} apps connected").format(count=count)
        return self.tr("Ready · no apps connected")

    def _show_tray(self, there: bool) -> None:
        note = self.tr(
            "No system tray here. Deskbell keeps running when you close this window; open it again from "
            "your app menu."
        )
        self._no_tray.show_text("" if there else note)

    # problems

    def _find_problems(self, status: Status) -> tuple[Problem, ...]:
        found = [self._of_settings(text, status) for text in status.problems]
        if status.config.loosened:
            text = self.tr("Rules were removed from the settings file: {rules}.")
            removed = text.format(rules=isolate(_told(status.config.loosened)))
            found.append(Problem(removed, "rules", self.tr("Undo"), tone=Tone.WARNING))
        found += [
            Problem(_told(text), "preferences", self.tr("Settings"), tone=Tone.INFO)
            for text in status.notices
        ]
        for server in status.servers:
            found += self._of_server(server)
        for account in status.bluesky.accounts:
            if account.problem:
                found.append(Problem(_told(account.problem), "accounts", self.tr("Sign in again")))
        if status.vault.state == "unusable":
            found.append(Problem(_told(status.vault.words()), "preferences", self.tr("Fix…")))
        return tuple(found)

    def _of_settings(self, text: str, status: Status) -> Problem:
        broken = status.config.problem
        if broken and text.startswith(broken):
            return Problem(_told(text), "settings file", self.tr("Open the file"))
        return Problem(_told(text), "preferences", self.tr("Fix…"))

    def _of_server(self, server: ServerStatus) -> list[Problem]:
        name = isolate(one_line(server.name, 60))
        if server.sign_in == "needed":
            asked = any(question.server == server.name and question.ours for question in self._status.waiting)
            text = self.tr("{server} needs you to sign in.").format(server=name)
            return [] if asked else [Problem(text, "sign in", self.tr("Sign in…"), server.name, Tone.WARNING)]
        if server.missing:
            text = self.tr("{server} needs a key: {names}.").format(
                server=name, names=", ".join(server.missing)
            )
            return [Problem(text, "servers", self.tr("Set key…"), tone=Tone.WARNING)]
        if server.state in _BROKEN:
            why = one_line(label_text(server.problem), _LETTERS)
            text = self.tr("{server} doesn't work. {why}").format(server=name, why=why).strip()
            return [Problem(text, "servers", self.tr("Fix…"), server.name)]
        return []

    def _draw_problems(self, problems: tuple[Problem, ...]) -> None:
        if problems != self._problems_drawn:
            self._problems_drawn = problems
            self._problems.draw([self._bar(place, problem) for place, problem in enumerate(problems)])

    def _bar(self, place: int, problem: Problem) -> MessageBar:
        buttons = [(f"fix:{place}", problem.label, self._remedy(problem))]
        if problem.server and problem.fix == "servers":
            again = partial(self._servers_service.restart, problem.server)
            buttons.insert(0, (f"again:{place}", self.tr("Try again"), again))
        if problem.fix == "rules":
            buttons.append(
                (f"keep:{place}", self.tr("Keep the change"), self._settings_service.keep_loosened)
            )
        return MessageBar(f"problem:{place}", problem.text, tuple(buttons), problem.tone)

    def _remedy(self, problem: Problem) -> Callable[[], None]:
        if problem.fix == "settings file":
            return self.settings_wanted.emit
        if problem.fix == "rules":
            return self._settings_service.undo_loosening
        if problem.fix == "sign in":
            return partial(self._servers_service.sign_in, problem.server)
        return partial(self.page_wanted.emit, problem.fix)

    # apps, servers, answers

    def _app(self, app: ConnectedApp) -> QLayout:
        servers = isolate_all(one_line(server, 40) for server in app.servers)
        about = self.tr("uses {servers}").format(servers=servers) if servers else ""
        state = Chip(self.tr("Connected"), Tone.SUCCESS, dot=True)
        return _entry(Avatar(app.name, size=_AVATAR, app=app.id), one_line(app.name, 60), about, state)

    def _server(self, server: ServerStatus) -> QLayout:
        tone = Tone.SUCCESS if server.state == "ready" else tone_of(server)
        words = self.tr("1 tool") if server.tools == 1 else self.tr("{count} tools")
        about = words.format(count=server.tools) if server.tools >= 0 else ""
        name = one_line(server.name, 60)
        avatar = Avatar(server.name, size=_AVATAR, server=server.name)
        return _entry(avatar, name, about, Chip(state_of(server), tone, dot=True))


_TOP, _MIDDLE = Qt.AlignmentFlag.AlignTop, Qt.AlignmentFlag.AlignVCenter


def _told(text: str) -> str:
    """Return a text of the bridge in the person's language, without invisible characters."""
    return readable(translated(text))


def connected_apps(status: Status) -> tuple[ConnectedApp, ...]:
    """Return the apps that are connected: one that starts three servers through Deskbell is one app."""
    built_in = {server.name for server in status.servers if server.kind == _BUILT_IN}
    found: dict[str, ConnectedApp] = {}
    for host in status.apps:
        app = app_of(host.name)
        before = found.get(app.name, ConnectedApp(app.id, app.name))
        servers = dict.fromkeys((*before.servers, *(one for one in host.servers if one not in built_in)))
        found[app.name] = ConnectedApp(app.id, app.name, tuple(servers))
    return tuple(found.values())


def _shown_server(server: ServerStatus) -> ServerStatus:
    return ServerStatus(
        server.name,
        server.kind,
        server.state,
        tools=server.tools,
        sign_in=server.sign_in,
        backoff_until=server.backoff_until,
    )


def _entry(avatar: QWidget, title: str, about: str, state: QWidget) -> QLayout:
    below = [Label(about, tone=Tone.MUTED, scale=SMALL)] if about else []
    words = column(Label(title, bold=True), *below, spacing=1)
    return row((avatar, 0, _MIDDLE), (words, 1), (state, 0, _MIDDLE), spacing=12)
