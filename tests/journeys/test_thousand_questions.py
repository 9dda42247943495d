"""A thousand questions at once: every answer goes to the one who asked. The person answers as the windows do,
through bridge.api, when all of them wait, and in no order."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from bridge.api import CANCEL, DECLINE, Answer, Bridge, Home, Question, Status, accept
from tests.bridge.running_app import stop
from tests.journeys.app_under_test import DESKBELL, ROOT, asking, server
from tests.journeys.hosts import (
    LEGACY,
    MODERN,
    WAIT,
    Answering,
    Failed,
    Host,
    HttpHost,
    StdioHost,
    result_of,
    said_in,
)

HOSTS = 20
EACH = 50


class Crowd:
    """Everybody who waits, until as many wait as are expected; then all are answered."""

    def __init__(self, expected: int, answer: Callable[[Question], Answer]) -> None:
        self.expected = expected
        self.answer = answer
        self.seen: dict[str, Question] = {}
        self.all_wait = threading.Event()
        self.none_waits = threading.Event()

    def on_status(self, status: Status) -> None:
        self.seen.update((question.id, question) for question in status.waiting)
        if len(status.waiting) == self.expected:
            self.all_wait.set()
        if self.all_wait.is_set() and not status.waiting:
            self.none_waits.set()

    def answered_through(self, bridge: Bridge) -> None:
        assert self.all_wait.wait(WAIT), f"only {len(self.seen)} wait"
        waiting = list(self.seen.values())
        random.Random(4).shuffle(waiting)
        for question in waiting:
            bridge.questions.answer(question.id, self.answer(question))
        assert self.none_waits.wait(WAIT)


@pytest.fixture
def running() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def begin(running: ExitStack, home: Path, crowd: Crowd, config: str = "") -> Bridge:
    home.mkdir()
    (home / "config.toml").write_text("port = 0\n" + config)
    bridge = Bridge(Home(home), on_status=crowd.on_status)
    bridge.start()
    running.callback(stop, bridge)
    return bridge


def told_by(question: Question) -> Answer:
    """Says who asked, and what: or declines, or cancels, as the question wants it."""
    answers = {"decline": DECLINE, "cancel": CANCEL}
    return answers.get(question.message.split()[0], accept({"name": f"{question.host}: {question.message}"}))


def expected_of(host: str, message: str) -> dict[str, object]:
    word = message.split()[0]
    return {"action": word, **({"content": {"name": f"{host}: {message}"}} if word == "accept" else {})}


def everyone_got_his_own(crowd: Crowd, bridge: Bridge, hosts: list[Host], tool: str, each: int) -> None:
    words = ("accept", "accept", "decline", "cancel")
    calls = [
        (host.info["name"], message, host.begin_call(tool, message=message))
        for number in range(each)
        for host in hosts
        for message in [f"{words[number % 4]} no. {number} of {host.info['name']}"]
    ]
    crowd.answered_through(bridge)
    for name, message, calling in calls:
        assert said_in(result_of(calling, WAIT)) == expected_of(name, message)
    assert len(crowd.seen) == len(calls)


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_a_thousand_questions_from_twenty_stdio_hosts_never_mix(
    era: str, running: ExitStack, home: Path, env: dict[str, str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DESKBELL_HOME", str(home))
    crowd = Crowd(HOSTS * EACH, told_by)
    bridge = begin(running, home, crowd)
    command = [*DESKBELL, "wrap", "--", *asking(era)]
    hosts: list[Host] = []
    for number in range(HOSTS):
        revision = LEGACY if number % 2 else MODERN
        host = StdioHost(command, env, name=f"host {number}", revision=revision, cwd=str(ROOT))
        running.callback(host.close)
        hosts.append(host)
    for each in hosts:
        each.open()
    everyone_got_his_own(crowd, bridge, hosts, "ask", EACH)
    assert {question.host for question in crowd.seen.values()} == {f"host {n}" for n in range(HOSTS)}


@pytest.mark.parametrize("revision", [LEGACY, MODERN])
def test_questions_from_many_http_hosts_never_mix(
    revision: str, running: ExitStack, home: Path, monkeypatch: pytest.MonkeyPatch
):
    """Half of them bear the same name: what a stateless wire cannot tell apart must not be mixed either."""
    monkeypatch.setenv("DESKBELL_HOME", str(home))
    crowd = Crowd(10 * 10, told_by)
    bridge = begin(running, home, crowd, server("quiz", asking("legacy")))
    port, token = int(bridge.status.address.rpartition(":")[2].partition("/")[0]), Home(home).read_token()
    hosts: list[Host] = []
    for number in range(10):
        name = f"host {number}" if number % 2 else "the same"
        remote = HttpHost(port, token, path="/mcp", revision=revision, name=name)
        running.callback(remote.close)
        remote.open()
        hosts.append(remote)
    everyone_got_his_own(crowd, bridge, hosts, "quiz_ask", 10)


def test_many_hosts_that_can_ask_are_asked_only_their_own_questions(
    running: ExitStack, home: Path, env: dict[str, str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DESKBELL_HOME", str(home))
    crowd = Crowd(0, told_by)
    begin(running, home, crowd)
    hosts = []
    for number in range(8):
        name, revision = f"host {number}", LEGACY if number % 2 else MODERN
        command = [*DESKBELL, "wrap", "--", *asking("modern" if number % 4 < 2 else "legacy")]
        host = StdioHost(command, env, name=name, revision=revision, answer=echo(name), cwd=str(ROOT))
        running.callback(host.close)
        host.open()
        hosts.append(host)

    def ask(call: tuple[StdioHost, str]) -> None:
        host, message = call
        said = {"action": "accept", "content": {"name": f"{host.info['name']}: {message}"}}
        assert said_in(host.call("ask", message=message)) == said

    calls = [(host, f"no. {number} of {host.info['name']}") for number in range(20) for host in hosts]
    with ThreadPoolExecutor(len(calls)) as together:
        assert len(list(together.map(ask, calls))) == 160
    assert crowd.seen == {}


def test_stopping_answers_everybody_who_waits(
    running: ExitStack, home: Path, env: dict[str, str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DESKBELL_HOME", str(home))
    crowd = Crowd(4 * EACH, told_by)
    bridge = begin(running, home, crowd)
    calls = []
    for number in range(4):
        revision = LEGACY if number % 2 else MODERN
        command = [*DESKBELL, "wrap", "--", *asking("legacy")]
        host = StdioHost(command, env, name=f"host {number}", revision=revision, cwd=str(ROOT))
        running.callback(host.close)
        host.open()
        calls += [host.begin_call("ask") for _ in range(EACH)]
    assert crowd.all_wait.wait(WAIT)
    stop(bridge)
    assert crowd.none_waits.is_set()
    for calling in calls:
        with pytest.raises(Failed, match="Deskbell is closing"):
            result_of(calling, WAIT)


def echo(name: str) -> Answering:
    return lambda asked: {"action": "accept", "content": {"name": f"{name}: {asked['message']}"}}
