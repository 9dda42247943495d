"""Laws that hold whatever happens: answers never mix, and those who left leave nothing behind."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.core.questions.question import accept
from tests.core.fake_peers import LEGACY, MODERN, Host, Upstream, Wire, script
from tests.core.routing.random_world import World
from tests.core.wire_messages import ELICIT, ELICIT_ALL, FORM, Message, wants

HOSTS, CALLS = 20, 50
EXAMPLES = settings().max_examples  # more in make live


class Crowd:
    """Many calls at once, each of which asks who is there; each possible step waits for its turn."""

    def __init__(self, seed: int) -> None:
        self.dice = Random(seed)
        self.wire = Wire(script("old", LEGACY), script("new", MODERN))
        self.wire.watching = False
        self.todo: list[Callable[[], None]] = []
        self.upstreams: list[Upstream] = []
        self.hosts = [self._host(number) for number in range(HOSTS)]
        self.names: dict[tuple[int, bytes], str] = {}
        self.told: dict[str, Any] = {}
        self.asked: set[str] = set()

    def _host(self, number: int) -> Host:
        server = ("old", "new")[number % 2]
        can: dict[str, Any] = ({}, ELICIT, ELICIT_ALL)[number % 3]
        opens = self.wire.legacy_host if number % 4 < 2 else self.wire.modern_host
        host = opens(can, server, name=f"host {number}")
        if not host.meta:
            self.upstreams.append(self.wire.upstreams[server])
        return host

    def run(self) -> None:
        for number, host in enumerate(self.hosts):
            for turn in range(CALLS):
                name = f"{number}/{turn}"
                self.names[host.link, host.calls(arguments={"me": name})] = name
        self.upstreams = list(self.wire.conns.values())
        self._look()
        while self.todo:
            place = self.dice.randrange(len(self.todo))
            self.todo[place], self.todo[-1] = self.todo[-1], self.todo[place]
            self.todo.pop()()
            self._look()

    def _look(self) -> None:
        """What can be done, now that something was said?"""
        for upstream in self.upstreams:
            self.todo += [
                self._serve(upstream, message) for message in upstream.new() if self._matters(message)
            ]
        for host in self.hosts:
            self.todo += [self._obey(host, message) for message in host.new()]
        for question in self.wire.shown.values():
            if question.id not in self.asked:
                self.asked.add(question.id)
                answer = accept({"name": question.message})
                self.todo.append(partial(self.wire.person, answer, question))

    @staticmethod
    def _matters(message: Message) -> bool:
        return message.method == "tools/call" or not message.method

    def _serve(self, upstream: Upstream, message: Message) -> Callable[[], None]:
        """A legacy server asks under an id that names the call; a modern one returns, and is retried."""
        if not message.method:
            call, _, name = message.json["id"].partition(" ")
            answer = message.result["content"]["name"]
            return lambda: upstream.says(reply(call.encode(), name, answer))
        me = message.params["arguments"]["me"]
        if "inputResponses" in message.params:
            assert message.params["requestState"] == me
            answer = message.params["inputResponses"]["who"]["content"]["name"]
            return lambda: upstream.says(reply(message.id, me, answer))
        if upstream.plot.spec.name == "new":
            return lambda: upstream.replies(message, wants(me, who={**FORM, "message": me}))
        question = b'"' + message.id + b" " + me.encode() + b'"'
        return lambda: upstream.asks(question, {**FORM, "message": me})

    def _obey(self, host: Host, message: Message) -> Callable[[], None]:
        """A host answers what it is asked, and returns what it was handed back."""
        if message.method == "elicitation/create":
            return lambda: host.answers(message, answer_to(message.params))
        assert message.final
        name = self.names.pop((host.link, message.about), "")
        if not name:  # an introduction
            return lambda: None
        if message.result.get("resultType") != "input_required":
            self.told[name] = message.result["you"]
            return lambda: None
        answers = {key: answer_to(one["params"]) for key, one in message.result["inputRequests"].items()}
        return lambda: self._return(host, message, name, answers)

    def _return(self, host: Host, message: Message, name: str, answers: dict[str, Any]) -> None:
        state = message.result["requestState"]
        again = host.calls(arguments={"me": name}, requestState=state, inputResponses=answers)
        self.names[host.link, again] = name


def answer_to(params: dict[str, Any]) -> dict[str, Any]:
    return {"action": "accept", "content": {"name": params["message"]}}


def reply(request: bytes, name: str, answer: str) -> bytes:
    return b'{"jsonrpc":"2.0","id":%b,"result":{"you":["%b","%b"]}}' % (
        request,
        name.encode(),
        answer.encode(),
    )


@pytest.mark.no_cover
@pytest.mark.parametrize("seed", [1, 2])
def test_a_thousand_questions_of_twenty_hosts_never_mix(seed):
    crowd = Crowd(seed)
    crowd.run()
    assert crowd.told == {
        f"{number}/{turn}": [f"{number}/{turn}"] * 2 for number in range(HOSTS) for turn in range(CALLS)
    }
    assert (crowd.names, crowd.wire.state.open_requests, crowd.wire.desk) == ({}, {}, [])
    for host in crowd.hosts:
        host.leaves()
    assert crowd.wire.nothing_left()


@given(st.lists(st.integers(0, 2**40), max_size=40))
def test_whatever_happens_nothing_is_answered_twice_forgotten_or_left_behind(history: list[int]):
    world = World()
    for number in history:
        world.step(number)
    world.ends()


@pytest.mark.no_cover
@pytest.mark.parametrize("seed", range(EXAMPLES // 6))
def test_even_a_long_history_leaves_nothing_behind(seed):
    dice, world = Random(seed), World(has_desk=seed % 3 > 0)
    for _ in range(400):
        world.step(dice.randrange(2**40))
    world.ends()


def test_quitting_at_any_moment_leaves_nothing_behind():
    for seed in range(15):
        dice, world = Random(seed), World()
        for _ in range(30):
            world.step(dice.randrange(2**40))
        world.wire.quits()
        assert world.wire.conns == {}
        assert world.wire.state.open_requests == {}
        world.ends()
