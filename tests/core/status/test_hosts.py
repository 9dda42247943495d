"""Who shows a host's questions, as the page sees it."""

from __future__ import annotations

from bridge.core.status.hosts import HostsStatus


def test_a_rule_for_any_of_its_names_counts_then_the_one_for_everyone_then_auto() -> None:
    status = HostsStatus(questions=(("Cursor", "desktop"), ("*", "host")))
    assert status.asks("cursor-vscode", "Cursor") == "desktop"
    assert status.asks("Zed") == "host"
    assert HostsStatus().asks("Zed") == "auto"
