"""`deskbell held`: calls whose AI applications stopped waiting, and deleting one."""

from __future__ import annotations

import argparse
import sys
from datetime import datetime
from typing import Any

import msgspec

from bridge.cli.output import table
from bridge.core.status import HeldCallStatus
from bridge.errors import NetworkError, checked_reply
from bridge.presenters.tty import one_line
from bridge.settings import Home
from bridge.transports import control_client

_NOT_RUNNING = NetworkError("Deskbell is not running", "Start it with `deskbell`, or `deskbell serve`.")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--delete", metavar="TICKET", default="", help="delete this call and its result")
    parser.set_defaults(run=held)


def held(wanted: argparse.Namespace, home: Home) -> int:
    if wanted.delete:
        _ask(home, "delete-held", ticket=wanted.delete)
        return 0
    calls = msgspec.convert(_ask(home, "status")["held"], list[HeldCallStatus])
    if wanted.json:
        for call in calls:
            print(msgspec.json.encode(call).decode())
    elif calls:
        table(("TICKET", "HOST", "SERVER", "TOOL", "SINCE", "STATE"), [_row(call) for call in calls])
    else:
        print("No call is held.", file=sys.stderr)
    return 0


def _ask(home: Home, verb: str, ticket: str = "") -> dict[str, Any]:
    reply = control_client.ask_running(home, verb, ticket=ticket)
    if reply is None:
        raise _NOT_RUNNING
    return checked_reply(reply)


def _row(call: HeldCallStatus) -> tuple[str, ...]:
    state = "waited for" if call.is_awaited else "finished" if call.finished else "under way"
    since = datetime.fromtimestamp(call.begun).strftime("%Y-%m-%d %H:%M")
    return call.ticket, one_line(call.host), call.server, one_line(call.tool), since, state
