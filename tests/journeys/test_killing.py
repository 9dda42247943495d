"""Kill the host, the shim, the server or the app, at any moment: the others get an error or end,
no process is left (the fixture of every journey sees to that), and no Question waits."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.running_processes import left_after
from tests.journeys.app_under_test import (
    ANSWERER,
    DESKBELL,
    ROOT,
    WAIT,
    App,
    Person,
    asking,
    fixture,
    server,
    until,
)
from tests.journeys.conftest import Connect, Spawn, Start
from tests.journeys.hosts import LEGACY, MODERN, Failed, Gone, Host, result_of, said_in

MOMENTS = ["idle", "call", "question"]
moments = pytest.mark.parametrize("moment", MOMENTS)
revisions = pytest.mark.parametrize("revision", [LEGACY, MODERN])


def reach(moment: str, host: Host, app: App, questions: int = 1) -> Future[Any] | None:
    """Bring things to that moment; the call that is under way, if there is one."""
    host.open()
    host.call("count")
    if moment == "idle":
        return None
    if moment == "call":
        calling = host.begin_call("slow", hang=True)
        host.hears("notifications/progress")
        return calling
    calling = host.begin_call("ask")
    app.until(lambda status: len(status["waiting"]) == questions)
    until(lambda: len(app.children(ANSWERER)) == questions)
    return calling


def nothing_waits(app: App) -> None:
    app.until(lambda status: not status["waiting"])
    until(lambda: not app.children(ANSWERER))


# --- the host ----------------------------------------------------------------------------------------------


@moments
def test_a_killed_host_takes_its_shim_its_server_and_its_question_along(
    moment: str, start: Start, person: Person, env: dict[str, str]
):
    app = start(person.never_answers())
    command = [*DESKBELL, "wrap", "--", *asking("legacy")]
    mortal = [sys.executable, "-m", "tests.journeys.killable_host", moment, *command]
    with subprocess.Popen(mortal, env=env, cwd=ROOT, stdout=subprocess.PIPE, text=True) as host:
        assert host.stdout
        shim = int(host.stdout.readline())
        if moment == "question":
            app.question()
        [upstream] = [pid for pid in app.children("asking_server.py") if pid not in (shim, host.pid)]
        host.kill()
    assert left_after([shim, upstream]) == []
    nothing_waits(app)
    assert app.status["hosts"] == []


@pytest.mark.parametrize(("moment", "revision"), [("call", LEGACY), ("call", MODERN), ("question", MODERN)])
def test_an_http_host_that_vanishes_takes_its_call_and_its_question_along(
    moment: str, revision: str, start: Start, connect: Connect, person: Person, home: Any
):
    app = start(person.never_answers(), server("quiz", asking("legacy"), home / "heard"))
    host = connect(app, "/mcp/quiz", revision=revision)
    calling = reach(moment, host, app)
    host.vanish()
    assert calling is not None
    with pytest.raises(Gone):
        calling.result(0)
    until(lambda: "notifications/cancelled" in (home / "heard").read_text())
    nothing_waits(app)


def test_a_legacy_http_host_that_vanishes_leaves_its_question_for_its_next_session(
    start: Start, connect: Connect, person: Person, tmp_path: Path
):
    """Before 2026-07-28 a broken connection is no cancellation: it may be the host's own time-out."""
    thought = tmp_path / "thought"
    presenter = person.says("accept", {"name": "Ada"}, when=thought)
    app = start(presenter, server("quiz", asking("legacy")))
    host = connect(app, "/mcp/quiz")
    reach("question", host, app)
    host.vanish()
    app.until(lambda status: status["waiting"][0]["host_left"])
    thought.touch()
    app.until(lambda status: status["held"] and status["held"][0]["finished"])
    again = connect(app, "/mcp/quiz")
    again.open()
    assert said_in(again.call("ask")) == {"action": "accept", "content": {"name": "Ada"}}
    assert len(person.asked) == 1


# --- the shim ----------------------------------------------------------------------------------------------


@moments
def test_a_killed_shim_ends_its_hosts_wire_its_server_and_its_question(
    moment: str, start: Start, spawn: Spawn, person: Person
):
    app = start(person.never_answers())
    host = spawn("wrap", "--", *asking("legacy"))
    calling = reach(moment, host, app)
    [upstream] = [pid for pid in app.children("asking_server.py") if pid != host.pid]
    host.process.kill()
    if calling is not None:
        with pytest.raises(Gone):
            calling.result(WAIT)
    assert host.ended(WAIT) == -signal.SIGKILL
    assert left_after([upstream]) == []
    nothing_waits(app)
    assert app.status["hosts"] == []


# --- the server --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("revision", "moment"), [*((LEGACY, moment) for moment in MOMENTS), (MODERN, "question")]
)
def test_a_killed_server_becomes_an_error_and_the_next_call_reaches_a_new_one(
    revision: str, moment: str, start: Start, spawn: Spawn, person: Person
):
    app = start(person.never_answers())
    host = spawn("wrap", "--name", "quiz", "--", *asking("legacy"), revision=revision)
    calling = reach(moment, host, app)
    [upstream] = [pid for pid in app.children("asking_server.py") if pid != host.pid]
    os.kill(upstream, signal.SIGKILL)
    if calling is not None:
        with pytest.raises(Failed, match="quiz was ended by SIGKILL"):
            result_of(calling)
    nothing_waits(app)
    app.until(lambda status: "SIGKILL" in app.state_of("quiz")["problem"])
    again = said_in(host.call("count"))
    assert again["calls"] == 1
    assert again["pid"] != upstream


def test_a_server_that_crashes_in_a_call_says_why(start: Start, spawn: Spawn):
    start()
    host = spawn("wrap", "--name", "quiz", "--", *asking("legacy"))
    host.open()
    with pytest.raises(Failed, match="quiz ended with code 3: this server has crashed on purpose"):
        host.call("crash")


@revisions
def test_a_server_killed_while_a_host_asks_its_person_takes_the_question_back_from_the_host(
    revision: str, start: Start, spawn: Spawn
):
    app = start()
    more: dict[str, Any] = {"revision": revision, "capabilities": {"elicitation": {}}}
    host = spawn("wrap", "--name", "quiz", "--", *asking("legacy"), **more)
    host.open()
    calling = host.begin_call("ask")
    if revision == LEGACY:
        asked = host.hears("elicitation/create")
    else:
        parked = result_of(calling)
    [upstream] = [pid for pid in app.children("asking_server.py") if pid != host.pid]
    os.kill(upstream, signal.SIGKILL)
    if revision == LEGACY:
        with pytest.raises(Failed, match="SIGKILL"):
            result_of(calling)
        assert host.hears("notifications/cancelled")["params"]["requestId"] == asked["id"]
    else:  # it is away with our Ticket, and hears of it when it returns
        app.until(lambda status: "SIGKILL" in app.state_of("quiz")["problem"])
        host.answer = lambda asked: {"action": "accept", "content": {"name": "late"}}
        retry = {"name": "ask", "arguments": {}, **host.answers_to(parked)}
        with pytest.raises(Failed, match="SIGKILL"):
            host.request("tools/call", retry)


# --- the app -----------------------------------------------------------------------------------------------


@moments
def test_a_killed_app_ends_its_hosts_and_its_servers(
    moment: str, start: Start, spawn: Spawn, connect: Connect, person: Person
):
    app = start(person.never_answers(), server("quiz", asking("legacy")))
    host = spawn("wrap", "--", *asking("legacy"))
    remote = connect(app, "/mcp/quiz")
    calling = reach(moment, host, app)
    calling_too = reach(moment, remote, app, questions=2)
    left = [*app.children("asking_server.py"), *app.children(ANSWERER), *app.children("reaper.py")]
    app.kill()
    for each in (calling, calling_too):
        if each is not None:
            with pytest.raises(Gone):
                each.result(WAIT)
    assert host.ended(WAIT) == 0
    assert left_after(left) == []


def test_a_killed_app_ends_even_a_server_that_will_not_go(start: Start, spawn: Spawn):
    app = start()
    host = spawn("wrap", "--", *fixture("stubborn_server.py"))
    host.begin("initialize", {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": host.info})
    stubborn = until(lambda: [pid for pid in app.children("stubborn_server.py") if pid != host.pid])
    until(lambda: app.children("reaper.py"))
    app.kill()
    assert left_after(stubborn) == []


@pytest.mark.parametrize("end", [App.kill, App.terminate])
def test_what_a_server_has_started_ends_with_the_app(end: Callable[[App], None], start: Start, spawn: Spawn):
    app = start()
    host = spawn("wrap", "--", *fixture("forking_server.py"))
    host.begin("initialize", {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": host.info})
    family = until(lambda: family_of(app.children("forking_server.py"), host.pid, 2))
    until(lambda: app.children("reaper.py"))
    end(app)
    assert left_after(family) == []


LAUNCHER = ["sh", "-c", '"$@"; true', "launcher"]  # stays above the server, as uvx does


@pytest.mark.skipif(sys.platform != "linux", reason="daemons are found in /proc")
@pytest.mark.parametrize(
    ("below", "end"),
    [([], App.kill), ([], App.terminate), ([], None), (LAUNCHER, App.kill), (LAUNCHER, None)],
)
def test_a_daemon_of_a_server_ends_with_it(
    below: list[str], end: Callable[[App], None] | None, start: Start, spawn: Spawn
):
    """The daemon is forked twice, and has a session of its own."""
    app = start()
    host = spawn("wrap", "--", *below, *fixture("daemonizing_server.py"))
    host.begin("initialize", {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": host.info}).result(
        WAIT
    )
    family = until(lambda: family_of(app.children("daemonizing_server.py"), host.pid, 3 if below else 2))
    until(lambda: app.children("reaper.py"))
    if end is None:
        host.close()
    else:
        end(app)
    assert left_after(family) == []


def family_of(pids: list[int], but: int, size: int) -> list[int]:
    found = [pid for pid in pids if pid != but]
    return found if len(found) == size else []


# --- the app, asked to end ---------------------------------------------------------------------------------


@moments
def test_an_app_that_is_told_to_end_says_goodbye_to_everybody(
    moment: str, start: Start, spawn: Spawn, connect: Connect, person: Person, home: Any, env: dict[str, str]
):
    heard = home / "heard"
    env["ASKING_LOG"] = str(heard)  # of the wrapped server
    app = start(person.never_answers(), server("quiz", asking("legacy"), heard))
    host = spawn("wrap", "--", *asking("legacy"))
    remote = connect(app, "/mcp/quiz")
    calling = reach(moment, host, app)
    calling_too = reach(moment, remote, app, questions=2)
    left = [*app.children("asking_server.py"), *app.children(ANSWERER), *app.children("reaper.py")]
    app.terminate()
    for each in (calling, calling_too):
        if each is not None:
            with pytest.raises(Failed, match="Deskbell is closing"):
                result_of(each)
    assert app.ended(WAIT) == 0
    assert host.ended(WAIT) == 0
    assert left_after(left) == []
    if moment == "question":
        assert heard.read_text().count('{"action":"cancel"}') == 2


@revisions
def test_an_app_that_is_told_to_end_while_a_host_asks_cancels_that_question(
    revision: str, start: Start, spawn: Spawn, home: Any, env: dict[str, str]
):
    env["ASKING_LOG"] = str(home / "heard")
    app = start()
    more: dict[str, Any] = {"revision": revision, "capabilities": {"elicitation": {}}}
    host = spawn("wrap", "--", *asking("legacy"), **more)
    host.open()
    calling = host.begin_call("ask")
    if revision == LEGACY:
        asked = host.hears("elicitation/create")
    else:
        assert result_of(calling)["resultType"] == "input_required"
    app.terminate()
    if revision == LEGACY:
        with pytest.raises(Failed, match="Deskbell is closing"):
            result_of(calling)
        assert host.hears("notifications/cancelled")["params"]["requestId"] == asked["id"]
    assert app.ended(WAIT) == 0
    assert host.ended(WAIT) == 0
    assert '{"action":"cancel"}' in (home / "heard").read_text()


def test_an_app_that_is_told_to_end_ends_a_server_that_will_not_go(start: Start, spawn: Spawn):
    app = start()
    host = spawn("wrap", "--", *fixture("stubborn_server.py"))
    host.begin("initialize", {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": host.info})
    stubborn = until(lambda: [pid for pid in app.children("stubborn_server.py") if pid != host.pid])
    app.terminate()
    assert app.ended(WAIT) == 0
    assert left_after(stubborn, 0) == []
