"""Servers are tested at the start and when they are added; a failure is known after a restart, too."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.api import ServerStatus
from tests.bridge.running_app import House, house
from tests.bridge.servers.test_service import ASKING, table

MISSING = "[servers.gone]\ncommand = 'no-such-program'\n"
NEEDS_KEY = 'env = { KEY = "${vault:quiz/key}" }'


def row(of: House, name: str) -> ServerStatus:
    return next(one for one in of.bridge.status.servers if one.name == name)


def test_every_server_is_started_once_and_tells_how_it_is(tmp_path: Path) -> None:
    config = table("quiz", ASKING) + MISSING + table("off", ASKING, "enabled = false")
    with house(tmp_path / "home", config) as running:
        assert {row(running, name).state for name in ("quiz", "gone")} == {"idle"}
        running.bridge.servers.test()
        running.until(lambda: row(running, "quiz").tools > 0 and row(running, "gone").problem)
        assert "no-such-program" in row(running, "gone").problem
        assert (row(running, "off").state, row(running, "off").tools) == ("disabled", -1)


def test_a_failure_is_known_after_a_restart_until_the_server_is_edited(tmp_path: Path) -> None:
    with house(tmp_path / "home", MISSING) as running:
        running.bridge.servers.test()
        running.until(lambda: row(running, "gone").problem)
    with house(tmp_path / "home", MISSING) as running:
        assert (row(running, "gone").state, "no-such-program" in row(running, "gone").problem) == (
            "failed",
            True,
        )
        running.home.config.write_text(MISSING.replace("program", "thing"))
        running.until(lambda: row(running, "gone").state == "idle")


def test_a_server_that_is_added_in_the_file_is_tested_too(tmp_path: Path) -> None:
    with house(tmp_path / "home", table("quiz", ASKING)) as running:
        running.bridge.servers.test()
        running.until(lambda: row(running, "quiz").tools > 0)
        running.home.config.write_text(table("quiz", ASKING) + MISSING)
        running.until(
            lambda: any(one.name == "gone" and one.problem for one in running.bridge.status.servers)
        )


def test_one_that_lacks_its_key_is_not_started(tmp_path: Path) -> None:
    config = 'vault = "file"\n' + table("poor", ASKING, NEEDS_KEY) + table("quiz", ASKING)
    with house(tmp_path / "home", config) as running:
        running.bridge.servers.test()
        running.until(lambda: row(running, "quiz").tools > 0)
        assert (row(running, "poor").state, row(running, "poor").missing) == ("secret", ("quiz/key",))
        assert not (tmp_path / "home" / "journal.db").exists() or not row(running, "poor").problem


class _Refuses(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.do_POST()

    def do_POST(self) -> None:
        self.send_response(401)
        self.send_header("WWW-Authenticate", "Bearer")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def refusing() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Refuses)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/mcp"
    server.shutdown()
    server.server_close()


def test_one_that_wants_a_sign_in_is_shown_as_such_and_asks_nothing(tmp_path: Path, refusing: str) -> None:
    with house(tmp_path / "home", f'[servers.far]\nurl = "{refusing}"\n') as running:
        running.bridge.servers.test()
        running.until(lambda: row(running, "far").state == "sign-in")
        assert running.asked == []
