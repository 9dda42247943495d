"""Capabilities: read a host's, and declare Deskbell's own to servers. Pure."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Raw

from bridge.core.protocol.jsonrpc import edit, is_object, members
from bridge.core.questions.question import Mode

NOT_YET = {  # elicitation modes that a revision lacks, whatever its host declares
    "2024-11-05": frozenset({Mode.FORM, Mode.URL}),
    "2025-03-26": frozenset({Mode.FORM, Mode.URL}),
    "2025-06-18": frozenset({Mode.URL}),
}


def abilities(capabilities: bytes | Raw) -> frozenset[Mode]:
    """Return the question modes a host declares. `elicitation: {}` means forms only."""
    declared = members(capabilities)
    can: set[Mode] = set()
    if "elicitation" in declared:
        modes = members(declared["elicitation"])
        if "form" in modes or "url" not in modes:
            can.add(Mode.FORM)
        if "url" in modes:
            can.add(Mode.URL)
    can |= {mode for name, mode in (("sampling", Mode.SAMPLING), ("roots", Mode.ROOTS)) if name in declared}
    if Mode.SAMPLING in can and is_object(declared["sampling"]) and "tools" in members(declared["sampling"]):
        can.add(Mode.SAMPLING_TOOLS)
    return frozenset(can)


@lru_cache(maxsize=64)  # each call of a modern server declares it
def with_elicitation(capabilities: bytes) -> bytes:
    """Return the host's capabilities with both elicitation modes added, as declared to servers."""
    if {Mode.FORM, Mode.URL} <= abilities(capabilities):
        return capabilities
    elicitation = edit(members(capabilities).get("elicitation", b"{}"), {"form": b"{}", "url": b"{}"})
    return edit(capabilities, {"elicitation": elicitation})


@lru_cache(maxsize=64)  # each call of a modern server declares it
def with_sampling(capabilities: bytes, added: frozenset[Mode], hidden: frozenset[Mode]) -> bytes:
    """Return the host's capabilities as declared to a server: without sampling that is `hidden`, and with
    the modes that are `added`. `sampling.context` is never added."""
    made = edit(capabilities, {"sampling": None}) if hidden else capabilities
    if Mode.SAMPLING not in added:
        return made
    own = members(made).get("sampling", b"{}")
    tools = {"tools": b"{}"} if Mode.SAMPLING_TOOLS in added else {}
    return edit(made, {"sampling": edit(own if is_object(own) else b"{}", tools)})


def without_own_tasks(capabilities: bytes | Raw, any_kind: bool) -> bytes:
    """Remove the host's task support for requests it receives (2025-11-25): all of it, or only for
    elicitation, which Deskbell may answer in the host's place."""
    own = members(capabilities).get("tasks", b"{}") if len(capabilities) else b"{}"
    asked = members(own).get("requests", b"{}") if is_object(own) else b"{}"
    if any_kind or not is_object(asked):
        return edit(capabilities, {"tasks": None})
    if "elicitation" not in members(asked):
        return bytes(capabilities)
    requests = edit(asked, {"elicitation": None})
    return edit(capabilities, {"tasks": edit(own, {"requests": requests})})
