"""What a host declares that it can, and what Deskbell declares upstream in its place. Pure."""

from __future__ import annotations

from msgspec import Raw

from bridge.core.protocol.jsonrpc import edit, is_object, members
from bridge.core.questions.question import Mode

NOT_YET = {  # ways to elicit that a revision does not have, whatever a host of it declares
    "2024-11-05": frozenset({Mode.FORM, Mode.URL}),
    "2025-03-26": frozenset({Mode.FORM, Mode.URL}),
    "2025-06-18": frozenset({Mode.URL}),
}


def abilities(capabilities: bytes | Raw) -> frozenset[Mode]:
    """Which Questions a host says it can answer itself. `elicitation: {}` means forms only."""
    declared = members(capabilities)
    can: set[Mode] = set()
    if "elicitation" in declared:
        modes = members(declared["elicitation"])
        if "form" in modes or "url" not in modes:
            can.add(Mode.FORM)
        if "url" in modes:
            can.add(Mode.URL)
    can |= {mode for name, mode in (("sampling", Mode.SAMPLING), ("roots", Mode.ROOTS)) if name in declared}
    return frozenset(can)


def with_elicitation(capabilities: bytes | Raw) -> bytes:
    """Capabilities as we declare them upstream: the host's own, and every way to elicit."""
    if {Mode.FORM, Mode.URL} <= abilities(capabilities):
        return bytes(capabilities)
    elicitation = edit(members(capabilities).get("elicitation", b"{}"), {"form": b"{}", "url": b"{}"})
    return edit(capabilities, {"elicitation": elicitation})


def without_own_tasks(capabilities: bytes | Raw, any_kind: bool) -> bytes:
    """The same host, that makes no tasks of what it is asked (2025-11-25): of nothing, or not of elicitation,
    where we may answer instead of the host."""
    own = members(capabilities).get("tasks", b"{}") if len(capabilities) else b"{}"
    asked = members(own).get("requests", b"{}") if is_object(own) else b"{}"
    if any_kind or not is_object(asked):
        return edit(capabilities, {"tasks": None})
    if "elicitation" not in members(asked):
        return bytes(capabilities)
    requests = edit(asked, {"elicitation": None})
    return edit(capabilities, {"tasks": edit(own, {"requests": requests})})
