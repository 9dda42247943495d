"""Windows on a good day, for the pictures in the documentation: `make pictures` takes them."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtWidgets import QWidget

from bridge.api import (
    HistoryFilter,
    HostStatus,
    JournalRow,
    Question,
    ServersStatus,
    ServerStatus,
    ServerTool,
    Status,
)
from desktop.pages.activity.history_view import HistoryView
from desktop.pages.activity.page import ActivityPage
from desktop.pages.home import HomePage
from desktop.pages.questions import QuestionsPage
from desktop.questions.popup_card import PopupCard, PopupCardContent
from desktop.questions.window_kinds import WINDOWS
from tests.desktop import samples, scenes

_kept: list[QWidget] = []  # Python's references; scenes.put_away closes them

# --- questions ---------------------------------------------------------------------------------------------

_PLACES = ["Development", "Staging", "Production"]
DEPLOY = samples.form(
    {"environment": {"type": "string", "title": "Environment", "enum": _PLACES}},
    "environment",
    message="Which environment should I deploy **engine 1.4** to?",
    server="release",
    host="Cursor",
    tool="deploy",
)
ISSUE = samples.form(
    {
        "title": {"type": "string", "title": "Title", "default": "The mill stops after an hour"},
        "label": {"type": "string", "title": "Label", "enum": ["bug", "feature", "docs"], "default": "bug"},
        "due": {"type": "string", "format": "date", "title": "Due"},
        "notify": {"type": "boolean", "title": "Tell the team", "default": True},
    },
    "title",
    message="I am about to create an issue in **ada/engine**. What should it say?",
)


def card() -> QWidget:
    made = PopupCard()
    made.draw(PopupCardContent(DEPLOY, more=1))
    _kept.append(made)
    return made


def window(question: Question) -> QWidget:
    made = WINDOWS[question.mode](question)
    made.fit()
    made.show()
    _kept.append(made)
    return made


# --- pages -------------------------------------------------------------------------------------------------

_EVENTS: tuple[tuple[str, str, str, str, str, dict[str, Any]], ...] = (  # newest first
    ("question", "Cursor", "release", "deploy", "accept", {"environment": "Staging"}),
    ("call", "Cursor", "release", "list_versions", "ok", {}),
    (
        "question",
        "Claude Desktop",
        "github",
        "create_issue",
        "accept",
        {"title": "The mill stops", "label": "bug"},
    ),
    ("call", "Claude Desktop", "github", "search_code", "ok", {}),
    ("question", "Claude Desktop", "github", "merge", "decline", {}),
    ("question", "Cursor", "linear", "create_task", "accept", {"team": "Engine"}),
    ("call", "Cursor", "linear", "list_tasks", "error", {}),
    ("question", "Cursor", "release", "deploy", "accept", {"environment": "Development"}),
)
_EVERY = 1_260.0  # seconds between events


class Past(samples.Past):
    """A history of one morning."""

    def find(self, wanted: HistoryFilter, limit: int = 100, before_id: int | None = None) -> list[JournalRow]:
        rows = [_row(place, *event) for place, event in enumerate(_EVENTS) if before_id is None]
        return [row for row in rows if wanted.kind in ("", row.kind)][:limit]


def _row(
    place: int, kind: str, host: str, server: str, tool: str, outcome: str, sent: dict[str, Any]
) -> JournalRow:
    detail = (
        {"mode": "form", "message": f"A question of {server}", "sent": sent} if kind == "question" else {}
    )
    when = time.time() - 240 - place * _EVERY
    return JournalRow(kind, host, server, tool, outcome, 2300.0, 310, detail, when, id=len(_EVENTS) - place)


_SERVERS = (
    ServerStatus("github", "stdio", "ready", "2025-11-25", tools=5),
    ServerStatus("release", "stdio", "ready", "2026-07-28", tools=4),
    ServerStatus("linear", "http", "idle", tools=12),
    ServerStatus("desk", "built-in", "idle", tools=7, configured=False),
)
_HOSTS = (
    HostStatus("claude-ai", "1.4.2", "stdio", "2025-11-25", False, ("github",), 3),
    HostStatus("cursor-vscode", "2.0", "stdio", "2025-11-25", True, ("release", "linear"), 0),
)
_TOOLS = {
    "Search code": "readOnlyHint",
    "Read a file": "readOnlyHint",
    "Create an issue": "",
    "Merge a pull request": "",
    "Delete a branch": "destructiveHint",
}
_LOOK = replace(
    scenes.LOOK,
    tools=tuple(
        ServerTool(title.lower(), f"github_{title}", title, f"{title} on GitHub", (hint,) if hint else ())
        for title, hint in _TOOLS.items()
    ),
)
_APPS = (
    replace(samples.CLAUDE, current=True),
    replace(samples.CURSOR, connected="stdio"),
    replace(samples.CODE, connected="", wrapped=()),
    replace(samples.GEMINI, problem=""),
)
_PAGES: dict[str, scenes.MakePage] = {
    "home": lambda: HomePage(Past(), samples.SERVICES),
    "questions": lambda: QuestionsPage(Past(), samples.SERVICES),
    "activity": lambda: ActivityPage(Past(), samples.SERVICES),
}


def calm() -> Status:
    """Something waits, everything works."""
    waiting = (replace(DEPLOY, deadline=time.time() + 272), samples.link("https://linear.app/oauth", id="u1"))
    at_hosts = replace(samples.APPS.at_hosts, apps=_APPS, questions=())
    at_servers = ServersStatus(look=_LOOK)
    status = replace(samples.busy(), waiting=waiting, servers=_SERVERS, problems=(), notices=())
    return replace(status, hosts=_HOSTS, at_hosts=at_hosts, at_servers=at_servers)


def page(name: str) -> QWidget:
    status = calm() if name in ("home", "questions") else replace(calm(), waiting=())
    home = scenes.home_with(status, name, {**scenes.MADE, **_PAGES})
    home.show()
    _kept.append(home)
    if name == "activity":
        diary = scenes.part(home, HistoryView, "activityList")
        scenes.wait(lambda: diary.model().rowCount() > 0)
        diary.setCurrentIndex(diary.model().index(1, 0))
    return home


SCENES: dict[str, scenes.Scene] = {
    "calm-card": card,
    "deploy": partial(window, DEPLOY),
    "issue": partial(window, ISSUE),
    **{f"calm-{name}": partial(page, name) for name in ("home", "questions", "activity", "hosts", "servers")},
    "calm-welcome-apps": lambda: scenes.welcome(1, calm()),
}
