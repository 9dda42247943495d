"""`deskbell servers`: list, add, enable, disable, rename and remove servers of config.toml.

The running Deskbell renames; if none runs, this process edits the files.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
from collections.abc import Sequence
from dataclasses import replace

import msgspec

from bridge.cli import secrets, servers_import, servers_login
from bridge.cli.output import table
from bridge.cli.parser import LazyParser
from bridge.core.ports import ServerSpec
from bridge.errors import NotFoundError, UsageError, checked_reply
from bridge.hosts.import_servers import secret_keys
from bridge.presenters.tty import one_line
from bridge.servers.drafts import joined, whole_address
from bridge.settings import Home, SettingsFile, load
from bridge.settings.keys import ERAS, SERVER_KEYS
from bridge.transports.control_client import ask_running

_TARGET = "[--era ERA] NAME ([--header 'NAME: VALUE']… URL | [--env NAME=VALUE]… -- COMMAND ARGS…)"


def arguments(parser: LazyParser) -> None:
    parser.action("list", servers_list, "list name, kind and command or URL").flag("--json", "one JSON list")
    usage = f"deskbell servers add [-h] {_TARGET}"
    add = parser.action(
        "add", servers_add, "add a server: an address, or a command after --", usage=usage
    ).add_argument
    add(
        "--header", action="append", default=[], metavar="'NAME: VALUE'", help="sent with each request to URL"
    )
    add("--env", action="append", default=[], metavar="NAME=VALUE", help="added to COMMAND's environment")
    add("--era", choices=ERAS, default="", help="the generation of MCP to try first")
    add("name", metavar="NAME", help="letters, digits, - and _")
    add("target", nargs=argparse.REMAINDER, help="its http(s) address, or the command that starts it")
    servers_import.arguments(parser)
    for name, run, text in (
        ("login", servers_login.login, "sign in to NAME in the browser"),
        ("logout", servers_login.logout, "sign out of NAME"),
        ("enable", servers_enable, "let AI apps use NAME again"),
        ("disable", servers_enable, "stop AI apps from using NAME"),
    ):
        one = parser.action(name, run, text)
        one.add_argument("name", metavar="NAME")
        one.set_defaults(enabled=name == "enable")
    one = parser.action("rename", rename, "rename OLD to NEW; sign-in and rules are kept")
    one.add_argument("old", metavar="OLD")
    one.add_argument("new", metavar="NEW", help="letters, digits, - and _")
    one = parser.action("remove", remove, "remove NAME from config.toml")
    one.add_argument("name", metavar="NAME")
    one.flag("--forget", "also delete its sign-in and the secrets that only it uses")


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
    # argparse leaves options after NAME in REMAINDER
    while target[:1] in (["--header"], ["--env"]) and len(target) > 1:
        getattr(arguments, target[0].removeprefix("--")).append(target[1])
        target = target[2:]
    if target[:1] == ["--"]:
        target = target[1:]
    elif len(target) == 1:
        target = [whole_address(target[0])]
    if not target or target[0].startswith("-"):
        raise UsageError("A server needs an address or a command", f"deskbell servers add {_TARGET}")
    spec = _spec(arguments.name, *target)
    headers = _pairs(arguments.header, ":", "--header 'NAME: VALUE'")
    env = _pairs(arguments.env, "=", "--env NAME=VALUE")
    if (headers and not spec.url) or (env and spec.url):
        raise UsageError("--header is for an address, --env for a command", f"deskbell servers add {_TARGET}")
    spec = replace(spec, headers=headers, env=env, era=arguments.era)
    home.ensure()
    SettingsFile(home.config).add_server(spec)
    ask_running(home, "settings-changed")
    print(f"Added {spec.name}.")
    for key in secret_keys({**env, **headers}):
        name = f"{spec.name}/{key}"
        print(
            f"{one_line(key)} is in config.toml as plain text. To store it in the vault: "
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
    if not rule.accepts(target):
        raise UsageError(f"{target} is not the address of a server", f"It must be {rule.expected}.")
    return ServerSpec(name, url=target)


def _pairs(words: Sequence[str], mark: str, usage: str) -> dict[str, str]:
    parted = [word.partition(mark) for word in words]
    if not all(found and name.strip() for name, found, _ in parted):
        raise UsageError("A name and its value are required", f"Write {usage}.")
    return {name.strip(): value.strip() if mark == ":" else value for name, _, value in parted}


def servers_enable(arguments: argparse.Namespace, home: Home) -> int:
    name, file = arguments.name, SettingsFile(home.config)
    spec = load(home.config).servers.get(name)
    if spec is None:
        raise NotFoundError(f"There is no server named {name}", "See `deskbell servers list`.")
    file.change_server(replace(spec, enabled=arguments.enabled))
    ask_running(home, "settings-changed")
    print(f"Switched {name} {'on' if arguments.enabled else 'off'}.")
    return 0


def rename(arguments: argparse.Namespace, home: Home) -> int:
    old, new = arguments.old, arguments.new
    reply = ask_running(home, "rename-server", timeout=secrets.PATIENCE, old=old, new=new)
    if reply is None:
        asyncio.run(_rename_by_files(home, old, new))
    else:
        checked_reply(reply)
    print(f"{old} is called {new} now, and its tools {new}_…")
    return 0


async def _rename_by_files(home: Home, old: str, new: str) -> None:
    from bridge.servers.rename import rename_by_files  # here: imports the engine

    async with secrets.vault_of(home) as (vault, settings):
        await rename_by_files(home, settings, vault, old, new)


def remove(arguments: argparse.Namespace, home: Home) -> int:
    name, servers = arguments.name, load(home.config).servers
    SettingsFile(home.config).remove_server(name)
    ask_running(home, "settings-changed")
    print(f"Removed {name}.")
    if arguments.forget:
        from bridge.servers.secrets import own_secrets  # here: imports the engine

        for do, what in [("forget", name), *(("delete", one) for one in own_secrets(name, servers))]:
            with contextlib.suppress(NotFoundError):
                secrets.ask(home, do, name=what)
                print("Forgot its sign-in." if do == "forget" else f"Deleted {what}.")
    return 0
