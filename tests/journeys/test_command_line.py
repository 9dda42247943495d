"""The command line: what it prints, where, and the code it ends with (1 usage, 2 network, 3 not found)."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from bridge import __version__
from bridge.__main__ import main
from bridge.cli.start import why_no_display
from bridge.journal import Journal, JournalEntry
from tests.journeys.app_under_test import DESKBELL, ROOT, WAIT, Person, asking, server, until
from tests.journeys.conftest import Run, Spawn, Start
from tests.journeys.hosts import Failed


def test_the_command_tells_its_version(run: Run):
    done = run("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"deskbell {__version__}\n", "")


def test_help_names_every_verb(run: Run):
    done = run("--help")
    assert done.returncode == 0
    for verb in ("serve", "stdio", "wrap", "servers", "secrets", "history", "status", "doctor"):
        assert re.search(rf"^ +{verb} ", done.stdout, re.MULTILINE), verb


@pytest.mark.parametrize(
    "words",
    [
        ["serve", "--port", "many"],
        ["serve", "--port", "65536"],
        ["servers"],
        ["servers", "add", "quiz"],
        ["servers", "add", "quiz", "--"],
        ["servers", "add", "quiz", "--verbose"],
        ["servers", "add", "no spaces", "--", "true"],
        ["servers", "add", "quiz", "ftp://example.org/mcp"],
        ["servers", "add", "quiz", "https://"],
        ["servers", "add", "quiz", "https://example.org/mcp", "--header", "A: b"],
        ["servers", "add", "quiz", "--header", "A", "https://example.org/mcp"],
        ["servers", "add", "quiz", "--header", "A: b", "--", "true"],
        ["history", "--limit", "0"],
        ["completion", "tcsh"],
    ],
    ids=" ".join,
)
def test_what_no_verb_understands_ends_with_1_and_a_word_on_stderr(
    words: list[str], home: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("DESKBELL_HOME", str(home))
    monkeypatch.setattr(sys, "argv", ["deskbell", *words])
    try:
        code: object = main()
    except SystemExit as left:
        code = left.code
    said = capfd.readouterr()
    assert (code, said.out) == (1, "")
    assert said.err.count("deskbell: ") == 1


@pytest.mark.parametrize(
    "words",
    [
        ["dance"],
        ["serve", "--port", "0", "--presenter", "nobody"],
        ["stdio", "extra"],
        ["stdio", "--server"],
        ["wrap"],
        ["wrap", "--"],
        ["wrap", "--colour", "red", "--", "true"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_done_ends_with_1_and_a_word_on_stderr(words: list[str], run: Run):
    done = run(*words)
    assert (done.returncode, done.stdout) == (1, "")
    assert "deskbell: " in done.stderr
    assert "Traceback" not in done.stderr


def test_doctor_and_a_start_on_a_terminal_say_what_a_broken_file_means(run: Run, start: Start):
    app = start(config="[policy\n")
    said = "config.toml, line 1, column "
    assert f"✗ Settings: {said}" in run("doctor").stdout
    assert app.process.stderr
    line = app.process.stderr.readline()
    assert line.startswith(f"deskbell: {said}")
    assert "every call is denied until this is fixed" in line
    assert "every call is denied until this is fixed" in run("status").stdout
    assert json.loads(run("doctor", "--json").stdout)


def test_doctor_tells_what_the_running_app_met_with(run: Run, start: Start):
    ends = """['-c', 'import sys; sys.exit("no key")']"""
    start(config=f"[servers.sick]\ncommand = '{sys.executable}'\nargs = {ends}\n")
    assert "✓ Server sick: " in run("doctor").stdout
    assert run("tools", "--server", "sick").returncode != 0
    assert "✗ Server sick: sick ended with code 1: no key\n" in run("doctor").stdout


def test_a_search_of_the_history_that_finds_nothing_says_so(run: Run, home: Path):
    home.mkdir()
    journal = Journal(home / "journal.db")
    journal.record(JournalEntry(kind="server", server="quiz", outcome="ended"))
    journal.close()
    done = run("history", "--search", "zzz")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "Nothing found.\n")


@pytest.mark.skipif(sys.platform != "linux", reason="X11 and Wayland")
def test_a_display_that_cannot_be_opened_is_none(tmp_path: Path):
    assert why_no_display({}) == "There is no display."
    assert why_no_display({"DISPLAY": ":7777"}) == "The display :7777 cannot be opened."
    runtime = {"XDG_RUNTIME_DIR": str(tmp_path), "WAYLAND_DISPLAY": "wayland-0"}
    assert why_no_display(runtime) == "The display wayland-0 cannot be opened."
    (tmp_path / "wayland-0").touch()
    assert why_no_display(runtime) == ""
    with socket.create_server(("127.0.0.1", 0)) as x:
        number = x.getsockname()[1] - 6000
        if number > 0:
            assert why_no_display({"DISPLAY": f"127.0.0.1:{number}.0"}) == ""


def test_status_without_an_app_ends_with_2_and_says_how_to_start_it(run: Run, home: Path):
    done = run("status")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("deskbell: Deskbell is not running")
    assert "deskbell serve" in done.stderr


def test_a_taken_port_ends_with_2_and_names_it(run: Run):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("serve", "--port", str(port), "--presenter", "silent")
    assert done.returncode == 2
    assert str(port) in done.stderr
    assert "Another program uses it" in done.stderr


def test_history_tells_what_happened_and_finds_it_again(
    run: Run, start: Start, spawn: Spawn, person: Person, home: Path
):
    assert run("history").returncode == 0
    app = start(person.says("accept", {"name": "Ada"}), server("quiz", asking("legacy")))
    host = spawn("stdio", "--server", "quiz", name="curious")
    host.open()
    host.call("ask")
    host.call("count")

    def rows(*words: str) -> list[tuple[str, ...]]:
        said = run("history", "--json", *words).stdout
        kept = [json.loads(line) for line in said.splitlines()]
        return [tuple(row[name] for name in ("kind", "host", "server", "tool", "outcome")) for row in kept]

    until(lambda: ("call", "curious", "quiz", "count", "ok") in rows())
    assert ("question", "curious", "quiz", "ask", "accept") in rows()
    call = json.loads(run("history", "--json", "--kind", "call", "--search", "ask").stdout)
    asked = call["detail"]["questions"]
    assert [(one["outcome"], one["sent"]) for one in asked] == [("accept", {"name": "Ada"})]
    told = run("history", "--kind", "call", "--search", "ask").stdout
    assert f"“{asked[0]['message']}” accept (name: Ada)" in told
    assert rows("--search", "count curious") == [("call", "curious", "quiz", "count", "ok")]
    assert rows("--search", "nowhere") == []
    assert len(rows("--limit", "1")) == 1
    assert rows("--outcome", "ok", "--server", "quiz", "--host", "curious", "--since", "1", "--kind", "call")
    assert rows("--server", "other") == rows("--host", "other") == rows("--outcome", "denied") == []
    export = home / "export.jsonl"
    assert run("history", "--export", str(export)).stderr.startswith(f"Entries in {export}: ")
    assert '"result": ' in export.read_text()
    table = run("history", "--search", "count").stdout
    assert re.search(r"call +curious +quiz +count +ok", table)
    assert app.status["waiting"] == []


def test_history_shows_what_a_server_wrote_without_its_control_sequences(run: Run, home: Path):
    home.mkdir()
    journal = Journal(home / "journal.db")
    line = "\x1b[2J\x1b]0;owned\x07no\rAPI key " + "x" * 200
    journal.record(JournalEntry(kind="server", server="quiz", outcome="stderr", detail={"line": line}))
    journal.close()
    told = run("history").stdout
    assert re.search(r"^\S+ \S+ +server +quiz +stderr +noAPI key x+…$", told, re.MULTILINE)
    assert "\x1b" not in told


def test_status_does_not_repeat_what_a_call_would_be_given(
    run: Run, start: Start, spawn: Spawn, person: Person
):
    config = server("quiz", asking("legacy")) + '[policy]\n"quiz_*" = "confirm"\n'
    app = start(person.never_answers(), config)
    host = spawn("stdio", "--server", "quiz", name="curious")
    host.open()
    host.begin_call("ask", message="hunter2")
    assert app.question()["arguments"]
    [question] = json.loads(run("status", "--json").stdout)["waiting"]
    assert (question["mode"], question["tool"]) == ("confirm", "ask")
    assert "arguments" not in question


def test_a_servers_dying_words_cannot_move_the_cursor(run: Run, start: Start, spawn: Spawn, person: Person):
    dying = [sys.executable, "-c", r"import sys; sys.exit('\x1b[2J\x1b]0;owned\x07oh no')"]
    app = start(person.never_answers(), server("quiz", dying))
    host = spawn("stdio", "--server", "quiz", name="cur\x1b[31mious")
    with pytest.raises(Failed, match="oh no"):
        host.open_and_call("count")
    app.until(lambda status: any(one["state"] == "failed" for one in status["servers"]))
    text = run("status").stdout
    assert "oh no" in text
    assert "\x1b" not in text


def test_status_tells_who_is_there_and_what_waits(run: Run, start: Start, spawn: Spawn, person: Person):
    app = start(person.never_answers(), server("quiz", asking("legacy")))
    host = spawn("stdio", "--server", "quiz", name="curious")
    host.open()
    host.begin_call("ask", message="Who?")
    app.question()
    told = json.loads(run("status", "--json").stdout)
    assert told["version"] == __version__
    assert told["address"] == f"http://127.0.0.1:{app.port}/mcp"
    [question] = told["waiting"]
    assert (question["host"], question["server"], question["tool"]) == ("curious", "quiz", "ask")
    assert question["message"] == "Who?"
    [curious] = told["hosts"]
    assert (curious["name"], curious["wire"], curious["can_ask"]) == ("curious", "stdio", False)
    assert {one["name"]: one["state"] for one in told["servers"]} == {
        "quiz": "ready",
        "desk": "idle",
        "bluesky": "idle",
    }
    text = run("status").stdout
    assert f"Listening on http://127.0.0.1:{app.port}/mcp" in text
    assert f"Settings in {app.home.config}\n" in text
    assert re.search(r"^quiz +curious +ask$", text, re.MULTILINE)


def test_without_a_display_it_serves_without_windows_and_says_so(env: dict[str, str]):
    pipe = subprocess.PIPE
    with subprocess.Popen(DESKBELL, env=env, cwd=ROOT, stdin=pipe, stderr=pipe, text=True) as app:
        assert app.stderr
        assert app.stderr.readline() == "deskbell: There is no display. Serving without windows.\n"
        assert app.stderr.readline().startswith("deskbell: listening on http://127.0.0.1:")
        assert "every question is cancelled" in app.stderr.readline()
        app.terminate()
        assert app.wait(WAIT) == 0


def test_a_reader_that_leaves_early_is_no_error(start: Start, env: dict[str, str], home: Path):
    ends = """['-c', 'import sys; sys.exit("no key")']"""
    start(config=f"[servers.sick]\ncommand = '{sys.executable}'\nargs = {ends}\n")
    listing = subprocess.Popen(
        [*DESKBELL, "servers", "list"], env=env, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with listing:
        assert listing.stdout
        assert listing.stderr
        assert listing.stdout.read(4) == b"NAME"
        listing.stdout.close()
        assert listing.stderr.read() == b""
        assert listing.wait(WAIT) == 0
