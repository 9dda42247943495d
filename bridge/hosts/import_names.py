"""Give imported servers valid, free names; skip those already configured; extract their secrets. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from bridge.core.ports import BUILT_IN, ServerSpec
from bridge.hosts.import_servers import FoundServer
from bridge.i18n import say

_MISFIT = re.compile(r"[^A-Za-z0-9_-]+")
_SCHEME = re.compile(r"(?:Bearer|Basic|Token|ApiKey) +(?=\S)", re.IGNORECASE)
_LONGEST = 64


def name_servers(found: Iterable[FoundServer], known: Mapping[str, ServerSpec]) -> Iterator[FoundServer]:
    """Yield each server with its new name, or with the reason why it is skipped."""
    taken = dict(known)
    for one in found:
        spec = one.spec
        if spec is None:
            yield one
            continue
        same = next((name for name, other in taken.items() if _is_same(other, spec, one.name)), "")
        if same:
            yield FoundServer(one.name, reason=say("it is there already, as {name}", name=same), same=same)
            continue
        name = free(valid_name(one.name), taken)
        taken[name] = named = replace(spec, name=name)
        yield replace(one, spec=named)


def valid_name(name: str) -> str:
    """Return the name with invalid characters replaced."""
    return _MISFIT.sub("-", name).strip("-_")[:_LONGEST] or "server"


def free(name: str, taken: Mapping[str, object]) -> str:
    number, free = 1, name
    while free in taken or free in BUILT_IN:
        number += 1
        mark = f"-{number}"
        free = name[: _LONGEST - len(mark)] + mark
    return free


def extract_secrets(spec: ServerSpec, keys: Iterable[str]) -> tuple[ServerSpec, dict[str, str]]:
    """Replace these env variables or headers by references; return the server and name → secret."""
    values: dict[str, str] = {}

    def reference(key: str, value: str) -> str:
        scheme = _SCHEME.match(value)
        kept = scheme[0] if scheme else ""
        name = f"{spec.name}/{_MISFIT.sub('-', key)}"
        values[name] = value[len(kept) :]
        return f"{kept}${{vault:{name}}}"

    def lighter(table: Mapping[str, str]) -> dict[str, str]:
        return {key: reference(key, value) if key in keys else value for key, value in table.items()}

    keys = frozenset(keys)
    return replace(spec, env=lighter(spec.env), headers=lighter(spec.headers)), values


def _is_same(ours: ServerSpec, other: ServerSpec, called: str) -> bool:
    """True if both servers have the same command or URL and environment. Values in the vault cannot be
    compared: then the names must match, as one server may be used with two keys."""
    place = (ours.command, ours.args, ours.url) == (other.command, other.args, other.url)
    if not place or ours.env.keys() != other.env.keys():
        return False
    differing = [value for key, value in ours.env.items() if value != other.env[key]]
    named = re.fullmatch(re.escape(valid_name(called)) + r"(-\d+)?", ours.name) is not None
    return not differing or (named and all("${vault:" in value for value in differing))
