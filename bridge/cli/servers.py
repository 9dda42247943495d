"""The verbs that look inside or edit config.toml: what they print, and where they get it from."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from bridge.core.ports import ServerSpec
from bridge.core.status import ServerStatus, Status
from bridge.errors import NetworkError, NotFoundError, SettingsError, UsageError
from bridge.journal import History, Row, Wanted, export
from bridge.presenters.tty import one_line
from bridge.servers.command_line import joined, whole_address
from bridge.settings import Home, SettingsFile, load
from bridge.settings.parser import SERVER_KEYS
from bridge.system.fast.lazy_import import late
from bridge.transports.control_client import ask_running

if TYPE_CHECKING:
    from bridge.cli import servers_import, servers_login, servers_rename
    from bridge.hosts import import_servers
else:
    import_servers = late("bridge.hosts.import_servers")
    servers_import, servers_login = late("bridge.cli.servers_import"), late("bridge.cli.servers_login")
    servers_rename = late("bridge.cli.servers_rename")

_TARGET = "NAME ([--header 'NAME: VALUE']… URL | [--env NAME=VALUE]… -- COMMAND ARGS…)"
_DAY = 86_400  # seconds
_NOTE = 100  # letters of a note in the history's table; --json has all of it

# --- servers ---------------------------------------------------------------------------------------------


def servers_arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_subparsers(title="what to do", metavar="WHAT", required=True, parser_class=type(parser))
    one = what.add_parser("list", help="name, kind and how each is reached")
    one.add_argument("--json", action="store_true", help="one JSON list")
    one.set_defaults(run=servers_list)
    one = what.add_parser("add", help=f"add {_TARGET}", usage=f"deskbell servers add [-h] {_TARGET}")
    one.add_argument(
        "--header", action="append", default=[], metavar="'NAME: VALUE'", help="sent with each request to URL"
    )
    one.add_argument(
        "--env", action="append", default=[], metavar="NAME=VALUE", help="added to COMMAND's environment"
    )
    one.add_argument("name", metavar="NAME", help="letters, digits, - and _")
    one.add_argument("target", nargs=argparse.REMAINDER, help="its http(s) address, or what starts it")
    one.set_defaults(run=servers_add)
    one = what.add_parser("import", help="add the servers of FILE, or of the AI applications on this machine")
    servers_import.arguments(one)
    one = what.add_parser("login", help="sign in to NAME in the browser")
    one.add_argument("name", metavar="NAME")
    one.set_defaults(run=servers_login.login)
    one = what.add_parser("logout", help="forget the sign-in to NAME")
    one.add_argument("name", metavar="NAME")
    one.set_defaults(run=servers_login.logout)
    for verb, enabled, words in (
        ("enable", True, "offer NAME again"),
        ("disable", False, "offer NAME no more"),
    ):
        one = what.add_parser(verb, help=words)
        one.add_argument("name", metavar="NAME")
        one.set_defaults(run=servers_enable, enabled=enabled)
    one = what.add_parser("rename", help="call OLD NEW; it keeps its sign-in, rules and place")
    one.add_argument("old", metavar="OLD")
    one.add_argument("new", metavar="NEW", help="letters, digits, - and _")
    one.set_defaults(run=servers_rename.rename)
    one = what.add_parser("remove", help="take NAME out of config.toml")
    one.add_argument("name", metavar="NAME")
    one.add_argument(
        "--forget", action="store_true", help="its sign-in and the secrets that only it uses, too"
    )
    one.set_defaults(run=servers_rename.remove)


def servers_list(arguments: argparse.Namespace, home: Home) -> int:
    settings = load(home.config)
    for note in settings.notes:
        print(f"deskbell: {note}", file=sys.stderr)
    servers = settings.servers.values()
    if arguments.json:
        listed = [{"name": s.name, "command": s.command, "args": s.args, "url": s.url} for s in servers]
        print(msgspec.json.encode(listed).decode())
    elif not servers:
        print("No servers yet. Add one: deskbell servers add NAME -- COMMAND ARGS…")
    else:
        table(("NAME", "KIND", "REACHED BY"), [_server_row(s) for s in servers])
    return 0


def _server_row(spec: ServerSpec) -> Sequence[str]:
    off = "" if spec.enabled else "  (switched off)"
    if spec.url:
        return spec.name, "http", spec.url + off
    return spec.name, "stdio", joined((spec.command, *spec.args)) + off


def servers_add(arguments: argparse.Namespace, home: Home) -> int:
    target: list[str] = arguments.target
    while target[:1] in (["--header"], ["--env"]) and len(target) > 1:  # after NAME argparse leaves them here
        getattr(arguments, target[0].removeprefix("--")).append(target[1])
        target = target[2:]
    if target[:1] == ["--"]:
        target = target[1:]
    elif len(target) == 1:
        target = [whole_address(target[0])]
    if not target or target[0].startswith("-"):
        raise UsageError("A server needs an address or a command", f"deskbell servers add {_TARGET}")
    spec = _spec(arguments.name, *target)
    headers, env = (
        _pairs(arguments.header, ":", "--header 'NAME: VALUE'"),
        _pairs(arguments.env, "=", "--env NAME=VALUE"),
    )
    if (headers and not spec.url) or (env and spec.url):
        raise UsageError("--header is for an address, --env for a command", f"deskbell servers add {_TARGET}")
    spec = replace(spec, headers=headers, env=env)
    home.ensure()
    SettingsFile(home.config).add_server(spec)
    print(f"Added {spec.name}.")
    for key in import_servers.secret_keys({**env, **headers}):
        name = f"{spec.name}/{key}"
        print(
            f"{one_line(key)} stands in config.toml as it is. To keep it in the vault: "
            f"`deskbell secrets set {one_line(name)}`, and ${{vault:{one_line(name)}}} in its place.",
            file=sys.stderr,
        )
    return 0


def _spec(name: str, target: str, *args: str) -> ServerSpec:
    if "://" not in target:
        return ServerSpec(name, command=target, args=args)
    if args:
        hint = f"Options stand before the address: deskbell servers add {_TARGET}"
        raise UsageError(f"Nothing may follow the address {target}", hint)
    rule = SERVER_KEYS["url"]
    if not rule.fits(target):
        raise UsageError(f"{target} is not the address of a server", f"It must be {rule.words}.")
    return ServerSpec(name, url=target)


def _pairs(given: Sequence[str], mark: str, usage: str) -> dict[str, str]:
    parted = [word.partition(mark) for word in given]
    if not all(found and name.strip() for name, found, _ in parted):
        raise UsageError("A name and its value are wanted", f"Write {usage}.")
    return {name.strip(): value.strip() if mark == ":" else value for name, _, value in parted}


def servers_enable(arguments: argparse.Namespace, home: Home) -> int:
    name, file = arguments.name, SettingsFile(home.config)
    spec = load(home.config).servers.get(name)
    if spec is None:
        raise NotFoundError(f"There is no server named {name}", "See `deskbell servers list`.")
    file.change_server(replace(spec, enabled=arguments.enabled))
    print(f"Switched {name} {'on' if arguments.enabled else 'off'}.")
    return 0


# --- the token -------------------------------------------------------------------------------------------


def token_arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_subparsers(title="what to do", metavar="WHAT", required=True, parser_class=type(parser))
    one = what.add_parser("rotate", help="make another one; whoever shows the old one is turned away")
    one.set_defaults(run=token_rotate)


def token_rotate(arguments: argparse.Namespace, home: Home) -> int:
    from bridge.hosts.locations import files_with
    from bridge.transports.http import endpoint  # late: with the hosts' places

    said = ask_running(home, "renew-token")
    if said is None:
        home.ensure()
        outdated: Sequence[str] = endpoint.renew_while_closed(home, files_with)
    elif problem := said.get("problem"):
        raise SettingsError("The token was not replaced", str(problem))
    else:
        outdated = said["outdated"]
    print(f"The new token is in {home.token}.")
    if outdated:
        print("These still hold the old one; put the new one there:")
        for place in outdated:
            print(f"  {one_line(place)}")
    return 0


# --- looking inside --------------------------------------------------------------------------------------


def history(arguments: argparse.Namespace, home: Home) -> int:
    if not home.journal.exists():
        print("Nothing has happened yet.", file=sys.stderr)
        return 0
    journal = History(home.journal)
    wanted = Wanted(
        arguments.search,
        arguments.kind,
        arguments.host,
        arguments.server,
        (arguments.outcome,) if arguments.outcome else (),
        time.time() - arguments.since * _DAY if arguments.since else 0.0,
    )
    if arguments.export:
        count = export(journal, wanted, Path(arguments.export))
        print(f"{count} lines are in {arguments.export} now.", file=sys.stderr)
        return 0
    rows = journal.find(wanted, arguments.limit)
    if not rows:
        print("Nothing found.", file=sys.stderr)
    if arguments.json:
        for row in rows:
            print(msgspec.json.encode(row).decode())
    else:
        head = ("WHEN", "WHAT", "HOST", "SERVER", "TOOL", "OUTCOME", "MS", "NOTE")
        table(head, [_history_row(row) for row in rows])
    return 0


_UNTOLD = ("mode", "thought")


def _history_row(row: Row) -> Sequence[str]:
    when = datetime.fromtimestamp(row.at).strftime("%Y-%m-%d %H:%M:%S")
    took = f"{row.ms:.0f}" if row.ms else ""
    note = one_line(" · ".join(_note(key, value) for key, value in row.detail.items() if key not in _UNTOLD))
    note = note if len(note) <= _NOTE else f"{note[: _NOTE - 1]}…"
    return when, row.kind, row.host, row.server, row.tool, row.outcome, took, note


def _note(key: str, value: object) -> str:
    """What was asked and what was sent, in words; anything else as it is."""
    if key == "sent" and isinstance(value, dict):
        return ", ".join(f"{name}: {said}" for name, said in value.items())
    if key == "questions" and isinstance(value, list):
        return "; ".join(_asked(one) for one in value)
    return str(value)


def _asked(question: Mapping[str, object]) -> str:
    """A question in a call: what was asked, what came of it, what was sent."""
    about = question.get("message") or question.get("page") or question.get("mode", "question")
    sent = _note("sent", question["sent"]) if question.get("sent") else ""
    told = f"“{about}” {question.get('outcome', '')}".rstrip()
    return f"{told} ({sent})" if sent else told


def status(arguments: argparse.Namespace, home: Home) -> int:
    from bridge import api  # late: the engine's imports

    said = api.ask_running(home, "status")
    if said is None:
        raise NetworkError(
            "Deskbell is not running", "Start it with `deskbell`, or without windows: `deskbell serve`."
        )
    if arguments.json:
        for question in said["waiting"]:
            del question["arguments"]  # for the dialog alone: scripts keep what they read
        print(msgspec.json.encode(said).decode())
        return 0
    current = msgspec.convert(said, api.Status)
    print(f"Deskbell {current.version}, questions: {current.presenter}")
    print(f"Listening on {current.address}" if current.address else "Not listening for HTTP; stdio only")
    print(f"Settings in {home.config}")
    print(one_line(current.vault.words()))
    for problem in current.problems:
        print(f"Problem: {one_line(problem)}")
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


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Names come from hosts and servers: none of their controls may reach the terminal."""
    lines = [[one_line(cell) for cell in row] for row in rows]
    if not lines:
        return
    widths = [max(len(line[i]) for line in [head, *lines]) for i in range(len(head))]
    for line in [head, *lines]:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
