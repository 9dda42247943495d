"""Signing in to Bluesky through an AI application, and from the command line, at a strict stand-in."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import subprocess
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.accounts import texts
from tests.fixtures.fake_pds import APP_PASSWORD, DID, Sky, sky_apart
from tests.fixtures.patience import WITHIN
from tests.journeys.app_under_test import DESKBELL, ROOT, Person
from tests.journeys.conftest import Spawn, Start
from tests.journeys.hosts import LEGACY, MODERN, Json


@pytest.fixture
def sky() -> Iterator[Sky]:
    with sky_apart() as sky:
        yield sky


def text(result: Json) -> str:
    (block,) = result["content"]
    return str(block["text"])


@pytest.mark.parametrize("revision", [LEGACY, MODERN])
def test_a_host_of_either_era_signs_in_with_the_persons_browser(
    revision: str, sky: Sky, start: Start, spawn: Spawn, person: Person
):
    app = start(person.opens_links(), sky.settings)
    host = spawn("stdio", "--server", "bluesky", revision=revision)
    host.open()
    assert text(host.call("login", account="alice.test")) == "✓ Logged in as @alice.test"
    (asked,) = person.asked
    assert (asked["mode"], asked["server"]) == ("url", "bluesky")
    assert "never sees a password" in asked["message"]
    listed = text(host.call("login", command="list"))
    assert listed.startswith(f"# Accounts · 1\n- @alice.test · {DID} · OAuth")
    (account,) = app.status["bluesky"]["accounts"]
    assert (account["handle"], account["default"]) == ("alice.test", True)
    assert app.status["bluesky"]["done"] == "✓ Logged in as @alice.test", "for the tray to say"
    assert text(host.call("login", command="delete", account="@alice.test")) == "✓ Deleted @alice.test"
    assert person.asked[-1]["message"].startswith("Sign @alice.test out of Bluesky?")
    assert len(sky.revoked) == 1


def test_progress_is_told_to_those_who_want_it(sky: Sky, start: Start, spawn: Spawn, person: Person):
    start(person.opens_links(), sky.settings)
    host = spawn("stdio", "--server", "bluesky")
    host.open()
    wanted = {"name": "login", "arguments": {}, "_meta": {"progressToken": "p"}}
    assert text(host.request("tools/call", wanted)) == "✓ Logged in as @alice.test"
    told = [one["params"]["message"] for one in host.heard if one["method"] == "notifications/progress"]
    assert told[-1] == "Finishing the sign-in…"


@pytest.mark.parametrize(("action", "said"), [("decline", texts.DECLINED), ("cancel", texts.CANCELLED)])
def test_declining_and_cancelling_each_have_their_words(
    action: str, said: str, sky: Sky, start: Start, spawn: Spawn, person: Person
):
    start(person.says(action), sky.settings)
    host = spawn("stdio", "--server", "bluesky")
    host.open()
    result = host.call("login")
    assert (text(result), result["isError"]) == (said, True)
    assert "NOT your main password" in said
    assert texts.APP_PASSWORDS in said
    assert "strongly recommended" in said


@pytest.mark.parametrize(("name", "called"), [("Some Host", "Some Host"), ("", "Unknown Client")])
def test_where_nobody_can_be_asked_the_host_is_named_and_oauth_comes_first(
    name: str, called: str, sky: Sky, start: Start, spawn: Spawn
):
    start("silent", sky.settings)
    host = spawn("stdio", "--server", "bluesky", name=name)
    host.open()
    result = host.call("login")
    assert (text(result), result["isError"]) == (texts.nobody_to_ask(called), True)
    assert called in text(result)
    assert text(result).index("OAuth") < text(result).index("app password")
    named = text(host.call("login", account="bob.test"))
    assert "`deskbell accounts login bob.test`" in named
    assert "call login again with `account: bob.test` and `password`" in named
    assert "HANDLE" not in named


def test_a_host_that_shows_forms_only_is_asked_for_an_app_password(sky: Sky, start: Start, spawn: Spawn):
    def answer(params: Json) -> Json:
        assert "NOT your main password" in params["message"]
        if "handle" not in params["requestedSchema"]["properties"]:
            assert params["message"].startswith("Sign in to Bluesky as bob.test with an app password")
            return {"action": "accept", "content": {"password": "abcd-abcd-abcd-abcd"}}
        assert set(params["requestedSchema"]["properties"]) == {"handle", "password"}
        return {"action": "accept", "content": {"handle": "bob.test", "password": APP_PASSWORD}}

    start("silent", sky.settings)
    host = spawn("stdio", "--server", "bluesky", answer=answer, capabilities={"elicitation": {}})
    host.open()
    assert text(host.call("login")) == "✓ Logged in as @bob.test"
    wrong = text(host.call("login", account="bob.test"))
    assert "do not belong together" in wrong
    assert "NOT your main password" in wrong
    assert texts.APP_PASSWORDS in wrong


def test_cancelling_mentions_no_button_that_a_host_may_not_show() -> None:
    assert "“" not in texts.CANCELLED
    assert "button" not in texts.CANCELLED


def test_a_main_password_is_refused_with_guidance(sky: Sky, start: Start, spawn: Spawn):
    start("silent", sky.settings)
    host = spawn("stdio", "--server", "bluesky")
    host.open()
    result = host.call("accounts", command="login", account="bob.test", password="hunter2")
    assert result["isError"]
    assert texts.REFUSED in text(result)
    assert "hunter2" not in text(result)


# --- `deskbell accounts` ---------------------------------------------------------------------------------


def accounts(env: dict[str, str], *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    command = [*DESKBELL, "accounts", *arguments]
    return subprocess.run(
        command, env=env, cwd=ROOT, input=typed, capture_output=True, text=True, timeout=50, check=False
    )


@pytest.fixture
def browsing(env: dict[str, str], tmp_path: Path) -> dict[str, str]:
    """A system whose browser is a short program."""
    opener = tmp_path / "bin" / "xdg-open"
    opener.parent.mkdir()
    visit = "import sys, urllib.request, threading; urllib.request.urlopen(sys.argv[1], timeout=20).read()"
    opener.write_text(f'#!/bin/sh\n(python3 -c "{visit}" "$1" >/dev/null 2>&1 &)\n')
    opener.chmod(0o700)
    return {**env, "PATH": f"{opener.parent}:{env['PATH']}"}


@pytest.mark.parametrize("running", [True, False], ids=["with the app", "without it"])
def test_the_command_line_signs_in_lists_and_signs_out(
    running: bool, sky: Sky, start: Start, browsing: dict[str, str], home: Path
):
    home.mkdir()
    (home / "config.toml").write_text(f'vault = "file"\n{sky.settings}')
    if running:
        start("silent")
    done = accounts(browsing, "login", "alice.test")
    assert (done.stdout, done.returncode) == ("✓ Logged in as @alice.test\n", 0), done.stderr
    assert "Waiting for you to sign in with your browser…" in done.stderr
    done = accounts(browsing, "login", "bob.test", "--app-password", typed=APP_PASSWORD)
    assert done.stdout == "✓ Logged in as @bob.test\n"
    assert "NOT your main password" in done.stderr
    assert accounts(browsing, "default", "bob.test").returncode == 0
    listed = json.loads(accounts(browsing, "list", "--json").stdout)
    assert [(one["handle"], one["default"]) for one in listed] == [("alice.test", False), ("bob.test", True)]
    assert accounts(browsing, "delete", "alice.test").stdout == "✓ Deleted @alice.test\n"
    gone = accounts(browsing, "delete", "alice.test")
    assert (gone.returncode, gone.stdout) == (3, "")
    assert len(sky.revoked) == 1


@pytest.mark.parametrize("key", [b"\x04", b"\x03"], ids=["Ctrl+D", "Ctrl+C"])
@pytest.mark.parametrize(
    ("words", "guidance"),
    [
        (["accounts", "login", "bob.test", "--app-password"], "strongly recommended"),
        (["secrets", "set", "KEY"], "Type it, or give it on stdin."),
        (["secrets", "protect"], "Type it, or give it on stdin."),
        (["secrets", "protect", "--off"], "Type it, or give it on stdin."),
        (["secrets", "unlock"], "Type it, or give it on stdin."),
    ],
)
def test_a_key_that_ends_a_hidden_prompt_gives_guidance_and_an_exit_code(
    words: list[str], guidance: str, key: bytes, env: dict[str, str]
):
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        [*DESKBELL, *words], env=env, cwd=ROOT, stdin=theirs, stdout=theirs, stderr=theirs,
        preexec_fn=_take_terminal,
    )  # fmt: skip
    os.close(theirs)
    said = b""
    try:
        while b"(not shown): " not in said:
            said += _read_soon(ours)
        os.write(ours, key)
        with contextlib.suppress(OSError):  # the end of a terminal
            while part := _read_soon(ours):
                said += part
        code = process.wait(WITHIN)
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    last = said.decode().partition("(not shown): ")[2]
    assert code > 0
    assert "Nothing was given" in last
    assert guidance in last
    assert "Traceback" not in last


def _read_soon(terminal: int) -> bytes:
    ready, _, _ = select.select([terminal], [], [], WITHIN)
    assert ready, "the program waits, and says nothing"
    return os.read(terminal, 4096)


def _take_terminal() -> None:
    """Make stdin the controlling terminal, so that Ctrl+C is a signal."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
