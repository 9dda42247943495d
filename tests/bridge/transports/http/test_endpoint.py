"""The HTTP endpoint changes its port and token while Deskbell runs, and lists the outdated files."""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.api import Home
from bridge.hosts.locations import files_with
from bridge.transports.http import endpoint
from tests.bridge.running_app import House


@pytest.fixture
def apps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the AI applications of this computer keep their files: nowhere but here."""
    monkeypatch.setenv("HOME", str(tmp_path / "apps"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("CODEX_HOME", raising=False)
    (tmp_path / "apps" / ".cursor").mkdir(parents=True)
    return tmp_path / "apps"


@pytest.fixture
def house(tmp_path: Path, apps: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.delenv("DESKBELL_PORT", raising=False)
    home = Home(tmp_path / "home")
    home.ensure()
    home.config.write_text("port = 0\n")
    made = House(home)
    made.bridge.start()
    yield made
    made.bridge.stop()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number: int = probe.getsockname()[1]
        return number


def test_a_new_token_refuses_the_old_one_and_says_why(house: House, apps: Path) -> None:
    old, port = house.home.read_token(), house.port
    cursor = apps / ".cursor" / "mcp.json"
    cursor.write_text(
        json.dumps({"mcpServers": {"deskbell": {"headers": {"Authorization": f"Bearer {old}"}}}})
    )
    house.bridge.settings.renew_token()
    house.until(lambda: house.bridge.status.endpoint.renewed)

    assert house.home.read_token() != old
    assert house.home.token.stat().st_mode & 0o777 == 0o600
    assert house.port == port
    refused = house.ask("GET", "/openapi.json", Authorization=f"Bearer {old}")
    assert refused.status == 401
    told = house.ask("POST", "/mcp", "{}", Authorization=f"Bearer {old}", Content_Type="application/json")
    assert (told.status, "was replaced" in told.body.decode()) == (401, True)
    unknown = house.ask("POST", "/mcp", "{}", Authorization="Bearer x", Content_Type="application/json")
    assert "was replaced" not in unknown.body.decode()
    assert house.ask("GET", "/openapi.json").status == 200
    assert house.bridge.status.endpoint.outdated == (f"Cursor: {cursor}",)


def test_another_port_counts_at_once_and_the_old_one_is_left(house: House, apps: Path) -> None:
    before, wanted = house.port, free_port()
    cursor = apps / ".cursor" / "mcp.json"
    cursor.write_text(json.dumps({"mcpServers": {"deskbell": {"url": f"http://127.0.0.1:{before}/mcp"}}}))
    house.bridge.settings.change("", "port", wanted)
    house.until(lambda: house.bridge.status.endpoint.outdated)

    assert house.port == house.bridge.status.endpoint.port == wanted
    assert house.ask("GET", "/health").status == 200
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", before), 2)
    assert house.bridge.status.endpoint.outdated == (f"Cursor: {cursor}",)
    assert f"port = {wanted}" in house.home.config.read_text()


def test_a_port_in_use_is_reported_and_opened_as_soon_as_it_is_free(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "RETRY", 0.05)
    before = house.port
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        wanted = other.getsockname()[1]
        house.bridge.settings.change("", "port", wanted)
        house.until(lambda: house.bridge.status.problems)
        (problem,) = house.bridge.status.problems
        assert problem.startswith(f"Port {wanted} cannot be used: Another program uses it")
        assert f"127.0.0.1:{before}/mcp" in problem
        assert house.ask("GET", "/health").status == 200
    house.until(lambda: not house.bridge.status.problems)
    assert house.port == wanted


def entry(port: int, token: str) -> dict[str, object]:
    return {"url": f"http://127.0.0.1:{port}/mcp", "headers": {"Authorization": f"Bearer {token}"}}


def test_a_port_in_use_at_the_start_gives_way_to_a_free_one_and_entries_follow(
    tmp_path: Path, apps: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DESKBELL_PORT", raising=False)
    monkeypatch.setattr(endpoint, "RETRY", 0.05)
    home = Home(tmp_path / "home")
    home.ensure()
    cursor = apps / ".cursor" / "mcp.json"
    with socket.create_server(("127.0.0.1", 0)) as other:
        wanted = other.getsockname()[1]
        home.config.write_text(f"port = {wanted}\n")
        servers = {"deskbell": entry(wanted, home.read_token()), "other": entry(wanted, "not ours")}
        cursor.write_text(json.dumps({"mcpServers": servers}))
        house = House(home)
        house.bridge.start()
        house.until(lambda: house.bridge.status.problems)
        (problem,) = house.bridge.status.problems
        assert problem.startswith(f"Port {wanted} cannot be used: Another program uses it")
        if sys.platform == "linux":
            assert f"({os.getpid()})" in problem
        free = house.port
        assert free != wanted
        house.until(lambda: f":{free}/mcp" in cursor.read_text())
        assert json.loads(cursor.read_text())["mcpServers"]["other"] == servers["other"]
    house.until(lambda: not house.bridge.status.problems)
    house.until(lambda: json.loads(cursor.read_text())["mcpServers"] == servers)
    house.bridge.stop()


def test_a_port_may_be_chosen_and_left_again_before_it_was_free(house: House) -> None:
    before = house.port
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        house.bridge.settings.change("", "port", other.getsockname()[1])
        house.until(lambda: house.bridge.status.problems)
        house.bridge.settings.change("", "port", before)
        house.until(lambda: not house.bridge.status.problems)
    assert house.port == before


def test_while_no_deskbell_runs_a_new_token_is_simply_written(tmp_path: Path, apps: Path) -> None:
    home = Home(tmp_path / "home")
    home.ensure()
    old = home.read_token()
    (apps / ".cursor" / "mcp.json").write_text(old)
    assert endpoint.renew_token_while_closed(home, files_with) == (
        f"Cursor: {apps / '.cursor' / 'mcp.json'}",
    )
    assert home.read_token() != old
    assert [path.name for path in home.root.iterdir()] == ["token"]
