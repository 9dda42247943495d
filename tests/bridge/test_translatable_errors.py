"""What goes wrong with servers, secrets and accounts is told in words that windows can translate."""

from __future__ import annotations

import ast
import contextlib
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from bridge.accounts import texts as about_accounts
from bridge.accounts.account import Account, Method
from bridge.api import ServerStatus, Words
from bridge.errors import SettingsError, UsageError, checked_reply, failure_reply
from bridge.i18n import say, stored
from bridge.settings.parser import read
from bridge.system.masking import Mask
from bridge.upstreams.error_masking import RedactingServerPort
from tests.bridge.running_app import House, house
from tests.fixtures.recording_back import Recorder

ROOT = Path(__file__).parents[2]
DYING = [sys.executable, "-I", "-S", str(ROOT / "tests" / "fixtures" / "dying_server.py"), "3", "4"]
ASKING = [sys.executable, "-I", "-S", str(ROOT / "tests" / "fixtures" / "asking_server.py")]
# Whoever raises these may be heard in a window.
TOLD = (
    "RequestFailed",
    "TooMuch",
    "Broken",
    "UpstreamError",
    "VaultError",
    "VaultLocked",
    "NoKeyring",
    "SettingsError",
)
WHERE = ("upstreams", "vault", "settings", "servers", "hosts")


def table(name: str, words: list[str], more: str = "") -> str:
    return f"[servers.{name}]\ncommand = '{words[0]}'\nargs = {words[1:]!r}\n{more}\n"


@pytest.fixture
def running(tmp_path: Path) -> Iterator[House]:
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
    config = 'vault = "file"\n' + table("sick", DYING) + table("lost", ["/nowhere/at/all"])
    config += table("poor", ASKING, 'env = { KEY = "${vault:quiz/key}" }')
    config += f'[servers.far]\nurl = "http://127.0.0.1:{port}/mcp"\n'
    with house(tmp_path / "home", config) as built:
        yield built


def row(of: House, name: str) -> ServerStatus:
    return next(one for one in of.bridge.status.servers if one.name == name)


def parts(text: str) -> list[str]:
    """The templates that a text is made of, the outermost first."""
    if not isinstance(text, Words):
        return []
    inner = [
        part for value in text.values.values() for part in parts(value if isinstance(value, str) else "")
    ]
    return [text.template, *inner]


@pytest.mark.parametrize(
    ("server", "told"),
    [
        ("sick", ["{title}:\n{message}", "{server} ended with code {code}"]),
        (
            "lost",
            [
                "{title}: {message}",
                "Could not start {server}",
                "{problem} {remedy}",
                "`{command}` was not found.",
                "Install it or edit the command.",
            ],
        ),
        (
            "poor",
            [
                "{title}: {message}",
                "Could not start {server}",
                "{title}: {message}",
                "There is no secret named {name}",
                "set it by {command}.",
            ],
        ),
        ("far", ["Could not reach {server}: {why}", "nothing listens at {host}. Is it running?"]),
    ],
)
def test_a_server_that_does_not_work_says_so_in_words_that_can_be_translated(
    running: House, server: str, told: list[str]
) -> None:
    running.bridge.servers.look_at(server, ask=True)
    running.until(lambda: (look := running.bridge.status.at_servers.look) and look.problem)
    running.until(lambda: row(running, server).problem)
    look = running.bridge.status.at_servers.look
    assert look
    assert parts(row(running, server).problem) == told
    assert parts(look.problem) == told  # as heard by our own window, which asks as a host does


def test_a_tool_that_is_tried_in_vain_says_why_in_such_words(running: House) -> None:
    running.bridge.servers.try_tool("lost", "lost_tool", b"{}")
    running.until(lambda: running.bridge.status.at_servers.trial.blocks)
    (block,) = running.bridge.status.at_servers.trial.blocks
    assert parts(block.text)[1] == "Could not start {server}"


def test_what_an_office_could_not_do_is_told_in_such_words(running: House) -> None:
    running.bridge.servers.delete_secret("nothing")
    running.until(lambda: running.bridge.status.at_servers.last_action.problem)
    problem = running.bridge.status.at_servers.last_action.problem
    assert parts(problem) == ["{title}. {message}", "There is no secret named {name}", "See {command}."]


def test_a_failure_crosses_the_socket_in_english_and_stays_what_it_is_within_the_house() -> None:
    error = UsageError(say("There is no secret named {name}", name="x"), say("Try again."))
    crossed = msgspec.json.encode(failure_reply(error), enc_hook=str)
    assert b'"title":"There is no secret named x","message":"Try again."' in crossed
    with pytest.raises(UsageError) as raised:
        checked_reply(failure_reply(error))
    assert isinstance(raised.value.title, Words)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("port = 'x'", ["{key} must be {what}.", "a port number from 0 to 65535"]),
        ("[servers.a]\ncommand = 'x'\nurl = 'http://y'", ["{key} must have either a command or a url."]),
        ("vault = 'x'", ["{key} must be {what}.", "{others} or {last}"]),
    ],
)
def test_a_broken_setting_says_so_in_such_words(text: str, told: list[str]) -> None:
    with pytest.raises(SettingsError) as raised:
        read(text, "config.toml", {})
    assert parts(raised.value.message) == told


def test_an_ignored_setting_is_noted_in_such_words() -> None:
    (note,) = read("\nodd = 1", "config.toml", {}).notes
    assert note == "config.toml, line 2: odd is not a setting; it is ignored."
    assert parts(note) == ["{file}, line {line}: {what}", "{key} is not a setting; it is ignored."]


async def test_a_secret_in_such_words_is_masked_and_they_stay_what_they_are() -> None:
    heard: list[str] = []

    class Back(Recorder):
        def unreached(self, conn: int, request: bytes, words: str, status: int = 0) -> None:
            heard.append(words)

    mask = Mask()
    mask.learn(["hunter2"])
    words = say("{server} has moved to {address}.", server="far", address="http://hunter2.org")
    RedactingServerPort(Back(), mask).unreached(1, b"1", words)
    assert heard == ["far has moved to http://•••.org."]
    assert isinstance(heard[0], Words)


@pytest.mark.parametrize(
    "said",
    [
        about_accounts.NOT_FINISHED,
        about_accounts.ended("Token has been revoked."),
        about_accounts.ended(about_accounts.refused_password()),
        about_accounts.ended(about_accounts.gone("keyring")),
        about_accounts.moved("pds.example.org"),
    ],
)
def test_why_a_sign_in_has_ended_can_be_translated_after_a_restart(said: Words) -> None:
    account = Account("did:plc:1", "alice.test", "https://a.b", Method.OAUTH, why_ended=stored(said))
    known = msgspec.json.decode(msgspec.json.encode(account), type=Account).ended
    assert known == said
    assert parts(known) == parts(said)


@pytest.mark.parametrize("folder", WHERE)
def test_no_failure_is_raised_in_plain_english(folder: str) -> None:
    """A law: what is said here reaches windows. `say` is the way."""
    plain = [
        f"{path.name}:{node.lineno}"
        for path in (ROOT / "bridge" / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") in TOLD
        and isinstance(node.args[0], ast.Constant | ast.JoinedStr)
    ]
    assert plain == []
