"""Who hears of changes: `subscriptions/listen` before legacy servers, subscriptions before modern ones."""

from __future__ import annotations

from typing import Any

import pytest

from bridge.core.protocol.revisions import SUBSCRIPTION_KEY
from tests.core.fake_peers import LEGACY, MODERN, Host, Script, Upstream, Wire, script
from tests.core.wire_messages import Message

TELLS: dict[str, Any] = {
    "tools": {"listChanged": True},
    "prompts": {"listChanged": True},
    "resources": {"listChanged": True, "subscribe": True},
}
TOOLS, UPDATED = "notifications/tools/list_changed", "notifications/resources/updated"
EVERYTHING: dict[str, Any] = {
    "toolsListChanged": True,
    "promptsListChanged": True,
    "resourcesListChanged": True,
    "resourceSubscriptions": ["a://1", "a://2"],
}


def old(name: str = "files", **more: Any) -> Script:
    return script(name, LEGACY, **{"capabilities": TELLS, **more})


def new(name: str = "files", **more: Any) -> Script:
    return script(name, MODERN, **{"capabilities": TELLS, **more})


def listens(host: Host, request_id: bytes = b'"l"', **wanted: Any) -> bytes:
    return host.requests("subscriptions/listen", {"notifications": wanted}, request_id)


def heard(message: Message) -> tuple[str, Any, Any]:
    """Method, the rest of the params, and whose subscription it is."""
    params = dict(message.params)
    subscription = params.pop("_meta")[SUBSCRIPTION_KEY]
    assert message.about == b'"' + subscription.encode() + b'"'
    assert not message.final
    return message.method, params, subscription


def asked(server: Upstream) -> list[tuple[str, str]]:
    return [(m.method, m.params["uri"]) for m in server.calls if m.method.endswith("subscribe")]


def noted(server: Upstream, subscription: Message, method: str, **params: Any) -> None:
    server.notes(method, {**params, "_meta": {SUBSCRIPTION_KEY: int(subscription.id)}})


# A modern host before one legacy server


def test_a_listen_before_a_legacy_server_is_acknowledged_and_stays_open():
    wire = Wire(old())
    host = wire.modern_host()
    request = listens(host, **EVERYTHING)
    server = wire.upstreams["files"]
    assert heard(host.only()) == (
        "notifications/subscriptions/acknowledged",
        {"notifications": EVERYTHING},
        "l",
    )
    assert asked(server) == [("resources/subscribe", "a://1"), ("resources/subscribe", "a://2")]
    assert "subscriptions/listen" not in [message.method for message in server.heard]
    wire.passes(100_000.0)
    assert request not in host.replies
    server.notes(TOOLS)
    server.notes(UPDATED, {"uri": "a://2", "_meta": {"x": 1}})
    assert [heard(message) for message in host.heard] == [(TOOLS, {}, "l"), (UPDATED, {"uri": "a://2"}, "l")]
    assert host.last().params["_meta"]["x"] == 1


def test_only_what_was_wanted_is_heard_of():
    wire = Wire(old())
    host = wire.modern_host()
    listens(host, toolsListChanged=True, promptsListChanged=False, resourceSubscriptions=["a://1"])
    host.new()
    server = wire.upstreams["files"]
    server.notes("notifications/prompts/list_changed")
    server.notes("notifications/resources/list_changed")
    server.notes(UPDATED, {"uri": "a://other"})
    server.notes("notifications/acme", {"uri": "a://1"})
    assert host.new() == []
    server.notes(UPDATED, {"uri": 5})
    assert (host.new(), wire.records[-1].outcome) == ([], "malformed")


@pytest.mark.parametrize(
    ("capabilities", "honoured"),
    [
        ({"tools": {}}, {}),
        ({"tools": {"listChanged": True}, "resources": {}}, {"toolsListChanged": True}),
        ({"resources": {"subscribe": True}}, {"resourceSubscriptions": ["a://1", "a://2"]}),
        ({"tools": {"listChanged": "perhaps"}}, {}),
    ],
)
def test_what_a_legacy_server_does_not_tell_is_not_promised(capabilities, honoured):
    wire = Wire(old(capabilities=capabilities))
    host = wire.modern_host()
    listens(host, **EVERYTHING)
    assert host.only().params["notifications"] == honoured


@pytest.mark.parametrize("server", ["files", ""])
def test_a_listen_that_makes_no_sense_is_refused(server):
    wire = Wire(old())
    host = wire.modern_host(server=server)
    request = listens(host, toolsListChanged="yes")
    assert host.replies[request].error["code"] == -32602
    assert wire.router.subscriptions.open == {}


def test_a_resource_is_subscribed_to_once_and_as_long_as_anybody_listens():
    wire = Wire(old())
    host = wire.modern_host()
    one = listens(host, b'"one"', resourceSubscriptions=["a://1"])
    two = listens(host, b'"two"', resourceSubscriptions=["a://1"])
    server = wire.upstreams["files"]
    assert asked(server) == [("resources/subscribe", "a://1")]
    host.new()
    server.notes(UPDATED, {"uri": "a://1"})
    assert [heard(message)[2] for message in host.new()] == ["one", "two"]
    host.cancels(one)
    assert len(asked(server)) == 1
    host.cancels(two)
    assert asked(server)[-1] == ("resources/unsubscribe", "a://1")
    assert server.last().method == "resources/unsubscribe"
    server.notes(UPDATED, {"uri": "a://1"})
    assert host.new() == []
    assert wire.state.open_requests == {}


def test_a_listen_ends_with_its_server_or_its_host():
    wire = Wire(old())
    host = wire.modern_host()
    request = listens(host, **EVERYTHING)
    wire.upstreams["files"].dies()
    assert host.replies[request].error["message"] == "it crashed"
    assert wire.router.subscriptions.open == {}
    host.leaves()
    wire.passes(60.0)
    host = wire.modern_host()
    listens(host, **EVERYTHING)
    host.leaves()
    assert wire.nothing_left()


def test_a_legacy_server_hears_of_a_listen_that_a_legacy_host_sends():
    wire = Wire(old())
    host = wire.legacy_host()
    listens(host, **EVERYTHING)
    assert wire.upstreams["files"].last().method == "subscriptions/listen"


# A modern host before many servers


def many(**more: Any) -> tuple[Wire, Host]:
    def listed(uri: str) -> dict[str, Any]:
        return {"resources/list": {"resources": [{"uri": uri}]}, **more}

    wire = Wire(old("one", answers=listed("a://1")), new("two", answers=listed("a://2")))
    host = wire.modern_host(server="")
    host.requests("resources/list")
    host.new()
    return wire, host


def test_a_listen_to_many_servers_is_acknowledged_and_each_is_listened_to_in_its_own_way():
    wire, host = many()
    wanted: dict[str, Any] = {**EVERYTHING, "resourceSubscriptions": ["a://1", "a://2", "a://nobody"]}
    request = listens(host, **wanted)
    assert heard(host.only()) == (
        "notifications/subscriptions/acknowledged",
        {"notifications": EVERYTHING},
        "l",
    )
    one, two = wire.upstreams["one"], wire.upstreams["two"]
    assert asked(one)[-1] == ("resources/subscribe", "a://1")
    ours = two.last()
    assert (ours.method, ours.params["notifications"]["resourceSubscriptions"]) == (
        "subscriptions/listen",
        ["a://2"],
    )
    noted(two, ours, "notifications/subscriptions/acknowledged", notifications={})
    assert host.new() == []
    one.notes(TOOLS)
    noted(two, ours, TOOLS)
    noted(two, ours, UPDATED, uri="a://2", x=1)
    noted(two, ours, UPDATED, uri="a://1")
    one.notes(UPDATED, {"uri": "a://1"})
    assert [heard(message) for message in host.new()] == [
        (TOOLS, {}, "l"),
        (TOOLS, {}, "l"),
        (UPDATED, {"uri": "a://2", "x": 1}, "l"),
        (UPDATED, {"uri": "a://1"}, "l"),
    ]
    host.cancels(request)
    assert asked(one)[-1] == ("resources/unsubscribe", "a://1")
    assert (two.last().method, two.last().params) == (
        "notifications/cancelled",
        {"requestId": int(ours.id)},
    )
    assert wire.state.links[host.link].requests == {}
    one.notes(TOOLS)
    assert host.new() == []


def test_a_listen_to_many_survives_their_restart():
    wire, host = many()
    listens(host, **EVERYTHING)
    for name in ("one", "two"):
        wire.upstreams[name].dies()
    wire.passes(60.0)
    host.requests("resources/list")
    assert ("resources/subscribe", "a://1") in [
        (m.method, (m.params or {}).get("uri")) for m in wire.upstreams["one"].calls
    ]
    ours = [m for m in wire.upstreams["two"].calls if m.method == "subscriptions/listen"]
    assert [m.params["notifications"]["resourceSubscriptions"] for m in ours] == [["a://2"]]
    host.leaves()
    assert wire.nothing_left()


def test_a_listener_of_many_hears_of_a_server_that_was_late():
    wire = Wire(old("one", mute=True))
    host = wire.modern_host(server="")
    listens(host, toolsListChanged=True)
    listens(host, b'"other"', promptsListChanged=True)
    request = host.requests("tools/list")
    wire.passes(20.0)
    assert host.replies[request].result["tools"] == []
    host.new()
    server = wire.upstreams["one"]
    wire.plots["one"].mute = False
    server.replies(
        [m for m in server.heard if m.method == "initialize"][-1],
        {"protocolVersion": "2025-11-25", "capabilities": TELLS},
    )
    server.replies(server.calls[-1], {"tools": [{"name": "x"}]})
    assert heard(host.only()) == (TOOLS, {}, "l")


def test_a_listener_of_many_hears_when_the_settings_name_other_servers():
    wire, host = many()
    legacy = wire.legacy_host(server="")
    listens(host, toolsListChanged=True)
    host.new(), legacy.new()
    three = script("three").spec
    wire.edits({**wire.state.servers, three.name: three})
    assert heard(host.only()) == (TOOLS, {}, "l")
    assert TOOLS in [message.method for message in legacy.new()]


def test_quitting_ends_every_listen_with_a_last_word():
    wire, host = many()
    request = listens(host, **EVERYTHING)
    wire.quits()
    assert host.replies[request].result == {"resultType": "complete", "_meta": {SUBSCRIPTION_KEY: "l"}}
    assert wire.router.subscriptions.open == {}


def test_a_legacy_host_has_no_listen_where_servers_are_merged():
    wire = Wire(old("one"))
    host = wire.legacy_host(server="")
    request = listens(host, **EVERYTHING)
    assert host.replies[request].error["code"] == -32601


# A legacy host before a modern server


def test_a_legacy_host_hears_of_a_modern_servers_changes_by_one_listen_of_ours():
    wire = Wire(new())
    host = wire.legacy_host()
    server = wire.upstreams["files"]
    (first,) = server.calls
    assert first.params["notifications"] == {
        name: value for name, value in EVERYTHING.items() if name != "resourceSubscriptions"
    }
    assert first.params["_meta"]
    host.new()
    noted(server, first, "notifications/subscriptions/acknowledged", notifications={})
    noted(server, first, TOOLS)
    server.notes(
        TOOLS,
        {"_meta": {SUBSCRIPTION_KEY: int(first.id), "x": 1}},
    )
    server.notes(TOOLS, {"_meta": {SUBSCRIPTION_KEY: "another"}})
    server.notes(TOOLS, [])
    told = host.new()
    assert [message.method for message in told] == [TOOLS] * 3
    assert [message.params for message in told] == [{}, {"_meta": {"x": 1}}, []]


def test_a_legacy_host_subscribes_to_a_modern_servers_resources():
    wire = Wire(new(capabilities={"resources": {"subscribe": True}}))
    host = wire.legacy_host()
    server = wire.upstreams["files"]
    assert server.calls == []
    for uri in ("a://1", "a://1", "a://2"):
        assert host.replies[host.requests("resources/subscribe", {"uri": uri})].result == {}
    first, second = server.calls
    assert first.params["notifications"] == {"resourceSubscriptions": ["a://1"]}
    assert second.params["notifications"] == {"resourceSubscriptions": ["a://1", "a://2"]}
    assert server.last().params == {"requestId": int(first.id)}
    host.new()
    noted(server, second, UPDATED, uri="a://2")
    assert (host.last().method, host.only().params) == (UPDATED, {"uri": "a://2"})
    for uri in ("a://1", "a://2", "a://2"):
        assert host.replies[host.requests("resources/unsubscribe", {"uri": uri})].result == {}
    third = server.calls[-1]
    assert third.params["notifications"] == {"resourceSubscriptions": ["a://2"]}
    assert [m.params["requestId"] for m in server.heard if m.method == "notifications/cancelled"] == [
        int(m.id) for m in (first, second, third)
    ]


def test_subscriptions_are_restored_with_a_modern_server_that_was_restarted():
    wire = Wire(new(capabilities={"resources": {"subscribe": True}}))
    host = wire.legacy_host()
    host.requests("resources/subscribe", {"uri": "a://1"})
    wire.upstreams["files"].dies()
    wire.passes(60.0)
    host.calls()
    listen = wire.upstreams["files"].calls[0]
    assert listen.params["notifications"] == {"resourceSubscriptions": ["a://1"]}


def test_a_subscription_that_makes_no_sense_is_refused():
    wire = Wire(new())
    host = wire.legacy_host()
    request = host.requests("resources/subscribe", {"uri": 5})
    assert host.replies[request].error["code"] == -32602


def test_a_modern_host_before_a_modern_server_listens_itself():
    wire = Wire(new())
    host = wire.modern_host()
    host.calls()
    listens(host, **EVERYTHING)
    assert [m.method for m in wire.upstreams["files"].calls] == ["tools/call", "subscriptions/listen"]
