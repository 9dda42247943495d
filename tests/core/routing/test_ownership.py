"""Each field that the parts of the core can reach is written by one of them (writers.py finds who writes)."""

from __future__ import annotations

from tests.core.routing.writers import writers

REGISTRIES = {  # written by each part for its own entries
    "pending",  # our request id → what waits for the reply: requests, lists, handshakes, tool checks
    "backlog",  # what waits for the handshake: requests and lists
    "requests",  # the host's request id → what answers it: requests, lists, subscriptions
    "tenants",  # hosts by the Router, shared servers by Connections
}


def test_a_field_of_another_object_is_written_by_one_part_only():
    shared = {field: sorted(parts) for field, parts in writers().items() if len(parts) > 1}
    assert shared.keys() - REGISTRIES == set(), shared
    assert shared.keys() >= REGISTRIES, "one of them is not shared any more"
