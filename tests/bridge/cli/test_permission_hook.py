"""`deskbell permission-hook NAME`: each application reads the decision in its own words."""

from __future__ import annotations

import io
import json
from typing import Any

import msgspec
import pytest

from bridge.cli import permission_hook as hook
from bridge.errors import DeskbellError
from bridge.hosts.recipes import RECIPES

INPUT = {"command": "make"}
MODES = {"codex": "bypassPermissions", "qwen": "yolo"}
ALLOW = {"behavior": "allow", "updatedInput": INPUT}
CHANGED = {"behavior": "allow", "updatedInput": {"command": "make -n"}}
DENY = {"behavior": "deny", "message": "No."}
STOP = {**DENY, "interrupt": True}
SAYS: dict[tuple[str, str], Any] = {
    ("claude-code", "allow"): {
        "hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": ALLOW}
    },
    ("copilot-cli", "allow"): {"behavior": "allow"},
    ("copilot-cli", "stop"): STOP,
    ("gemini", "allow"): {},
    ("gemini", "changed"): {
        "hookSpecificOutput": {"hookEventName": "BeforeTool", "tool_input": CHANGED["updatedInput"]}
    },
    ("gemini", "deny"): {"decision": "deny", "reason": "No."},
    ("gemini", "stop"): {"continue": False, "stopReason": "No."},
    ("codex", "allow"): {},
    ("codex", "changed"): {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "allow",
            "updatedInput": CHANGED["updatedInput"],
        }
    },
    ("qwen", "deny"): {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": "No.",
        }
    },
}
DECISIONS: dict[str, dict[str, Any]] = {"allow": ALLOW, "changed": CHANGED, "deny": DENY, "stop": STOP}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Run the hook of an application with this text on stdin; return what it prints."""

    def run(app: str, text: str) -> str:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert hook.main(["permission-hook", app]) == 0
        return capsys.readouterr().out

    return run


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can be asked: the hook would start Deskbell otherwise."""

    def fail(*_: object) -> None:
        raise DeskbellError("No Deskbell")

    monkeypatch.setattr("bridge.transports.control_client.request_functions", fail)


def request(app: str, tool: str = "Bash", mode: str = "") -> str:
    if app == "copilot-cli":
        return json.dumps({"toolName": tool, "toolInput": INPUT})
    mode = mode or MODES.get(app, "default")
    return json.dumps({"tool_name": tool, "tool_input": INPUT, "permission_mode": mode})


def of_server(server: str, tool: str) -> str:
    return json.dumps({"tool_name": tool, "tool_input": INPUT, "mcp_context": {"server_name": server}})


def test_every_application_with_a_hook_has_a_contract() -> None:
    names = {app: contract.name for app, contract in hook.CONTRACTS.items()}
    assert names == {recipe.id: recipe.name for recipe in RECIPES if recipe.approvals}


@pytest.mark.parametrize("app", hook.CONTRACTS)
def test_every_application_s_request_is_read(app: str) -> None:
    read = msgspec.json.decode(request(app), type=hook.CONTRACTS[app].request)
    assert (read.tool_name, read.tool_input) == ("Bash", INPUT)


@pytest.mark.parametrize(("app", "decision"), SAYS)
def test_the_decision_is_said_in_its_words(app: str, decision: str) -> None:
    asked = hook.HookRequest("Bash", INPUT)
    assert hook.CONTRACTS[app].answer(DECISIONS[decision], asked) == SAYS[app, decision]


@pytest.mark.parametrize("app", hook.CONTRACTS)
def test_without_an_answer_nothing_is_allowed(run: Any, app: str) -> None:
    """Claude Code asks for itself then; the others would go on."""
    out = run(app, "no JSON")
    assert out == "" if app == "claude-code" else "Nobody could be asked" in out


@pytest.mark.parametrize("fault", [DeskbellError("Down"), OSError("No file"), KeyError("text")])
@pytest.mark.parametrize("app", ["codex", "copilot-cli", "gemini", "qwen"])
def test_whatever_fails_meanwhile_is_a_no(
    run: Any, app: str, fault: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise fault

    monkeypatch.setattr("bridge.transports.control_client.request_functions", fail)
    assert "Nobody could be asked" in run(app, request(app))


def test_an_unknown_application_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert hook.main(["permission-hook", "new-app"]) == 2
    assert "new-app is no application that this Deskbell knows" in capsys.readouterr().err


@pytest.mark.parametrize(("app", "code"), [("gemini", 2), ("claude-code", 5)])
def test_without_a_usable_home_an_application_that_goes_on_is_refused(
    app: str, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise DeskbellError("No home")

    monkeypatch.setattr("bridge.settings.Home.find", fail)
    assert hook.main(["permission-hook", app]) == code


def test_for_our_own_tools_nobody_is_asked(run: Any) -> None:
    for app, tool in (
        ("codex", "mcp__deskbell__ask"),
        ("qwen", "mcp__deskbell__ask"),
        ("copilot-cli", "deskbell/ask"),
    ):
        assert run(app, request(app, tool)) == ""
    assert run("gemini", of_server("deskbell", "mcp_deskbell_ask")) == ""


@pytest.mark.parametrize(
    ("app", "tool"),
    [
        ("codex", "mcp__deskbell__x__delete"),  # of a server named deskbell__x
        ("qwen", "mcp__deskbell___delete"),  # deskbell_
        ("qwen", "mcp__deskbell_x__delete"),
        ("copilot-cli", "deskbell-x/delete"),
        ("copilot-cli", "deskbell/x/delete"),
        ("gemini", "mcp_deskbell_ask"),  # no MCP tool at all
    ],
)
@pytest.mark.usefixtures("nobody")
def test_for_tools_of_servers_with_names_like_ours_the_person_is_asked(run: Any, app: str, tool: str) -> None:
    assert "Nobody could be asked" in run(app, request(app, tool))


@pytest.mark.parametrize("server", ["deskbell_desk", "_deskbell", "Deskbell", ""])
@pytest.mark.usefixtures("nobody")
def test_gemini_tells_whose_tool_it_is(run: Any, server: str) -> None:
    assert "Nobody could be asked" in run("gemini", of_server(server, "mcp_deskbell_desk_ask"))


@pytest.mark.parametrize("app", MODES)
def test_an_application_that_asks_for_itself_is_left_alone(run: Any, app: str) -> None:
    assert run(app, request(app, mode="default")) == ""
