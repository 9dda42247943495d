"""The verbs that look inside or edit config.toml: what they print, and where they get it from."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec

from bridge.core.ports import ServerSpec
from bridge.errors import NetworkError
from bridge.journal import Journal, Row
from bridge.settings import Home, SettingsFile

# --- servers ---------------------------------------------------------------------------------------------


def servers_arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_subparsers(title="what to do", metavar="WHAT", required=True, parser_class=type(parser))
    one = what.add_parser("list", help="name, kind and how each is reached")
    one.add_argument("--json", action="store_true")
    one.set_defaults(run=servers_list)
    one = what.add_parser("add", help="add NAME (URL | -- COMMAND ARGS…)")
    one.add_argument("name", metavar="NAME")
    one.add_argument("target", nargs="+", metavar="URL | COMMAND ARGS…")
    one.set_defaults(run=servers_add)
    one = what.add_parser("remove", help="take NAME out of config.toml")
    one.add_argument("name", metavar="NAME")
    one.set_defaults(run=servers_remove)


def _settings(home: Home) -> SettingsFile:
    home.ensure()
    settings = SettingsFile(home.config)
    settings.reload()
    if settings.problem:
        print(f"deskbell: {settings.problem}", file=sys.stderr)
    return settings


def servers_list(arguments: argparse.Namespace, home: Home) -> int:
    servers = _settings(home).current.servers.values()
    if arguments.json:
        listed = [{"name": s.name, "command": s.command, "args": s.args, "url": s.url} for s in servers]
        print(msgspec.json.encode(listed).decode())
    elif not servers:
        print("No servers yet. Add one: deskbell servers add NAME -- COMMAND ARGS…")
    else:
        _table(("NAME", "KIND", "REACHED BY"), [_server_row(s) for s in servers])
    return 0


def _server_row(spec: ServerSpec) -> Sequence[str]:
    if spec.url:
        return spec.name, "http", spec.url
    return spec.name, "stdio", " ".join((spec.command, *spec.args))


def servers_add(arguments: argparse.Namespace, home: Home) -> int:
    target: list[str] = arguments.target
    if len(target) == 1 and target[0].startswith(("http://", "https://")):
        spec = ServerSpec(arguments.name, url=target[0])
    else:
        spec = ServerSpec(arguments.name, command=target[0], args=tuple(target[1:]))
    _settings(home).add_server(spec)
    print(f"Added {spec.name}.")
    return 0


def servers_remove(arguments: argparse.Namespace, home: Home) -> int:
    _settings(home).remove_server(arguments.name)
    print(f"Removed {arguments.name}.")
    return 0


# --- looking inside --------------------------------------------------------------------------------------


def history(arguments: argparse.Namespace, home: Home) -> int:
    if not home.journal.exists():
        print("Nothing has happened yet.", file=sys.stderr)
        return 0
    journal = Journal(home.journal)
    try:
        rows = journal.search(arguments.search, arguments.limit)
    finally:
        journal.close()
    if arguments.json:
        for row in rows:
            print(msgspec.json.encode(row).decode())
    else:
        _table(
            ("WHEN", "WHAT", "HOST", "SERVER", "TOOL", "OUTCOME", "MS"), [_history_row(row) for row in rows]
        )
    return 0


def _history_row(row: Row) -> Sequence[str]:
    when = datetime.fromtimestamp(row.at).strftime("%Y-%m-%d %H:%M:%S")
    return when, row.kind, row.host, row.server, row.tool, row.outcome, f"{row.ms:.0f}" if row.ms else ""


def status(arguments: argparse.Namespace, home: Home) -> int:
    from bridge import api  # late: the engine's imports

    said = api.ask_running(home, "status")
    if said is None:
        raise NetworkError(
            "Deskbell is not running", "Start it with `deskbell`, or without windows: `deskbell serve`."
        )
    if arguments.json:
        print(msgspec.json.encode(said).decode())
        return 0
    current = msgspec.convert(said, api.Status)
    print(f"Deskbell {current.version}, questions: {current.presenter}")
    print(f"Listening on {current.address or 'no port; stdio hosts only'}")
    for problem in current.problems:
        print(f"Problem: {problem}")
    _table(
        ("HOST", "BY", "REVISION", "CALLS"),
        [(h.name, h.wire, h.revision, str(h.calls)) for h in current.hosts],
    )
    _table(
        ("SERVER", "KIND", "STATE", "PROBLEM"),
        [(s.name, s.kind, s.state, s.problem) for s in current.servers],
    )
    _table(("WAITING", "HOST", "TOOL"), [(q.server, q.host, q.tool) for q in current.waiting])
    return 0


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    lines = [[" ".join(cell.split()) for cell in row] for row in rows]
    if not lines:
        return
    widths = [max(len(line[i]) for line in [head, *lines]) for i in range(len(head))]
    for line in [head, *lines]:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
