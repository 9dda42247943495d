"""Questions put by another program: what it gets, what it may answer, and that nothing of it stays."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import uvloop

from bridge.core.questions.question import CANCEL, DECLINE, NOBODY, Action, Answer, Mode, Question
from bridge.errors import UsageError
from bridge.presenters import command, make
from bridge.presenters.command import CommandPresenter
from tests.bridge.shim.shim_process import until
from tests.fixtures.patience import WITHIN
from tests.fixtures.running_processes import left_after

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the programs here are POSIX ones")

SCHEMA = (
    b'{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["name"]}'
)
FORM = Question("q1", Mode.FORM, "github", "Claude", "Who?", "create_issue", SCHEMA)
LINK = Question("q2", Mode.URL, "github", "Claude", "Sign in", url="https://example.org/x?y=1")
CONFIRM = Question("q3", Mode.CONFIRM, "github", "Claude", "May it?", "delete", arguments=b'{"n":1.50}')


def presenter(tmp_path: Path, body: str) -> CommandPresenter:
    """Asks by a Python program with this body; `asked` is the Question."""
    program = tmp_path / "ask it.py"
    program.write_text(f"import json, os, subprocess, sys, time\n{body}\n")
    return CommandPresenter(f"'{sys.executable}' '{program}'")


def printing(tmp_path: Path, text: str) -> CommandPresenter:
    return presenter(tmp_path, f"sys.stdin.read(); sys.stdout.write({text!r})")


@pytest.mark.parametrize(
    ("question", "own"),
    [
        (FORM, {"requestedSchema": json.loads(SCHEMA)}),
        (
            LINK,
            {
                "url": "https://example.org/x?y=1",
                "link": {"host": "example.org", "site": "example.org", "doubts": []},
            },
        ),
        (
            replace(LINK, url="https://ann@www.\u0430pple.com:8443/"),
            {
                "url": "https://ann@www.\u0430pple.com:8443/",
                "link": {
                    "host": "www.xn--pple-43d.com",
                    "site": "xn--pple-43d.com",
                    "doubts": ["userinfo", "international", "mixed script", "lookalike", "odd port"],
                },
            },
        ),
        (CONFIRM, {"arguments": {"n": 1.5}}),
    ],
)
async def test_the_program_gets_the_whole_question(
    tmp_path: Path, question: Question, own: dict[str, Any]
) -> None:
    body = (
        f"open({str(tmp_path / 'seen')!r}, 'w').write(sys.stdin.read()); print('{{\"action\":\"decline\"}}')"
    )
    assert await presenter(tmp_path, body).ask(question) == DECLINE
    assert json.loads((tmp_path / "seen").read_text()) == {
        "id": question.id,
        "server": "github",
        "host": "Claude",
        "tool": question.tool,
        "mode": str(question.mode),
        "message": question.message,
        **own,
    }


async def test_an_accepted_form_is_checked_and_sent_on_one_line(tmp_path: Path) -> None:
    answer = '{"action": "accept",\n "content": {"name": "Ann",\n "age": 12345678901234567890}}\n'
    assert await printing(tmp_path, answer).ask(FORM) == Answer(
        Action.ACCEPT, b'{"name":"Ann","age":12345678901234567890}'
    )


async def test_a_link_or_an_approval_is_accepted_without_content(tmp_path: Path) -> None:
    asking = printing(tmp_path, '{"action": "accept", "content": {"x": 1}}')
    assert await asking.ask(LINK) == Answer(Action.ACCEPT)
    assert await asking.ask(CONFIRM) == Answer(Action.ACCEPT)


@pytest.mark.parametrize(
    ("printed", "words"),
    [
        ("", "cannot be read"),
        ("yes", "cannot be read"),
        ('{"action": "maybe"}', "cannot be read"),
        ('{"content": {"name": "Ann"}}', "cannot be read"),
        ('{"action": "accept"}', "name: This is missing."),
        ('{"action": "accept", "content": {"name": 1}}', "name: This must be text."),
        ('{"action": "accept", "content": {"name": "Ann", "age": 1.5}}', "age: Please enter a whole number."),
        ('{"action": "accept", "content": ["Ann"]}', "must be a JSON object"),
        ('{"action": "accept", "content": {"name": "' + "a" * (1 << 20) + '"}}', "larger than 1 MiB"),
        ("[" * 200_000, "cannot be read"),
    ],
)
async def test_anything_else_is_cancel_and_a_line_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], printed: str, words: str
) -> None:
    asking = presenter(tmp_path, f"sys.stdout.write(open({str(tmp_path / 'say')!r}).read())")
    (tmp_path / "say").write_text(printed)
    assert await asking.ask(FORM) == CANCEL
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1


async def test_a_form_that_cannot_be_used_is_cancelled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    question = Question("q", Mode.FORM, "s", "h", schema=b'{"type":"array"}')
    assert await printing(tmp_path, '{"action": "accept", "content": {}}').ask(question) == CANCEL
    assert "does not describe an object" in capsys.readouterr().err


async def test_where_a_program_fails_or_is_not_there_nobody_was_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await presenter(tmp_path, 'print(\'{"action":"decline"}\'); sys.exit(3)').ask(FORM) == NOBODY
    assert "exit code 3" in capsys.readouterr().err
    assert await CommandPresenter("/nowhere/to/be-found").ask(FORM) == NOBODY
    assert "cannot be started (No such file or directory)" in capsys.readouterr().err


async def test_a_program_need_not_read_its_question(tmp_path: Path) -> None:
    question = Question("q", Mode.FORM, "s", "h", "m" * 1_000_000)
    assert await presenter(tmp_path, 'print(\'{"action":"decline"}\')').ask(question) == DECLINE


async def test_no_shell_reads_the_command() -> None:
    asking = CommandPresenter("""echo '{"action":"decline"}' ; $(exit 1) | nonsense""")
    assert await asking.ask(FORM) == CANCEL  # echo prints the rest too, and that is no JSON


def test_a_command_that_cannot_be_split_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="No closing quotation"):
        make("command:'oops")


STUBBORN = """
import signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen(["sleep", "600"])
open(sys.argv[0] + ".pids", "w").write(f"{os.getpid()} {child.pid}\\n")
time.sleep(600)
"""


async def started(tmp_path: Path) -> list[int]:
    """The ids of the stubborn program and its child, once both run."""
    file = tmp_path / "ask it.py.pids"
    await until(lambda: file.exists() and file.read_text().endswith("\n"))
    return [int(word) for word in file.read_text().split()]


async def gone(*pids: int) -> bool:
    """A signal arrives in its own time: bounded wait until all of them have ended."""
    return await asyncio.to_thread(left_after, pids) == []


async def test_a_withdrawn_question_ends_the_program_and_its_children(tmp_path: Path) -> None:
    asking = asyncio.create_task(presenter(tmp_path, STUBBORN).ask(FORM))
    pids = await started(tmp_path)
    assert os.getsid(pids[0]) == pids[0]
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(asking, WITHIN)
    assert await gone(*pids)


async def test_closing_ends_what_still_asks(tmp_path: Path) -> None:
    used = presenter(tmp_path, STUBBORN)
    asking = asyncio.create_task(used.ask(FORM))
    pids = await started(tmp_path)
    await used.close()
    assert await asking == NOBODY
    assert await gone(*pids)


async def test_a_child_that_outlives_its_program_does_not_outlive_the_question(tmp_path: Path) -> None:
    body = """
child = subprocess.Popen(["sleep", "600"], stdout=subprocess.DEVNULL)
open(sys.argv[0] + ".pids", "w").write(f"{child.pid}\\n")
print('{"action":"decline"}')
"""
    assert await presenter(tmp_path, body).ask(FORM) == DECLINE
    (pid,) = await started(tmp_path)
    assert await gone(pid)


@pytest.mark.parametrize("factory", [asyncio.new_event_loop, uvloop.new_event_loop])
@pytest.mark.filterwarnings("error")
def test_pipes_that_somebody_else_holds_open_end_with_the_loop(
    tmp_path: Path, factory: Callable[[], asyncio.AbstractEventLoop]
) -> None:
    body = """
child = subprocess.Popen(["sleep", "600"], start_new_session=True)
open(sys.argv[0] + ".pids", "w").write(f"{child.pid}\\n")
time.sleep(600)
"""

    async def story() -> int:
        used = presenter(tmp_path, body)
        asking = asyncio.create_task(used.ask(FORM))
        (pid,) = await started(tmp_path)
        asking.cancel()
        await asyncio.wait([asking])
        await used.close()
        return pid

    with asyncio.Runner(loop_factory=factory) as runner:
        holder = runner.run(story())
    gc.collect()
    os.kill(holder, signal.SIGKILL)


async def test_twenty_questions_at_once_never_mix(tmp_path: Path) -> None:
    asking = presenter(
        tmp_path, "print(json.dumps({'action': 'accept', 'content': {'name': json.load(sys.stdin)['id']}}))"
    )
    questions = [Question(f"q{n}", Mode.FORM, "s", "h", schema=SCHEMA) for n in range(20)]
    answers = await asyncio.gather(*map(asking.ask, questions))
    assert [json.loads(answer.content)["name"] for answer in answers] == [
        question.id for question in questions
    ]


async def test_thousands_of_questions_are_not_thousands_of_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "AT_ONCE", 2)
    log, go = tmp_path / "log", tmp_path / "go"
    log.touch()
    wait = f"[time.sleep(0.01) for _ in iter(lambda: os.path.exists({str(go)!r}), True)]"
    asking = presenter(
        tmp_path, f"open({str(log)!r}, 'a').write('+'); {wait}; print('{{\"action\":\"decline\"}}')"
    )
    answers = asyncio.gather(*[asking.ask(LINK) for _ in range(6)])
    await until(lambda: len(log.read_text()) >= 2)
    assert asking._turns.locked()
    go.touch()
    assert await answers == [DECLINE] * 6
    assert log.read_text() == "+" * 6


async def test_what_a_form_is_called_cannot_move_the_cursor(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    schema = json.dumps({"type": "object", "properties": {"\x1b[2Jx": {"type": "integer"}}}).encode()
    question = Question("q", Mode.FORM, "s", "h", schema=schema)
    answer = json.dumps({"action": "accept", "content": {"\x1b[2Jx": "no"}})
    assert await printing(tmp_path, answer).ask(question) == CANCEL
    said = capsys.readouterr().err
    assert "x: " in said
    assert "\x1b" not in said


def test_the_presenter_works_on_the_engines_own_kind_of_loop_and_thread(tmp_path: Path) -> None:
    answers: list[Answer] = []

    def engine() -> None:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            answers.append(runner.run(printing(tmp_path, '{"action":"decline"}').ask(FORM)))

    thread = threading.Thread(target=engine)
    thread.start()
    thread.join(WITHIN)
    assert answers == [DECLINE]
