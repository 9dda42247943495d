"""Who shows a host's questions, as the page sees it."""

from __future__ import annotations

from dataclasses import replace

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


def test_an_application_is_on_by_its_entry_or_before_its_servers() -> None:
    app = AppStatus("cursor", "Cursor", "f")
    assert not app.is_on
    assert replace(app, connected="stdio").is_on
    assert replace(app, wrapped=("github",)).is_on


def test_dialogs_are_poor_if_an_application_shows_forms_but_opens_no_links() -> None:
    kinds: tuple[tuple[str, ...], ...] = ((), ("form",), ("form", "url"))
    shown = [AppStatus("cursor", "Cursor", "f", can=can).has_poor_dialogs for can in kinds]
    assert shown == [False, True, False]


def test_an_application_was_last_connected_when_any_of_its_names_was() -> None:
    app = AppStatus("qwen", "Qwen Code", "f", names=("qwen-code", "qwen-cli-*"))
    status = HostsStatus(seen=(("qwen-code", 5.0), ("qwen-cli-x", 7.0), ("zed", 9.0)))
    assert status.last_seen(app) == 7.0
    assert HostsStatus().last_seen(app) == 0.0
