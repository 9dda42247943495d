"""Every window there is, with sample content, as somebody meets it. Makes and shows; checks nothing.

For the gallery, and for tests of what must be so in all windows: names, keys, size.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QTableView,
    QTabWidget,
    QWidget,
)
from shiboken6 import isValid

from bridge import __version__
from bridge.api import (
    HIDDEN,
    Action,
    ActionResult,
    ConfigStatus,
    ContentBlock,
    Draft,
    EndpointStatus,
    HeldBack,
    HostsStatus,
    HostStatus,
    Proposal,
    Question,
    SecretUse,
    ServerForm,
    ServersStatus,
    ServerStatus,
    ServerTool,
    ServerView,
    Status,
    ToolTrial,
    UpdateStatus,
    VaultStatus,
)
from desktop.lazy.time_slices import SlicedTask
from desktop.main_window import MainWindow
from desktop.page_factory import page_entries
from desktop.pages.accounts import AccountsPage
from desktop.pages.activity.history_view import HistoryView
from desktop.pages.activity.page import ActivityPage
from desktop.pages.approvals.page import ApprovalsPage
from desktop.pages.base_page import StatusPage
from desktop.pages.home import HomePage
from desktop.pages.hosts.page import HostsPage
from desktop.pages.models.page import ModelsPage
from desktop.pages.questions import QuestionsPage
from desktop.pages.servers.page import ServersPage
from desktop.pages.settings import SettingsPage
from desktop.pages.welcome.window import WelcomeWindow
from desktop.questions.popup_card import PopupCard, PopupCardContent
from desktop.questions.window_kinds import WINDOWS
from desktop.system.window_placement import center_on_pointer_screen
from desktop.text_windows import AboutWindow, TextWindow
from desktop.widgets.card import Card
from desktop.widgets.empty_state import EmptyState
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.table import choose_row
from tests.desktop import samples

Scene = Callable[[], QWidget]
W = TypeVar("W", bound=QWidget)
WAIT = 100.0  # seconds
_kept: list[QWidget] = []  # windows that stand behind the one to be looked at

# --- questions ---------------------------------------------------------------------------------------------

_ODD = "http://user@203.0.113.7:8080/a/very/long/path/" + "x" * 120 + "?state=abcdefghijklmnopqrstuvwxyz"
QUESTIONS: dict[str, Question] = {
    "form": samples.every_kind(deadline=time.time() + 272),
    "small": samples.form({"name": {"type": "string", "title": "Your name"}}, "name"),
    "rich": samples.form(
        {
            "when": {
                "type": "string",
                "format": "date-time",
                "title": "When to publish",
                "default": "2026-11-20T09:30:00+01:00",
            },
            "day": {"type": "string", "format": "date", "title": "Announce on"},
            "country": {
                "type": "string",
                "title": "Country",
                "enum": samples.COUNTRIES,
                "default": "Iceland",
            },
            "topics": {
                "type": "array",
                "title": "Topics",
                "items": {"enum": [f"Topic {n}" for n in range(10_000)]},
            },
            "tags": {
                "type": "array",
                "title": "Tags",
                "items": {"type": "string"},
                "default": ["release", "qt"],
            },
        },
        "when",
        message=samples.MARKDOWN,
        first=True,
        arguments=b'{"version":"1.4.0","channel":"stable"}',
    ),
    "review": samples.every_kind(),
    "secret": samples.form(
        {
            "user": {"type": "string", "title": "User name", "maxLength": 60, "default": "ada"},
            "password": {"type": "string", "title": "Password", "description": "Of your mail account"},
        },
        "password",
        message="To read your mail I need to sign in.",
        server="mailbox",
        first=True,
    ),
    "punycode": samples.link(
        "https://login.xn--80ak6aa92e.com/account?next=%2Fhome", server="apple", first=True
    ),
    "visiting": samples.link("https://github.com/login/oauth/authorize?client_id=deskbell"),
    "huge": samples.form({f"f{n}": list(samples.EVERY_KIND.values())[n % 12] for n in range(200)}),
    "empty": samples.form({}, message="Shall I go on and publish the release?"),
    "long": samples.form(
        {"name": {"type": "string", "description": "d" * 300}},
        message="A long story. " * 300,
        server="s" * 200,
    ),
    "broken": samples.form({"x": {"$ref": "https://example.org/schema"}}),
    "link": samples.link(
        "https://linear.app/oauth/authorize?client_id=deskbell&state=5f2c&scope=read%20write"
    ),
    "odd": samples.link(_ODD),
    "refused": samples.link("javascript:alert(document.cookie)"),
    "confirm": samples.approval(hints=("!readOnly", "destructive", "openWorld")),
    "sampling": samples.sampling(),
    "sampling-several": samples.sampling(),
    "sampling-edit": samples.sampling(),
    "sampling-answer": samples.sampling(
        review=samples.review(answer_kind="text", answer="Two commits: the mill was mended and oiled.")
    ),
    "sampling-person": samples.form(
        {"city": {"type": "string", "title": "City"}, "degrees": {"type": "integer", "title": "Degrees"}},
        "city",
        review=samples.review(model="", cost=0.0),
    ),
    "changed": samples.approval(change=samples.CHANGE, hints=("readOnly",)),
    "lengthy": samples.approval(arguments=json.dumps({"text": "word " * 60_000}).encode(), scope="Zed"),
}
QUESTIONS |= {"errors": QUESTIONS["form"], "withdrawn": QUESTIONS["form"]}
_PRESSED = {"sampling-edit": "edit", "review": "review", "rich": "details", "visiting": "open"}


def question(name: str) -> QWidget:
    asked = QUESTIONS[name]
    window = WINDOWS[asked.mode](asked)
    window.show_place(1, 3)
    window.fit()
    center_on_pointer_screen(window)
    window.show()
    if name == "errors" and window.default is not None:
        window.default.click()
    if name == "sampling-several":
        others = (samples.sampling(id="s2", server="files"), samples.sampling(id="s3", server="mail"))
        window.show_others((asked, *others))
    if name in _PRESSED:
        press(window, _PRESSED[name])
    if name == "secret":
        part(window, QLineEdit, "field:password").setText("correct horse battery staple")
        press(window, "send")
    if name == "withdrawn":
        settle()  # a form that is withdrawn is not completed any more
        part(window, QPlainTextEdit, "field:name").insertPlainText("Ada")
        window.withdraw()
    return window


_PLACES = {"where": {"type": "string", "title": "Where", "enum": ["Development", "Staging", "Production"]}}
_CHOICE = samples.form(_PLACES, "where", message="Which environment should I deploy to?")
_RATING = {"mark": {"type": "integer", "title": "How was it?", "minimum": 1, "maximum": 5}}
_PICTURE = {
    "type": "string",
    "title": "Screenshot",
    "contentEncoding": "base64",
    "contentMediaType": "image/png",
}
QUESTIONS["file"] = samples.form({"shot": _PICTURE}, "shot", message="What do you see?")
QUESTIONS |= {"choice": _CHOICE, "rating": samples.form(_RATING, "mark", message="Please rate the summary.")}
CARDS = {
    "card": PopupCardContent(_CHOICE, more=2),
    "card-open": PopupCardContent(QUESTIONS["small"]),
    "card-approval": PopupCardContent(samples.approval(tool="create_issue", hints=("!readOnly",))),
    "card-danger": PopupCardContent(QUESTIONS["confirm"]),
    "card-undo": PopupCardContent(undo=HeldBack(_CHOICE, Action.DECLINE, time.time() + 5)),
    "card-missed": PopupCardContent(missed=(_CHOICE,)),
}


def corner_card(name: str) -> QWidget:
    card = PopupCard()
    card.draw(CARDS[name])
    _kept.append(card)
    return card


# --- the main window ---------------------------------------------------------------------------------------

TOOLS = (
    ServerTool(
        "search_code",
        "github_search_code",
        "Search code",
        "Looks for **code** in all repositories you can read.\n\nTakes `language:` and `repo:`.",
        ("readOnlyHint", "openWorldHint"),
        json.dumps(
            {"type": "object", "properties": samples.EVERY_KIND, "required": ["name", "count"]}
        ).encode(),
    ),
    *(ServerTool(f"tool_{n}", f"github_tool_{n}", description=f"Does thing number {n}") for n in range(20)),
)
PLAN = ServerForm(
    "github",
    command="npx -y @modelcontextprotocol/server-github",
    env=(("TOKEN", HIDDEN), ("LEVEL", "3")),
    timeout=60.0,
)
LOOK = ServerView(
    PLAN, "stdio", TOOLS, listed=True, lines=("GitHub MCP Server running on stdio", "no API key")
)
FAR = ServerForm(
    "linear", url="https://mcp.linear.app/mcp", headers=(("Authorization", HIDDEN),), timeout=60.0
)
PROPOSALS = (
    Proposal(
        0,
        "github",
        replace(PLAN, name="github-2"),
        clash="github",
        source="Cursor",
        remarks=("It uses ${input:key}, which only VS Code fills in.",),
        secrets=("TOKEN",),
    ),
    Proposal(1, "linear", FAR, source="VS Code"),
    Proposal(
        2,
        "old",
        reason="it uses HTTP+SSE, which is old and not supported",
        source="Zed",
    ),
)
SECRETS = (
    SecretUse("poor/key", ("poor",)),
    SecretUse("old", (), True),
    SecretUse("github", ("github",), True),
)
BLOCKS = (
    ContentBlock("text", "Found 3 places:\n- engine/mill.py:7\n- engine/store.py:81\n- README.md:2"),
    ContentBlock("json", '{"total": 3, "more": false}'),
    ContentBlock("link", "engine/mill.py", uri="https://github.com/ada/engine/blob/main/mill.py"),
    ContentBlock("audio", data=b"1234", mime="audio/wav"),
)


def at_servers(**at: object) -> Status:
    servers = (
        ServerStatus("github", "stdio", "ready", "2025-11-25", tools=21),
        ServerStatus("desk", "built-in", "idle", tools=5, configured=False),
        *samples.busy().servers[1:],
        ServerStatus("poor", "stdio", "secret", missing=("poor/key",)),
        ServerStatus("off", "stdio", "disabled"),
    )
    known = {"look": LOOK, "secrets": SECRETS, **at}
    return replace(samples.busy(), servers=servers, at_servers=ServersStatus(**known))  # type: ignore[arg-type]


MakePage = Callable[[], StatusPage]
MADE: dict[str, MakePage] = {
    "home": lambda: HomePage(samples.Past(), samples.SERVICES),
    "questions": lambda: QuestionsPage(samples.Past(), samples.SERVICES),
    "activity": lambda: ActivityPage(samples.Past(), samples.SERVICES),
    "hosts": lambda: HostsPage(samples.SERVICES),
    "servers": lambda: ServersPage(samples.SERVICES),
    "approvals": lambda: ApprovalsPage(samples.SERVICES),
    "models": lambda: ModelsPage(samples.SERVICES),
    "accounts": lambda: AccountsPage(samples.SERVICES),
    "preferences": lambda: SettingsPage(samples.SERVICES),
}
PAGES = tuple(MADE)


def home_with(status: Status, page: str, made: Mapping[str, MakePage] = MADE) -> MainWindow:
    """At this page; the others are listed, and made when they are turned to."""
    home = MainWindow()
    for entry in page_entries():
        home.add(entry.name, entry.title, made[entry.name], symbol=entry.symbol, begins=entry.begins)
    home.draw(status)
    home.turn_to(page)
    for first in home.findChildren(HomePage):
        first.show_tray(status is not samples.QUIET)
    return home


def _shown(status: Status, page: str) -> MainWindow:
    home = home_with(status, page)
    home.show()
    _kept.append(home)
    return home


def page(status: Status, name: str) -> QWidget:
    return _shown(status, name)


def activity() -> QWidget:
    home = _shown(replace(samples.busy(), running=samples.RUNNING), "activity")
    diary = part(home, HistoryView, "activityList")
    wait(lambda: diary.model().rowCount() > 0)
    diary.setCurrentIndex(diary.model().index(1, 0))
    return home


def deleting_all() -> QWidget:
    home = _shown(samples.busy(), "activity")
    return opened_by(part_action(home, "deleteAllActivity").trigger)


def details() -> QWidget:
    home = _shown(at_servers(), "servers")
    part(home, QTabWidget, "serverTabs").setCurrentIndex(1)
    home.draw(at_servers())
    return home


def token() -> QWidget:
    home = _shown(samples.busy(), "preferences")
    press(home, "advanced")
    return _pressed(home, ("renewToken",))


def settings() -> QWidget:
    """With all that it may have to tell."""
    home = _shown(
        replace(
            samples.busy(),
            snoozed=True,
            snoozed_until=time.time() + 1800,
            problems=(
                "Port 23355 cannot be used. Another program uses it. Until then it is http://127.0.0.1:41173/mcp.",
            ),
            endpoint=EndpointStatus(23355, renewed=time.time(), outdated=("/home/ada/.cursor/mcp.json",)),
            updates=UpdateStatus(check=True, url="https://example.org/deskbell", newer="0.2.0"),
        ),
        "preferences",
    )
    part(home, SettingsPage, "preferences").show_autostart(True, "That could not be changed: read-only")
    return home


_LENGTHY = "a-name-nobody-would-give-but-somebody-did-" * 3
TROUBLE = replace(
    samples.busy(),
    problems=(
        "config.toml, line 12, column 8: a value is missing. The last good settings stay in force.",
        "Port 23355 cannot be used. Another program uses it. Until then it is http://127.0.0.1:41173/mcp.",
    ),
    notices=("Deskbell was updated to 0.2.0 meanwhile. Restart it to use that one.",),
    config=ConfigStatus("/home/ada/.config/deskbell/config.toml", "config.toml, line 12, column 8"),
    servers=(
        ServerStatus(_LENGTHY, "stdio", "failed", "2025-11-25", problem="It ended at once: " + "no " * 120),
        ServerStatus("small", "http", "idle"),
    ),
    hosts=(HostStatus(_LENGTHY, "1.0", "stdio", "2025-11-25", False, (_LENGTHY, "small"), 3),),
    vault=VaultStatus("keyring", "asking", "Whoever uses this computer as you can read them."),
)


NO_SERVERS = replace(
    samples.QUIET, servers=(ServerStatus("desk", "built-in", "idle", tools=5, configured=False),)
)


_NO_APPS = tuple(replace(app, installed=False, connected="") for app in samples.APPS.at_hosts.apps)
NO_HOSTS = replace(samples.QUIET, at_hosts=HostsStatus(apps=_NO_APPS, looked=True, snippet="{}"))


def other_ways() -> QWidget:
    home = _shown(samples.QUIET, "accounts")
    press(home, "otherWays")
    return home


def nothing_happened() -> QWidget:
    home = _shown(samples.QUIET, "activity")
    part(home, QLineEdit, "searchActivity").setText("nothing like this")
    part(home, EmptyState, "nothingFound")
    return home


def scrolled(make: Scene) -> QWidget:
    """The lower end of what does not fit."""
    window = make()
    bar = part(window, FittingScroll, "scroll").verticalScrollBar()
    wait(lambda: bar.maximum() > 0 or not bar.isVisible())
    bar.setValue(bar.maximum())
    bar.rangeChanged.connect(lambda _, most: bar.setValue(most))
    return window


# --- windows before it -------------------------------------------------------------------------------------


def opened(status: Status, page: str, *buttons: str) -> QWidget:
    """What the buttons of a page open, one after the other."""
    return _pressed(_shown(status, page), buttons)


def change(what: str = "connect") -> QWidget:
    home = _shown(samples.APPS, "hosts")
    return opened_by(lambda: home.draw(samples.change(what)))


def _pressed(window: QWidget, buttons: tuple[str, ...]) -> QWidget:
    for button in buttons:
        window = opened_by(partial(press, window, button))
    return window


def adding(button: str) -> QWidget:
    window = opened(at_servers(), "servers", button)
    if button == "addServer":
        part(window, QPlainTextEdit, "text").setPlainText("npx -y @modelcontextprotocol/server-github")
    window.expect()  # type: ignore[attr-defined]
    window.draw(ServersStatus(draft=Draft(1, PROPOSALS)))  # type: ignore[attr-defined]
    return window


def editing_web() -> QWidget:
    home = _shown(at_servers(look=ServerView(FAR, "http")), "servers")
    part(home, Card, "card:linear").clicked.emit()
    return _pressed(home, ("edit",))


def trying(*trials: ToolTrial) -> QWidget:
    window = opened(at_servers(), "servers", "try")
    if trials:
        part(window, QPlainTextEdit, "field:name").insertPlainText("mill")
        press(window, "run")
    for trial in trials:
        window.draw(trial)  # type: ignore[attr-defined]
    return window


def with_rule(*buttons: str) -> QWidget:
    home = _shown(samples.APPROVALS, "approvals")
    press(home, "advanced")
    table = part(home, QTableView, "ruleList")
    wait(lambda: table.model().rowCount() > 0)
    choose_row(table, 0)
    return _pressed(home, buttons)


def forgetting() -> QWidget:
    home = _shown(samples.busy(), "preferences")
    days = part(home, QSpinBox, "prefer:days")
    days.setValue(0)
    return opened_by(days.editingFinished.emit)


def reading(name: str, title: str, note: str, text: str, folder: str = "") -> QWidget:
    window = TextWindow(name, title, note, folder)
    window.show()
    window.show_text(text)
    return window


def about() -> QWidget:
    window = AboutWindow(__version__)
    window.show()
    return window


def welcome(step: int, status: Status = samples.APPS) -> QWidget:
    window = WelcomeWindow(samples.SERVICES)
    window.draw(status)
    window.show()
    if step:
        press(window, "past")
        window.draw(status)
    return window


_LOG = "\n".join(
    f"2026-11-16 22:31:{n % 60:02} INFO bridge.upstreams.process.connection github answered after {n} ms"
    for n in range(60)
)
_LOG_NOTE = "The end of /home/ada/.local/share/deskbell/deskbell.log. It contains no keys or passwords."
_NOTE = "Share this with support. It contains no secrets or answers."
SCENES: dict[str, Scene] = {
    **{name: partial(question, name) for name in QUESTIONS},
    **{name: partial(corner_card, name) for name in CARDS},
    "home": partial(page, samples.busy(), "home"),
    "quiet": partial(page, samples.QUIET, "home"),
    "questions": partial(page, samples.BESET, "questions"),
    "servers": partial(page, at_servers(last_action=ActionResult(1, "Added linear.", undo=True)), "servers"),
    "details": details,
    "hosts": partial(page, samples.APPS, "hosts"),
    "activity": activity,
    "approvals": partial(page, samples.APPROVALS, "approvals"),
    "models": partial(page, samples.MODELS, "models"),
    "models-end": partial(scrolled, partial(page, samples.MODELS, "models")),
    "no-models": partial(page, samples.QUIET, "models"),
    "model-add": partial(opened, samples.MODELS, "models", "addModel"),
    "model-edit": partial(opened, samples.MODELS, "models", "edit:claude"),
    "model-remove": partial(opened, samples.MODELS, "models", "remove:claude"),
    "accounts": partial(page, samples.ACCOUNTS, "accounts"),
    "signing": partial(page, samples.signing_in(), "accounts"),
    "trouble": partial(page, TROUBLE, "home"),
    "trouble-servers": partial(page, TROUBLE, "servers"),
    "no-questions": partial(page, samples.QUIET, "questions"),
    "no-servers": partial(page, NO_SERVERS, "servers"),
    "no-hosts": partial(page, NO_HOSTS, "hosts"),
    "no-activity": nothing_happened,
    "no-approvals": partial(page, samples.QUIET, "approvals"),
    "no-accounts": other_ways,
    "preferences": partial(page, samples.busy(), "preferences"),
    "settings": settings,
    "settings-end": partial(scrolled, settings),
    "change": change,
    "wrap": partial(change, "wrap"),
    "add": partial(adding, "addServer"),
    "import": partial(adding, "importServers"),
    "edit": partial(opened, at_servers(), "servers", "edit"),
    "edit-web": editing_web,
    "secrets": partial(opened, at_servers(), "servers", "secrets"),
    "secret-delete": partial(opened, at_servers(), "servers", "secrets", "delete:github"),
    "remove": partial(opened, at_servers(), "servers", "remove"),
    "try": trying,
    "try-running": partial(trying, ToolTrial(1, "github", "github_search_code", True, 1, 4, "a quarter")),
    "try-answered": partial(
        trying,
        ToolTrial(1, "github", "github_search_code", blocks=BLOCKS, notes=("info: begun",), seconds=2.0),
    ),
    "approvals-rules": with_rule,
    "rule": partial(with_rule, "addRule"),
    "rule-change": partial(with_rule, "changeRule"),
    "delete-all": deleting_all,
    "export": partial(opened, samples.busy(), "activity", "exportActivity"),
    "token": token,
    "forget": forgetting,
    "log": partial(reading, "log", "Deskbell log", _LOG_NOTE, _LOG, "/"),
    "diagnostics": partial(reading, "diagnostics", "Deskbell diagnostics", _NOTE, _LOG[:900]),
    "about": about,
    "welcome": partial(welcome, 0),
    "welcome-apps": partial(welcome, 1),
}


# --- hands -------------------------------------------------------------------------------------------------


def wait(look: Callable[[], object]) -> None:
    end = time.monotonic() + WAIT
    while not look():
        assert time.monotonic() < end, "it did not come"
        QCoreApplication.processEvents()


def part(window: QWidget, kind: type[W], name: str) -> W:
    """As soon as it is there: long pages are built in slices."""
    QCoreApplication.processEvents()
    end = time.monotonic() + WAIT
    while not (found := [one for one in window.findChildren(kind, name) if one.isVisible()]):
        assert time.monotonic() < end, f"no {name}"
        QCoreApplication.processEvents()
    return found[0]


def part_action(window: QWidget, name: str) -> QAction:
    """An entry of a menu, as soon as it is there."""
    wait(lambda: window.findChildren(QAction, name))
    return window.findChildren(QAction, name)[0]


def press(window: QWidget, name: str) -> None:
    button = part(window, QAbstractButton, name)
    wait(button.isEnabled)
    button.click()


def dialogs() -> list[QDialog]:
    return [one for one in QApplication.topLevelWidgets() if isinstance(one, QDialog) and one.isVisible()]


def opened_by(act: Callable[[], object]) -> QDialog:
    """The dialog that opens, at once or when it is built."""
    before = dialogs()
    act()
    wait(lambda: [one for one in dialogs() if one not in before])
    return next(one for one in dialogs() if one not in before)


def settle() -> None:
    """Until nothing is built any more: windows and pages are, in slices."""
    QCoreApplication.processEvents()
    tasks = [task for one in QApplication.topLevelWidgets() for task in one.findChildren(SlicedTask)]
    wait(lambda: not any(task.running for task in tasks if isValid(task)))


def put_away() -> None:
    """All of them, and their threads."""
    for window in QApplication.topLevelWidgets():
        for past in window.findChildren(ActivityPage):
            past.close_history()
        for page in window.findChildren(QuestionsPage):
            page.close_history()
        for first in window.findChildren(HomePage):
            first.close_history()
        for servers in window.findChildren(ServersPage):
            servers.close_windows()
    for window in QApplication.topLevelWidgets():
        if window.isWindow() and window.parentWidget() is None:
            window.hide()
            window.deleteLater()
    _kept.clear()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
