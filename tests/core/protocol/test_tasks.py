"""Tasks: calls that go on after their first answer, found again among many servers, and what they ask."""

from __future__ import annotations

import pytest

from bridge.core.policy.rules import HostRule, Policy
from bridge.core.routing.asking import task_questions
from tests.core.fake_peers import Wire, script
from tests.core.protocol.task_samples import CAN, begun, looks, new, old, related, task

# Whose task it is


def test_two_servers_may_call_their_tasks_alike_and_each_is_found_again():
    wire, host = old("files", "mail")
    assert begun(wire, host, "files", "7") == {"task": task("files:7")}
    assert begun(wire, host, "mail", "7") == {"task": task("mail:7")}
    for server in ("mail", "files"):
        upstream = wire.upstreams[server]
        assert looks(wire, host, f"{server}:7", task("7")) == task(f"{server}:7")
        assert upstream.calls[-1].params == {"taskId": "7"}
        assert looks(wire, host, f"{server}:7", task("7", "cancelled"), "tasks/cancel") == task(
            f"{server}:7", "cancelled"
        )
        assert looks(wire, host, f"{server}:7", {"content": [], **related("7")}, "tasks/result") == {
            "content": [],
            **related(f"{server}:7"),
        }


def test_the_same_in_the_modern_era():
    wire, host = new("files", "mail")
    assert begun(wire, host, "files", "7") == {"resultType": "task", **task("files:7")}
    assert begun(wire, host, "mail", "a:7") == {"resultType": "task", **task("mail:a:7")}
    done = task("a:7", "completed", resultType="complete", result={"content": [], "taskId": "x"})
    assert looks(wire, host, "mail:a:7", done) == {**done, "taskId": "mail:a:7"}
    assert wire.upstreams["mail"].calls[-1].params["taskId"] == "a:7"
    assert looks(wire, host, "files:7", {"resultType": "complete"}, "tasks/update") == {
        "resultType": "complete"
    }
    assert wire.upstreams["files"].calls[-1].method == "tasks/update"


def test_before_one_server_tasks_keep_their_own_names():
    wire = Wire(script("files", capabilities=CAN))
    host = wire.legacy_host(server="files")
    assert begun(wire, host, "files", "7") == {"task": task("7")}
    assert looks(wire, host, "7", task("7", _meta=5)) == task("7", _meta=5)
    host.new()
    wire.upstreams["files"].notes("notifications/tasks/status", task("7", "completed"))
    assert host.only().params == task("7", "completed")


def test_a_call_that_did_not_become_a_task_is_answered_as_ever():
    wire, host = old("files")
    request = host.calls("files_build", task={})
    files = wire.upstreams["files"]
    files.replies(files.calls[-1], {"content": [], "taskId": "mine", "task": "no object"})
    assert host.replies[request].result == {"content": [], "taskId": "mine", "task": "no object"}
    other, modern = new("files")
    request = modern.calls("files_build")
    files = other.upstreams["files"]
    files.replies(files.calls[-1], {"resultType": "complete", "content": [], "taskId": "mine"})
    assert modern.replies[request].result["taskId"] == "mine"


def test_a_task_that_cannot_be_named_is_told_of_as_an_error():
    wire, host = old("files")
    request = host.calls("files_build", task={})
    files = wire.upstreams["files"]
    files.replies(files.calls[-1], {"task": {"taskId": 5}})
    assert "valid" in host.replies[request].error["message"]


@pytest.mark.parametrize("public", ["7", "", "files", "strangers:7"])
def test_a_task_that_nobody_made_is_refused(public):
    _, host = old("files")
    host.requests("tasks/get", {"taskId": public}, request_id=b"9")
    assert host.replies[b"9"].error["code"] == -32602


def test_a_task_of_a_server_that_the_host_may_not_use_is_refused():
    wire, host = old("files", policy=Policy(hosts={"Old Host": HostRule(servers=())}))
    host.requests("tasks/result", {"taskId": "files:7"}, request_id=b"9")
    assert "no server called files" in host.replies[b"9"].error["message"]
    assert wire.conns == {}


def test_tasks_are_listed_from_the_servers_that_run_and_have_any():
    wire, host = old("files", "mail", "asleep")
    wire.plots["mail"].capabilities = {"tools": {}}
    for server in ("files", "mail"):
        begun(wire, host, server, "7")
    request = host.requests("tasks/list")
    files = wire.upstreams["files"]
    files.replies(files.calls[-1], {"tasks": [task("7")], "nextCursor": "on"})
    files.replies(files.calls[-1], {"tasks": [task("8", _meta=5)]})
    assert host.replies[request].result == {"tasks": [task("files:7"), task("files:8", _meta=5)]}
    assert "asleep" not in wire.upstreams
    assert wire.memories == []


def test_tasks_that_are_late_are_not_announced_as_a_change():
    wire, host = old("files")
    begun(wire, host, "files", "7")
    host.requests("tasks/list")
    wire.passes(20.0)
    host.new()
    files = wire.upstreams["files"]
    files.replies(files.calls[-1], {"tasks": [task("7")]})
    assert host.new() == []


def test_the_modern_era_has_no_list_of_tasks():
    _, host = new("files")
    request = host.requests("tasks/list")
    assert host.replies[request].error["code"] == -32601


# While it lasts


def test_a_result_is_waited_for_as_long_as_the_task_takes():
    wire, host = old("files")
    begun(wire, host, "files", "7")
    request = host.requests("tasks/result", {"taskId": "files:7"})
    wire.passes(10_000.0)
    assert request not in host.replies
    files = wire.upstreams["files"]
    files.dies()
    assert "crashed" in host.replies[request].error["message"]


def test_progress_goes_on_under_the_token_of_the_call():
    wire, host = old("files")
    begun(wire, host, "files", "7", _meta={"progressToken": "mine"})
    files = wire.upstreams["files"]
    token = files.calls[-1].params["_meta"]["progressToken"]
    host.new()
    files.notes("notifications/progress", {"progressToken": token, "progress": 1, **related("7")})
    assert host.only().params == {"progressToken": "mine", "progress": 1, **related("files:7")}
    files.notes("notifications/progress", {"progressToken": 12345, "progress": 1})
    assert host.new() == []


def test_progress_of_a_task_before_one_server_is_left_as_it_is_and_ends_with_the_host():
    plot = script("files", capabilities=CAN, shared=True)
    wire = Wire(plot)
    host, other = wire.legacy_host(server="files"), wire.legacy_host(server="files", name="Other")
    begun(wire, host, "files", "7", _meta={"progressToken": 1})
    files = wire.upstreams["files"]
    told = {"progressToken": files.calls[-1].params["_meta"]["progressToken"], "progress": 1, **related("7")}
    host.new()
    files.notes("notifications/progress", told)
    assert host.only().params == {**told, "progressToken": 1}
    host.leaves()
    files.notes("notifications/progress", told)
    assert other.asked == []


def test_only_so_many_tasks_are_known(monkeypatch):
    monkeypatch.setattr(task_questions, "MOST", 2)
    wire, host = old("files")
    for number in range(3):
        begun(wire, host, "files", str(number), _meta={"progressToken": number})
    (conn,) = wire.state.conns.values()
    sent = [message.id for message in wire.upstreams["files"].calls]
    kept = [wire.router.task_questions.progress_of(conn, one) for one in sent]
    assert [one and one[1] for one in kept] == [None, b"1", b"2"]
    other, modern = new("files")
    for number in range(3):
        begun(other, modern, "files", str(number))
    (conn,) = other.state.conns.values()
    assert list(other.router.task_questions.live(conn)) == ["1", "2"]


def test_notes_about_a_task_name_it_as_the_host_does():
    wire, host = old("files")
    begun(wire, host, "files", "7")
    host.new()
    files = wire.upstreams["files"]
    files.notes("notifications/tasks/status", task("7", "working"))
    files.notes("notifications/message", {"level": "info", "data": {"taskId": "7"}, **related("7")})
    status, message = host.new()
    assert status.params == task("files:7", "working")
    assert message.params == {"level": "info", "data": {"taskId": "7"}, **related("files:7")}
