"""Revisions of MCP, in two eras: legacy (2024-11-05 to 2025-11-25) and modern (2026-07-28)."""

from __future__ import annotations

from enum import Enum

LEGACY_REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
NEWEST_LEGACY = LEGACY_REVISIONS[-1]
MODERN_REVISION = "2026-07-28"

_PREFIX = "io.modelcontextprotocol/"
VERSION_KEY = _PREFIX + "protocolVersion"
CAPABILITIES_KEY = _PREFIX + "clientCapabilities"
INFO_KEY = _PREFIX + "clientInfo"
SERVER_INFO_KEY = _PREFIX + "serverInfo"
LOG_KEY = _PREFIX + "logLevel"
ENVELOPE = (VERSION_KEY, CAPABILITIES_KEY, INFO_KEY, LOG_KEY)
SUBSCRIPTION_KEY = _PREFIX + "subscriptionId"
TASKS_EXTENSION = _PREFIX + "tasks"
UNSUPPORTED_VERSION = -32022
NO_RESOURCE = -32002  # legacy; modern: INVALID_PARAMS
RESUMABLE = frozenset({"tools/call", "prompts/get", "resources/read"})  # may return input_required
REMOVED = frozenset(  # methods that the modern era does not have
    {"initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"}
)


class Era(Enum):
    LEGACY = "legacy"
    MODERN = "modern"


LEGACY, MODERN = Era.LEGACY, Era.MODERN  # fast enums: see core/exchange/state_machine.py
