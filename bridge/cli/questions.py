"""`deskbell questions` and `deskbell answer`: see what waits for an answer, and answer it from a terminal.

The question stays in the windows of the running Deskbell meanwhile; the first answer counts and closes it
everywhere. An approval, and any other yes that has consequences, is given by hand only: a script (or an agent
with a shell) is refused.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from bridge.cli.output import table
from bridge.core.questions.question import Action, Answer, Mode, Question
from bridge.errors import NetworkError, NotFoundError, UsageError, checked_reply
from bridge.presenters.question_json import by_hand_only, encode_question, is_given_by_hand
from bridge.presenters.tty import one_line
from bridge.settings import Home
from bridge.tools import arguments as typed_arguments
from bridge.tools.arguments import InvalidArguments
from bridge.transports import control_client

_MESSAGE = 80  # characters of a message in the table; --json has all
_NOT_RUNNING = NetworkError("Deskbell is not running", "Questions wait only while it runs.")


def questions_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--watch", action="store_true", help="keep running, and print each question when it arrives"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line, as presenters get it")
    parser.set_defaults(run=questions)


def answer_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "id", metavar="ID", nargs="?", default="", help="from `deskbell questions` (default: the oldest)"
    )
    parser.add_argument(
        "words",
        metavar="key=value",
        nargs="*",
        default=[],
        help="a field; without any, you are asked for each",
    )
    parser.add_argument("--json", metavar="JSON", help="all fields as one JSON object; -: from stdin")
    kind = parser.add_mutually_exclusive_group()
    for action, text in (
        (Action.ACCEPT, "accept as it is: a form with its defaults, a link that you have opened"),
        (Action.DECLINE, "decline"),
        (Action.CANCEL, "cancel"),
    ):
        kind.add_argument(f"--{action}", dest="action", action="store_const", const=action, help=text)
    parser.set_defaults(run=answer)


# --- questions -------------------------------------------------------------------------------------------


def questions(arguments: argparse.Namespace, home: Home) -> int:
    if arguments.watch:
        shown: dict[str, Question] = {}
        _watch(home, lambda waiting: _print_changes(shown, waiting, as_json=arguments.json))
        raise NetworkError("Deskbell has ended", "Its questions were cancelled.")
    waiting = _waiting(home)
    if arguments.json:
        for question in waiting:
            _print(encode_question(question).decode())
    elif waiting:
        head = ("ID", "SERVER", "HOST", "KIND", "TIME LEFT", "MESSAGE")
        table(head, [_row(question) for question in waiting])
    else:
        print("No question is waiting.", file=sys.stderr)
    return 0


def _row(question: Question) -> Sequence[str]:
    message = one_line(str(question.message) or question.url or question.tool)
    short = message if len(message) <= _MESSAGE else f"{message[: _MESSAGE - 1]}…"
    left = max(0, int(question.deadline - time.time()))
    clock = f"{left // 60}:{left % 60:02}" if question.deadline else ""
    return question.id, question.server, question.host, question.mode, clock, short


def _print_changes(shown: dict[str, Question], waiting: Sequence[Question], *, as_json: bool) -> None:
    """Print questions that are new, and the ids of those that are closed."""
    for question in waiting:
        if question.id not in shown:
            _print(encode_question(question).decode() if as_json else f"{_sentence(question)}\n")
    for question_id in shown.keys() - {question.id for question in waiting}:
        closed = msgspec.json.encode({"id": question_id, "closed": True}).decode()
        _print(f"{closed}\n" if as_json else f"{question_id}  closed\n")
    shown.clear()
    shown.update({question.id: question for question in waiting})


def _sentence(question: Question) -> str:
    question_id, server, host, mode, _, message = _row(question)
    through = f" through {host}" if host else ""
    return one_line(f"{question_id}  {server}{through} ({mode}): {message}")


def _print(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


# --- answer ----------------------------------------------------------------------------------------------


def answer(arguments: argparse.Namespace, home: Home) -> int:
    question = _find(_waiting(home), arguments.id)
    scripted = arguments.action or arguments.words or arguments.json is not None
    if scripted:
        reply = _scripted_reply(arguments, question)
        always = False
    else:
        given = asyncio.run(_ask_on_terminal(home, question))
        reply = {"action": given.action}
        reply |= {"content": msgspec.Raw(given.content)} if given.content else {}
        always = given.always
    sent = control_client.ask_running(home, "answer", id=question.id, answer=reply, always=always)
    if sent is None:
        raise _NOT_RUNNING
    checked_reply(sent)
    print(f"{question.id}: {_DONE[Action(reply['action'])]}", file=sys.stderr)
    return 0


_DONE = {Action.ACCEPT: "sent.", Action.DECLINE: "declined.", Action.CANCEL: "cancelled."}


def _find(waiting: Sequence[Question], wanted: str) -> Question:
    if "=" in wanted:
        raise UsageError(f"{wanted!r} is not the ID of a question", "Write the ID of the question first.")
    found = [question for question in waiting if wanted in ("", question.id)]
    if not found:
        raise NotFoundError(f"No question {wanted} is waiting" if wanted else "No question is waiting")
    return found[0]


def _scripted_reply(arguments: argparse.Namespace, question: Question) -> dict[str, Any]:
    action = arguments.action or Action.ACCEPT
    if is_given_by_hand(question) and action is Action.ACCEPT:
        raise by_hand_only(question)
    if not arguments.words and arguments.json is None:
        return {"action": action}
    if action is not Action.ACCEPT or question.mode is not Mode.FORM:
        raise UsageError("Fields can be given only for a form, and only to accept it")
    if arguments.words and arguments.json is not None:
        raise UsageError("Give the fields as key=value or by --json, not both")
    text = sys.stdin.read() if arguments.json == "-" else arguments.json
    content = text.encode() if text is not None else _from_words(arguments.words, question)
    try:
        return {"action": action, "content": msgspec.json.decode(content)}
    except (msgspec.DecodeError, RecursionError) as error:
        raise UsageError("The fields are not JSON", str(error)) from error


def _from_words(words: Sequence[str], question: Question) -> bytes:
    pairs = [word.partition("=") for word in words]
    for name, equals, _ in pairs:
        if not equals or not name:
            raise UsageError(f"{name!r} is not a field", "Write key=value, or --json '{…}'.")
    try:
        schema = msgspec.json.decode(question.schema or b"{}")
        return typed_arguments.from_words("the form", schema, [(name, value) for name, _, value in pairs])
    except InvalidArguments as error:
        raise UsageError(str(error)) from error


async def _ask_on_terminal(home: Home, question: Question) -> Answer:
    """Show the dialog until it is answered. Raises NotFoundError if the question closes first."""
    if not sys.stdin.isatty():
        raise UsageError(
            "There is no terminal to ask on", f"Write the answer: deskbell answer {question.id} key=value…"
        )
    from bridge.presenters.terminal import TerminalPresenter

    loop = asyncio.get_running_loop()
    dialog = asyncio.ensure_future(TerminalPresenter().ask(question))
    closed = asyncio.Event()

    def look(waiting: Sequence[Question]) -> None:
        if question.id not in {one.id for one in waiting}:
            loop.call_soon_threadsafe(closed.set)

    threading.Thread(target=_watch, args=(home, look), daemon=True).start()
    closing = asyncio.ensure_future(closed.wait())
    await asyncio.wait((dialog, closing), return_when=asyncio.FIRST_COMPLETED)
    closing.cancel()
    if not dialog.done():
        dialog.cancel()
        await asyncio.wait((dialog,))
        raise NotFoundError(f"{question.id} has been answered elsewhere, or taken back")
    return dialog.result()


# --- the running Deskbell --------------------------------------------------------------------------------


def _waiting(home: Home) -> tuple[Question, ...]:
    reply = control_client.ask_running(home, "questions")
    if reply is None:
        raise _NOT_RUNNING
    return _read(reply)


def _watch(home: Home, on_change: Callable[[Sequence[Question]], None]) -> None:
    """Pass the waiting questions to `on_change`, now and after each change, until Deskbell ends."""
    running = control_client.stream_from_running(home, "questions", lambda reply: on_change(_read(reply)))
    if not running:
        raise _NOT_RUNNING


def _read(reply: dict[str, Any]) -> tuple[Question, ...]:
    return msgspec.convert(reply["waiting"], tuple[Question, ...])
