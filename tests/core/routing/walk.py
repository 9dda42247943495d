"""Count how far a reader must walk to follow one call that asks mid-flight through the core.

The call goes from a host that cannot elicit, over a link of its own, to a legacy stdio server; the app is in
steady state (the second such call is counted). A *step* is a function of bridge/core that is entered, a
*switch* a step into another file than the step before it. Comprehensions are left out.

    python -m tests.core.routing.walk          prints the four legs and the sum
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, TypeVar

import bridge.core
from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.policy.rules import Policy
from bridge.core.ports import Caller, ServerSpec
from bridge.core.questions.question import accept
from bridge.core.routing.router import Router
from tests.core.wire_messages import FORM, Message, call, note, response

T = TypeVar("T")
CORE = str(Path(bridge.core.__file__).parent)
HIDDEN = ("<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>")
LEGS = ("host's bytes → server", "server asks → Show", "answer → server", "reply → host")


class Step(NamedTuple):
    file: str
    function: str


class Walk(NamedTuple):
    steps: list[Step]
    commands: tuple[do.Command, ...] = ()  # what the core returned

    @property
    def files(self) -> int:
        return len({step.file for step in self.steps})

    @property
    def switches(self) -> int:
        return sum(a.file != b.file for a, b in zip(self.steps, self.steps[1:], strict=False))

    def __str__(self) -> str:
        return f"{len(self.steps)} functions, {self.files} files, {self.switches} switches"


def walk(act: Callable[[], list[do.Command]]) -> Walk:
    """Record the functions of bridge/core that `act` enters."""
    steps: list[Step] = []

    def enter(frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(CORE) and code.co_name not in HIDDEN:
            steps.append(Step(code.co_filename[len(CORE) + 1 :], code.co_name))

    sys.setprofile(enter)
    try:
        commands = act()
    finally:
        sys.setprofile(None)
    return Walk(steps, tuple(commands))


class Driver:
    """A Router between one host and one server, driven by bytes."""

    def __init__(self) -> None:
        self.router = Router({}, Policy(), b"k" * 32)
        self.sent: tuple[do.Command, ...] = ()
        self.feed(ev.ClockRead(1_700_000_000.0))
        self.feed(ev.LinkOpened(1, Caller("stdio", wrap=ServerSpec("files", command="files"))))
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "Old Host"}}
        self.feed(ev.HostSent(1, call(b"1", "initialize", hello)))
        self.conn = self.last(do.Connect).conn
        introduction = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {}}
        self.feed(ev.UpstreamSent(self.conn, response(Message(self.last(do.Send).data).id, introduction)))
        self.feed(ev.HostSent(1, note("notifications/initialized")))

    def feed(self, event: ev.Event) -> Walk:
        recorded = walk(lambda: self.router.feed(event))
        self.sent = recorded.commands
        return recorded

    def last(self, kind: type[T]) -> T:
        """Return the last command of this kind that the last event led to."""
        return [one for one in self.sent if isinstance(one, kind)][-1]

    def asks(self) -> list[Walk]:
        """Return the four legs of one call that asks."""
        data = call(b"7", "tools/call", {"name": "ask", "arguments": {"about": "tea"}})
        legs = [self.feed(ev.HostSent(1, data))]
        upstream_id = Message(self.last(do.Send).data).id
        legs.append(self.feed(ev.UpstreamSent(self.conn, call(b"1", "elicitation/create", FORM))))
        legs.append(self.feed(ev.PersonAnswered(self.last(do.Show).question.id, accept({"name": "Ada"}))))
        legs.append(self.feed(ev.UpstreamSent(self.conn, response(upstream_id, {"content": []}))))
        return legs

    def calls(self) -> list[Walk]:
        """Return the two legs of one plain call."""
        legs = [self.feed(ev.HostSent(1, call(b"9", "tools/call", {"name": "add", "arguments": {"a": 1}})))]
        legs.append(
            self.feed(
                ev.UpstreamSent(self.conn, response(Message(self.last(do.Send).data).id, {"content": []}))
            )
        )
        return legs


def asking_call() -> list[Walk]:
    """Return the four legs of the second asking call: what is done once is done by then."""
    driver = Driver()
    driver.asks()
    return driver.asks()


def plain_call() -> list[Walk]:
    driver = Driver()
    driver.calls()
    return driver.calls()


def whole(legs: list[Walk]) -> Walk:
    return Walk([step for leg in legs for step in leg.steps])


def show() -> None:
    for title, legs, names in (("asking", asking_call(), LEGS), ("plain", plain_call(), LEGS[::3])):
        for name, leg in zip(names, legs, strict=True):
            print(f"{title}: {name}: {leg}")
            file = ""
            for step in leg.steps:
                print(f"  {step.file if step.file != file else '':40}{step.function}")
                file = step.file
        print(f"{title}: together: {whole(legs)}")


if __name__ == "__main__":
    show()
