"""Questions on a real terminal: a process of its own on a pty, driven by what a person would type."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pty", allow_module_level=True)

import pty
import termios

CHILD = Path(__file__).with_name("terminal_child.py")
ROOT = CHILD.parents[2]
LIMIT = 30.0
SEND = "Send? [y]es / [e]dit / [d]ecline / [c]ancel: "


class Terminal:
    """Both ends of one asking process: its screen and keyboard, and what it reports."""

    def __init__(
        self, *questions: dict[str, Any], env: dict[str, str] | None = None, tty: bool = True
    ) -> None:
        self.master, self.slave = pty.openpty()
        name = os.ttyname(self.slave) if tty else ""
        told = [{"mode": "form", **each} for each in questions]
        self.process = subprocess.Popen(
            [sys.executable, str(CHILD), name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), **(env or {})},
        )
        self.seen = ""
        self._read_to = 0
        self.tell(json.dumps(told))

    def sees(self, *words: str) -> str:
        """Wait until each of these is on the screen, in this order; what was there before counts no more."""
        for each in words:
            end = time.monotonic() + LIMIT
            while each not in self.seen[self._read_to :]:
                if not select.select([self.master], [], [], max(0, end - time.monotonic()))[0]:
                    raise AssertionError(f"{each!r} did not appear in:\n{self.seen}")
                self.seen += os.read(self.master, 65536).decode(errors="replace").replace("\r\n", "\n")
            self._read_to = self.seen.index(each, self._read_to) + len(each)
        return self.seen

    def types(self, text: str) -> None:
        os.write(self.master, text.encode())

    def reports(self) -> Any:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        return json.loads(line) if line.startswith("[") else line.strip()

    def tell(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()
        os.close(self.master)
        os.close(self.slave)


@pytest.fixture
def ask() -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def begin(*questions: dict[str, Any], **more: Any) -> Terminal:
        opened.append(Terminal(*questions, **more))
        return opened[-1]

    yield begin
    for terminal in opened:
        terminal.close()


def form(properties: dict[str, Any], *required: str, **more: Any) -> dict[str, Any]:
    return {"schema": json.dumps({"type": "object", "properties": properties, "required": required}), **more}


def test_a_form_is_asked_field_by_field_reviewed_and_sent(ask: Callable[..., Terminal]) -> None:
    fields = {
        "name": {"type": "string", "title": "Your name", "description": "As on\nthe card"},
        "age": {"type": "integer", "minimum": 18},
        "colour": {"enum": ["r", "g"], "enumNames": ["Red", "Green"], "default": "g"},
        "days": {"type": "array", "items": {"enum": ["mon", "tue", "wed"]}},
        "news": {"type": "boolean"},
        "more": {"type": "object"},
    }
    terminal = ask(form(fields, "name", message="Who are you?", tool="create_issue"))
    terminal.sees("── Question from github ──", "through Claude, for its tool create_issue", "│ Who are you?")
    terminal.sees("Your name *\n", "│ As on\n", "│ the card", "> ")
    terminal.types("\n")
    terminal.sees("! Please fill this in.", "> ")
    terminal.types(" Ann Ü\n")
    terminal.sees("age\n", "a whole number > ")
    terminal.types("17\n")
    terminal.sees("! Please enter 18 or more.", "> ")
    terminal.types("18\n")
    terminal.sees("colour\n", "1) Red\n", "2) Green\n", "[Green] (Enter keeps it, - clears it) > ")
    terminal.types("\n")
    terminal.sees("days\n", "3) wed\n", "numbers from the list, such as 1, 3 > ")
    terminal.types("3, 1\n")
    terminal.sees("news\n", "y or n > ")
    terminal.types("\n")
    terminal.sees("more\n", "JSON on one line > ")
    terminal.types('{"a": 1.50}\n')
    terminal.sees(
        "Your answer:",
        "1. Your name: Ann Ü",
        "3. colour: Green",
        "4. days: wed, mon",
        "5. news: (left out)",
        SEND,
    )
    terminal.types("y\n")
    content = '{"name":" Ann Ü","age":18,"colour":"g","days":["wed","mon"],"more":{"a":1.50}}'
    assert terminal.reports() == [0, "accept", content, False]


def test_a_list_is_entered_as_json_and_rules_on_the_whole_answer_are_told(
    ask: Callable[..., Terminal],
) -> None:
    tags = {"type": "array", "items": {"type": "string"}, "default": ["a"]}
    root = {"type": "object", "properties": {"tags": tags, "nick": {"type": "string"}}, "minProperties": 2}
    terminal = ask({"schema": json.dumps(root), "first": True})
    terminal.sees("First time this server asks you.")
    terminal.sees("tags\n", '[["a"]] (Enter keeps it, - clears it) > ')
    terminal.types('["b", 7]\n')
    terminal.sees("! Item 2: This must be text.", "> ")
    terminal.types('["b", "c"]\n')
    terminal.sees("nick\n", "> ")
    terminal.types("\n")
    terminal.sees("Send?")
    terminal.types("y\n")
    terminal.sees("minProperties", "Send?")
    terminal.types("e\n")
    terminal.sees("Which?")
    terminal.types("2\n")
    terminal.sees("nick\n", "> ")
    terminal.types("Ann\n")
    terminal.sees("Send?")
    terminal.types("y\n")
    assert json.loads(terminal.reports()[2]) == {"tags": ["b", "c"], "nick": "Ann"}


def test_anything_can_be_changed_before_it_is_sent(ask: Callable[..., Terminal]) -> None:
    terminal = ask(
        form({"a": {"type": "string", "default": "one"}, "b": {"type": "string", "default": "two"}})
    )
    terminal.sees("[one]", "> ")
    terminal.types("\n")
    terminal.sees("[two]", "> ")
    terminal.types("-\n")
    terminal.sees("1. a: one", "2. b: (left out)", SEND)
    terminal.types("e\n")
    terminal.sees("Which? 1-2, or Enter for all: ")
    terminal.types("2\n")
    terminal.sees("b\n", "> ")
    terminal.types("-\n")
    terminal.sees("2. b: -", SEND)
    terminal.types("edit\n")
    terminal.sees("Which?")
    terminal.types("\n")
    terminal.sees("[one]", "> ")
    terminal.types("uno\n")
    terminal.sees("[-]", "> ")
    terminal.types("\n")
    terminal.sees(SEND)
    terminal.types("what?\n")
    terminal.sees(SEND)
    terminal.types("Yes\n")
    assert terminal.reports() == [0, "accept", '{"a":"uno","b":"-"}', False]


@pytest.mark.parametrize(
    ("typed", "action"),
    [("d\n", "decline"), ("c\n", "cancel"), ("\x04", "cancel"), ("\x03", "cancel"), ("y\x03", "cancel")],
)
def test_declining_and_cancelling_are_not_the_same(
    ask: Callable[..., Terminal], typed: str, action: str
) -> None:
    terminal = ask(form({}, message="Just so?"))
    terminal.sees("Send? [y]es / [d]ecline / [c]ancel: ")
    terminal.types(typed)
    assert terminal.reports() == [0, action, "", False]


def test_a_form_can_be_declined_or_cancelled_at_any_field(ask: Callable[..., Terminal]) -> None:
    question = form({"a": {"type": "string"}}, "a")
    terminal = ask(question, question, question)
    terminal.sees("> ")
    terminal.types(":decline\n")
    assert terminal.reports()[:2] == [0, "decline"]
    terminal.sees("── Question from", "> ")
    terminal.types("half\x03")
    terminal.sees("(cancelled)")
    assert terminal.reports()[:2] == [1, "cancel"]
    terminal.sees("── Question from", "> ")
    terminal.types("\x04")
    assert terminal.reports()[:2] == [2, "cancel"]


def test_a_secret_is_warned_about_not_shown_and_asked_about_twice(ask: Callable[..., Terminal]) -> None:
    terminal = ask(form({"password": {"type": "string"}}))
    terminal.sees("! This looks like a password", "> ")
    terminal.types("hunter22\n")
    terminal.sees("1. password: •••", SEND)
    terminal.types("y\n")
    terminal.sees("Really? [y]es / [n]o: ")
    terminal.types("n\n")
    terminal.sees(SEND)
    terminal.types("y\n")
    terminal.sees("Really? ")
    terminal.types("y\n")
    assert terminal.reports() == [0, "accept", '{"password":"hunter22"}', False]
    assert "hunter22" not in terminal.seen


def test_a_withdrawn_question_leaves_at_once_and_the_next_one_comes(ask: Callable[..., Terminal]) -> None:
    question = form({"a": {"type": "string"}}, message="first")
    terminal = ask(question, {**question, "message": "second"})
    terminal.sees("│ first", "> ")
    terminal.types("half an ans")
    terminal.sees("half an ans")
    terminal.tell("0")
    assert terminal.reports() == [0, "withdrawn"]
    terminal.sees("(withdrawn)", "│ second", "> ")
    terminal.types("whole\n")
    terminal.sees(SEND)
    terminal.types("y\n")
    assert terminal.reports() == [1, "accept", '{"a":"whole"}', False]


def test_a_question_that_is_answered_in_an_app_says_where(ask: Callable[..., Terminal]) -> None:
    terminal = ask(form({"a": {"type": "string"}}, message="first"))
    terminal.sees("│ first", "> ")
    terminal.tell("0 open\x1b[31mcode")
    assert terminal.reports() == [0, "withdrawn"]
    terminal.sees("(Answered in opencode.)")


def test_a_question_that_waits_its_turn_can_be_withdrawn_unseen(ask: Callable[..., Terminal]) -> None:
    terminal = ask(form({}, message="first"), form({}, message="second"))
    terminal.sees("│ first", ": ")
    terminal.tell("1")
    terminal.types("y\n")
    assert terminal.reports()[:2] == [0, "accept"]
    assert terminal.reports() == [1, "withdrawn"]
    assert "second" not in terminal.seen


def test_a_line_that_the_terminal_would_cut_is_not_taken(ask: Callable[..., Terminal]) -> None:
    terminal = ask(form({"a": {"type": "string"}}))
    terminal.sees("> ")
    terminal.types("x" * 6_000 + "\n")
    terminal.sees("! A terminal cuts lines this long.", "> ")
    terminal.types("x" * 1_000 + "\n")
    terminal.sees(SEND)
    terminal.types("y\n")
    assert terminal.reports() == [0, "accept", json.dumps({"a": "x" * 1_000}).replace(" ", ""), False]


def test_the_loop_runs_on_while_the_person_thinks(ask: Callable[..., Terminal]) -> None:
    terminal = ask(form({}))
    terminal.sees("Send?")
    terminal.tell("ping")
    assert terminal.reports() == "pong"


def test_what_was_typed_ahead_answers_nothing(ask: Callable[..., Terminal]) -> None:
    terminal = ask(form({}, message="first"), form({}, message="second"))
    terminal.sees("│ first", "Send?")
    terminal.types("y\ny\ny\n")
    terminal.sees("│ second", "Send?")
    assert terminal.reports()[:2] == [0, "accept"]
    terminal.types("d\n")
    assert terminal.reports()[:2] == [1, "decline"]


def test_the_terminal_is_left_as_it_was(ask: Callable[..., Terminal]) -> None:
    terminal = ask(form({"password": {"type": "string"}}))
    terminal.sees("> ")
    asking = termios.tcgetattr(terminal.slave)
    assert not asking[3] & termios.ECHO
    terminal.types("\x03")
    assert terminal.reports()[:2] == [0, "cancel"]
    after = termios.tcgetattr(terminal.slave)
    assert after[3] & termios.ECHO
    assert (after[6][termios.VINTR], after[6][termios.VEOL]) == (b"\x03", b"\x00")


def test_a_servers_words_cannot_play_tricks_on_the_terminal(ask: Callable[..., Terminal]) -> None:
    nasty = "\x1b[2J\x1b]0;title\x07\x1b[31mred\x1b[0m \x9b1mC1 \u202ertl\x08\x07\r\nSend? [y]es"
    terminal = ask(
        form({"a": {"type": "string", "title": nasty, "description": nasty}}, message=nasty, host=nasty)
    )
    terminal.sees("> ")
    for trick in ("\x1b", "\x9b", "\x07", "\x08", "\u202e", "title"):
        assert trick not in terminal.seen
    assert "  │ red C1 rtl\n  │ Send? [y]es" in terminal.seen


def test_ten_thousand_options_are_searched_not_listed(ask: Callable[..., Terminal]) -> None:
    terminal = ask(form({"it": {"enum": [f"option {n}" for n in range(10_000)]}}))
    terminal.sees("30) option 29\n", "… and 9970 more. Type part of a title to search.", "> ")
    terminal.types("nothing like it\n")
    terminal.sees("! Please enter a number from 1 to 10000.", "> ")
    terminal.types("OPTION 9876\n")
    terminal.sees("9877) option 9876", "> ")
    terminal.types("9877\n")
    terminal.sees("1. it: option 9876", SEND)
    terminal.types("y\n")
    assert terminal.reports() == [0, "accept", '{"it":"option 9876"}', False]


def test_a_form_that_cannot_be_shown_is_cancelled_with_a_reason(ask: Callable[..., Terminal]) -> None:
    terminal = ask({"schema": '{"type":"array"}'}, {"mode": "roots"})
    terminal.sees("It cannot be answered here. The form does not describe an object.")
    assert terminal.reports()[:2] == [0, "cancel"]
    terminal.sees("This kind of question cannot be answered on a terminal.")
    assert terminal.reports()[:2] == [1, "cancel"]


# Links


@pytest.fixture
def opener(tmp_path: Path) -> dict[str, str]:
    """An environment whose browser writes down what it is given."""
    program = tmp_path / ("open" if sys.platform == "darwin" else "xdg-open")
    program.write_text(f'#!/bin/sh\nprintf "%s" "$*" > "{tmp_path}/opened"\n')
    program.chmod(0o755)
    return {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}


def test_a_link_is_shown_whole_and_opened_only_after_consent(
    ask: Callable[..., Terminal], opener: dict[str, str], tmp_path: Path
) -> None:
    url = "https://bücher.example/sign?in=$(touch%20x)&then=1"
    terminal = ask({"mode": "url", "url": url, "message": "Sign in"}, env=opener)
    terminal.sees(
        "│ Sign in",
        f"  {url}\n",
        "which leads to xn--bcher-kva.example",
        "Open in browser? [y]es / [d]ecline / [c]ancel: ",
    )
    assert not (tmp_path / "opened").exists()
    terminal.types("y\n")
    assert terminal.reports() == [0, "accept", "", False]
    assert (tmp_path / "opened").read_text() == url


@pytest.mark.parametrize(("typed", "action"), [("d\n", "decline"), ("c\n", "cancel"), ("\x04", "cancel")])
def test_a_link_that_is_not_wanted_is_not_opened(
    ask: Callable[..., Terminal], opener: dict[str, str], tmp_path: Path, typed: str, action: str
) -> None:
    terminal = ask({"mode": "url", "url": "https://example.org"}, env=opener)
    terminal.sees("Open in browser?")
    terminal.types(typed)
    assert terminal.reports() == [0, action, "", False]
    assert not (tmp_path / "opened").exists()


def test_a_link_that_must_not_be_opened_is_refused(ask: Callable[..., Terminal]) -> None:
    terminal = ask({"mode": "url", "url": "file:///etc/passwd"})
    terminal.sees("file:///etc/passwd", "Deskbell does not open it. Only web pages are opened.")
    assert terminal.reports() == [0, "cancel", "", False]


@pytest.mark.parametrize(("typed", "action"), [("y\n", "accept"), ("c\n", "cancel")])
def test_without_a_browser_the_person_may_open_the_link(
    ask: Callable[..., Terminal], opener: dict[str, str], tmp_path: Path, typed: str, action: str
) -> None:
    (tmp_path / "xdg-open").write_text("#!/bin/sh\nexit 3\n")
    terminal = ask({"mode": "url", "url": "https://example.org"}, env=opener)
    terminal.sees("Open in browser?")
    terminal.types("y\n")
    terminal.sees("Please copy the link and open it yourself.", "Will you? [y]es / [d]ecline / [c]ancel: ")
    terminal.types(typed)
    assert terminal.reports()[:2] == [0, action]


# Approvals


@pytest.mark.parametrize(
    ("typed", "report"),
    [
        ("y\n", ["accept", "", False]),
        ("always\n", ["accept", "", True]),
        ("n\n", ["decline", "", False]),
        ("\x03", ["cancel", "", False]),
    ],
)
def test_a_call_is_allowed_once_always_or_not(
    ask: Callable[..., Terminal], typed: str, report: list[Any]
) -> None:
    terminal = ask(
        {"mode": "confirm", "tool": "delete", "message": "Delete it?", "arguments": '{"path":"\\u001b[2J/x"}'}
    )
    terminal.sees(
        "for its tool delete",
        "It would be called with:",
        '│   "path": "',
        '/x"',
        "Allow? [y]es / [a]lways / [n]o: ",
    )
    terminal.types(typed)
    assert terminal.reports() == [0, *report]


@pytest.mark.parametrize(
    ("typed", "report"),
    [("y\n", ["accept", "", False]), ("a\n", ["accept", "", True]), ("no\n", ["decline", "", False])],
)
def test_a_request_to_a_model_is_sent_once_always_or_not(
    ask: Callable[..., Terminal], typed: str, report: list[Any]
) -> None:
    terminal = ask({"mode": "sampling", "message": "To the model local.\n\nUser:\nHello"})
    terminal.sees("To the model local.", "Hello", "Send it to the model? [y]es / [a]lways / [n]o: ")
    terminal.types(typed)
    assert terminal.reports() == [0, *report]


@pytest.mark.parametrize(
    ("tool", "hints", "risk"),
    [
        ("save", ["destructive"], "This can delete or overwrite things, and may not be undone."),
        ("delete_files", [], "This can delete or overwrite things, and may not be undone."),
        ("save", ["readOnly", "idempotent"], "Read only: it changes nothing, says github."),
        ("save", ["!readOnly", "!destructive"], "It makes changes, says github."),
    ],
)
def test_what_a_tool_may_do_is_said_in_words(
    ask: Callable[..., Terminal], tool: str, hints: list[str], risk: str
) -> None:
    terminal = ask(
        {"mode": "confirm", "server": "github", "tool": tool, "message": "May it?", "hints": hints}
    )
    terminal.sees(risk, "Allow? [y]es / [a]lways / [n]o: ")
    terminal.types("n\n")
    assert terminal.reports() == [0, "decline", "", False]


# No terminal


def test_without_a_terminal_the_question_is_cancelled_with_a_word(ask: Callable[..., Terminal]) -> None:
    terminal = ask(form({}), tty=False)
    assert terminal.reports() == [0, "cancel", "", False]
    assert terminal.process.stderr is not None
    assert "There is no terminal to ask on" in terminal.process.stderr.readline()


def test_a_terminal_that_goes_away_cancels(ask: Callable[..., Terminal]) -> None:
    terminal = ask(form({}))
    terminal.sees("Send?")
    os.close(terminal.slave)
    os.close(terminal.master)
    terminal.master, terminal.slave = pty.openpty()
    assert terminal.reports() == [0, "cancel", "", False]
