"""What a `subscriptions/listen` asks for, and which of it a server can report. Pure: wire forms only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from bridge.core.protocol import jsonrpc
from bridge.core.protocol.handshake import ServerIdentity

LISTEN = "subscriptions/listen"
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
UPDATED = "notifications/resources/updated"
KINDS = {
    "notifications/tools/list_changed": "toolsListChanged",
    "notifications/prompts/list_changed": "promptsListChanged",
    "notifications/resources/list_changed": "resourcesListChanged",
}


class Uri(msgspec.Struct, frozen=True):
    uri: str = ""


class Filter(msgspec.Struct, frozen=True, rename="camel"):
    tools_list_changed: bool | None = None
    prompts_list_changed: bool | None = None
    resources_list_changed: bool | None = None
    resource_subscriptions: list[str] | None = None
    task_ids: list[str] | None = None

    @property
    def kinds(self) -> frozenset[str]:
        flags = (self.tools_list_changed, self.prompts_list_changed, self.resources_list_changed)
        return frozenset(kind for kind, wanted in zip(KINDS.values(), flags, strict=True) if wanted)


class _Listen(msgspec.Struct, frozen=True):
    notifications: Filter = Filter()


class _Introduced(msgspec.Struct, frozen=True):
    capabilities: dict[str, Any] = {}


def wanted(params: bytes | msgspec.Raw) -> Filter:
    """Return the filter of a `subscriptions/listen`."""
    return jsonrpc.read(_Listen, params).notifications


def features(introduction: ServerIdentity) -> tuple[frozenset[str], bool]:
    """Return the kinds of list_changed a server reports, and whether it reports single resources."""
    found = jsonrpc.read(_Introduced, introduction.result).capabilities
    declared = {name: one for name, one in found.items() if isinstance(one, dict)}
    kinds = {f"{name}ListChanged" for name, one in declared.items() if one.get("listChanged") is True}
    return frozenset(KINDS.values()) & kinds, declared.get("resources", {}).get("subscribe") is True


def filter_of(kinds: frozenset[str], uris: list[str], task_ids: Sequence[str] = ()) -> bytes:
    wanted: dict[str, object] = {kind: True for kind in KINDS.values() if kind in kinds}
    if uris:
        wanted["resourceSubscriptions"] = uris
    if task_ids:
        wanted["taskIds"] = task_ids
    return msgspec.json.encode(wanted)
