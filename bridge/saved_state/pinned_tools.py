"""pins.json: the tools that the person allowed by name, as they were then, so that a change is noticed later.

What servers said of their tools; no settings, no secrets. A file that cannot be read is moved aside and told
of: then every tool is trusted once more as it is now, and the person should know that.
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Mapping
from pathlib import Path

import msgspec

from bridge.errors import SettingsError
from bridge.i18n import say
from bridge.system.atomic_file import write

log = logging.getLogger(__name__)
Pinned = dict[tuple[str, str], bytes]  # server, its own name of the tool → definition


class _File(msgspec.Struct):
    servers: dict[str, dict[str, str]] = {}


def load(path: Path) -> tuple[Pinned, str]:
    """What was pinned, and what is wrong with the file."""
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=_File).servers
    except FileNotFoundError:
        return {}, ""
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        with contextlib.suppress(OSError):
            os.replace(path, f"{path}.broken")
        words = say(
            "{file} cannot be read ({why}). Changes of allowed tools are noticed from now on only.",
            file=path.name,
            why=str(error),
        )
        return {}, words
    return {
        (server, tool): said.encode() for server, tools in kept.items() for tool, said in tools.items()
    }, ""


def save(path: Path, pinned: Mapping[tuple[str, str], bytes]) -> None:
    kept: dict[str, dict[str, str]] = {}
    for (server, tool), definition in pinned.items():
        kept.setdefault(server, {})[tool] = definition.decode("utf-8", "replace")
    try:
        write(path, msgspec.json.encode(_File(kept)))
    except SettingsError as error:
        log.warning("%s", error)
