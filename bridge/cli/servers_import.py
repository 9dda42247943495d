"""`deskbell servers import`: add servers of AI applications, and move their keys into the vault."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from bridge.cli import secrets
from bridge.cli.parser import LazyParser
from bridge.core.ports import ServerSpec
from bridge.errors import DeskbellError
from bridge.hosts import import_servers
from bridge.hosts.import_servers import FoundServer, extract_secrets, name_servers, secret_keys
from bridge.hosts.locations import find_files
from bridge.presenters.tty import one_line
from bridge.servers import drafts
from bridge.servers.drafts import joined
from bridge.settings import Home, SettingsFile, load
from bridge.transports.control_client import ask_running


def arguments(parser: LazyParser) -> None:
    text = "add the servers of FILE, or of the AI apps on this computer"
    one = parser.action("import", servers_import, text)
    what = "the config file of an AI app; -: a part of one, from stdin"
    one.add_argument("file", nargs="?", type=Path, metavar="FILE", help=what)
    one.flag("--dry-run", "only show what would be added")
    keys = "keys found there, or in config.toml already: into the vault, as they are, or ask (default)"
    one.add_argument("--secrets", choices=("ask", "vault", "plain"), default="ask", help=keys)


def servers_import(arguments: argparse.Namespace, home: Home) -> int:
    settings = load(home.config)
    found = list(_entries(arguments.file, settings.port))
    if not arguments.dry_run:
        home.ensure()
    for one in name_servers(found, settings.servers):
        if one.spec is not None:
            _add(one, one.spec, arguments, home)
            continue
        print(f"Skipped {one_line(one.name)}: {one_line(one.reason)}.")
        known = load(home.config).servers.get(one.same)
        if known is not None:
            _move_keys(known, arguments, home)
    ask_running(home, "settings-changed")
    if not found:
        print("No servers were found.")
    return 0


def _entries(file: Path | None, port: int) -> Iterator[FoundServer]:
    """Yield the servers of one file, or of all applications; unreadable files are reported and skipped."""
    if file is not None:
        yield from (
            drafts.read(sys.stdin.read(), port) if str(file) == "-" else import_servers.read(file, port=port)
        )
        return
    for place in find_files(os.environ, sys.platform):
        try:
            found = import_servers.read(place.path, (place.key,), port)
        except DeskbellError as error:
            print(f"deskbell: {error}", file=sys.stderr)
            continue
        print(f"{place.host}: {len(found)} in {place.path}")
        yield from found


def _add(one: FoundServer, spec: ServerSpec, arguments: argparse.Namespace, home: Home) -> None:
    remarks, dry = list(one.remarks), arguments.dry_run
    if one.secrets and not dry:
        if _is_for_vault(spec.name, one.secrets, arguments.secrets):
            spec = _in_vault(spec, one.secrets, home)
            remarks.append(f"{_named(one.secrets)} is in the vault now. {_ELSEWHERE}")
        else:
            hint = "" if arguments.secrets == "plain" else " `--secrets vault` keeps it in the vault instead."
            text = f"{_named(one.secrets)} looks like a secret and is now in config.toml, too.{hint}"
            remarks.append(text)
    if not dry:
        SettingsFile(home.config).add_server(spec)
    name = one_line(one.name)
    renamed = f" as {spec.name}" if spec.name != one.name else ""
    reached = spec.url or joined((spec.command, *spec.args))
    print(f"{'Would add' if dry else 'Added'} {name}{renamed}: {one_line(reached)}")
    for remark in remarks:
        _say(name, remark)


def _move_keys(known: ServerSpec, arguments: argparse.Namespace, home: Home) -> None:
    """Move plain-text keys of a server that is already configured into the vault."""
    keys = secret_keys({**known.env, **known.headers})
    if not keys or arguments.secrets == "plain":
        return
    if arguments.dry_run:
        if arguments.secrets == "vault":
            print(f"Would move {_named(keys)} of {known.name} from config.toml into the vault.")
    elif _is_for_vault(known.name, keys, arguments.secrets):
        SettingsFile(home.config).change_server(_in_vault(known, keys, home))
        text = f"{_named(keys)} is in the vault now, and no longer in config.toml. {_ELSEWHERE}"
        _say(known.name, text)
    else:
        hint = "`--secrets vault` moves it into the vault."
        _say(known.name, f"{_named(keys)} looks like a secret and is in config.toml as plain text. {hint}")


def _is_for_vault(server: str, keys: Sequence[str], choice: str) -> bool:
    """Decide whether keys go into the vault: by --secrets, or ask on the terminal."""
    if choice == "ask" and sys.stdin is not None and sys.stdin.isatty():
        typed = input(f"{server}: {_named(keys)} looks like a secret. Keep it in the vault? [Y/n] ")
        return typed.strip().lower() in ("", "y", "yes")
    return choice == "vault"


def _in_vault(spec: ServerSpec, keys: Sequence[str], home: Home) -> ServerSpec:
    """Store a server's keys in the vault; return the server with references to them."""
    lighter, values = extract_secrets(spec, keys)
    for name, value in values.items():
        secrets.ask(home, "set", name=name, value=value)
    return lighter


def _named(keys: Sequence[str]) -> str:
    return ", ".join(map(one_line, keys))


def _say(server: str, remark: str) -> None:
    print(f"deskbell: {server}: {one_line(remark)}", file=sys.stderr)


_ELSEWHERE = "The application's own file still has it, too."
