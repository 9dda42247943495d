"""What a `subscriptions/listen` asks for, and which of it a server can report. Pure: wire forms only."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from bridge.core.protocol import jsonrpc
from bridge.core.protocol.handshake import ServerIdentity
from bridge.core.protocol.jsonrpc import Malformed, edit

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


class _Feature(msgspec.Struct, frozen=True, rename="camel"):
    list_changed: bool = False
    subscribe: bool = False


class _Features(msgspec.Struct, frozen=True):
    tools: _Feature = _Feature()
    prompts: _Feature = _Feature()
    resources: _Feature = _Feature()


class _Introduced(msgspec.Struct, frozen=True):
    capabilities: _Features = _Features()


def wanted(params: bytes | msgspec.Raw) -> Filter:
    """Return the filter of a `subscriptions/listen`."""
    return jsonrpc.read(_Listen, params).notifications


def features(introduction: ServerIdentity) -> tuple[frozenset[str], bool]:
    """Return the kinds of list_changed a server reports, and whether it reports single resources."""
    try:
        can = jsonrpc.read(_Introduced, introduction.result).capabilities
    except Malformed:
        return frozenset(), False
    flags = (can.tools.list_changed, can.prompts.list_changed, can.resources.list_changed)
    kinds = frozenset(kind for kind, told in zip(KINDS.values(), flags, strict=True) if told)
    return kinds, can.resources.subscribe


def filter_of(kinds: frozenset[str], uris: list[str], task_ids: Sequence[str] = ()) -> bytes:
    said: dict[str, bytes | None] = {kind: b"true" for kind in KINDS.values() if kind in kinds}
    if uris:
        said["resourceSubscriptions"] = msgspec.json.encode(uris)
    if task_ids:
        said["taskIds"] = msgspec.json.encode(task_ids)
    return edit(b"{}", said)
