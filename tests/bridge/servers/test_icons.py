"""The icons that servers declare, on a whole Deskbell: kept in a file, which Status names."""

from __future__ import annotations

import base64
import http.server
import json
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bridge.running_app import House, house
from tests.bridge.servers.test_service import ASKING, row, table
from tests.fixtures.private_ca import private_ca

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
OTHER = PNG + b"other"


def declaring(data: bytes) -> str:
    icons = [{"src": f"data:image/png;base64,{base64.b64encode(data).decode()}"}]
    return table("quiz", ASKING, f"env = {{ ASKING_ICONS = '{json.dumps(icons)}' }}")


def shown(of: House, name: str) -> bytes:
    of.bridge.servers.test()
    of.until(lambda: row(of, name).icon)
    return Path(row(of, name).icon).read_bytes()


def test_an_icon_is_kept_over_a_restart_until_the_server_declares_another_or_none(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with house(home, declaring(PNG)) as running:
        assert row(running, "quiz").icon == ""
        assert shown(running, "quiz") == PNG
    with house(home, declaring(OTHER)) as running:
        assert Path(row(running, "quiz").icon).read_bytes() == PNG  # before it is started
        running.bridge.servers.test()
        running.until(lambda: Path(row(running, "quiz").icon).read_bytes() == OTHER)
        running.until(lambda: len(list(running.home.icons.iterdir())) == 1)
    with house(home, table("quiz", ASKING)) as running:
        assert row(running, "quiz").icon
        running.bridge.servers.test()
        running.until(lambda: row(running, "quiz").icon == "")
        running.until(lambda: not list(running.home.icons.iterdir()))


class _Server(http.server.BaseHTTPRequestHandler):
    """An MCP server over https, and its site with an icon."""

    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        if self.path == "/icon.png":
            self._reply(200, PNG, "image/png")
        else:
            self._reply(405, b"", "text/plain")

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "id" not in message:
            self._reply(202, b"", "application/json")
            return
        reply = {"jsonrpc": "2.0", "id": message["id"]}
        icons = [{"src": f"https://{self.headers['Host']}/icon.png"}]
        if message["method"] == "initialize":
            info = {"name": "site", "version": "1", "icons": icons}
            reply["result"] = {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": info,
            }
        elif message["method"] == "tools/list":
            reply["result"] = {"tools": []}
        else:
            reply["error"] = {"code": -32601, "message": "Method not found"}
        self._reply(200, json.dumps(reply).encode(), "application/json")

    def _reply(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    ca, tls = private_ca(tmp_path, "localhost")
    monkeypatch.setenv("SSL_CERT_FILE", str(ca))
    _Server.asked = []
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Server)
    server.socket = tls.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"https://localhost:{server.server_port}/mcp"
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_icon_of_the_servers_site_is_downloaded_and_again_after_a_week(tmp_path: Path, site: str) -> None:
    config = f"[servers.site]\nurl = '{site}'\n"
    for age, downloads in ((0.0, 1), (3600.0, 1), (8 * 86400.0, 2)):  # age of the file before the start
        for path in (tmp_path / "home" / "icons").glob("*"):
            os.utime(path, (time.time() - age, time.time() - age))
        with house(tmp_path / "home", config) as running:
            assert shown(running, "site") == PNG
            running.until(lambda: row(running, "site").tools == 0)
            running.until(lambda count=downloads: _Server.asked.count("/icon.png") == count)  # type: ignore[misc]
