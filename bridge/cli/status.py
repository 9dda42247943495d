"""`deskbell status`: print connected applications, servers and waiting questions."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from datetime import datetime

import msgspec

from bridge.cli.output import table
from bridge.core.status import ServerStatus, Status
from bridge.errors import NetworkError
from bridge.presenters.tty import one_line
from bridge.settings import Home


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=status)


def status(arguments: argparse.Namespace, home: Home) -> int:
    from bridge import api  # here: imports the engine

    reply = api.ask_running(home, "status")
    if reply is None:
        raise NetworkError(
            "Deskbell is not running", "Start it with `deskbell`, or without windows: `deskbell serve`."
        )
    if arguments.json:
        for question in reply["waiting"]:
            del question["arguments"]  # only for the dialog: scripts may store their input
        print(msgspec.json.encode(reply).decode())
        return 0
    current = msgspec.convert(reply, api.Status)
    print(f"Deskbell {current.version}, questions: {current.presenter}")
    print(f"Listening on {current.address}" if current.address else "Not listening for HTTP; stdio only")
    print(f"Settings in {home.config}")
    print(one_line(current.vault.words()))
    for problem in current.problems:
        print(f"Problem: {one_line(problem)}")
    if current.config.loosened:
        print(f"Removed from config.toml: {one_line(current.config.loosened)}")
    for line in _quiet(current):
        print(one_line(line))
    for notice in current.notices:
        print(f"Notice: {one_line(notice)}")
    table(
        ("HOST", "BY", "REVISION", "CALLS"),
        [(h.name, h.wire, h.revision, str(h.calls)) for h in current.hosts],
    )
    table(
        ("SERVER", "KIND", "STATE", "PROBLEM"),
        [(s.name, s.kind, s.state, _trouble(s)) for s in current.servers],
    )
    table(("WAITING", "HOST", "TOOL"), [(q.server, q.host, q.tool) for q in current.waiting])
    return 0


def _trouble(server: ServerStatus) -> str:
    needs = "; ".join(f"deskbell secrets set {name}" for name in server.missing)
    return server.problem or (f"needs a secret: {needs}" if needs else "")


def _quiet(current: Status) -> Iterator[str]:
    if current.snoozed:
        until = f"until {_clock(current.snoozed_until)}" if current.snoozed_until else "until you resume"
        yield f"Snoozed {until}: questions wait, and nothing rings"
    for mute in current.mutes:
        yield f"Muted until {_clock(mute.until)}: {mute.server}"
    for flood in current.floods:
        yield f"Asks very often: {flood.server} ({flood.waiting} waiting)"


def _clock(at: float) -> str:
    return datetime.fromtimestamp(at).strftime("%H:%M")
