"""`deskbell hosts`: list AI applications, connect and disconnect them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from bridge.cli import secrets
from bridge.cli.output import table
from bridge.cli.parser import LazyParser
from bridge.errors import NotFoundError, UsageError
from bridge.hosts import mcpb_bundle
from bridge.hosts.backups import ChangeKind
from bridge.hosts.host_configs import ChangeRequest, HostConfigs, host_name
from bridge.hosts.plan import HostConfig, HostFilePlan
from bridge.hosts.recipe import ReloadBy
from bridge.hosts.recipes import RECIPES, recipe_of
from bridge.presenters.tty import one_line
from bridge.settings import Home, Settings, SettingsFile, load
from bridge.transports.control_client import ask_running

_DONE = {
    ChangeKind.CONNECT: "Connected {host}.",
    ChangeKind.DISCONNECT: "Disconnected {host}.",
    ChangeKind.WRAP: "Wrapped in {host}: {names}.",
    ChangeKind.UNWRAP: "Unwrapped in {host}: {names}.",
    ChangeKind.UNDO: "Undid the last change in {host}.",
}
_NOTHING = {
    ChangeKind.CONNECT: "{host} is connected already.",
    ChangeKind.DISCONNECT: "{host} is not connected.",
    ChangeKind.WRAP: "{host} starts no server to wrap. Without --wrap it gets Deskbell's tools.",
    ChangeKind.UNWRAP: "{host} has no wrapped server.",
    ChangeKind.UNDO: "Nothing to undo in {host}.",
}
_RELOAD = {
    ReloadBy.RESTART: "Restart {host} for the change to take effect.",
    ReloadBy.CONVERSATION: "The change takes effect in {host}'s next conversation.",
    ReloadBy.REFRESH: "Press Refresh in {host}'s list of servers.",
    ReloadBy.ITSELF: "No restart needed.",
}


def arguments(parser: LazyParser) -> None:
    one = parser.action("list", list_, "list the AI apps on this computer, and which are connected")
    one.flag("--all", "also apps that were not found")
    one.flag("--json", "one JSON list of all apps")
    names = ", ".join(recipe.id for recipe in RECIPES)
    asking = ", ".join(recipe.id for recipe in RECIPES if recipe.approvals)
    one = parser.action(
        "connect", connect, "connect NAME: add Deskbell to its settings", epilog=f"NAME: {names}"
    )
    _common(one)
    one.flag("--wrap", "instead, put Deskbell in front of each server that NAME starts")
    text = "with --wrap: servers with an address stay (default), or move into config.toml"
    one.add_argument("--urls", choices=("keep", "move"), default="keep", help=text)
    text = "with --urls move: their keys into the vault (default), or as they are into config.toml"
    one.add_argument("--secrets", choices=("vault", "plain"), default="vault", help=text)
    one.flag("--http", "connect by address and token instead of a command")
    one.flag("--approvals", f"also ask here for permissions when NAME runs unattended ({asking})")
    one.flag("--create", "even if NAME does not seem to be installed")
    one = parser.action("disconnect", disconnect, "disconnect NAME: remove Deskbell from its settings")
    _common(one)
    one.flag("--wrap", "only unwrap the servers of NAME")
    _common(parser.action("undo", undo, "undo the last change of NAME's settings, to the byte"))
    one = parser.action("revoke", revoke, "refuse NAME's token until it is connected again")
    one.add_argument("name", metavar="NAME")
    text = "send questions to NAME again after it refused some unseen"
    one = parser.action("ask-again", ask_again, text)
    one.add_argument("name", metavar="NAME", nargs="?", default="", help="without it: list such apps")
    one = parser.action("bundle", save_bundle, "write the bundle that Claude Desktop installs")
    one.add_argument("file", nargs="?", type=Path, metavar="FILE", help=f"default: {mcpb_bundle.NAME}, here")


def ask_again(arguments: argparse.Namespace, home: Home) -> int:
    """Ask a host again that refused questions unseen; without a name, list those."""
    from bridge import saved_state  # loads the core, which other verbs do not need

    running = ask_running(home, "status")
    saved = saved_state.load_refusals(home.refusals)
    refused = list(running["refusing"] if running else saved)
    if not arguments.name:
        print("".join(f"{one_line(name)}\n" for name in refused), end="")
        return 0
    recipe = recipe_of(arguments.name)
    found = [
        name
        for name in refused
        if name == arguments.name or (recipe and any(fnmatchcase(name, one) for one in recipe.names))
    ]
    if not found:
        words = f"{arguments.name} has not refused any question unseen"
        raise NotFoundError(words, "Its questions go where the settings say.")
    for name in found:
        if running:
            ask_running(home, "ask-again", host=name)
        else:
            saved.pop(name)
            saved_state.save_refusals(home.refusals, saved)
        print(f"{one_line(name)} is asked again.")
    return 0


def save_bundle(arguments: argparse.Namespace, home: Home) -> int:
    path = arguments.file or Path(mcpb_bundle.NAME)
    mcpb_bundle.save(path / mcpb_bundle.NAME if path.is_dir() else path)
    print(
        f"{path} is written. Open it with Claude Desktop: a double click, or Settings, Extensions, Install."
    )
    return 0


def _common(parser: LazyParser) -> None:
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("--file", type=Path, metavar="FILE", help="another config file, such as a project's")
    parser.flag("--dry-run", "only show what would change")
    parser.flag("--json", "one JSON object")


def list_(arguments: argparse.Namespace, home: Home) -> int:
    settings = _current(home, http=True)
    looks = HostConfigs(home).read_all(settings)
    if arguments.json:
        print(
            msgspec.json.encode([_json(seen, undo, settings) for seen, undo in looks], enc_hook=str).decode()
        )
        return 0
    shown = [seen for seen, _ in looks if seen.spot.installed or arguments.all]
    table(("NAME", "AI APP", "STATE", "FILE"), [_row(seen) for seen in shown])
    if not shown:
        print("No supported AI app found on this computer.")
    if len(shown) < len(looks):
        print(f"`deskbell hosts list --all` lists all {len(looks)} apps that Deskbell knows.")
    for seen in shown:
        if seen.problem:
            print(f"deskbell: {one_line(seen.problem)}", file=sys.stderr)
    return 0


def _row(seen: HostConfig) -> Sequence[str]:
    recipe = seen.spot.recipe
    return recipe.id, recipe.name, state(seen), str(seen.spot.path)


def state(seen: HostConfig) -> str:
    """Return the state of an application in a few words."""
    if seen.problem:
        return "its file cannot be read"
    if not seen.spot.installed:
        return "not found"
    parts = []
    if seen.connected:
        way = " by HTTP" if seen.connected == "http" else ""
        parts.append(f"connected{way}" if seen.current else f"connected{way}, but not to this Deskbell")
        parts += [] if seen.proven or not seen.current else ["without a token of its own: connect it again"]
    if seen.wrapped:
        parts.append(f"{len(seen.wrapped)} of {len(seen.wrapped) + len(seen.servers)} servers wrapped")
        parts += ["but not by this Deskbell: wrap them again"] if seen.stale else []
    return "; ".join(parts) or "not connected"


def _json(seen: HostConfig, undo: ChangeKind | None, settings: Settings) -> dict[str, Any]:
    recipe = seen.spot.recipe
    host = host_name(recipe, settings)
    rule = settings.hosts.get(host) or settings.hosts.get("*")
    return {
        "name": recipe.id,
        "host": recipe.name,
        "file": str(seen.spot.path),
        "installed": seen.spot.installed,
        "connected": seen.connected,
        "current": seen.current,
        "proven": seen.proven,
        "entry": seen.entry,
        "servers": seen.servers,
        "wrapped": seen.wrapped,
        "stale": seen.stale,
        "addresses": seen.addresses,
        "can": recipe.can,
        "called": host,
        "questions": rule.questions.value if rule else "auto",
        "undo": undo.value if undo else "",
        "problem": seen.problem,
    }


def connect(arguments: argparse.Namespace, home: Home) -> int:
    what = ChangeKind.WRAP if arguments.wrap else ChangeKind.CONNECT
    move, create = arguments.urls == "move", arguments.create
    wish = ChangeRequest(what, arguments.http, move, create=create, file=arguments.file)
    return _change(arguments, home, wish)


def disconnect(arguments: argparse.Namespace, home: Home) -> int:
    return _change(
        arguments,
        home,
        ChangeRequest(ChangeKind.UNWRAP if arguments.wrap else ChangeKind.DISCONNECT, file=arguments.file),
    )


def undo(arguments: argparse.Namespace, home: Home) -> int:
    return _change(arguments, home, ChangeRequest(ChangeKind.UNDO, file=arguments.file))


def revoke(arguments: argparse.Namespace, home: Home) -> int:
    book = HostConfigs(home)
    recipe = book.find(arguments.name)
    if not book.revoke(recipe):
        print(f"{recipe.name} has no token to revoke.")
        return 0
    ask_running(home, "host-tokens-changed")
    print(f"{recipe.name} can no longer use Deskbell. To undo: deskbell hosts connect {recipe.id}")
    return 0


def _change(arguments: argparse.Namespace, home: Home, wish: ChangeRequest) -> int:
    book, current = HostConfigs(home), _current(home, wish.http)
    recipe = book.find(arguments.name)
    wanted = getattr(arguments, "approvals", False)
    if wanted and recipe.approvals is None:
        hint = f"These can: {', '.join(one.id for one in RECIPES if one.approvals)}."
        raise UsageError(f"{recipe.name} cannot ask others for permissions", hint)
    planned = wanted or (wish.what is ChangeKind.DISCONNECT and wish.file is None)
    if planned:
        book.plan_approvals(recipe, current, wanted=wanted)  # raises before anything is written
    _carry_out(arguments, home, book, book.plan(recipe, wish, current))
    approvals = book.plan_approvals(recipe, current, wanted=wanted) if planned else None
    if approvals is not None and (wanted or not approvals.nothing):
        _carry_out(arguments, home, book, approvals)
    return 0


def _carry_out(arguments: argparse.Namespace, home: Home, book: HostConfigs, plan: HostFilePlan) -> None:
    """Write a plan, or show it; report what was done."""
    settings = SettingsFile(home.config)
    copy = ""
    if not arguments.dry_run:
        in_vault = getattr(arguments, "secrets", "") == "vault"
        keep = (lambda name, value: secrets.ask(home, "set", name=name, value=value)) if in_vault else None
        copy = book.carry_out(plan, settings, keep).copy
        ask_running(home, "host-tokens-changed")
        if plan.moved:
            ask_running(home, "settings-changed")
    if arguments.json:
        print(msgspec.json.encode(_report(plan, copy, arguments.dry_run), enc_hook=str).decode())
    elif plan.nothing:
        print(_NOTHING[plan.what].format(host=plan.recipe.name))
    elif arguments.dry_run:
        print(plan.diff())
    else:
        _tell(plan, copy)


def _current(home: Home, http: bool) -> Settings:
    """Return the settings; for HTTP, with the port that the running Deskbell listens on."""
    settings = load(home.config)
    reply = ask_running(home, "status") if http else None
    port = urlsplit(str(reply.get("address", ""))).port if reply else None
    return replace(settings, port=port) if port else settings


def _report(plan: HostFilePlan, copy: str, rehearsed: bool) -> dict[str, Any]:
    return {
        "name": plan.recipe.id,
        "host": plan.recipe.name,
        "file": str(plan.path),
        "what": plan.what.value,
        "changed": not plan.nothing and not rehearsed,
        "entries": plan.names,
        "moved": [one.name for one in plan.moved],
        "diff": plan.diff(),
        "backup": copy,
        "note": _RELOAD[plan.recipe.reload].format(host=plan.recipe.name),
    }


def _tell(plan: HostFilePlan, copy: str) -> None:
    names = ", ".join(map(one_line, plan.names)) or "all servers"
    hook = plan.recipe.approvals
    if hook is not None and plan.what is ChangeKind.CONNECT and plan.names == (hook.event,):
        print(hook.note or f"{plan.recipe.name} asks for permissions here now.")
    else:
        print(_DONE[plan.what].format(host=plan.recipe.name, names=names))
    for one in plan.moved:
        print(f"Moved into config.toml: {one_line(one.name)}")
    gone = plan.after is None
    print(f"{'Deleted' if gone else 'Written'}: {plan.path}{f' (before: {copy})' if copy else ''}")
    if plan.back and not gone:
        print("It is as it was before, to the byte.")
    print(_RELOAD[plan.recipe.reload].format(host=plan.recipe.name))
