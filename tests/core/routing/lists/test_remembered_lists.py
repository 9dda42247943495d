"""The list of the last run is served at once while servers start, and corrected when it is wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bridge.core import events as ev
from bridge.core.exchange.replies import DESK_CAN
from bridge.core.policy.rules import HostRule, Policy
from bridge.core.ports import ServerSpec
from bridge.core.protocol.capabilities import with_sampling
from bridge.core.protocol.handshake import ANONYMOUS_HOST, Handshake
from bridge.core.protocol.revisions import Era
from bridge.core.questions.question import Mode
from bridge.core.routing.lists.merged_lists import PATIENCE
from bridge.core.routing.server_memory import memory_key
from tests.core.fake_peers import Host, Script, Wire, script
from tests.core.wire_messages import raw, response

CHANGED = "notifications/tools/list_changed"
OLD = ANONYMOUS_HOST._replace(capabilities=b"{}")
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}}


def remembering(*names: str, plots: tuple[Script, ...] = (), tools: Any = None) -> tuple[Wire, Host]:
    """Servers that are slow to start, all of which had one tool when last heard."""
    wire = Wire(*(script(name, mute=True) for name in names), *plots)
    for name in names:
        remember(wire, name, raw(tools or [{"name": "save"}]))
    host = wire.legacy_host(server="")
    host.new()
    return wire, host


def remember(wire: Wire, name: str, tools: bytes) -> None:
    """A server sent these tools to hosts of either era that declared nothing."""
    for presence in (OLD, OLD._replace(era=Era.MODERN)):
        told = with_sampling(presence.capabilities, DESK_CAN | {Mode.SAMPLING}, frozenset())
        dial = Handshake(presence._replace(capabilities=told))
        key = memory_key(wire.plots[name].spec.identity, "", dial, presence)
        wire.state.memory.put(key, "tools/list", tools)


def starts(wire: Wire, name: str, tools: Any, capabilities: Any = None) -> None:
    """The server introduces itself and lists its tools."""
    upstream = wire.upstreams[name]
    hello = {**HELLO, "supportedVersions": ["2026-07-28"], "capabilities": capabilities or {"tools": {}}}
    wire.feed(ev.UpstreamSent(upstream.conn, response(upstream.heard[0].id, hello)))
    for asked in upstream.calls:
        upstream.replies(asked, tools)


def served(host: Host, request: bytes) -> list[str]:
    return [tool["name"] for tool in host.replies[request].result["tools"]]


def test_twenty_servers_are_listed_before_one_of_them_has_started():
    names = [f"s{number}" for number in range(20)]
    wire, host = remembering(*names)
    assert served(host, host.requests("tools/list")) == [f"{name}_save" for name in names]
    assert len(wire.conns) == 20


def test_a_list_that_was_right_needs_no_correction():
    wire, host = remembering("files")
    host.requests("tools/list")
    host.new()
    starts(wire, "files", {"tools": [{"name": "save"}]})
    assert (host.new(), wire.router.lists.waiting) == ([], set())
    assert wire.router.lists.incomplete == set()


def test_a_list_that_was_wrong_is_corrected_and_remembered():
    wire, host = remembering("files")
    host.requests("tools/list")
    host.new()
    starts(wire, "files", {"tools": [{"name": "save"}, {"name": "load"}]})
    assert host.only().method == CHANGED
    (memory,) = wire.memories
    assert (memory.server, memory.method) == ("files", "tools/list")
    assert json.loads(memory.items) == [{"name": "save"}, {"name": "load"}]


def test_a_server_that_has_no_tools_any_more_is_corrected_too():
    wire, host = remembering("files")
    host.requests("tools/list")
    host.new()
    starts(wire, "files", {}, {"prompts": {}})
    assert host.only().method == CHANGED
    assert [memory.items for memory in wire.memories] == [b"[]"]


def test_a_server_that_does_not_start_changes_nothing():
    wire, host = remembering("files")
    host.requests("tools/list")
    host.new()
    wire.upstreams["files"].dies()
    assert (host.new(), wire.memories) == ([], [])


def test_a_server_that_answers_with_an_error_changes_nothing():
    wire, host = remembering("files")
    host.requests("tools/list")
    host.new()
    files = wire.upstreams["files"]
    hello = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}}
    files.says(response(files.heard[0].id, hello))
    files.fails(files.calls[-1], {"code": 1, "message": "not now"})
    assert (host.new(), wire.memories) == ([], [])


def test_those_that_are_remembered_wait_for_those_that_are_not():
    plot = script("mail")
    wire, host = remembering("files", plots=(plot,))
    request = host.requests("tools/list")
    assert request not in host.replies
    mail = wire.upstreams["mail"]
    mail.replies(mail.calls[-1], {"tools": [{"name": "send"}]})
    assert served(host, request) == ["files_save", "mail_send"]


def test_half_a_list_is_not_better_than_a_whole_one_of_the_last_run():
    wire, host = remembering("files", plots=(script("mail"),), tools=[{"name": "a"}, {"name": "b"}])
    request = host.requests("tools/list")
    starts(wire, "files", {"tools": [{"name": "a"}], "nextCursor": "on"})
    mail, files = wire.upstreams["mail"], wire.upstreams["files"]
    mail.replies(mail.calls[-1], {"tools": []})
    assert served(host, request) == ["files_a", "files_b"]
    host.new()
    files.replies(files.calls[-1], {"tools": [{"name": "b"}]})
    assert host.new() == []


def test_a_remembered_tool_can_be_called_at_once_and_reaches_its_server():
    wire, host = remembering("files", tools=[{"name": "with space"}])
    (public,) = served(host, host.requests("tools/list"))
    call = host.calls(public)
    starts(wire, "files", {"ok": 1})
    assert wire.upstreams["files"].calls[-1].params["name"] == "with space"
    assert host.replies[call].result == {"ok": 1}


def subscribed(host: Host) -> bytes:
    request = host.requests("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
    assert host.new()[-1].method == "notifications/subscriptions/acknowledged"
    return request


@pytest.mark.parametrize("tenant", ["", "app"])
def test_a_modern_host_is_served_at_once_too_asks_again_and_hears_of_the_change(tenant):
    wire, _ = remembering("files")
    host = wire.modern_host(server="", tenant=tenant)
    listener = wire.modern_host(server="", tenant=tenant) if tenant else host
    subscription = subscribed(listener)
    result = host.replies[host.requests("tools/list")].result
    assert [tool["name"] for tool in result["tools"]] == ["files_save"]
    assert (result["ttlMs"], result["cacheScope"]) == (0, "private")
    if tenant:
        host.leaves()  # its POST is over
    listener.new()
    starts(wire, "files", {"tools": [{"name": "load"}]})
    (told,) = listener.new()
    assert told.method == CHANGED
    assert told.params["_meta"]["io.modelcontextprotocol/subscriptionId"] == int(subscription)


def test_a_modern_host_that_listens_only_later_is_told_then():
    wire, _ = remembering("files")
    host = wire.modern_host(server="")
    host.requests("tools/list")
    starts(wire, "files", {"tools": [{"name": "load"}]})
    host.new()
    host.requests("subscriptions/listen", {"notifications": {"promptsListChanged": True}})
    assert [message.method for message in host.new()] == ["notifications/subscriptions/acknowledged"]
    host.requests("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
    assert [message.method for message in host.new()] == ["notifications/subscriptions/acknowledged", CHANGED]
    host.requests("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
    assert [message.method for message in host.new()] == ["notifications/subscriptions/acknowledged"]


def test_one_list_of_a_kind_is_enough_to_find_out_what_changed():
    wire, _ = remembering("files")
    for _ in range(3):
        post = wire.modern_host(server="", tenant="app")
        post.requests("tools/list")
        post.leaves()
    (conn,) = wire.state.conns.values()
    assert len(conn.backlog) == 1
    starts(wire, "files", {"tools": [{"name": "save"}]})
    assert wire.router.lists.incomplete == set()


def test_what_makes_no_sense_is_not_served():
    wire, host = remembering("files")
    remember(wire, "files", b'[{"name":5}]')
    request = host.requests("tools/list")
    assert request not in host.replies
    starts(wire, "files", {"tools": [{"name": "save"}]})
    assert served(host, request) == ["files_save"]


def test_an_edited_server_is_not_remembered():
    wire, host = remembering("files")
    wire.edits({})
    wire.edits({"files": wire.plots["files"].spec})
    assert host.requests("tools/list") not in host.replies


# Instructions


def introduces(wire: Wire, name: str, **more: Any) -> None:
    upstream = wire.upstreams[name]
    upstream.says(response(upstream.heard[0].id, {**HELLO, **more}))


def told(host: Host) -> Any:
    """With which instructions this legacy host was greeted."""
    return host.replies[b"1"].result.get("instructions")


def test_what_servers_said_for_all_their_tools_greets_the_next_host():
    wire, host = remembering("files", "mail", "mute")
    assert told(host) is None
    host.requests("tools/list")
    introduces(wire, "mail", instructions=" Be brief.\n")
    introduces(wire, "files", instructions="Ask first.")
    introduces(wire, "mute")
    merged = "# files\nAsk first.\n\n# mail\nBe brief."
    assert told(wire.legacy_host(server="")) == merged
    modern = wire.modern_host(server="")
    assert modern.replies[modern.requests("server/discover")].result["instructions"] == merged
    assert {(one.server, one.method, one.items) for one in wire.memories} == {
        ("mail", "instructions", b'["Be brief."]'),
        ("files", "instructions", b'["Ask first."]'),
    }


def test_a_host_is_told_only_of_the_servers_it_may_use():
    wire, _ = remembering("files", "mail")
    wire.state.remembered["files", "instructions"] = b'["Ask first."]'
    wire.state.remembered["mail", "instructions"] = b"[5]"
    assert told(wire.legacy_host(server="")) == "# files\nAsk first."
    wire.edits(wire.state.servers, Policy(hosts={"*": HostRule(servers=("mail",))}))
    assert told(wire.legacy_host(server="")) is None


def test_instructions_have_a_limit_and_may_make_no_sense():
    wire, host = remembering("files", "mail")
    host.requests("tools/list")
    introduces(wire, "files", instructions="x" * 5000)
    introduces(wire, "mail", instructions=5)
    assert told(wire.legacy_host(server="")) == "# files\n" + "x" * 4000 + "…"


def test_a_wrapped_server_is_no_other_by_the_same_name():
    wire, _ = remembering("files")
    host = wire.legacy_host(wrap=ServerSpec("files", command="other"))
    introduces(wire, "files", instructions="Mine.")
    assert told(host) == "Mine."
    assert wire.memories == []


def test_what_is_built_in_is_known_to_the_next_host_and_made_anew_at_the_next_start():
    offered = {"tools": [{"name": "ask"}]}
    desk = Script(ServerSpec("desk", builtin=True), answers={"tools/list": lambda _: offered})
    wire, first = remembering("files", plots=(desk,))
    assert served(first, first.requests("tools/list")) == ["files_save", "desk_ask"]
    assert wire.memories == []
    desk.mute = True
    second = wire.legacy_host(server="")
    assert served(second, second.requests("tools/list")) == ["files_save", "desk_ask"]


def test_a_server_that_was_waited_for_in_vain_is_not_waited_for_again_until_it_is_there():
    wire = Wire(
        script("mute", mute=True), script("files", answers={"tools/list": {"tools": [{"name": "save"}]}})
    )
    first = wire.legacy_host(server="")
    request = first.requests("tools/list")
    wire.passes(PATIENCE)
    assert served(first, request) == ["files_save"]
    second = wire.legacy_host(server="")
    assert served(second, second.requests("tools/list")) == ["files_save"]
    second.new()
    starts(wire, "mute", {"tools": [{"name": "speak"}]})
    assert [message.method for message in second.new()] == [CHANGED]
    third = wire.legacy_host(server="")
    assert served(third, third.requests("tools/list")) == ["mute_speak", "files_save"]


def test_one_that_is_restarted_gets_the_time_it_had_before():
    wire = Wire(script("mute", mute=True))
    host = wire.legacy_host(server="")
    host.requests("tools/list")
    wire.passes(PATIENCE)
    wire.feed(ev.RestartWanted("mute"))
    assert host.requests("tools/list") not in host.replies
