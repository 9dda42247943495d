"""`deskbell permission-hook NAME`: an application's hook for permissions, answered by `desk_permission`.

The application NAME starts it (`hosts connect NAME --approvals` writes the entry), with the request as JSON
on stdin. Claude Code runs it when it would ask for permission itself: without a usable answer nothing is
printed, and Claude Code asks in its own way. The other applications also run it for what they would allow
without asking: for them, a missing answer is a refusal.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from threading import Timer
from typing import Any

import msgspec

from bridge.cli.start import guarded
from bridge.errors import DeskbellError
from bridge.hosts.recipe import PERMISSION_LIMIT
from bridge.settings import Home
from bridge.transports import control_client

# Deskbell's own tools, which have approvals of their own; not those of servers with names like deskbell__x.
OWN_TOOL = re.compile(r"mcp__deskbell__[^_](?:_?[^_])*|deskbell/[^/]+")
OWN_ENTRY = "deskbell"  # name of Deskbell in files of applications
SPARE = 60  # seconds for the refusal to arrive before the application gives up
Decision = dict[str, Any]  # of desk_permission


class McpContext(msgspec.Struct, frozen=True):
    server_name: str = ""


class HookRequest(msgspec.Struct):
    tool_name: str
    tool_input: dict[str, Any] = {}
    session_id: str = ""
    permission_mode: str = ""
    mcp_context: McpContext = McpContext()  # Gemini CLI's: its names of tools do not tell


class CamelRequest(HookRequest, rename="camel"):  # only its own fields are renamed
    tool_name: str
    tool_input: dict[str, Any] = {}
    session_id: str = ""


# --- what each application wants to read -----------------------------------------------------------------


def _claude_code(decision: Decision, request: HookRequest) -> Any:
    return {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}}


def _copilot(decision: Decision, request: HookRequest) -> Any:
    return {key: value for key, value in decision.items() if key != "updatedInput"}


def _gemini(decision: Decision, request: HookRequest) -> Any:
    if decision.get("interrupt"):
        return {"continue": False, "stopReason": decision["message"]}
    if decision["behavior"] == "deny":
        return {"decision": "deny", "reason": decision["message"]}
    if decision["updatedInput"] == request.tool_input:
        return {}
    specific = {"hookEventName": "BeforeTool", "tool_input": decision["updatedInput"]}
    return {"hookSpecificOutput": specific}


def _before_tool(decision: Decision, request: HookRequest) -> Any:
    """Codex and Qwen Code. Codex takes an allow only with a changed input."""
    specific = {"hookEventName": "PreToolUse", "permissionDecision": decision["behavior"]}
    if decision["behavior"] == "deny":
        return {"hookSpecificOutput": {**specific, "permissionDecisionReason": decision["message"]}}
    if decision["updatedInput"] == request.tool_input:
        return {}
    return {"hookSpecificOutput": {**specific, "updatedInput": decision["updatedInput"]}}


@dataclass(frozen=True, slots=True)
class Contract:
    name: str  # for the person
    answer: Callable[[Decision, HookRequest], Any]
    request: type[HookRequest] = HookRequest
    mode: str = ""  # its mode without permissions, the only one in which it is asked here; "": each
    editable: bool = True  # the host accepts a changed input
    stoppable: bool = True
    guards: bool = True  # the host runs the hook also for what its own rules allow
    names_server: bool = False  # the request says whose tool it is

    def is_own_tool(self, request: HookRequest) -> bool:
        if self.names_server:
            return request.mcp_context.server_name == OWN_ENTRY
        return OWN_TOOL.fullmatch(request.tool_name) is not None


CONTRACTS = {
    "claude-code": Contract("Claude Code", _claude_code, guards=False),
    "codex": Contract("Codex", _before_tool, mode="bypassPermissions", stoppable=False),
    "copilot-cli": Contract("Copilot CLI", _copilot, CamelRequest, editable=False),
    "gemini": Contract("Gemini CLI", _gemini, names_server=True),
    "qwen": Contract("Qwen Code", _before_tool, mode="yolo", editable=False, stoppable=False),
}


_BLOCK = 2  # exit code with which every application refuses; with any other failure some go on


def main(argv: Sequence[str]) -> int:
    name = next(iter(argv[1:]), "claude-code")  # entries from before have no name
    if name not in CONTRACTS:
        print(f"deskbell: {name} is no application that this Deskbell knows", file=sys.stderr)
        return _BLOCK
    failed = guarded(partial(permission_hook, CONTRACTS[name]))
    return _BLOCK if failed and CONTRACTS[name].guards else failed


def permission_hook(contract: Contract, home: Home) -> int:
    request = contract.request("")
    if contract.guards:
        _refuse_before(PERMISSION_LIMIT - SPARE, contract)
    try:
        request = msgspec.json.decode(sys.stdin.buffer.read(), type=contract.request)
        if contract.guards and contract.is_own_tool(request):
            return 0
        if contract.mode not in ("", request.permission_mode):
            return 0
        decision = _ask(home, contract, request)
    except Exception as error:  # of whatever kind: an application that gets no answer goes on
        print(f"deskbell: {error}", file=sys.stderr)
        if not contract.guards:
            return 0
        decision = {"behavior": "deny", "message": f"Nobody could be asked: {error}"}
    print(msgspec.json.encode(contract.answer(decision, request)).decode())
    return 0


def _refuse_before(seconds: float, contract: Contract) -> None:
    """Refuse and exit after so many seconds: an application that gives the hook up goes on."""

    def refuse() -> None:
        decision = {"behavior": "deny", "message": "Nobody answered in time."}
        print(msgspec.json.encode(contract.answer(decision, contract.request(""))).decode(), flush=True)
        os._exit(0)

    timer = Timer(seconds, refuse)
    timer.daemon = True
    timer.start()


def _ask(home: Home, contract: Contract, request: HookRequest) -> Decision:
    arguments = {
        "tool_name": request.tool_name,
        "input": request.tool_input,
        "run": request.session_id,
        "agent": contract.name,
        "editable": contract.editable,
        "stoppable": contract.stoppable,
    }
    call = {"what": "call", "name": "desk_permission", "arguments": msgspec.json.encode(arguments).decode()}
    reply = control_client.request_functions(home, call)
    if reply.get("status") != 200:
        raise DeskbellError(str(reply.get("text") or reply.get("error")))
    return msgspec.json.decode(reply["text"], type=dict[str, Any])
