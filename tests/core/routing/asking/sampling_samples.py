"""Messages and settings that the tests of sampling share."""

from __future__ import annotations

from typing import Any

from bridge.core.questions.question import Action, Answer
from bridge.core.sampling.model_choice import ModelSpec
from bridge.core.sampling.rules import SamplingRules
from tests.core.fake_peers import Host, Script, Upstream, Wire, script
from tests.core.sampling.requests import (
    REQUIRED,
    SCHEMA_TOOL,
    WEATHER,
    made,
    text,
)
from tests.core.wire_messages import strict

METHOD = "sampling/createMessage"
HELLO = strict(made())
TOOLS = strict(made(tools=[WEATHER]))
SCHEMA = strict(made(tools=[SCHEMA_TOOL], **REQUIRED))
MODEL = ModelSpec("local", "openai", "http://127.0.0.1:1/v1", "qwen3")
FAR = ModelSpec(
    "far", "openai", "https://models.example/v1", "big", price_in=1, price_out=10, tools=False, limit=50
)
ANSWER = {"role": "assistant", "content": text("Hi."), "model": "qwen3", "stopReason": "endTurn"}
YES, ALWAYS = Answer(Action.ACCEPT), Answer(Action.ACCEPT, always=True)
DONE = {"content": [text("done")]}
WITH_MODEL = SamplingRules((MODEL,))
ALLOWED = SamplingRules((MODEL,), allow=("files",))


def wired(rules: SamplingRules = WITH_MODEL, plot: Script | None = None) -> Wire:
    plot = plot or script()
    wire = Wire(plot)
    wire.edits({plot.spec.name: plot.spec}, sampling=rules)
    return wire


def files(wire: Wire) -> Upstream:
    return wire.upstreams["files"]


def asking(rules: SamplingRules = WITH_MODEL, params: Any = HELLO, can: Any = None) -> tuple[Wire, Host]:
    """A legacy server that asks for a model in the middle of a call."""
    wire = wired(rules)
    host = wire.legacy_host(can, name="Claude")
    host.calls("summarise")
    files(wire).asks(b"9", params, METHOD)
    return wire, host
