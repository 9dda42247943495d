"""`deskbell permission-hook`: Claude Code's hook PermissionRequest, answered by `desk_permission`.

Claude Code starts it for each permission it would ask for (`hosts connect claude-code --approvals` writes the
entry), with the request as JSON on stdin. Without a usable answer it prints nothing: Claude Code then asks as
it does without the hook.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import msgspec

from bridge.cli.start import guarded
from bridge.errors import DeskbellError
from bridge.settings import Home
from bridge.transports import control_client

EVENT = "PermissionRequest"


class HookRequest(msgspec.Struct):
    tool_name: str
    tool_input: dict[str, Any] = {}
    session_id: str = ""


def main(argv: Sequence[str]) -> int:
    return guarded(permission_hook)


def permission_hook(home: Home) -> int:
    try:
        request = msgspec.json.decode(sys.stdin.buffer.read(), type=HookRequest)
        decision = _ask(home, request)
    except (msgspec.DecodeError, UnicodeDecodeError, DeskbellError) as error:
        print(f"deskbell: {error}", file=sys.stderr)
        return 0
    output = {"hookSpecificOutput": {"hookEventName": EVENT, "decision": decision}}
    print(msgspec.json.encode(output).decode())
    return 0


def _ask(home: Home, request: HookRequest) -> dict[str, Any]:
    arguments = {"tool_name": request.tool_name, "input": request.tool_input, "run": request.session_id}
    call = {"what": "call", "name": "desk_permission", "arguments": msgspec.json.encode(arguments).decode()}
    reply = control_client.request_functions(home, call)
    if reply.get("status") != 200:
        raise DeskbellError(str(reply.get("text") or reply.get("error")))
    return msgspec.json.decode(reply["text"], type=dict[str, Any])
