"""The law of held calls: whatever the order of cancel, time-out, answer, retry, restart and crash, no tool
runs twice for one wish of a model, and each wish gets one reply as soon as the person has answered."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.core import events as ev
from bridge.core.policy.host_patience import HostPatience
from bridge.core.policy.rules import Policy, Verdict
from bridge.core.ports import HeldCall
from bridge.core.questions.question import accept
from bridge.core.routing.held.held_entry import arguments_digest, in_order
from tests.core.fake_peers import LEGACY, MODERN, Host, Upstream, Wire, script
from tests.core.wire_messages import ELICIT, FORM, Message, wants

CLOCK = "McpError: MCP error -32001: Request timed out"
NAME = "kimi-code"  # gives up after 60 seconds, whatever it is told
POLICY = Policy((("*_risky", Verdict.CONFIRM),))
TICKET = re.compile(r"wait-\w+")
WAITS, GAVE_UP, OVER = "waits", "gave up", "over"
EXAMPLES = settings().max_examples  # more in make live
HANDED = "handed"  # it got questions to ask, and may come back


class Wish:
    """What a model wants done once: its calls, until one brings an end."""

    def __init__(self, number: int, tool: str) -> None:
        self.arguments = {"n": number}
        self.tool = tool
        self.state = WAITS
        self.told = False  # to go on waiting; what only the host's clock ended may be lost in a crash
        self.request = b""
        self.ticket = ""
        self.first = b""  # the request that its questions came back for

    @property
    def digested(self) -> bytes:
        return in_order(msgspec.json.encode(self.arguments))


class Law:
    """`shows`: the host is modern and asks the questions itself, if it comes back with them."""

    def __init__(self, era: str, shows: bool = False) -> None:
        self.era = era
        self.shows = shows
        self.wishes: list[Wish] = []
        self.runs: Counter[int] = Counter()
        self.ran_at: dict[int, Upstream] = {}  # wish → the process that ran its tool
        self.replies: Counter[int] = Counter()
        self.asked: set[bytes] = set()
        self.servers: list[Upstream] = []
        self.settings = script("files", era).spec
        self.open(())

    def open(self, saved: tuple[HeldCall, ...]) -> None:
        """Deskbell starts, and the host connects."""
        plot = replace(script("files", self.era), spec=self.settings)
        self.wire = Wire(plot, policy=POLICY, limit=3000.0, patience=HostPatience())
        self.wire.slow_disk = True
        self.wire.feed(ev.HeldCallsRestored(saved))
        self.wire.saved.append(saved)
        self.calls: dict[bytes, tuple[Upstream, Message]] = {}  # id of a call → where it waits for a reply
        self.asked = set()
        self.servers = []
        self.connect()

    def connect(self) -> None:
        opens = self.wire.modern_host if self.shows or self.era == MODERN else self.wire.legacy_host
        self.host: Host = opens(ELICIT if self.shows else None, name=NAME)

    def step(self, number: int) -> None:
        def pick(things: Any) -> Any:
            nonlocal number
            number, place = divmod(number, len(things))
            return things[place]

        acts: list[Callable[[Callable[[Any], Any]], None]] = [
            *[self._begin, self._retry, self._serve, self._person] * 3,
            *[self._pass, self._clock, self._write] * 2,
            self._return,
            self._repeat,
            self._stop,
            self._delete,
            self._leave,
            self._edit,
            self._restart,
            self._die,
            self._quit,
            self._crash,
            self._edit_meanwhile,
        ]
        pick(acts)(pick)
        self.look()

    # --- the host ------------------------------------------------------------------------------------

    def _begin(self, pick: Callable[[Any], Any]) -> None:
        wish = Wish(len(self.wishes), pick(["x", "x", "risky"]))
        self.wishes.append(wish)
        self._call(wish)

    def _call(self, wish: Wish, by_ticket: bool = False) -> None:
        wish.state, wish.told = WAITS, False
        if by_ticket and wish.ticket:
            wish.request = self.host.calls("desk_wait", arguments={"ticket": wish.ticket})
        else:
            wish.request = self.host.calls(wish.tool, arguments=wish.arguments)

    def _return(self, pick: Callable[[Any], Any]) -> None:
        """The host comes back with the answers to what it was handed; or it failed, and the model calls again
        some time later."""
        if self.of(HANDED):
            wish = pick(self.of(HANDED))
            asked = self.host.replies[wish.first].result["inputRequests"]
            self.wire.passes(pick([1.0, 5.0, 30.0]))
            self.look()
            if pick([True, False]):
                answer = {"action": "accept", "content": {"name": "Bob"}}
                state = self.host.replies[wish.first].result.get("requestState")
                params = {"arguments": wish.arguments, "inputResponses": dict.fromkeys(asked, answer)}
                params |= {"requestState": state} if state else {}
                wish.state, wish.request = WAITS, self.host.calls(wish.tool, **params)
            else:
                self.wire.passes(5.0)
                self._call(wish)

    def of(self, state: str) -> list[Wish]:
        return [wish for wish in self.wishes if wish.state == state]

    def _retry(self, pick: Callable[[Any], Any]) -> None:
        if self.of(GAVE_UP):
            self._call(pick(self.of(GAVE_UP)), pick([True, False]))

    def _clock(self, pick: Callable[[Any], Any]) -> None:
        """The host's clock runs out, and it says so."""
        if waiting := self.of(WAITS):
            wish = pick(waiting)
            was_asked = self._person_was_asked(wish)
            self.host.cancels(wish.request, CLOCK)
            wish.state = GAVE_UP if was_asked else OVER  # a call that asks nobody is cancelled, as ever

    def _person_was_asked(self, wish: Wish) -> bool:
        request = self.wire.state.links[self.host.link].requests[wish.request]
        return bool(getattr(request, "shown", None) or getattr(request, "thought", 0.0))

    def _repeat(self, pick: Callable[[Any], Any]) -> None:
        """The host has given up without a word, and the model calls again."""
        self.wire.passes(5.0)
        self.look()
        shown = [wish for wish in self.of(WAITS) if self._is_shown(wish)]
        if shown:
            self._call(pick(shown), pick([True, False]))

    def _is_shown(self, wish: Wish) -> bool:
        request = self.wire.state.links[self.host.link].requests[wish.request]
        waited = self.wire.state.now - getattr(request, "waits_since", 0.0)
        return bool(getattr(request, "shown", None)) and waited >= 5.0

    def _stop(self, pick: Callable[[Any], Any]) -> None:
        """The user of the host presses stop."""
        if waiting := self.of(WAITS):
            wish = pick(waiting)
            self.host.cancels(wish.request, "AbortError: This operation was aborted")
            wish.state = OVER

    def _leave(self, pick: Callable[[Any], Any]) -> None:
        """The host ends, with what it waits for, and starts again."""
        self.host.leaves()
        for wish in self.of(WAITS) + self.of(HANDED):
            wish.state = OVER
        self.connect()

    # --- the server and the person -------------------------------------------------------------------

    def _serve(self, pick: Callable[[Any], Any]) -> None:
        """A call asks, or is replied to."""
        if self.calls:
            call_id = pick(sorted(self.calls))
            upstream, message = self.calls[call_id]
            answered = "inputResponses" in message.params
            if call_id in self.asked or answered or pick([True, False, False]):
                if call_id not in self.asked or answered or self._is_answered(upstream, call_id):
                    del self.calls[call_id]
                    upstream.replies(message, {"content": [], "n": message.params["arguments"]["n"]})
            else:
                self.asked.add(call_id)
                if self.era == LEGACY:
                    upstream.asks(b'"e%b"' % call_id, FORM, about=call_id)
                else:
                    del self.calls[call_id]
                    upstream.replies(message, wants(who=FORM))

    def _edit(self, pick: Callable[[Any], Any]) -> None:
        """The person changes how the server is started; calls under way go on with the old process."""
        self.settings = replace(self.settings, args=(pick(["-a", "-b", "-c"]),))
        self.wire.edits({"files": self.settings})

    def _restart(self, pick: Callable[[Any], Any]) -> None:
        self.wire.feed(ev.RestartWanted("files", pick([False, False, True])))

    def _die(self, pick: Callable[[Any], Any]) -> None:
        if self.wire.conns:
            self.wire.conns[pick(sorted(self.wire.conns))].dies()

    def _is_answered(self, upstream: Upstream, call_id: bytes) -> bool:
        return any(one.json.get("id") == f"e{call_id.decode()}" for one in upstream.heard if not one.method)

    def _person(self, pick: Callable[[Any], Any]) -> None:
        if self.wire.desk:
            self.wire.person(accept({"name": "Ada"}), pick(self.wire.desk))

    def _delete(self, pick: Callable[[Any], Any]) -> None:
        """The person deletes a held call; the model does not try again."""
        tickets = {wish.ticket: wish for wish in self.of(GAVE_UP) if wish.ticket}
        if tickets:
            ticket = pick(sorted(tickets))
            self.wire.feed(ev.HeldCallDeleted(ticket))
            tickets[ticket].state = OVER

    def _write(self, pick: Callable[[Any], Any]) -> None:
        self.wire.written()

    def _write_all(self) -> None:
        while self.wire.unwritten:
            self.wire.written()
        self.look()

    def _pass(self, pick: Callable[[Any], Any]) -> None:
        self.wire.passes(pick([1.0, 20.0, 54.0, 130.0, 3001.0]))

    # --- Deskbell ends -------------------------------------------------------------------------------

    def _quit(self, pick: Callable[[Any], Any]) -> None:
        self.wire.quits()
        self._write_all()
        self._start()

    def _crash(self, pick: Callable[[Any], Any]) -> None:
        """At any time; often just when hosts are told to go on waiting."""
        if pick([True, False]):
            self.wire.passes(54.0)
            for _ in range(pick([0, 1, 2, 9])):
                self.wire.written()
            self.look()
        self._start()

    def _edit_meanwhile(self, pick: Callable[[Any], Any]) -> None:
        """The person changes how the server is started while Deskbell is not running."""
        self.settings = replace(self.settings, args=(pick(["-a", "-b", "-c"]),))
        self._crash(pick)

    def _start(self) -> None:
        """Start again with what was saved. A call that was never let go is lost with its connection."""
        saved = self.wire.saved[-1]
        for wish in self.of(WAITS) + self.of(HANDED) + [one for one in self.of(GAVE_UP) if not one.told]:
            kept = any(one.arguments == arguments_digest(one.ticket, wish.digested) for one in saved)
            wish.state = GAVE_UP if kept else OVER
        self.open(saved)

    # --- what came of it -----------------------------------------------------------------------------

    def look(self) -> None:
        for upstream in self.wire.conns.values():
            if upstream not in self.servers:
                self.servers.append(upstream)
        for upstream in self.servers:
            for message in [one for one in upstream.heard if one.method == "tools/call"]:
                upstream.heard.remove(message)
                self.calls[message.id] = (upstream, message)
                if "inputResponses" not in message.params:
                    self.runs[message.params["arguments"]["n"]] += 1
                    self.ran_at[message.params["arguments"]["n"]] = upstream
        for wish in self.of(WAITS):
            reply = self.host.replies.get(wish.request)
            if reply is not None:
                self._hear(wish, reply)
        for wish in self.of(HANDED):  # a call whose questions its host has ends with its server
            if not self.ran_at[wish.arguments["n"]].open:
                wish.state = OVER
        self.calls = {key: one for key, one in self.calls.items() if one[0].open and self._is_live(*one)}
        assert not [number for number, times in self.runs.items() if times > 1], "a tool ran twice"
        assert not [number for number, times in self.replies.items() if times > 1], "two replies"

    def _is_live(self, upstream: Upstream, message: Message) -> bool:
        conn = self.wire.state.conns.get(upstream.conn)
        return conn is not None and message.id in conn.pending

    def _hear(self, wish: Wish, reply: Message) -> None:
        if reply.json.get("result", {}).get("resultType") == "input_required":
            wish.state, wish.first = HANDED, wish.request
            return
        content = reply.json.get("result", {}).get("content") or [{}]
        said = content[0].get("text", "")
        if said.startswith("Not finished yet"):
            wish.state, wish.told = GAVE_UP, True
            wish.ticket = TICKET.findall(said)[0] if TICKET.search(said) else wish.ticket
            return
        wish.state = OVER
        self.replies[wish.arguments["n"]] += 1
        told = reply.json.get("result", {}).get("n", wish.arguments["n"])
        assert told == wish.arguments["n"], "the reply to another call"

    def end(self) -> None:
        """Everybody is patient from now on: each wish that is not over gets its reply."""
        for _ in range(len(self.wishes) * 6 + 6):
            self._write_all()
            if not self.of(WAITS) and not self.of(GAVE_UP) and not self.of(HANDED):
                break
            for wish in self.of(GAVE_UP):
                self._call(wish)
            for wish in self.of(HANDED):
                self.wire.passes(5.0)
                self._call(wish)
            self.look()
            for question in self.wire.desk:
                self.wire.person(accept({"name": "Ada"}), question)
            self.look()
            for call_id in list(self.calls):
                upstream, message = self.calls.pop(call_id)
                upstream.replies(message, {"content": [], "n": message.params["arguments"]["n"]})
            self.look()
        assert [wish.arguments for wish in self.wishes if wish.state != OVER] == []


@pytest.mark.parametrize("shows", [False, True])
@pytest.mark.parametrize("era", [LEGACY, MODERN])
@given(history=st.lists(st.integers(0, 2**30), max_size=60))
def test_no_tool_runs_twice_and_each_wish_gets_one_reply(era: str, shows: bool, history: list[int]):
    law = Law(era, shows)
    for number in history:
        law.step(number)
    law.end()


@pytest.mark.no_cover
@pytest.mark.parametrize("shows", [False, True])
@pytest.mark.parametrize("era", [LEGACY, MODERN])
@pytest.mark.parametrize("seed", range(EXAMPLES // 8))
def test_so_it_is_in_a_long_history(era, shows, seed):
    dice, law = Random(seed), Law(era, shows)
    for _ in range(400):
        law.step(dice.randrange(2**30))
    law.end()
