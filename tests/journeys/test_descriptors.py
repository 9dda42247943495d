"""One caller cannot take everything: copies of servers are bounded, and `status` always answers."""

from __future__ import annotations

import http.client
import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.app_under_test import DESKBELL, ROOT, WAIT, App, fixture, server
from tests.journeys.conftest import Spawn, Start
from tests.journeys.hosts import LEGACY

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits another process by prlimit")
CALLS = 60


def post(app: App, message: dict[str, Any], path: str, session: str = "") -> tuple[dict[str, Any], str]:
    """What a POST brings back, and its Mcp-Session-Id."""
    wire = http.client.HTTPConnection("127.0.0.1", app.port, timeout=WAIT)
    headers = {
        "Authorization": f"Bearer {app.token}",
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
        **({"Mcp-Session-Id": session} if session else {}),
    }
    try:
        wire.request("POST", path, json.dumps({"jsonrpc": "2.0", **message}), headers)
        answer = wire.getresponse()
        body = answer.read()
        session = answer.headers["Mcp-Session-Id"] or session
        return json.loads(body.partition(b"data:")[2] or body or b"{}"), session
    finally:
        wire.close()


def initialized_call(app: App, path: str) -> dict[str, Any]:
    """Begin a session for one call, and never end it."""
    hello = {
        "protocolVersion": LEGACY,
        "capabilities": {},
        "clientInfo": {"name": "a script", "version": "1"},
    }
    _, session = post(app, {"id": 1, "method": "initialize", "params": hello}, path)
    answer, _ = post(app, {"id": 2, "method": "tools/call", "params": {"name": "who"}}, path, session)
    return answer


def limit(app: App, descriptors: int) -> None:
    resource.prlimit(app.pid, resource.RLIMIT_NOFILE, (descriptors, descriptors))


def descriptors(app: App) -> int:
    return len(list(Path(f"/proc/{app.pid}/fd").iterdir()))


def test_a_script_that_initializes_for_every_call_works_and_leaves_descriptors_for_others(start: Start):
    app = start(config=server("quiz", fixture("instance_server.py")))
    for _ in range(CALLS):
        answer = initialized_call(app, "/mcp/quiz")
        assert not answer["result"].get("isError"), answer
    if os.getuid() == 0:  # nobody else may look into the app
        assert descriptors(app) < 32 * 5 + 64
    assert len(app.children("instance_server")) <= 32 + 10  # the last few are being ended


def test_with_few_descriptors_every_host_gets_an_answer_or_an_error_and_status_answers(
    start: Start, spawn: Spawn, env: dict[str, str]
):
    app = start(config=server("quiz", fixture("instance_server.py")))
    limit(app, 64)
    hosts = [spawn("stdio", "--server", "quiz", name=f"host {number}") for number in range(20)]
    for host in hosts:
        hello = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": host.info}
        answer = host.begin("initialize", hello).result(WAIT)
        assert "result" in answer or "oo many applications and servers" in answer["error"]["message"]
    status = subprocess.check_output([*DESKBELL, "status", "--json"], env=env, cwd=ROOT, timeout=WAIT)
    assert json.loads(status)["hosts"]
