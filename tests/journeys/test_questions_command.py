"""Waiting questions are listed and answered from another terminal, while the app shows them too."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import Future

import pytest

from tests.journeys.app_under_test import ANSWERER, DESKBELL, ROOT, WAIT, App, Person, asking, server, until
from tests.journeys.conftest import Spawn, Start
from tests.journeys.hosts import Json, result_of, said_in

Calling = Future[Json]
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(env: dict[str, str]) -> Run:
    def run(*words: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
        fed = {"input": stdin} if stdin is not None else {"stdin": subprocess.DEVNULL}
        command = [*DESKBELL, *words]
        return subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, timeout=WAIT, **fed)

    return run


@pytest.fixture
def app(start: Start, person: Person) -> App:
    return start(
        person.never_answers(), '[policy]\n"quiz_count" = "confirm"\n' + server("quiz", asking("legacy"))
    )


@pytest.fixture
def calling(app: App, spawn: Spawn) -> Calling:
    """A call whose question waits."""
    host = spawn("stdio", "--server", "quiz")
    host.open()
    calling = host.begin_call("ask")
    app.question()
    return calling


def test_a_waiting_question_is_listed_for_people_and_for_programs(calling: Calling, run: Run):
    listed = run("questions").stdout.splitlines()
    assert listed[0].split() == ["ID", "SERVER", "HOST", "KIND", "TIME", "LEFT", "MESSAGE"]
    assert listed[1].split()[1] == "quiz"
    assert listed[1].endswith("Who is there?")
    [question] = map(json.loads, run("questions", "--json").stdout.splitlines())
    assert question["mode"] == "form"
    assert question["requestedSchema"]["required"] == ["name"]


def test_an_answer_by_key_and_value_reaches_the_server_and_closes_the_question_elsewhere(
    app: App, calling: Calling, run: Run
):
    question_id = app.question()["id"]
    done = run("answer", question_id, "name=Ada")
    assert (done.returncode, done.stderr) == (0, f"{question_id}: sent.\n")
    assert said_in(result_of(calling)) == {"action": "accept", "content": {"name": "Ada"}}
    until(lambda: not app.children(ANSWERER))
    late = run("answer", question_id, "name=Bob")
    assert (late.returncode, late.stderr) == (3, f"deskbell: No question {question_id} is waiting\n")


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_a_question_is_declined_or_cancelled(action: str, calling: Calling, run: Run):
    assert run("answer", f"--{action}").returncode == 0
    assert said_in(result_of(calling)) == {"action": action}


def test_an_answer_as_json_may_come_from_a_pipe(app: App, calling: Calling, run: Run):
    assert run("answer", app.question()["id"], "--json", "-", stdin='{"name": "Ada"}').returncode == 0
    assert said_in(result_of(calling))["content"] == {"name": "Ada"}


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ((), "There is no terminal to ask on"),
        (("nmae=Ada",), "does not fit the form"),
        (("--json", "[1"), "The fields are not JSON"),
        (("name=Ada", "--decline"), "Fields can be given only for a form, and only to accept it"),
        (("Ada",), "'Ada' is not a field"),
    ],
)
def test_a_wrong_answer_is_refused_and_the_question_waits_on(
    words: tuple[str, ...], reason: str, app: App, calling: Calling, run: Run
):
    question_id = app.question()["id"]
    done = run("answer", question_id, *words)
    assert done.returncode == 1
    assert reason in done.stderr
    assert app.question()["id"] == question_id


def test_an_approval_is_given_by_hand_only(app: App, spawn: Spawn, run: Run):
    host = spawn("stdio", "--server", "quiz")
    host.open()
    calling = host.begin_call("count")
    question_id = app.question()["id"]
    refused = run("answer", question_id, "--accept")
    assert (refused.returncode, "An approval must be given by hand" in refused.stderr) == (1, True)
    assert "An approval must be given by hand" in sent_by_a_script(app, question_id)
    assert on_a_terminal(app.env, question_id, ("Allow? ", "y")) == 0
    assert said_in(result_of(calling))["calls"] == 1


def sent_by_a_script(app: App, question_id: str) -> str:
    """What a program is told that writes the yes into Deskbell's socket itself, without `deskbell answer`."""
    script = (
        "import sys; from pathlib import Path; from bridge.api import Home, ask_running; "
        "yes = dict(id=sys.argv[2], answer=dict(action='accept'), always=True, scripted=False); "
        "print(ask_running(Home(Path(sys.argv[1])), 'answer', **yes))"
    )
    command = [sys.executable, "-c", script, str(app.home.root), question_id]
    return subprocess.check_output(command, stdin=subprocess.DEVNULL, cwd=ROOT, text=True, timeout=WAIT)


def test_the_form_is_asked_field_by_field_on_a_terminal(app: App, calling: Calling):
    assert on_a_terminal(app.env, app.question()["id"], ("> ", "Ada"), ("Send? ", "y")) == 0
    assert said_in(result_of(calling))["content"] == {"name": "Ada"}


def test_a_question_answered_elsewhere_closes_on_the_terminal(app: App, calling: Calling, run: Run):
    terminal = Terminal(app.env, "answer", app.question()["id"])
    terminal.read_until("> ")
    assert run("answer", app.question()["id"], "name=Ada").returncode == 0
    terminal.read_until("answered elsewhere")
    assert terminal.ended() == 3


def test_watching_prints_each_question_when_it_arrives_and_when_it_closes(
    app: App, calling: Calling, run: Run, env: dict[str, str]
):
    command = [*DESKBELL, "questions", "--watch", "--json"]
    with subprocess.Popen(command, env=env, cwd=ROOT, stdout=subprocess.PIPE, text=True) as watching:
        assert watching.stdout
        arrived = json.loads(watching.stdout.readline())
        run("answer", arrived["id"], "--decline")
        assert json.loads(watching.stdout.readline()) == {"id": arrived["id"], "closed": True}
        watching.send_signal(signal.SIGINT)
    assert said_in(result_of(calling)) == {"action": "decline"}


def test_without_a_running_deskbell_it_says_so(run: Run):
    for words in (("questions",), ("questions", "--watch"), ("answer",)):
        done = run(*words)
        assert (done.returncode, done.stderr.startswith("deskbell: Deskbell is not running")) == (2, True)


class Terminal:
    """`deskbell` on a terminal of its own."""

    def __init__(self, env: Mapping[str, str], *words: str) -> None:
        self.pid, self._main = pty.fork()
        if self.pid == 0:
            os.chdir(ROOT)
            os.execvpe(DESKBELL[0], [*DESKBELL, *words], env)  # noqa: S606 - no shell is wanted
        self.shown = ""

    def read_until(self, text: str) -> None:
        while text not in self.shown:
            try:
                self.shown += os.read(self._main, 4096).decode()
            except OSError:  # it ended
                raise AssertionError(self.shown) from None

    def type(self, text: str) -> None:
        os.write(self._main, text.encode())

    def ended(self) -> int:
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self._main)
        return code


def on_a_terminal(env: Mapping[str, str], question_id: str, *typed: tuple[str, str]) -> int:
    """Type each line when its prompt is there; return the exit code."""
    terminal = Terminal(env, "answer", question_id)
    for prompt, line in typed:
        terminal.read_until(prompt)
        terminal.type(f"{line}\n")
    return terminal.ended()
