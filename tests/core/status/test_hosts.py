"""Who shows a host's questions, as the page sees it."""

from __future__ import annotations

from bridge.core.status.hosts import AppStatus, HostsStatus


def test_a_rule_for_any_of_its_names_counts_then_the_one_for_everyone_then_auto() -> None:
    status = HostsStatus(questions=(("Cursor", "desktop"), ("*", "host")))
    assert status.asks("cursor-vscode", "Cursor") == "desktop"
    assert status.asks("Zed") == "host"
    assert HostsStatus().asks("Zed") == "auto"


def test_a_rule_may_be_a_pattern() -> None:
    status = HostsStatus(questions=(("qwen-*", "desktop"), ("*", "host")))
    assert status.asks("qwen-cli-mcp-client-deskbell") == "desktop"


def test_an_application_is_known_by_any_of_its_names() -> None:
    app = AppStatus("qwen", "Qwen Code", "f", names=("qwen-code", "qwen-cli-mcp-client-*"), called="mine")
    assert [
        name for name in ("mine", "qwen-code", "qwen-cli-mcp-client-x", "qwen") if app.is_called(name)
    ] == [
        "mine",
        "qwen-code",
        "qwen-cli-mcp-client-x",
    ]
