"""Tasks at a server that hosts share: each host has its own, and cannot tell another's from none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bridge.core.questions.question import accept
from bridge.core.routing import task_owners
from bridge.core.routing.lists import pages
from bridge.core.routing.router import IDLE_TENANT
from bridge.core.routing.state import Tenant
from bridge.core.routing.task_owners import TaskOwners
from tests.core.fake_peers import LEGACY, MODERN, Host, Upstream, Wire, script
from tests.core.protocol.task_samples import CAN, LASTING, begun, looks, related, task
from tests.core.protocol.test_task_questions import ASKED
from tests.core.wire_messages import ELICIT, FORM

SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"


def two_hosts(server: str, *eras: str, can: Any = None) -> tuple[Upstream, Host, Host]:
    """Two hosts before one shared server, of the same era as they are; the first has begun task 7."""
    wire = Wire(script("files", *eras, capabilities=CAN, shared=True))
    if MODERN in eras:
        able = {**LASTING, **(can or {})}
        one, other = (wire.modern_host(able, server=server, name=name) for name in ("One", "Other"))
        other.calls("files_x" if server == "" else "x")
    else:
        one, other = (wire.legacy_host(can, server=server, name=name) for name in ("One", "Other"))
        other.requests("tools/list")
    begun(wire, one, "files", "7")
    files = wire.upstreams["files"]
    for message in files.calls:
        if message.method == "tools/list" or message.params.get("name") == "x":
            files.replies(message, {"tools": []})
    for peer in (one, other, files):
        peer.new()
    return files, one, other


def public(server: str, own: str) -> str:
    return f"files:{own}" if server == "" else own


ERAS = pytest.mark.parametrize("era", [LEGACY, MODERN])
SERVERS = pytest.mark.parametrize("server", ["", "files"])


# What a host asks for


@SERVERS
@pytest.mark.parametrize(
    ("era", "method"),
    [
        (LEGACY, "tasks/get"),
        (LEGACY, "tasks/result"),
        (LEGACY, "tasks/cancel"),
        (MODERN, "tasks/get"),
        (MODERN, "tasks/update"),
        (MODERN, "tasks/cancel"),
    ],
)
def test_anothers_task_is_refused_just_as_one_that_nobody_made(server, era, method):
    files, one, other = two_hosts(server, era)
    told = [
        other.replies[other.requests(method, {"taskId": public(server, own)})].error for own in ("7", "8")
    ]
    assert told[0] == {**told[1], "message": told[1]["message"].replace("8", "7")}
    assert told[0]["code"] == -32602
    assert files.new() == []
    assert looks(files.wire, one, public(server, "7"), task("7"))["status"] == "working"


@pytest.mark.parametrize(
    "params",
    [
        {"taskId": "7", "TaskId": "8"},
        {"taskId": "7", "task_id": "8"},
        b'{"taskId":"8","taskId":"7"}',
        {"taskId": "7", **related("8")},
    ],
)
def test_what_could_be_read_as_anothers_task_is_refused(params):
    files, one, _ = two_hosts("files")
    request = one.requests("tasks/get", params)
    assert one.replies[request].error["code"] == -32602
    assert files.new() == []


def test_any_other_request_passes_and_may_belong_to_a_task_of_the_host():
    files, one, other = two_hosts("files")
    one.calls("x", **related("7"))
    other.calls("x")
    other.requests("vendor/list", b"[1]")
    assert [message.method for message in files.new()] == ["tools/call", "tools/call", "vendor/list"]
    refused = other.calls("x", **related("7"))
    assert other.replies[refused].error["message"] == "There is no task called 7."


def test_a_name_that_is_used_again_is_the_last_ones():
    files, one, other = two_hosts("files")
    begun(files.wire, other, "files", "7")
    request = one.requests("tasks/get", {"taskId": "7"})
    assert "no task called 7" in one.replies[request].error["message"]
    assert looks(files.wire, other, "7", task("7")) == task("7")


def test_a_server_that_starts_anew_may_still_have_the_task():
    files, one, other = two_hosts("files")
    files.dies()
    assert looks(files.wire, one, "7", task("7")) == task("7")
    request = other.requests("tasks/get", {"taskId": "7"})
    assert "no task called 7" in other.replies[request].error["message"]


# Lists


def test_each_host_lists_its_own_of_many_servers():
    files, one, other = two_hosts("")
    begun(files.wire, other, "files", "8")
    listed = {}
    for host in (one, other):
        request = host.requests("tasks/list")
        files.replies(files.calls[-1], {"tasks": [task("7"), task("8"), task("9")]})
        listed[host] = host.replies[request].result
    assert listed == {one: {"tasks": [task("files:7")]}, other: {"tasks": [task("files:8")]}}


def test_before_one_server_the_pages_are_one_list_without_cursors():
    files, one, other = two_hosts("files")
    begun(files.wire, one, "files", "9")
    requests = one.requests("tasks/list", {"_meta": {"v": 1}}), other.requests("tasks/list")
    first, second = files.calls[-2:]
    files.replies(first, {"tasks": [task("7"), task("8")], "nextCursor": "after 8", "_meta": {"k": 1}})
    page = files.calls[-1]
    assert page.params == {"_meta": {"v": 1}, "cursor": "after 8"}
    files.replies(page, {"tasks": [task("9", ttl=1)], "_meta": {"k": 2}})
    files.replies(second, {"tasks": [task("7"), task("8")]})
    assert one.replies[requests[0]].result == {"tasks": [task("7"), task("9", ttl=1)], "_meta": {"k": 2}}
    assert other.replies[requests[1]].result == {"tasks": []}


def test_a_list_that_fails_says_how():
    files, one, _ = two_hosts("files")
    request = one.requests("tasks/list")
    files.replies(files.calls[-1], {"tasks": [task("7")], "nextCursor": "on"})
    files.fails(files.calls[-1], {"code": -32602, "message": "Invalid cursor"})
    assert one.replies[request].error["message"] == "Invalid cursor"


def test_an_endless_list_ends(monkeypatch):
    monkeypatch.setattr(pages, "MAX_PAGES", 3)
    files, one, _ = two_hosts("files")
    request = one.requests("tasks/list")
    for _ in range(3):
        files.replies(files.calls[-1], {"tasks": [task("7")], "nextCursor": "on"})
    assert one.replies[request].result == {"tasks": [task("7")]}
    assert files.wire.records[-1].outcome == "endless"


# Notes


@SERVERS
def test_a_legacy_servers_notes_about_a_task_go_to_the_host_that_began_it(server):
    files, one, other = two_hosts(server)
    files.notes("notifications/tasks/status", task("7", "completed"))
    files.notes("notifications/message", {"level": "info", "data": "taskId", **related("7")})
    files.notes("notifications/tasks/status", task("8", "completed"))
    assert [message.method for message in one.new()] == [
        "notifications/tasks/status",
        "notifications/message",
    ]
    assert other.new() == []
    files.notes("notifications/message", {"level": "info", "data": {"taskId": 7}})
    assert one.only().data == other.only().data


def test_of_many_servers_a_host_hears_only_of_its_own_modern_tasks():
    files, one, other = two_hosts("", MODERN)
    for host, heard in ((one, ["files:7"]), (other, [])):
        host.requests("subscriptions/listen", {"notifications": {"taskIds": ["files:7", "files:8"]}})
        assert host.only().params["notifications"].get("taskIds", []) == heard
    ear = files.calls[-1]
    assert ear.params["notifications"] == {"taskIds": ["7"]}
    files.notes("notifications/tasks", {**task("7", "completed"), "_meta": {SUBSCRIPTION: int(ear.id)}})
    assert one.only().params["taskId"] == "files:7"
    assert other.new() == []


def test_who_listens_for_a_name_that_became_anothers_hears_nothing():
    files, one, other = two_hosts("", MODERN)
    one.requests("subscriptions/listen", {"notifications": {"taskIds": ["files:7"]}})
    ear = files.calls[-1]
    begun(files.wire, other, "files", "7")
    one.new(), other.new()
    files.notes("notifications/tasks", {**task("7", "completed"), "_meta": {SUBSCRIPTION: int(ear.id)}})
    assert one.new() == other.new() == []


def test_before_one_modern_server_a_host_listens_only_for_its_own():
    files, one, other = two_hosts("files", MODERN)
    asked: Any = {"notifications": {"taskIds": ["7", "8"], "toolsListChanged": True}}
    for host, heard in ((one, ["7"]), (other, [])):
        host.requests("subscriptions/listen", asked)
        assert files.calls[-1].params["notifications"] == {**asked["notifications"], "taskIds": heard}
    for listens in files.calls:
        told = {**task("7", "working"), "_meta": {SUBSCRIPTION: int(listens.id)}}
        files.notes("notifications/tasks", told)
    assert one.only().params["taskId"] == "7"
    assert other.new() == []
    other.requests("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
    assert "taskIds" not in files.calls[-1].params["notifications"]


@pytest.mark.parametrize(
    "params",
    [{"notifications": {"taskIds": ["7"], "taskids": ["8"]}}, {"notifications": {}, "Notifications": {}}],
)
def test_what_could_be_read_as_listening_for_anothers_is_refused(params):
    _, one, _ = two_hosts("files", MODERN)
    request = one.requests("subscriptions/listen", params)
    assert one.replies[request].error["code"] == -32602


def test_a_modern_servers_note_about_a_task_is_not_told_with_anothers_call():
    files, one, other = two_hosts("files", MODERN)
    other.calls("x")
    files.notes("notifications/message", {"level": "info", "data": "", **related("7")})
    assert one.new() == other.new() == []
    files.notes("notifications/message", {"level": "info", "data": ""})
    assert other.only().method == "notifications/message"


# Questions


def test_what_a_task_asks_is_asked_of_the_host_that_began_it():
    files, one, other = two_hosts("files", can=ELICIT)
    other.calls()
    files.asks(b"9", {**FORM, **related("7")})
    assert other.asked == []
    one.answers(one.asked[0], {"action": "accept", "content": {"name": "Ada"}})
    assert files.last().result["content"] == {"name": "Ada"}


def test_what_a_task_of_nobody_asks_is_asked_on_the_desk():
    files, one, other = two_hosts("files", can=ELICIT)
    other.calls()
    files.asks(b"9", {**FORM, **related("8")})
    assert one.asked == other.asked == []
    assert files.wire.question().host == "One or Other"


def test_what_a_task_may_have_asked_is_asked_on_the_desk_and_after_its_end_of_the_host_that_calls():
    files, one, other = two_hosts("files", can=ELICIT)
    other.calls()
    files.asks(b"9", FORM)
    assert one.asked == other.asked == []
    files.wire.person(accept({"name": "Ada"}))
    looks(files.wire, one, "7", {"content": []}, "tasks/result")
    files.asks(b"10", FORM)
    assert (len(one.asked), len(other.asked)) == (0, 1)


def test_a_question_that_names_its_task_badly_is_an_error():
    files, *_ = two_hosts("files", can=ELICIT)
    files.asks(b"9", {**FORM, "_meta": {"io.modelcontextprotocol/related-task": 5}})
    assert files.last().json["error"]["code"] == -32602


def test_the_host_of_a_modern_task_answers_what_a_note_asks_if_it_can():
    files, one, _ = two_hosts("files", MODERN, can=ELICIT)
    one.requests("subscriptions/listen", {"notifications": {"taskIds": ["7"]}})
    asking = task("7", "input_required", inputRequests={"who": ASKED})
    files.notes("notifications/tasks", {**asking, "_meta": {SUBSCRIPTION: int(files.calls[-1].id)}})
    assert one.last().params["inputRequests"] == {"who": ASKED}
    assert files.wire.desk == []


# The end


def test_a_host_that_left_for_good_owns_nothing():
    files, one, _ = two_hosts("files")
    one.leaves()
    assert files.wire.router.owners.of(files.plot.spec.identity, "7") == ""
    files.notes("notifications/tasks/status", task("7", "completed"))


def test_a_stateless_host_comes_back_for_its_task():
    wire = Wire(script("files", MODERN, shared=True))
    stays = wire.modern_host(LASTING, name="Other", tenant="http:other")
    stays.calls("x")
    begun(wire, wire.modern_host(LASTING, tenant="http:one"), "files", "7")
    wire.hosts[2].leaves()
    wire.passes(IDLE_TENANT + 1)
    assert "http:one" not in wire.state.tenants
    back = wire.modern_host(LASTING, tenant="http:one")
    assert looks(wire, back, "7", task("7"))["status"] == "working"


def test_a_server_that_was_edited_is_kept_for_a_task_as_long_as_its_host_is_there():
    files, one, other = two_hosts("files")
    wire = files.wire
    wire.edits({"files": replace(files.plot.spec, args=("--new",))})
    assert files.open
    begun(wire, other, "files", "7")
    assert wire.upstreams["files"] is not files
    request = one.requests("tasks/get", {"taskId": "7"})
    files.replies(files.calls[-1], task("7", "old"))
    assert one.replies[request].result == task("7", "old")
    assert looks(wire, other, "7", task("7", "new")) == task("7", "new")
    one.leaves()
    assert not files.open


# Who owns what


def test_only_so_many_tasks_of_only_so_many_hosts_are_known(monkeypatch):
    monkeypatch.setattr(task_owners, "MOST_TASKS", 2)
    monkeypatch.setattr(task_owners, "MOST_HOSTS", 2)
    known = TaskOwners()
    for number in range(3):
        known.begun("one", "files", str(number))
    assert [known.of("files", str(number)) for number in range(3)] == ["", "one", "one"]
    known.begun("two", "files", "2")
    assert known.of("files", "2") == "two"
    known.begun("one", "mail", "2")
    known.begun("three", "files", "3")
    assert [known.of("files", "2"), known.of("files", "1"), known.of("mail", "2")] == ["", "one", "one"]
    known.tenant_closed(Tenant("nobody", private=True))
