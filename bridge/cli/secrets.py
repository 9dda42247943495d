"""`deskbell secrets`: list names, set and delete values, choose and protect the store. Values are never
printed.

The running Deskbell does the work; if none runs, this process does, with the same store.
"""

from __future__ import annotations

import argparse
import asyncio
import getpass
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from bridge.cli.parser import LazyParser
from bridge.core.ports import ServerSpec
from bridge.core.status import VaultStatus
from bridge.errors import UsageError, checked_reply
from bridge.presenters.tty import one_line
from bridge.settings import Home, SettingsFile, load
from bridge.settings.keys import LASTING_VAULTS
from bridge.system.process.memory_protection import protect_memory
from bridge.transports.control_client import ask_running
from bridge.vault import secret_references
from bridge.vault.base import Passphrase
from bridge.vault.secret_references import PREFIX

if TYPE_CHECKING:
    from bridge.vault.service import VaultService

PATIENCE = 620.0  # seconds; the app may ask for the passphrase, or move secrets
GUIDANCE = "Type it, or give it on stdin."


def arguments(parser: LazyParser) -> None:
    one = parser.action("list", list_, "list names, the servers that use them, and the store")
    one.flag("--json", "one JSON object")
    one = parser.action("set", set_, "store a value under NAME; typed hidden, or from stdin")
    one.add_argument("name", metavar="NAME")
    one = parser.action("delete", delete, "delete NAME")
    one.add_argument("name", metavar="NAME")
    one = parser.action("move", move, "move all secrets to another store")
    one.add_argument("--to", required=True, choices=LASTING_VAULTS, help="the target store")
    one = parser.action("protect", protect, "protect the encrypted file by a passphrase")
    one.flag("--off", "use a key file beside it instead")
    parser.action("unlock", unlock, "give the passphrase to the running Deskbell")


def list_(arguments: argparse.Namespace, home: Home) -> int:
    reply = ask(home, "list")
    names = [name.removeprefix(PREFIX) for name in reply["names"] if name.startswith(PREFIX)]
    others = [name for name in reply["names"] if not name.startswith(PREFIX)]
    servers = load(home.config).servers
    users = _users(servers)
    if arguments.json:
        listed = [{"name": name, "servers": users.get(name, [])} for name in names]
        print(msgspec.json.encode({"secrets": listed, "others": others, "vault": reply["vault"]}).decode())
        return 0
    for name in names:
        used = ", ".join(users.get(name, [])) or "nobody"
        print(f"{name}  (used by {used})")
    for name in others:
        print(f"{one_line(name)}  ({_own(name, servers)})")
    for name in sorted(users.keys() - set(names)):
        print(f"{one_line(name)}  (missing; {', '.join(users[name])} needs it: deskbell secrets set {name})")
    if not reply["names"]:
        print("No secrets yet. Keep one: deskbell secrets set NAME")
    print(f"\n{_vault_text(reply)}")
    return 0


def _own(name: str, servers: Mapping[str, ServerSpec]) -> str:
    """Describe a secret that Deskbell itself has stored."""
    server = name.removeprefix("upstream/")
    if server == name:
        return "Deskbell's own"
    if server in servers:
        return f"your sign-in to {server}"
    return one_line(f"left of {server}, which is gone. To forget it: deskbell servers logout {server}")


def set_(arguments: argparse.Namespace, home: Home) -> int:
    name: str = arguments.name
    value = typed(f"Value of {one_line(name)} (not shown): ")
    store = ask(home, "set", name=name, value=value)["vault"]["store"]
    print(f"Kept {name} ({store}). Use it in config.toml as {secret_references.reference(name)}")
    return 0


def delete(arguments: argparse.Namespace, home: Home) -> int:
    ask(home, "delete", name=arguments.name)
    print(f"Deleted {arguments.name}.")
    return 0


def move(arguments: argparse.Namespace, home: Home) -> int:
    from bridge.vault.file import FileStore

    leaves = arguments.to != FileStore.kind and FileStore(home.root).has_passphrase
    old = typed("Passphrase so far (not shown): ") if leaves else ""
    reply = ask(home, "move", to=arguments.to, old=old)
    print(f"Moved {reply['moved']}." if reply["moved"] else "Nothing had to be moved.")
    print(_vault_text(reply))
    return 0


def protect(arguments: argparse.Namespace, home: Home) -> int:
    if arguments.off:
        reply = ask(home, "protect", value="", old=typed("Passphrase so far (not shown): "))
    else:
        old = hidden("Passphrase so far, if there is one (not shown): ") if sys.stdin.isatty() else ""
        if old is None:
            raise UsageError("Nothing was given", GUIDANCE)
        reply = ask(home, "protect", value=typed("New passphrase (not shown): ", twice=True), old=old)
    print(_vault_text(reply))
    return 0


def unlock(arguments: argparse.Namespace, home: Home) -> int:
    ask(home, "unlock", value=typed("Passphrase (not shown): "))
    print("Unlocked.")
    return 0


def _vault_text(reply: dict[str, Any]) -> str:
    return one_line(msgspec.convert(reply["vault"], VaultStatus).words())


# --- asking -----------------------------------------------------------------------------------------------


def ask(home: Home, do: str, **details: str) -> dict[str, Any]:
    """Send a request to the running Deskbell, or handle it in this process. Raises DeskbellError."""
    reply = ask_running(home, "secrets", timeout=PATIENCE, do=do, **details)
    if reply is None:
        reply = asyncio.run(_alone(home, {"do": do, **details}))
    return checked_reply(reply)


async def _alone(home: Home, request: dict[str, Any]) -> dict[str, Any]:
    async with vault_of(home) as (vault, _):
        return dict(msgspec.to_builtins(await vault.serve(request), enc_hook=str))


@asynccontextmanager
async def vault_of(home: Home) -> AsyncIterator[tuple[VaultService, SettingsFile]]:
    """Open the vault in this process: no Deskbell runs."""
    from bridge.upstreams.oauth.revoke import revoke
    from bridge.vault.service import VaultService

    protect_memory()
    home.ensure()
    settings = SettingsFile(home.config)
    settings.current = load(home.config)
    vault = VaultService(
        home,
        settings,
        passphrase=_terminal_passphrase(),
        revoke=revoke,
        on_change=lambda: tell(vault.status()),
    )
    try:
        yield vault, settings
    finally:
        vault.close()


def tell(vault: VaultStatus) -> None:
    """Tell the user that the keyring shows an unlock dialog."""
    if vault.state == "asking":
        print(
            "Your keychain waits for you to unlock it, in a window of its own.", file=sys.stderr, flush=True
        )


def _terminal_passphrase() -> Passphrase | None:
    """Return a function that asks for the passphrase on the terminal; None without a terminal."""
    return _passphrase if sys.stdin is not None and sys.stdin.isatty() else None


async def _passphrase(wrong: str) -> str | None:
    if wrong:
        print(f"deskbell: {wrong}.", file=sys.stderr)
    return hidden("Passphrase of your secrets (not shown): ") or None


def hidden(invitation: str) -> str | None:
    """Read a hidden terminal line; None for Ctrl+D and Ctrl+C, which an event loop would ignore meanwhile."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return getpass.getpass(invitation)
    except (EOFError, KeyboardInterrupt):
        print(file=sys.stderr)
        return None
    finally:
        signal.signal(signal.SIGINT, before)


def typed(invitation: str, twice: bool = False, guidance: str = GUIDANCE) -> str:
    """Read a value from a hidden terminal line, or from stdin. Never from an argument, which other users can
    see."""
    if not sys.stdin.isatty():
        value = sys.stdin.read().removesuffix("\n").removesuffix("\r")
    else:
        value = hidden(invitation) or ""
        if twice and value and hidden("Once more: ") != value:
            raise UsageError("The two passphrases differ", "Nothing was changed.")
    if not value:
        raise UsageError("Nothing was given", guidance)
    return value


def _users(servers: Mapping[str, ServerSpec]) -> dict[str, list[str]]:
    """Return secret → servers that refer to it."""
    users: dict[str, list[str]] = {}
    for spec in servers.values():
        for name in secret_references.names(
            (*spec.env.values(), *spec.headers.values(), *spec.oauth.values())
        ):
            users.setdefault(name, []).append(spec.name)
    return users
