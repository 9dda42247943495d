"""What people complain of in programs like this one, and the test that keeps each of it out of ours.

The table names tests all over the suite; those that fit nowhere else are here. A row whose test is gone
fails.
"""

from __future__ import annotations

import http.client
import json
import re
import socket
import stat
from pathlib import Path

import pytest

from tests.journeys.app_under_test import ROOT, Person, asking, fixture, server, until
from tests.journeys.conftest import Connect, Spawn, Start
from tests.journeys.hosts import LEGACY, MODERN, Failed, Host, HttpHost, StdioHost, said_in

COMPLAINTS = {
    # claude-code#96043, #79174, #41347, #62319; codex#6992; claude-ai-mcp#1046; fastmcp#3169; litellm#23761
    "A question is never shown, and the call hangs": (
        "test_the_person_is_asked_by_whoever_can",
        "test_a_question_that_the_host_cannot_show_after_all_comes_to_the_desk",
        "test_a_question_nobody_answers_in_time_is_cancelled",
    ),
    "A host declines questions unseen": (
        "test_a_host_that_says_no_at_once_has_the_desk_asked_then_and_there_the_first_time_too",
        "test_a_retry_that_refuses_at_once_is_sent_when_the_desk_has_asked",
        "test_a_host_that_declines_is_passed_by_where_the_settings_say_so",
    ),
    # context-forge#1985
    "The wrong host is asked": (
        "test_many_hosts_that_can_ask_are_asked_only_their_own_questions",
        "test_a_shared_server_is_one_process_and_its_questions_find_the_right_host",
        "test_a_person_answers_what_was_asked_of_their_own_host",
    ),
    # metamcp#162, supergateway#108, mcp-proxy#237, ouroboros#2325
    "Processes never die": (
        "test_hosts_that_come_and_go_leave_no_server_behind",
        "test_an_http_host_that_vanishes_takes_its_call_and_its_question_along",
        "test_what_a_server_has_started_ends_with_the_app",
        "test_the_shim_ends_when_the_host_closes_stdin_even_if_the_app_does_not",
    ),
    # mcp-proxy#75, mcpo#240, metamcp#294
    "A server that was restarted is not found again": (
        "test_a_remote_server_that_was_restarted_is_reached_again",
        "test_a_server_that_forgot_us_says_404_whatever_its_body_or_names_the_session",
        "test_after_a_crash_a_new_process_answers_but_a_crash_loop_is_stopped",
    ),
    # supergateway#139, #177
    "A crash at the start is invisible, or takes all others along": (
        "test_a_crash_at_the_start_is_told_at_once_to_every_kind_of_host",
        "test_one_server_that_does_not_start_does_not_keep_the_others_away",
    ),
    # fastmcp#4124, #4161
    "Cancellation and changes are not passed on": (
        "test_a_host_that_cancels_is_heard_by_the_server",
        "test_a_call_the_host_cancels_takes_its_question_back_and_the_server_hears_of_it",
        "test_a_legacy_host_just_hears_of_changes",
        "test_a_modern_host_hears_of_changes_while_it_listens",
    ),
    # inspector#875, mcp-router#57, mastra#10834, docker/mcp-gateway#20
    "There is too little time for a person, or for a slow start": (
        "test_a_person_who_thinks_for_longer_than_the_tools_timeout_is_waited_for",
        "test_the_tools_of_the_last_run_are_served_before_their_servers_have_started",
    ),
    # mcp-router#189, mcpproxy-go#439
    "A command is not found when started from a menu": (
        "test_a_command_missing_on_path_is_found_on_the_login_shells_path",
    ),
    # mcp-remote#149, mcpproxy-go#49
    "Login tabs reopen by themselves": (
        "test_who_says_no_is_not_asked_again_by_itself",
        "test_many_refusals_at_once_are_one_question",
        "test_a_stream_in_the_background_asks_nobody",
        "test_a_call_waits_for_the_sign_in_which_lasts_across_restarts_and_renews_itself",
    ),
    # gsd-pi#1151, ue-mcp#1076
    "What was typed is lost with its question": (
        "test_a_withdrawn_question_keeps_what_was_typed_and_lets_it_be_copied",
    ),
    # binaryninja-api#8529
    "A question steals the focus": ("test_a_question_comes_without_taking_the_focus",),
    # goose#9024
    "Declining and cancelling are the same": ("test_declining_and_cancelling_are_told_apart",),
    # CVE-2025-49596
    "Anybody on this computer is served": (
        "test_nobody_without_the_token_is_served",
        "test_a_process_of_another_user_is_refused",
    ),
    # CVE-2025-64443, CVE-2025-66416
    "A web page reaches in by DNS rebinding": (
        "test_a_page_that_rebinds_its_name_to_this_computer_is_refused",
    ),
    # CVE-2025-6514
    "A link becomes a command": ("test_a_link_that_must_not_be_opened_is_refused",),
    # CVE-2025-62801, CVE-2025-64340
    "A server's name becomes a command": (
        "test_names_that_cannot_be_are_refused",
        "test_no_shell_reads_the_command",
    ),
    # CVE-2026-79748
    "A request starts a command": ("test_no_address_starts_a_command_that_is_not_in_the_settings",),
}


@pytest.mark.parametrize("complaint", COMPLAINTS)
def test_each_complaint_has_its_tests(complaint: str):
    written = {
        name
        for file in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^(?:async )?def (test_\w+)", file.read_text("utf-8"), re.MULTILINE)
    }
    assert set(COMPLAINTS[complaint]) <= written


# --- processes ---------------------------------------------------------------------------------------------


def test_hosts_that_come_and_go_leave_no_server_behind(start: Start, spawn: Spawn, connect: Connect):
    app = start(config=server("quiz", asking("legacy")))
    for number in range(12):
        hosts: list[StdioHost | HttpHost] = [spawn("stdio", "--server", "quiz"), connect(app, "/mcp/quiz")]
        for host in hosts:
            host.open()
            assert said_in(host.call("count"))["calls"] == 1, f"in round {number}, an old server answered"
            host.close()
    until(lambda: not app.children("asking_server"))
    for _ in range(12):
        connect(app, "/mcp/quiz", revision=MODERN).call("count")
    assert len(app.children("asking_server")) == 1


@pytest.mark.parametrize("revision", [LEGACY, MODERN])
@pytest.mark.parametrize("wire", ["stdio", "http"])
def test_a_crash_at_the_start_is_told_at_once_to_every_kind_of_host(
    wire: str, revision: str, start: Start, spawn: Spawn, connect: Connect
):
    app = start(config=server("quiz", fixture("dying_server.py", "7", "3")))
    host: Host = (
        spawn("stdio", "--server", "quiz", revision=revision)
        if wire == "stdio"
        else connect(app, "/mcp/quiz", revision=revision)
    )
    with pytest.raises(Failed, match=r"(?s)quiz ended with code 7.*no API key"):
        host.open_and_call("count")


@pytest.mark.parametrize("wire", ["stdio", "http"])
def test_a_host_that_cancels_is_heard_by_the_server(
    wire: str, start: Start, spawn: Spawn, connect: Connect, home: Path
):
    log = home / "heard"
    app = start(config=server("quiz", asking("legacy"), log))
    host = spawn("stdio", "--server", "quiz") if wire == "stdio" else connect(app, "/mcp/quiz")
    host.open()
    calling = host.begin_call("slow", hang=True)
    until(lambda: "tools/call" in log.read_text())
    host.write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": host.last}})
    until(lambda: "notifications/cancelled" in log.read_text())
    heard = [json.loads(line) for line in log.read_text().splitlines()]
    [call] = [one["id"] for one in heard if one.get("method") == "tools/call"]
    [told] = [one["params"]["requestId"] for one in heard if one.get("method") == "notifications/cancelled"]
    assert told == call
    assert said_in(host.call("count"))["calls"] == 1
    assert not calling.done() or wire == "http"  # whose response just ends


# --- strangers ---------------------------------------------------------------------------------------------

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}},
}


def post(port: int, path: str = "/mcp", **headers: str) -> int:
    """The status of an `initialize` with these headers."""
    wire = http.client.HTTPConnection("127.0.0.1", port, timeout=45)
    usual = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    try:
        wire.request("POST", path, json.dumps(HELLO), {**usual, **headers})
        return wire.getresponse().status
    finally:
        wire.close()


def test_nobody_without_the_token_is_served(start: Start, home: Path):
    app = start(config=server("quiz", asking("legacy")))
    for path in ("/mcp", "/mcp/quiz", "/openapi.json", "/functions/quiz_ask"):
        assert post(app.port, path) in (401, 404)
        assert post(app.port, path, Authorization="Bearer guess") in (401, 404)
    assert post(app.port) == 401
    assert app.children("asking_server") == []
    assert stat.S_IMODE((home / "token").stat().st_mode) == 0o600
    assert stat.S_IMODE(Path(app.home.socket).stat().st_mode) & 0o077 == 0
    own = socket.gethostbyname(socket.gethostname())
    if not own.startswith("127."):
        with pytest.raises(OSError, match="refused"):
            socket.create_connection((own, app.port), timeout=5).close()


def test_a_page_that_rebinds_its_name_to_this_computer_is_refused(start: Start):
    app = start(config=server("quiz", asking("legacy")))
    token = f"Bearer {app.token}"
    assert post(app.port, Authorization=token) == 200
    assert post(app.port, Authorization=token, Host=f"evil.example:{app.port}") == 421
    assert post(app.port, Authorization=token, Origin="http://evil.example") == 403
    assert post(app.port, Authorization=token, Origin="null") == 403


def test_no_address_starts_a_command_that_is_not_in_the_settings(start: Start, connect: Connect, home: Path):
    app = start(config=server("quiz", asking("legacy")))
    made = home / "made"
    token = f"Bearer {app.token}"
    for path in (f"/mcp/touch%20{made}", "/mcp/..%2Fquiz", f"/mcp?command=touch&args={made}"):
        assert post(app.port, path, Authorization=token) in (200, 404)
    host: HttpHost = connect(app, "/mcp/quiz")
    host.capabilities = {"command": "touch", "args": [str(made)], "wrap": {"command": "touch"}}
    host.open()
    assert said_in(host.call("count"))["calls"] == 1
    assert not made.exists()


def test_a_person_answers_what_was_asked_of_their_own_host(start: Start, spawn: Spawn, person: Person):
    """Two hosts before one shared server, one of which cannot ask: its question is not the other's."""
    start(person.says("accept", {"name": "by the desk"}), server("quiz", asking("legacy"), shared=True))
    shown = {"action": "accept", "content": {"name": "by the host"}}
    asked = spawn("stdio", "--server", "quiz", name="can", answer=lambda params: shown)
    other = spawn("stdio", "--server", "quiz", name="cannot")
    for host in (asked, other):
        host.open()
    assert said_in(other.call("ask"))["content"] == {"name": "by the desk"}
    assert asked.heard == []
    assert said_in(asked.call("ask")) == shown
