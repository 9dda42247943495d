"""config.toml while the app runs: what is edited counts, what is broken is reported and changes nothing."""

from __future__ import annotations

import pytest

from bridge.journal import History, HistoryFilter
from tests.fixtures.running_processes import left_after
from tests.journeys.app_under_test import Person, asking, server, until
from tests.journeys.conftest import Connect, Spawn, Start
from tests.journeys.hosts import MODERN, Failed, said_in


def test_a_server_added_while_running_is_reachable_and_a_removed_one_is_not(
    start: Start, connect: Connect, spawn: Spawn
):
    app = start(config=server("first", asking("legacy")))
    app.home.config.write_text(server("second", asking("legacy")))
    app.until(lambda status: {one["name"] for one in status["servers"]} >= {"second"})
    host = connect(app, "/mcp/second")
    host.open()
    assert said_in(host.call("count"))["calls"] == 1
    stdio = spawn("stdio", "--server", "first")
    with pytest.raises(Failed, match="no server called first"):
        stdio.open()
    with pytest.raises(Failed, match="no server named first"):
        connect(app, "/mcp/first").open()


def test_a_host_in_front_of_all_servers_finds_a_new_one(start: Start, spawn: Spawn):
    app = start(config=server("first", asking("legacy")))
    host = spawn("stdio")
    host.open()
    assert "first_ask" in host.tools()
    app.home.config.write_text(server("first", asking("legacy")) + server("second", asking("dual")))
    app.until(lambda status: {one["name"] for one in status["servers"]} >= {"second"})
    assert {"first_ask", "second_ask"} <= set(host.tools())
    assert said_in(host.call("second_count"))["calls"] == 1


def test_an_edited_server_runs_as_edited_from_the_next_call_on(start: Start, spawn: Spawn):
    app = start(config=server("quiz", asking("legacy")))
    host = spawn("stdio", "--server", "quiz")
    host.open()
    before = said_in(host.call("count"))
    app.home.config.write_text(server("quiz", asking("dual")) + server("sign", asking("legacy")))
    app.until(lambda status: {one["name"] for one in status["servers"]} >= {"sign"})
    after = said_in(host.call("count"))
    assert (after["calls"], after["pid"] != before["pid"]) == (1, True)
    assert left_after([before["pid"]]) == []
    assert said_in(host.call("count"))["calls"] == 2


def test_a_broken_file_is_reported_by_line_and_column_and_the_last_good_one_stays(start: Start, spawn: Spawn):
    app = start(config=server("quiz", asking("legacy")))
    app.home.config.write_text(server("quiz", asking("legacy")) + "timeout = yes\n")
    [problem] = app.until(lambda status: status["problems"])
    assert problem.startswith("config.toml, line 4, column ")
    host = spawn("stdio", "--server", "quiz")
    host.open()
    assert said_in(host.call("count"))["calls"] == 1
    app.home.config.write_text(server("quiz", asking("legacy")))
    app.until(lambda status: not status["problems"])


def test_a_restart_with_a_broken_file_keeps_the_rules_and_the_servers(start: Start, spawn: Spawn):
    config = server("quiz", asking("legacy")) + '[policy]\nquiz_count = "deny"\n'
    start(config=config).stop()
    app = start(config=config + "oops\n")
    assert "from config.last-good.toml" in app.status["problems"][0]
    host = spawn("stdio", "--server", "quiz")
    host.open()
    assert "do not allow quiz_count" in str(host.call("count"))


def test_without_any_good_settings_every_call_is_denied_and_says_why(start: Start, spawn: Spawn):
    start(config="[policy\n")
    host = spawn("wrap", "--name", "quiz", "--", *asking("legacy"))
    host.open()
    assert "config.toml is broken" in str(host.call("count"))


def test_a_file_broken_from_the_start_is_reported_and_mended_while_running(start: Start, spawn: Spawn):
    app = start(config="[servers\n")
    assert app.status["problems"]
    app.home.config.write_text(server("quiz", asking("legacy")))
    app.until(lambda status: not status["problems"])
    host = spawn("stdio", "--server", "quiz")
    host.open()
    assert said_in(host.call("count"))["calls"] == 1


# --- policy ------------------------------------------------------------------------------------------------


def test_a_denied_tool_is_not_called_and_the_model_is_told(start: Start, spawn: Spawn):
    start(config=server("quiz", asking("legacy")) + '[policy]\n"quiz_count" = "deny"\n')
    host = spawn("stdio")
    host.open()
    result = host.call("quiz_count")
    assert result["isError"] is True
    assert "do not allow quiz_count" in result["content"][0]["text"]
    assert said_in(host.call("quiz_slow")) == {"steps": 1}


@pytest.mark.parametrize("revision", ["2025-06-18", MODERN])
@pytest.mark.parametrize("way", ["stdio", "wrap"])
def test_a_tool_to_be_confirmed_runs_only_when_the_person_allows_it(
    way: str, revision: str, start: Start, spawn: Spawn, person: Person
):
    app = start(person.says("accept"), server("quiz", asking("legacy")) + '[policy]\n"quiz_c*" = "confirm"\n')
    words = ["stdio"] if way == "stdio" else ["wrap", "--name", "quiz", "--", *asking("legacy")]
    host = spawn(*words, revision=revision)
    host.open()
    name = "quiz_count" if way == "stdio" else "count"
    assert said_in(host.call(name, why="because"))["calls"] == 1
    [asked] = person.asked
    assert (asked["mode"], asked["tool"], asked["server"]) == ("confirm", "count", "quiz")
    assert asked["arguments"] == {"why": "because"}
    person.says("decline")
    refused = host.call(name)
    assert refused["isError"] is True
    assert "did not allow quiz_count" in refused["content"][0]["text"]
    assert app.status["waiting"] == []


@pytest.mark.parametrize("revision", ["2025-06-18", MODERN])
def test_an_approval_that_nobody_gives_is_not_told_as_a_no(
    revision: str, start: Start, spawn: Spawn, person: Person
):
    config = server("quiz", asking("legacy")) + '[policy]\n"quiz_c*" = "confirm"\n'
    app = start(person.never_answers(), "question_timeout = 1\n" + config)
    host = spawn("stdio", revision=revision)
    host.open()
    late = host.call("quiz_count")
    assert late["isError"] is True
    [said] = late["content"]
    assert "nobody answered within 1 s" in said["text"]
    assert "asking again later" in said["text"]
    past = History(app.home.journal)
    [row] = until(lambda: past.find(HistoryFilter(kind="call")))
    assert (row.tool, row.outcome, row.detail["questions"][0]["outcome"]) == ("count", "expired", "expired")


def test_a_rule_added_while_running_counts_for_the_next_call(start: Start, spawn: Spawn):
    app = start(config=server("quiz", asking("legacy")))
    host = spawn("stdio", "--server", "quiz")
    host.open()
    assert said_in(host.call("count"))["calls"] == 1
    servers = server("quiz", asking("legacy")) + server("sign", asking("legacy"))
    app.home.config.write_text(servers + '[policy]\n"quiz_*" = "deny"\n')
    app.until(lambda status: "sign" in {one["name"] for one in status["servers"]})
    assert host.call("count")["isError"] is True


def test_a_host_sees_only_the_servers_it_is_given(start: Start, spawn: Spawn):
    start(
        config=server("quiz", asking("legacy"))
        + server("secret", asking("legacy"))
        + '[hosts.journey]\nservers = ["quiz"]\n'
    )
    host = spawn("stdio")
    host.open()
    offered = {tool.partition("_")[0] for tool in host.tools() if tool != "desk_wait"}  # offered to all
    assert offered == {"quiz"}
    with pytest.raises(Failed, match="Function not found: secret_count"):
        host.call("secret_count")
    with pytest.raises(Failed, match="no server called secret"):
        spawn("stdio", "--server", "secret").open()
    other = spawn("stdio", name="another")
    other.open()
    assert "secret_count" in other.tools()


def test_status_follows_a_server_from_idle_to_ready_and_back(start: Start, spawn: Spawn):
    app = start(config=server("quiz", asking("dual")))
    assert app.state_of("quiz")["state"] == "idle"
    host = spawn("stdio", "--server", "quiz", revision=MODERN)
    host.open()
    app.until(lambda status: app.state_of("quiz")["state"] == "ready")
    assert app.state_of("quiz")["revision"] == MODERN
    host.close()
    app.until(lambda status: app.state_of("quiz")["state"] == "idle")
