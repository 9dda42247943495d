"""Tasks: calls that go on after their first answer, found again among many servers, and what they ask."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bridge.core.policy.rules import HostRule, Policy, QuestionPlace
from bridge.core.protocol.revisions import CAPABILITIES_KEY, TASKS_EXTENSION
from bridge.core.questions.question import accept
from bridge.core.routing.asking import task_questions
from tests.core.fake_peers import LEGACY, MODERN, Host, Script, Upstream, Wire, script
from tests.core.wire_messages import ELICIT, ELICIT_ALL, FORM, URL

RELATED = "io.modelcontextprotocol/related-task"
CAN: dict[str, Any] = {"tools": {}, "tasks": {"list": {}, "cancel": {}}}
LASTING: dict[str, Any] = {"extensions": {TASKS_EXTENSION: {}}}
ASKED = {"method": "elicitation/create", "params": FORM}


def related(task: str) -> dict[str, Any]:
    return {"_meta": {RELATED: {"taskId": task}}}


def task(own: str, status: str = "working", **more: Any) -> dict[str, Any]:
    return {"taskId": own, "status": status, **more}


def old(*names: str, can: Any = None, **more: Any) -> tuple[Wire, Host]:
    """A legacy host before these legacy servers."""
    wire = Wire(*(script(name, capabilities=CAN) for name in names), **more)
    return wire, wire.legacy_host(can, server="")


def new(*names: str, can: Any = None, server: str = "", **more: Any) -> tuple[Wire, Host]:
    """A modern host whose calls may become tasks, before these modern servers."""
    wire = Wire(*(script(name, MODERN) for name in names), **more)
    return wire, wire.modern_host({**LASTING, **(can or {})}, server=server)


def begun(wire: Wire, host: Host, server: str, own: str, **params: Any) -> Any:
    """A call of this server becomes this task; what the host was told."""
    modern = host.meta is not None
    public = f"{server}_build" if host.caller.server == "" else "build"
    if not modern:
        params["task"] = {"ttl": 1}
    request = host.calls(public, **params)
    upstream = wire.upstreams[server]
    result = {"resultType": "task", **task(own)} if modern else {"task": task(own)}
    upstream.replies(upstream.calls[-1], result)
    return host.replies[request].result


def looks(wire: Wire, host: Host, public: str, found: Any, method: str = "tasks/get") -> Any:
    """The host looks at a task, and its server has this to say; what the host was told."""
    request = host.requests(method, {"taskId": public})
    upstream = wire.upstreams[public.split(":")[0] if ":" in public else "files"]
    upstream.replies(upstream.calls[-1], found)
    return host.replies[request].result


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
    assert "makes no sense" in host.replies[request].error["message"]


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


# What a legacy task asks


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
