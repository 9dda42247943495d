"""A Toolbox's list and errors, for the tests of tools."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from bridge.tools import (
    Toolbox,
)

ACCEPT: dict[str, Any] = {"action": "accept"}


def box() -> Toolbox:
    return Toolbox("box")


def listed(made: Toolbox, name: str) -> dict[str, Any]:
    return json.loads(msgspec.json.encode(made.tools[name].listing()))


def error_of(said: dict[str, Any]) -> str:
    assert said["isError"] is True
    return json.loads(said["content"][0]["text"])["error"]


NO_ONE = {"action": "cancel", "_meta": {"deskbell/unanswered": "nobody"}}
LATE = {"action": "cancel", "_meta": {"deskbell/unanswered": "expired"}}
