"""What a host gets of a question: choices in the form of its revision; unknown modes; the end of its time."""

from __future__ import annotations

from typing import Any

import pytest

from bridge.core.ports import ServerSpec
from tests.core.fake_peers import Script, Wire, script
from tests.core.wire_messages import ELICIT, FORM

TITLED = {"type": "string", "title": "Tea", "oneOf": [{"const": "a", "title": "Assam"}]}
OLDER = {"type": "string", "title": "Tea", "enum": ["a"], "enumNames": ["Assam"]}
ODD = {"type": "string", "oneOf": [{"const": 5}]}
BUILT_IN = Script(ServerSpec("files", builtin=True))


def form(**fields: Any) -> dict[str, Any]:
    return {"message": "?", "requestedSchema": {"type": "object", "properties": fields, "required": ["tea"]}}


@pytest.mark.parametrize(("revision", "tea"), [("2025-06-18", OLDER), ("2025-11-25", TITLED)])
def test_titled_choices_have_the_form_that_each_revision_knows(revision, tea):
    wire = Wire(script())
    host = wire.legacy_host(ELICIT, revision=revision)
    host.calls()
    wire.upstreams["files"].asks(b"9", form(tea=TITLED, name={"type": "string"}, odd=ODD))
    assert host.last().params == form(tea=tea, name={"type": "string"}, odd=ODD)


@pytest.mark.parametrize("host", ["legacy_host", "modern_host"])
@pytest.mark.parametrize("can", [None, ELICIT])
def test_an_unknown_elicitation_mode_gets_32602_and_is_shown_to_nobody(host, can):
    wire = Wire(script())
    asked = getattr(wire, host)(can)
    asked.calls()
    wire.upstreams["files"].asks(b"9", {"mode": "hologram", "message": "?"})
    assert wire.upstreams["files"].last().error["code"] == -32602
    assert wire.desk == []


@pytest.mark.parametrize(
    ("server", "meta"), [(BUILT_IN, {"_meta": {"deskbell/unanswered": "expired"}}), (script(), {})]
)
def test_a_time_out_at_a_host_that_was_asked_is_told_to_our_own_servers_as_a_time_out(server, meta):
    wire = Wire(server, has_desk=False)
    host = wire.legacy_host(ELICIT)
    host.calls()
    wire.upstreams["files"].asks(b"9", FORM)
    wire.passes(301.0)
    assert wire.upstreams["files"].last().result == {"action": "cancel", **meta}
