"""lists.json: what each server listed when it was last heard, so that a host need not wait for its start.

Names and descriptions of tools, prompts and resources, as the servers gave them; no settings, no secrets.
What cannot be read or written is done without: servers list it all again.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

import msgspec

from bridge.core.ports import ServerSpec
from bridge.errors import SettingsError
from bridge.system.atomic_file import write

log = logging.getLogger(__name__)
LARGEST = 1_000_000  # bytes of one list
Known = dict[tuple[str, str], bytes]  # server, method → its list


class _Server(msgspec.Struct):
    of: str  # which server it was: a list of another one by the same name is of no use
    lists: dict[str, msgspec.Raw]


class _File(msgspec.Struct):
    servers: dict[str, _Server] = {}


def load(path: Path, servers: Mapping[str, ServerSpec]) -> Known:
    """The lists of these servers, as they are configured now."""
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=_File).servers
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        log.warning("%s cannot be read: %s", path, error)
        return {}
    return {
        (name, method): bytes(items)
        for name, one in kept.items()
        if name in servers and one.of == servers[name].identity
        for method, items in one.lists.items()
    }


def save(path: Path, servers: Mapping[str, ServerSpec], known: Known) -> None:
    kept: dict[str, _Server] = {}
    for (name, method), items in known.items():
        if name in servers and len(items) <= LARGEST:
            one = kept.setdefault(name, _Server(servers[name].identity, {}))
            one.lists[method] = msgspec.Raw(items)
    try:
        write(path, msgspec.json.encode(_File(kept)))
    except SettingsError as error:
        log.warning("%s", error)
