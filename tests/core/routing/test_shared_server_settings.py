"""What one of several hosts settles with a server they share takes nothing from the others."""

from __future__ import annotations

from typing import Any

import pytest

from bridge.core.protocol import revisions
from tests.core.fake_peers import MODERN, Host, Upstream, Wire, script

ABLE: dict[str, Any] = {"tools": {}, "logging": {}, "resources": {"subscribe": True}}
NOTE = {"uri": "note://1"}


def two_hosts(*eras_: str, server: str = "files") -> tuple[Upstream, Host, Host]:
    wire = Wire(
        script("files", *eras_, capabilities=ABLE, shared=True, answers={"tools/list": {"tools": []}})
    )
    one, other = (wire.legacy_host(server=server, name=name) for name in ("One", "Other"))
    for host in (one, other):
        host.requests("tools/list")
    files = wire.upstreams["files"]
    for peer in (one, other, files):
        peer.new()
    return files, one, other


def subscribes(files: Upstream, host: Host, method: str = "resources/subscribe") -> Any:
    request = host.requests(method, NOTE)
    for message in files.calls:
        if message.method == method:
            files.replies(message, {})
    said = [message.method for message in files.new()]
    assert host.replies[request].result == {}
    host.new()
    return said


def sets(files: Upstream, host: Host, level: str) -> list[str]:
    """What the server was told when this host set its level."""
    host.requests("logging/setLevel", {"level": level})
    told = [message for message in files.new() if message.method == "logging/setLevel"]
    for message in told:
        files.replies(message, {})
    host.new()
    return [message.params["level"] for message in told]


def test_a_resource_is_subscribed_to_until_the_last_host_wants_it_no_more():
    files, one, other = two_hosts()
    subscribes(files, one), subscribes(files, other)
    assert subscribes(files, one, "resources/unsubscribe") == []
    files.notes("notifications/resources/updated", {"uri": "note://1/part"})
    assert (len(one.new()), len(other.new())) == (0, 1)
    assert subscribes(files, other, "resources/unsubscribe") == ["resources/unsubscribe"]


def test_a_host_that_leaves_is_unsubscribed_unless_another_wants_it():
    files, one, other = two_hosts()
    subscribes(files, one), subscribes(files, other)
    one.leaves()
    assert files.new() == []
    third = files.wire.legacy_host(name="Third")
    files.new(), third.new()
    other.leaves()
    assert [(message.method, message.params) for message in files.new()] == [("resources/unsubscribe", NOTE)]
    files.notes("notifications/resources/updated", NOTE)  # it crossed: who knows whom it is for
    assert len(third.new()) == 1


def test_what_a_modern_host_listens_to_is_not_unsubscribed_by_a_legacy_one_and_the_other_way_round():
    files, one, other = two_hosts()
    modern = files.wire.modern_host(name="New")
    listen = modern.requests(
        "subscriptions/listen", {"notifications": {"resourceSubscriptions": ["note://1"]}}
    )
    subscribes(files, one)
    assert subscribes(files, one, "resources/unsubscribe") == []
    modern.new()
    files.notes("notifications/resources/updated", NOTE)
    assert (len(one.new()), len(other.new()), len(modern.new())) == (0, 0, 1)
    subscribes(files, other)
    modern.cancels(listen)
    assert files.new() == []
    other.leaves()
    assert files.only().method == "resources/unsubscribe"


def test_before_a_modern_server_the_same_holds_of_what_is_listened_to():
    files, one, other = two_hosts(MODERN)
    for host in (one, other):
        host.requests("resources/subscribe", NOTE)
    one.requests("resources/unsubscribe", NOTE)
    assert files.calls[-1].params["notifications"]["resourceSubscriptions"] == ["note://1"]
    other.leaves()
    assert files.last().method == "notifications/cancelled"


@pytest.mark.parametrize("server", ["", "files"])
def test_the_server_logs_as_loud_as_any_host_wants_and_each_hears_what_it_wants(server):
    files, one, other = two_hosts(server=server)
    assert sets(files, one, "debug") == ["debug"]
    assert sets(files, other, "error") == ["debug"]
    for level, hearers in (("info", (1, 0)), ("error", (1, 1))):
        files.notes("notifications/message", {"level": level, "data": ""})
        assert (len(one.new()), len(other.new())) == hearers
    assert sets(files, one, "warning") == ["warning"]


def test_after_a_crash_the_server_is_as_loud_as_before():
    files, one, other = two_hosts()
    sets(files, one, "info"), sets(files, other, "error")
    files.dies()
    one.calls()
    again = [
        message for message in files.wire.upstreams["files"].heard if message.method == "logging/setLevel"
    ]
    assert {message.params["level"] for message in again} == {"info"}


def test_a_modern_hosts_wish_for_few_logs_silences_nobody():
    files, one, other = two_hosts()
    sets(files, one, "info")
    modern = files.wire.modern_host(name="New")
    modern.calls(_meta={revisions.LOG_KEY: "error"})
    assert [m.params for m in files.calls if m.method == "logging/setLevel"] == [{"level": "info"}]
    other.new()


def test_what_is_logged_on_a_calls_own_stream_is_for_its_host():
    files, one, other = two_hosts()
    one.calls(), other.calls()
    files.notes("notifications/message", {"level": "info", "data": "secret"}, about=files.calls[0].id)
    assert (len(one.new()), len(other.new())) == (1, 0)


def test_a_level_that_nobody_knows_is_the_servers_to_judge():
    files, one, _ = two_hosts()
    assert sets(files, one, "whisper") == ["whisper"]
    one.requests("logging/setLevel", {"level": 5}, request_id=b"99")
    assert one.replies[b"99"].error["code"] == -32602
