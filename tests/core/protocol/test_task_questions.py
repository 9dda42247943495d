"""Questions of tasks, subscriptions to tasks, and settings that change while a task lasts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bridge.core.policy.rules import HostRule, Policy, QuestionPlace
from bridge.core.protocol.revisions import CAPABILITIES_KEY, TASKS_EXTENSION
from bridge.core.questions.question import accept
from bridge.core.routing.asking import task_questions
from tests.core.fake_peers import LEGACY, MODERN, Script, Upstream, Wire, script
from tests.core.protocol.task_samples import CAN, begun, looks, new, old, related, task
from tests.core.wire_messages import ELICIT, ELICIT_ALL, FORM, URL

ASKED = {"method": "elicitation/create", "params": FORM}


def test_a_question_of_a_task_names_it_as_each_side_does():
    wire, host = old("files", can=ELICIT)
    begun(wire, host, "files", "7")
    host.requests("tasks/result", {"taskId": "files:7"})
    files = wire.upstreams["files"]
    files.asks(b"9", {**FORM, **related("7")})
    (question,) = host.asked
    assert question.params == {**FORM, **related("files:7")}
    host.answers(question, {"action": "accept", "content": {"name": "Ada"}, **related("files:7")})
    assert files.last().json["result"] == {"action": "accept", "content": {"name": "Ada"}, **related("7")}


def test_a_host_makes_tasks_of_questions_only_where_no_other_server_could_see_them():
    own: Any = {
        "tasks": {"list": {}, "requests": {"elicitation": {"create": {}}, "sampling": {"createMessage": {}}}}
    }

    def told(server: str, can: Any, policy: Policy | None = None) -> Any:
        wire = Wire(script("files"), policy=policy)
        wire.legacy_host(can, server=server).calls("files_x")
        return wire.upstreams["files"].heard[0].params["capabilities"].get("tasks")

    able = {**ELICIT_ALL, **own}
    desktop = Policy(hosts={"*": HostRule(QuestionPlace.DESKTOP)})
    sampling: Any = {"list": {}, "requests": {"sampling": {"createMessage": {}}}}
    assert told("files", able) == own["tasks"]
    assert told("", able) is None
    assert told("files", own) == told("files", able, desktop) == sampling
    assert told("files", {"tasks": {}}) == {}
    assert told("files", {"tasks": {"requests": 5}}) is None
    assert told("files", {"tasks": 5}) == 5


# What a modern task asks


def asking(**more: Any) -> dict[str, Any]:
    return task("7", "input_required", inputRequests={"who": ASKED}, **more)


def answers(upstream: Upstream) -> Any:
    """What a task was told by us."""
    update = upstream.calls[-1]
    assert update.method == "tasks/update"
    return update.params["taskId"], update.params["inputResponses"]


@pytest.mark.parametrize("server", ["", "files"])
def test_what_the_host_cannot_answer_is_asked_here_and_the_task_works_on(server):
    wire, host = new("files", server=server)
    public = "files:7" if server == "" else "7"
    begun(wire, host, "files", "7")
    assert looks(wire, host, public, asking()) == task(public, "working")
    assert looks(wire, host, public, asking()) == task(public, "working")
    question = wire.question()
    assert (question.server, question.host, question.tool) == ("files", "New Host", "build")
    wire.person(accept({"name": "Ada"}))
    files = wire.upstreams["files"]
    assert answers(files) == ("7", {"who": {"action": "accept", "content": {"name": "Ada"}}})
    assert TASKS_EXTENSION in files.calls[-1].params["_meta"][CAPABILITIES_KEY]["extensions"]
    looks(wire, host, public, asking())
    assert wire.desk == []
    looks(wire, host, public, task("7", "completed"))
    host.leaves()
    assert wire.nothing_left()


def test_a_host_that_can_answers_itself():
    wire, host = new("files", can=ELICIT_ALL)
    begun(wire, host, "files", "7")
    assert looks(wire, host, "files:7", asking()) == {**asking(), "taskId": "files:7"}
    assert wire.desk == []


def test_each_answers_what_it_can():
    wire, host = new("files", can=ELICIT)
    begun(wire, host, "files", "7")
    wanted = {"who": ASKED, "login": {"method": "elicitation/create", "params": URL}}
    found = looks(wire, host, "files:7", task("7", "input_required", inputRequests=wanted))
    assert found == task("files:7", "input_required", inputRequests={"who": ASKED})
    assert wire.question().url == URL["url"]


@pytest.mark.parametrize(
    ("method", "found"),
    [("tasks/get", task("7", "failed", error={})), ("tasks/cancel", {"resultType": "complete"})],
)
def test_the_dialog_closes_with_the_task(method, found):
    wire, host = new("files")
    begun(wire, host, "files", "7")
    looks(wire, host, "files:7", asking())
    looks(wire, host, "files:7", found, method)
    assert wire.desk == []
    assert not [message for message in wire.upstreams["files"].calls if message.method == "tasks/update"]


def test_a_task_that_is_not_known_from_its_start_may_ask_too():
    wire, host = new("files")
    request = host.requests("tasks/get", {"taskId": "files:7"})
    files = wire.upstreams["files"]
    files.replies(files.calls[-1], asking())
    assert host.replies[request].result["status"] == "working"
    assert wire.question().tool == ""


def test_nobody_is_told_when_the_server_is_gone():
    wire, host = new("files")
    begun(wire, host, "files", "7")
    looks(wire, host, "files:7", asking())
    wire.upstreams["files"].dies()
    assert wire.desk == []


def test_a_question_that_runs_out_is_cancelled():
    wire, host = new("files", limit=60.0)
    begun(wire, host, "files", "7")
    looks(wire, host, "files:7", asking())
    wire.passes(61.0)
    assert answers(wire.upstreams["files"]) == ("7", {"who": {"action": "cancel"}})


def test_when_the_host_leaves_the_task_hears_that_nobody_answers():
    wire, host = new("files")
    begun(wire, host, "files", "7")
    looks(wire, host, "files:7", asking())
    files = wire.upstreams["files"]
    host.leaves()
    assert answers(files) == ("7", {"who": {"action": "cancel"}})
    assert wire.nothing_left()


# Hearing of tasks


def test_a_host_hears_of_the_tasks_it_named_and_of_no_other():
    wire, host = new("files", "mail")
    for server in ("files", "mail"):
        begun(wire, host, server, "7")
    host.new()
    listen = host.requests(
        "subscriptions/listen", {"notifications": {"taskIds": ["files:7", "nobody:7", "files:8"]}}
    )
    assert host.only().params["notifications"] == {"taskIds": ["files:7", "files:8"]}
    files, mail = wire.upstreams["files"], wire.upstreams["mail"]
    ear = files.calls[-1]
    assert ear.params["notifications"] == {"taskIds": ["7", "8"]}
    assert [message.method for message in mail.calls] == ["tools/call"]
    heard = {"io.modelcontextprotocol/subscriptionId": int(ear.id)}
    files.notes("notifications/tasks", {**task("7", "completed"), "_meta": heard})
    told = host.only()
    assert told.params == {
        **task("files:7", "completed"),
        "_meta": {"io.modelcontextprotocol/subscriptionId": int(listen)},
    }
    files.notes("notifications/tasks", {**task("9"), "_meta": heard})
    assert host.new() == []


def test_what_is_asked_by_a_note_is_asked_here_too():
    wire, host = new("files")
    begun(wire, host, "files", "7")
    host.requests("subscriptions/listen", {"notifications": {"taskIds": ["files:7"]}})
    host.new()
    files = wire.upstreams["files"]
    files.notes(
        "notifications/tasks",
        asking(_meta={"io.modelcontextprotocol/subscriptionId": int(files.calls[-1].id)}),
    )
    assert host.only().params["status"] == "working"
    assert wire.question().message == FORM["message"]


def test_before_one_server_the_host_listens_itself():
    wire, host = new("files", server="files")
    begun(wire, host, "files", "7")
    listen = host.requests("subscriptions/listen", {"notifications": {"taskIds": ["7"]}})
    host.new()
    files = wire.upstreams["files"]
    note = {**task("7"), "_meta": {"io.modelcontextprotocol/subscriptionId": int(files.calls[-1].id)}}
    files.notes("notifications/tasks", note)
    assert host.only().params == {
        **task("7"),
        "_meta": {"io.modelcontextprotocol/subscriptionId": int(listen)},
    }


def test_a_legacy_host_hears_nothing_of_modern_tasks():
    plot: Script = script("files", MODERN, LEGACY)
    wire = Wire(plot)
    host = wire.legacy_host(server="files")
    host.calls()
    host.new()
    wire.upstreams["files"].notes("notifications/tasks", task("7"))
    assert host.new() == []


# Settings that change meanwhile


def edited(wire: Wire) -> None:
    spec = wire.plots["files"].spec
    wire.edits({"files": replace(spec, args=("--new",))})


@pytest.mark.parametrize("server", ["", "files"])
def test_a_task_outlives_its_servers_old_settings_until_its_result_was_fetched(server):
    wire = Wire(script("files", capabilities=CAN))
    host = wire.legacy_host(server=server)
    begun(wire, host, "files", "7")
    before, public = wire.upstreams["files"], "files:7" if server == "" else "7"
    edited(wire)
    assert before.open
    for method, found in (("tasks/get", task("7", "completed")), ("tasks/result", {"content": []})):
        assert before.open
        request = host.requests(method, {"taskId": public})
        before.replies(before.calls[-1], found)
        assert "error" not in host.replies[request].json
    assert not before.open
    gone = host.requests("tasks/get", {"taskId": public})
    assert wire.upstreams["files"] is not before
    assert gone not in host.replies


@pytest.mark.parametrize(("method", "status"), [("tasks/get", "completed"), ("tasks/cancel", "cancelled")])
def test_a_modern_task_holds_its_server_until_the_host_has_heard_how_it_ended(method, status):
    wire, host = new("files")
    begun(wire, host, "files", "7")
    before = wire.upstreams["files"]
    edited(wire)
    host.requests("tasks/get", {"taskId": "files:7"})
    before.replies(before.calls[-1], {"resultType": "complete", **task("7")})
    assert before.open
    host.requests(method, {"taskId": "files:7"})
    before.replies(before.calls[-1], {"resultType": "complete", **task("7", status)})
    assert not before.open


def test_another_hosts_task_of_the_same_name_is_not_found_there():
    wire = Wire(script("files", capabilities=CAN))
    host = wire.legacy_host(server="files")
    begun(wire, host, "files", "7")
    before, other = wire.upstreams["files"], wire.legacy_host(server="files")
    edited(wire)
    other.requests("tasks/get", {"taskId": "7"})
    assert not [one for one in before.calls if one.method == "tasks/get"]


def test_a_task_that_was_not_kept_is_asked_of_the_new_server():
    wire = Wire(script("files", capabilities=CAN))
    host = wire.legacy_host(server="files")
    begun(wire, host, "files", "7")
    before = wire.upstreams["files"]
    edited(wire)
    host.requests("tasks/get", {"taskId": "8"})
    assert wire.upstreams["files"] is not before


def test_only_so_many_tasks_of_one_server_are_remembered(monkeypatch):
    monkeypatch.setattr(task_questions, "MOST", 1)
    wire = Wire(script("files", capabilities=CAN))
    host = wire.legacy_host(server="files")
    begun(wire, host, "files", "7")
    begun(wire, host, "files", "8")
    (conn,) = wire.state.conns.values()
    assert list(wire.router.task_questions.live(conn)) == ["8"]
