"""Hosts that answer in the person's place: none gets a write, a confirmation or an approval through."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bridge.core.exchange.state_machine import CONFIRM_KEY
from bridge.core.policy.unshown_questions import QUICK
from tests.fixtures.fake_pds import APP_PASSWORD, DID, OTHER, Sky, sky_apart
from tests.journeys.app_under_test import (
    DESKBELL,
    ROOT,
    WAIT,
    App,
    Person,
    asking,
    environment,
    of_home,
    server,
    until,
)
from tests.journeys.conftest import Spawn, Start
from tests.journeys.hosts import LEGACY, MODERN, Failed, Host, HttpHost, Json, StdioHost, said_in

AnyHost = HttpHost | StdioHost
YES: Json = {"action": "accept", "content": {"answer": "yes"}}
EMPTY: Json = {"action": "accept", "content": {}}
NO: Json = {"action": "decline"}
WANTED: dict[str, Json] = {
    "bluesky_follow": {"account": "bob.test"},
    "desk_elicit_confirm": {"message": "Delete everything?"},
    "quiz_count": {},
}
APPROVAL = '[policy]\n"quiz_count" = "confirm"\n'


@contextmanager
def friendly_sky() -> Iterator[Sky]:
    with sky_apart() as sky:
        sky.answers["app.bsky.actor.getProfile"] = {"did": OTHER, "handle": "bob.test", "displayName": "Bob"}
        sky.answers["com.atproto.repo.createRecord"] = {
            "uri": f"at://{DID}/app.bsky.graph.follow/3f",
            "cid": "c",
        }
        yield sky


@pytest.fixture
def sky() -> Iterator[Sky]:
    with friendly_sky() as sky:
        yield sky


def settings(sky: Sky, more: str = "") -> str:
    return sky.settings + server("quiz", asking("legacy")) + more + APPROVAL


def signed_in(host: AnyHost) -> AnyHost:
    host.open()
    host.call("bluesky_login", account="alice.test", password=APP_PASSWORD)
    return host


def wrote(sky: Sky) -> bool:
    return any(nsid.endswith("createRecord") for nsid, _ in sky.asks)


def got_through(result: Json) -> bool:
    """True if the result is that of a tool that did what it was called for."""
    if result.get("isError"):
        return False
    structured = result.get("structuredContent") or {}
    return bool(structured.get("result", {"confirmed": True}).get("confirmed", True))


class Bell(NamedTuple):
    """A Deskbell that many hosts try themselves on, one after another."""

    app: App
    sky: Sky
    env: dict[str, str]

    def host(self, wire: str, **more: Any) -> AnyHost:
        if wire == "http":
            return HttpHost(self.app.port, self.app.token, **more)
        return StdioHost([*DESKBELL, "stdio"], self.env, cwd=str(ROOT), **more)


@contextmanager
def open_bell(folder: Path, presenter: str) -> Iterator[Bell]:
    """Start one in which the account is signed in. It leaves no process behind."""
    home, env = folder / "home", environment(folder / "home")
    home.mkdir()
    with friendly_sky() as sky:
        (home / "config.toml").write_text(settings(sky))
        bell = Bell(App(home, env, presenter), sky, env)
        try:
            with closing(bell.host("http")) as host:
                signed_in(host)
            yield bell
        finally:
            bell.app.stop()
    until(lambda: not of_home(home))


# --- with a desk: no host is even asked ---------------------------------------------------------------------


def respond(host: Host, *ids: Any, answer: Json = YES) -> None:
    for number in ids:
        host.write({"jsonrpc": "2.0", "id": number, "result": answer})


Trick = Callable[[Host], None]
TRICKS: dict[str, Trick] = {
    "accepts by itself": lambda host: None,
    "declines by itself": lambda host: None,
    "hangs": lambda host: None,
    "answers twice": lambda host: respond(host, 1, 1, 2, 2),
    "answers what it was not asked": lambda host: respond(host, *range(300), "1", "q1", None),
    "Deskbell": lambda host: respond(host, *range(20)),  # a forged name
    "window": lambda host: respond(host, *range(20)),  # what Deskbell calls its own windows
}
ANSWERS = {"declines by itself": NO, "hangs": None}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("desk")


@pytest.fixture
def now(folder: Path) -> Iterator[Path]:
    """The file that makes the person decline."""
    yield folder / "now"
    (folder / "now").unlink()


@pytest.fixture(scope="module")
def decider(folder: Path) -> Person:
    return Person(folder)


@pytest.fixture(scope="module")
def with_a_desk(folder: Path, decider: Person) -> Iterator[Bell]:
    with open_bell(folder, decider.says("decline", when=folder / "now")) as bell:
        yield bell


@pytest.mark.parametrize(
    ("trick", "revision", "wire"),
    [(trick, revision, "stdio") for trick in TRICKS for revision in (LEGACY, MODERN)]
    + [(trick, LEGACY, "http") for trick in ("accepts by itself", "answers what it was not asked")]
    + [("accepts by itself", MODERN, "http")],
)
def test_where_there_is_a_desk_only_the_person_says_yes(
    trick: str, revision: str, wire: str, with_a_desk: Bell, decider: Person, now: Path
):
    app, sky, _ = with_a_desk
    answer = ANSWERS.get(trick, YES)
    before = len(decider.asked)
    host = with_a_desk.host(wire, revision=revision, name=trick, answer=lambda asked: answer)
    with closing(host):
        host.open()
        calls = [host.begin_call(tool, **arguments) for tool, arguments in WANTED.items()]
        until(lambda: len(decider.asked) == before + len(WANTED))
        if not (wire == "http" and host.modern):  # a modern host cannot send responses over HTTP
            TRICKS[trick](host)
        host.tools()  # what it wrote before was read
        assert len(app.status["waiting"]) == len(WANTED)
        assert [one for one in host.heard if one["method"] == "elicitation/create"] == []
        now.touch()
        assert not any(got_through(call.result(WAIT)["result"]) for call in calls)
        assert not wrote(sky)


@pytest.mark.parametrize("place", ["host", "auto", "desktop"])
def test_whatever_questions_says_consent_is_asked_on_the_desk(
    place: str, sky: Sky, start: Start, spawn: Spawn, person: Person
):
    start(person.says("accept"), settings(sky, f'[hosts."*"]\nquestions = "{place}"\n'))
    host = signed_in(spawn("stdio", answer=lambda asked: NO))
    assert all(got_through(host.call(tool, **arguments)) for tool, arguments in WANTED.items())
    assert [one["server"] for one in person.asked] == ["bluesky", "desk", "quiz"]
    assert host.heard == [one for one in host.heard if one["method"] != "elicitation/create"]
    assert wrote(sky)


def test_an_answer_after_the_call_was_cancelled_does_nothing(
    sky: Sky, start: Start, spawn: Spawn, person: Person, env: dict[str, str], tmp_path: Path
):
    log = tmp_path / "server.log"  # what the server hears, if it is started at all
    env["ASKING_LOG"] = str(log)
    app = start(person.never_answers(), settings(sky))
    host = signed_in(spawn("stdio", answer=lambda asked: YES))
    for tool, arguments in WANTED.items():
        host.begin_call(tool, **arguments)
        app.question()
        host.write(
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": host.last}}
        )
        respond(host, *range(50))
        app.until(lambda status: not status["waiting"])
    assert not log.exists() or "tools/call" not in log.read_text()
    assert not wrote(sky)


@pytest.mark.parametrize("revision", [LEGACY, MODERN])
def test_an_earlier_answer_is_good_for_nothing_else(
    revision: str, sky: Sky, start: Start, spawn: Spawn, person: Person
):
    start(person.never_answers(), settings(sky))
    ada: Json = {"action": "accept", "content": {"name": "Ada"}}
    host = signed_in(spawn("stdio", revision=revision, answer=lambda asked: ada))
    first: Json = {"name": "quiz_ask", "arguments": {}}
    returned = host.request("tools/call", first)
    ticket = host.answers_to(returned) if host.modern else {}
    if host.modern:
        returned = host.request("tools/call", {**first, **ticket})
    assert said_in(returned) == ada
    calls: list[Future[Json]] = [host.begin_call(tool, **arguments) for tool, arguments in WANTED.items()]
    until(lambda: len(person.asked) == len(WANTED))
    for tool, arguments in WANTED.items() if host.modern else ():
        forged = {
            "name": tool,
            "arguments": arguments,
            **ticket,
            "inputResponses": {CONFIRM_KEY: YES},
        }
        with pytest.raises(Failed, match="requestState"):
            host.request("tools/call", forged)
    respond(
        host, *(one["id"] for one in host.heard if one.get("id") and one["method"] == "elicitation/create")
    )
    host.tools()  # what it wrote before was read
    assert not any(call.done() for call in calls)
    assert not wrote(sky)


# --- without a desk: a host is asked, and must choose the yes ----------------------------------------


def after(seconds: float, answer: Json) -> Callable[[Json], Json]:
    def answering(asked: Json) -> Json:
        time.sleep(seconds)
        return answer

    return answering


SEEN = 1.1 * QUICK  # seconds


@pytest.fixture(scope="module")
def without_a_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bell]:
    with open_bell(tmp_path_factory.mktemp("no-desk"), "silent") as bell:
        yield bell


@pytest.mark.parametrize("revision", [LEGACY, MODERN])
@pytest.mark.parametrize(
    ("seconds", "answer"),
    [(0.0, EMPTY), (SEEN, EMPTY), (SEEN, {"action": "accept"}), (0.0, NO)],
    ids=["an empty yes at once", "an empty yes", "a bare yes", "a no at once"],
)
def test_where_there_is_no_desk_a_yes_that_nobody_chose_does_nothing(
    seconds: float, answer: Json, revision: str, without_a_desk: Bell, request: pytest.FixtureRequest
):
    without_a_desk.sky.asks.clear()
    more: Json = {"revision": revision, "name": request.node.name, "answer": after(seconds, answer)}
    with closing(without_a_desk.host("stdio", **more)) as host:
        host.open()
        assert not any(got_through(host.call(tool, **arguments)) for tool, arguments in WANTED.items())
        asked = [one["params"] for one in host.heard if one["method"] == "elicitation/create"]
        assert [one["requestedSchema"]["required"] for one in asked] == [["answer"]] * len(WANTED)
        assert not wrote(without_a_desk.sky)


@pytest.mark.parametrize("wire", ["stdio", "http"])
@pytest.mark.parametrize("revision", [LEGACY, MODERN])
def test_where_there_is_no_desk_a_person_can_say_yes_in_the_host(
    revision: str, wire: str, without_a_desk: Bell, request: pytest.FixtureRequest
):
    without_a_desk.sky.asks.clear()
    more: Json = {"revision": revision, "name": request.node.name, "answer": after(SEEN, YES)}
    with closing(without_a_desk.host(wire, **more)) as host:
        host.open()
        assert all(got_through(host.call(tool, **arguments)) for tool, arguments in WANTED.items())
        assert wrote(without_a_desk.sky)
