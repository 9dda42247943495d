"""Changes of a server's lists, heard by hosts of either era in their own way."""

from __future__ import annotations

import pytest

from tests.journeys.app_under_test import asking
from tests.journeys.conftest import Spawn, Start
from tests.journeys.hosts import LEGACY, MODERN

CHANGED = "notifications/tools/list_changed"
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"


@pytest.mark.parametrize("era", ["legacy", "modern", "dual"])
def test_a_legacy_host_just_hears_of_changes(era: str, start: Start, spawn: Spawn):
    start()
    host = spawn("wrap", "--", *asking(era), revision=LEGACY)
    host.open()
    host.call("change")
    assert SUBSCRIPTION not in host.hears(CHANGED).get("params", {}).get("_meta", {})


@pytest.mark.parametrize("era", ["legacy", "modern", "dual"])
def test_a_modern_host_hears_of_changes_while_it_listens(era: str, start: Start, spawn: Spawn):
    start()
    host = spawn("wrap", "--", *asking(era), revision=MODERN)
    host.open()
    host.begin("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
    acknowledged = host.hears("notifications/subscriptions/acknowledged")["params"]
    assert acknowledged["notifications"] == {"toolsListChanged": True}
    host.call("change")
    assert host.hears(CHANGED)["params"]["_meta"] == acknowledged["_meta"]
