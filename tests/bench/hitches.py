"""How long each window and page holds the screen up: as it is built, as it is first seen, as it changes.

`python -m tests.bench.hitches` is the process that has the windows; it prints one JSON line: for each step
the CPU of the windows' thread, in milliseconds, first for what Deskbell itself does in that step, then for
the longest turn of Qt's loop until all is quiet again, with Qt's own layout and painting. The least of some
rounds: another program that runs meanwhile makes it longer, never shorter.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

GOAL = 8.0  # milliseconds
ROUNDS = 5
QUIET = 0.1  # seconds with nothing to do, after which all is quiet
MOST = 5.0  # seconds until it counts as quiet, once every window is built
BUILT = 60.0  # seconds in which a window is built, whatever else the computer does

Step = tuple[str, Callable[[], object]]


def report(env: Mapping[str, str], where: str) -> None:
    command = [sys.executable, "-m", "tests.bench.hitches"]
    done = subprocess.run(command, env=dict(env), stdout=subprocess.PIPE, check=True, timeout=600)
    figures: dict[str, list[float]] = json.loads(done.stdout)
    print(
        f"\n| what holds the windows up ({where}), CPU | Deskbell, ms | longest turn, ms | over {GOAL:g} ms |"
    )
    print("|---|---|---|---|")
    for what, (ours, turn) in figures.items():
        over = "**Deskbell**" if ours > GOAL else "Qt" if turn > GOAL else ""
        print(f"| {what} | {ours:.1f} | {turn:.1f} | {over} |")


# ---- inside the process that has the windows ------------------------------------------------------------


def main() -> None:
    from PySide6.QtWidgets import QApplication

    from desktop.questions.window_kinds import preload_question_windows

    qt = QApplication(["bench"])
    preload_question_windows(qt)
    _rest(qt)
    found: dict[str, list[list[float]]] = {}
    for _ in range(ROUNDS):
        for name, act in _steps():
            found.setdefault(name, []).append(_measure(qt, act))
    print(
        json.dumps(
            {name: [min(column) for column in zip(*rounds, strict=True)] for name, rounds in found.items()}
        )
    )


def _measure(qt: Any, act: Callable[[], object]) -> list[float]:
    began = time.thread_time()
    act()
    ours = time.thread_time() - began
    return [ours * 1000, max(_rest(qt), ours) * 1000]


def _rest(qt: Any) -> float:
    """Until every window is built and nothing is left to do; the longest turn."""
    longest, start = 0.0, time.monotonic()
    busy = start
    while (busy > time.monotonic() - QUIET and start > time.monotonic() - MOST) or _is_building(qt):
        assert start > time.monotonic() - BUILT, "a window is not built"
        began = time.thread_time()
        qt.processEvents()
        taken = time.thread_time() - began
        longest = max(longest, taken)
        if taken > 0.0003:
            busy = time.monotonic()
        time.sleep(0.0005)
    return longest


def _is_building(qt: Any) -> bool:
    from desktop.lazy.time_slices import SlicedTask

    tasks = (task for window in qt.topLevelWidgets() for task in window.findChildren(SlicedTask))
    return any(task.running for task in tasks)


def _steps() -> Iterator[Step]:
    for part in (_main_window, _pages, _dialogs, _questions, _trials, _tray):
        yield from part()


def _main_window() -> Iterator[Step]:
    from desktop.main_window import MainWindow
    from desktop.pages.home import HomePage
    from desktop.pages.questions import QuestionsPage
    from tests.desktop import samples

    made: dict[str, Any] = {}

    def build() -> None:
        home = made["home"] = MainWindow()
        home.add("home", "Home", partial(HomePage, samples.Past(), samples.SERVICES, in_slices=True))
        home.add("questions", "Questions", lambda: QuestionsPage(samples.Past(), samples.SERVICES))

    status = _busy()
    yield "main window: build it, with Home and Questions", build
    home = made["home"]
    yield "main window: a Status while nobody sees it", lambda: home.draw(status)
    yield "main window: first seen, at Home", home.show
    yield "main window: a Status with another server", lambda: home.draw(_with_a_server(status))
    yield "main window: turn to Questions, 20 wait", lambda: home.turn_to("questions")
    yield "main window: back to Home", lambda: home.turn_to("home")
    yield "main window: close it", home.close
    home.deleteLater()


def _pages() -> Iterator[Step]:
    from desktop.pages.accounts import AccountsPage
    from desktop.pages.activity.page import ActivityPage
    from desktop.pages.approvals.page import ApprovalsPage
    from desktop.pages.home import HomePage
    from desktop.pages.hosts.page import HostsPage
    from desktop.pages.questions import QuestionsPage
    from desktop.pages.servers.page import ServersPage
    from desktop.pages.settings import SettingsPage
    from tests.desktop import samples

    busy = _busy()
    other = _with_a_server(busy)
    pages: dict[str, tuple[Callable[[], Any], Any, Any]] = {
        "Home, 12 servers": (
            partial(HomePage, samples.Past(), samples.SERVICES, in_slices=True),
            busy,
            other,
        ),
        "Questions, 20 wait": (
            lambda: QuestionsPage(samples.Past(), samples.SERVICES),
            busy,
            replace(busy, waiting=busy.waiting[1:]),
        ),
        "Servers, 12 of them": (partial(ServersPage, samples.SERVICES), busy, other),
        "AI apps, 15 of them": (partial(HostsPage, samples.SERVICES), busy, _connected(busy)),
        "Activity": (
            lambda: ActivityPage(samples.Past(), samples.SERVICES, in_slices=True),
            busy,
            replace(busy, recorded=9),
        ),
        "Approvals, 20 rules, 200 tools": (
            partial(ApprovalsPage, samples.SERVICES),
            busy,
            replace(busy, rules=busy.rules[1:]),
        ),
        "Accounts, 3 of them": (partial(AccountsPage, samples.SERVICES), busy, _less_accounts(busy)),
        "Settings": (
            partial(SettingsPage, samples.SERVICES),
            busy,
            replace(busy, theme="dark"),
        ),
    }
    stack = _shown_stack()
    for name, (make, first, then) in pages.items():
        made: list[Any] = []
        yield f"{name}: build it", partial(_add, made, make)
        page = made[0]
        stack.addWidget(page)
        yield f"{name}: a Status while nobody sees it", partial(page.draw, first)
        yield f"{name}: first seen", partial(stack.setCurrentWidget, page)
        yield f"{name}: a change", partial(page.draw, then)
        stack.setCurrentIndex(0)
        if hasattr(page, "close_history"):
            page.close_history()
        page.deleteLater()
    stack.close()
    stack.deleteLater()


def _shown_stack() -> Any:
    """Where pages are seen: in a window that is there already."""
    from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

    stack = QStackedWidget()
    stack.addWidget(QWidget())
    stack.resize(900, 640)
    stack.show()
    _rest(QApplication.instance())
    return stack


def _dialogs() -> Iterator[Step]:
    from PySide6.QtWidgets import QApplication

    from bridge.api import ServerForm
    from bridge.core.status.servers import Draft
    from desktop.pages.approvals.rule_dialog import RuleDialog
    from desktop.pages.hosts.page import HostsPage
    from desktop.pages.servers.add_dialog import AddDialog, ImportDialog
    from desktop.pages.servers.edit_dialog import EditDialog
    from desktop.pages.servers.secrets_dialog import SecretsDialog
    from desktop.pages.welcome.window import WelcomeWindow
    from tests.desktop import samples

    status = _busy()
    at = status.at_servers
    pairs = tuple((f"KEY_{n}", "${vault:key}") for n in range(8))
    plan = ServerForm("github", "npx -y @modelcontextprotocol/server-github --verbose", env=pairs)

    def drawn(dialog: Any, *given: Any) -> Any:
        dialog.draw(*given)
        return dialog

    def begun(dialog: Any) -> Any:
        dialog.draw(replace(at, draft=Draft()))
        dialog.begin(replace(at, draft=Draft()))
        dialog.draw(at)
        return dialog

    kinds: dict[str, Callable[[], Any]] = {
        "Add a server": lambda: drawn(AddDialog(samples.SERVICES), at),
        "Import servers, 12 found": lambda: begun(ImportDialog(samples.SERVICES)),
        "Edit a server": lambda: drawn(EditDialog(samples.SERVICES, plan), at),
        "Secrets, 12 of them": lambda: drawn(SecretsDialog(samples.SERVICES), at, status.vault),
        "A rule": lambda: RuleDialog(None, ("Zed",), status.tools),
        "First steps, with a list of AI apps": lambda: drawn(WelcomeWindow(samples.SERVICES), status),
    }
    for name, make in kinds.items():
        yield from _shown(name, make)
    page = HostsPage(samples.SERVICES)
    page.resize(900, 640)
    page.draw(status)
    page.show()
    _rest(QApplication.instance())
    change = samples.change().at_hosts.change
    wanted = replace(status, at_hosts=replace(status.at_hosts, change=change))
    yield "AI apps: a change is shown before it is made", lambda: page.draw(wanted)
    page.close()
    page.deleteLater()


def _add(made: list[Any], make: Callable[[], Any]) -> None:
    made.append(make())


def _shown(name: str, make: Callable[[], Any]) -> Iterator[Step]:
    made: list[Any] = []
    yield f"{name}: build it", partial(_add, made, make)
    yield f"{name}: show it", made[0].show
    yield f"{name}: close it", partial(_close, made[0])


def _close(window: Any) -> None:
    window.over = True
    window.close()
    window.deleteLater()


def _questions() -> Iterator[Step]:
    from desktop.questions.window_kinds import WINDOWS
    from tests.desktop import samples

    kinds = list(samples.EVERY_KIND.values())
    asked = {
        "a link": samples.link("https://linear.app/oauth/authorize?client_id=deskbell"),
        "an approval": samples.approval(hints=("!readOnly", "destructive", "openWorld")),
        "one field": samples.form({"name": {"type": "string", "title": "Your name"}}, "name"),
    }
    for count in (6, 20, 50, 200):
        asked[f"{count} fields"] = samples.form({f"f{n}": kinds[n % len(kinds)] for n in range(count)})
    for name, question in asked.items():
        yield from _shown(f"Question, {name}", partial(WINDOWS[question.mode], question, in_slices=True))


def _trials() -> Iterator[Step]:
    from bridge.api import ServerTool
    from desktop.pages.servers.try_tool import TryWindow
    from tests.desktop import samples

    kinds = list(samples.EVERY_KIND.values())
    for count in (0, 6, 20, 50):
        fields = {f"f{n}": kinds[n % len(kinds)] for n in range(count)}
        schema = json.dumps({"type": "object", "properties": fields}).encode()
        tool = ServerTool("run", "server_run", "Run it", "What it does. " * 20, (), schema)
        yield from _shown(f"Try a tool, {count} fields", partial(TryWindow, samples.SERVICES, "server", tool))


def _tray() -> Iterator[Step]:
    from desktop.tray.tray import Tray

    made: list[Any] = []
    yield "Tray: build it", lambda: made.append(Tray())
    tray, status = made[0], _busy()
    yield "Tray: icon, tooltip and menu of a Status", lambda: tray.draw(status)
    yield "Tray: the menu opens", lambda: tray._menu.popup(tray._menu.pos())
    tray._menu.hide()
    tray.deleteLater()


# ---- what is shown ---------------------------------------------------------------------------------------


def _busy() -> Any:
    """A desk in full use."""
    from bridge.api import (
        AccountsStatus,
        AppStatus,
        HostsStatus,
        HostStatus,
        RuleStatus,
        ServerForm,
        ServersStatus,
        ServerStatus,
        ServerTool,
        ServerView,
        Status,
        ToolStatus,
        VaultStatus,
    )
    from bridge.core.status.servers import Draft, Proposal, SecretUse
    from tests.desktop import samples

    servers = tuple(ServerStatus(f"server{n}", "stdio", "ready", "2025-11-25", tools=20) for n in range(12))
    apps = tuple(
        AppStatus(
            f"app{n}",
            f"Application {n}",
            f"/home/ada/.config/application-{n}/User/globalStorage/settings/mcp.json",
            connected="stdio" if n % 2 else "",
            servers=("quiz", "sum"),
            can=("form", "url"),
            names=(f"application-{n}",),
            called=f"application-{n}",
            undo="connect",
        )
        for n in range(15)
    )
    tools = tuple(ServerTool(f"tool{n}", f"server0_tool{n}", "", "What it does. " * 9) for n in range(20))
    plans = [ServerForm(f"found{n}", f"npx -y found-{n}", env=(("API_KEY", "x"),)) for n in range(12)]
    return Status(
        version="0.1.0",
        address="http://127.0.0.1:23355/mcp",
        waiting=tuple(replace(samples.every_kind(), id=f"q{n}") for n in range(20)),
        hosts=tuple(
            HostStatus(f"application-{n}", "1.2", "stdio", "2025-11-25", False, ("server0",), n)
            for n in range(4)
        ),
        servers=servers,
        rules=tuple(
            RuleStatus("", f"server{n}_*", "confirm", (f"server{n}_tool1",), 1, 0) for n in range(20)
        ),
        tools=tuple(ToolStatus(f"server{n % 12}", f"tool{n}", f"server{n % 12}_tool{n}") for n in range(200)),
        vault=VaultStatus("keyring", "ready", "Protected by your login."),
        bluesky=AccountsStatus((samples.ALICE, samples.BOB, replace(samples.BOB, did="did:plc:c"))),
        at_hosts=HostsStatus(apps=apps, looked=True, snippet="{}"),
        at_servers=ServersStatus(
            look=ServerView(ServerForm("server0", "npx -y server"), "stdio", tools, listed=True),
            draft=Draft(1, tuple(Proposal(n, f"found{n}", plan) for n, plan in enumerate(plans))),
            secrets=tuple(SecretUse(f"secret{n}", ("server0",), kept=True) for n in range(12)),
        ),
    )


def _with_a_server(status: Any) -> Any:
    failed = replace(status.servers[3], state="failed", problem="npx: command not found.")
    return replace(status, servers=(*status.servers[:3], failed, *status.servers[4:]))


def _connected(status: Any) -> Any:
    apps = list(status.at_hosts.apps)
    apps[4] = replace(apps[4], connected="stdio")
    return replace(status, at_hosts=replace(status.at_hosts, apps=tuple(apps)))


def _less_accounts(status: Any) -> Any:
    return replace(status, bluesky=replace(status.bluesky, accounts=status.bluesky.accounts[:2]))


if __name__ == "__main__":
    main()
