"""Programs of others against our functions: schemathesis, lighttpd, curl; server-everything behind them."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.api import CANCEL
from tests.bridge.running_app import House, house, install
from tests.fixtures.peers import EVERYTHING, NODE
from tests.journeys.app_under_test import ROOT, server, until

TESTER = ROOT / ".peers" / "schemathesis"
SCHEMATHESIS = "schemathesis==4.32.5"
LIGHTTPD = shutil.which("lighttpd", path=os.environ.get("PATH", "") + ":/usr/sbin")
CURL = shutil.which("curl")
# Relations between arguments (a minimum above the maximum) are no business of a schema.
UNSAID = "positive_data_acceptance"
SLOW = r"long-running|research|gzip|toggle|trigger"
FAILING = r"_fail|_choose|resource-reference"  # on purpose, without an answer, for odd numbers
BLUESKY = "bluesky_"  # its examples name accounts that may not exist, in a network that may be out of reach

pytestmark = pytest.mark.timeout(400)


@pytest.fixture(scope="module")
def deskbell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    packages = tmp_path_factory.mktemp("packages")
    install(packages)
    config = server("everything", [str(NODE), str(EVERYTHING), "stdio"]) if EVERYTHING.exists() else ""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DESKBELL_PORT", "0")
        patch.syspath_prepend(packages)
        with house(tmp_path_factory.mktemp("home"), config) as built:
            built.answer = lambda question: CANCEL
            yield built
    sys.modules.pop("math_tools", None)


@pytest.fixture(scope="module")
def tester() -> Path:
    """The program, installed on first use."""
    program = TESTER / "bin" / "schemathesis"
    if not program.exists():
        venv.create(TESTER, clear=True, with_pip=True)
        pip = [str(TESTER / "bin" / "python"), "-m", "pip", "install", "--quiet", SCHEMATHESIS]
        if subprocess.run(pip, capture_output=True).returncode:
            shutil.rmtree(TESTER)
            pytest.skip("schemathesis cannot be installed here")
    return program


@pytest.mark.parametrize(
    "scope",
    [
        ("--exclude-path-regex", f"{SLOW}|{FAILING}|{BLUESKY}", "--exclude-checks", UNSAID),
        ("--include-path-regex", BLUESKY, "--exclude-checks", f"{UNSAID},not_a_server_error"),
    ],
    ids=["others", "bluesky"],
)
def test_schemathesis_finds_nothing_that_openapi_does_not_say(
    deskbell: House, tester: Path, tmp_path: Path, scope: tuple[str, ...]
) -> None:
    command = [
        str(tester),
        "run",
        f"http://127.0.0.1:{deskbell.port}/openapi.json",
        *("--header", f"Authorization: Bearer {deskbell.home.read_token()}"),
        *(*scope, "--max-examples", "20", "--seed", "1"),
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-4000:]


@pytest.mark.skipif(not EVERYTHING.exists(), reason="make peers")
def test_server_everything_is_a_web_api(deskbell: House) -> None:
    assert deskbell.post("everything_get-sum", {"a": "2", "b": 3}).json == {
        "result": "The sum of 2 and 3 is 5."
    }
    weather = deskbell.post("everything_get-structured-content", {"location": "Chicago"}).json["result"]
    assert set(weather) == {"temperature", "conditions", "humidity"}
    image = deskbell.post("everything_get-tiny-image").json
    assert [type(image[f"result{number}"]) for number in range(len(image))] == [str, dict, str]
    assert deskbell.post("everything_get-structured-content", {"location": "Atlantis"}).status == 400


@pytest.fixture
def website(deskbell: House, tmp_path: Path) -> Iterator[str]:
    """lighttpd in front of `deskbell cgi`, as docs/rest.md sets it up."""
    if LIGHTTPD is None or CURL is None:
        pytest.skip("needs lighttpd and curl")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = tmp_path / "deskbell.cgi"
    program.write_text(f"#!/bin/sh\ncd {ROOT} && exec {sys.executable} -m bridge cgi\n")
    program.chmod(0o700)
    conf = tmp_path / "lighttpd.conf"
    conf.write_text(f"""
server.document-root = "{tmp_path}"
server.bind = "127.0.0.1"
server.port = {port}
server.modules = ( "mod_cgi", "mod_alias", "mod_setenv" )
setenv.add-environment = ( "DESKBELL_HOME" => "{deskbell.home.root}" )
alias.url = ( "/tools" => "{program}" )
$HTTP["url"] =~ "^/tools" {{ cgi.assign = ( "" => "" ) }}
""")
    running = subprocess.Popen([LIGHTTPD, "-D", "-f", str(conf)], stderr=subprocess.DEVNULL)
    try:
        until(lambda: socket.socket().connect_ex(("127.0.0.1", port)) == 0)
        yield f"http://127.0.0.1:{port}/tools"
    finally:
        running.terminate()
        running.wait(10)


def curl(url: str, *words: str) -> tuple[int, str, str]:
    """Status, Content-Type and body."""
    form = "\n%{http_code} %{content_type}"
    command = ["curl", "--silent", "--write-out", form, *words, url]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60).stdout
    body, _, tail = said.rpartition("\n")
    status, _, kind = tail.partition(" ")
    return int(status), kind, body


JSON = "application/json"


def test_behind_a_real_web_server_the_answers_are_the_same(website: str, deskbell: House) -> None:
    assert curl(f"{website}/Add", "-d", '{"a":2,"b":3}') == (200, JSON, '{"result":5}')
    assert curl(f"{website}/functions/math_Add", "-d", '{"a":2,"b":3}') == (200, JSON, '{"result":5}')
    chunked = ("-H", "Transfer-Encoding: chunked", "-d", '{"a":2,"b":3}')
    assert curl(f"{website}/Add", *chunked) == (200, JSON, '{"result":5}')
    assert curl(f"{website}/Subtract", "-d", "{}") == (404, JSON, '{"error":"Function not found: Subtract"}')
    assert curl(f"{website}/Add", "-d", "{}") == (400, JSON, '{"error":"Add needs a, b."}')
    assert curl(f"{website}/fail", "-d", "{}") == (500, JSON, '{"error":"It is broken."}')
    assert curl(f"{website}/choose", "-d", '{"within":0.05}')[0] in (500, 504)
    assert curl(f"{website}/Add")[0] == 405
    assert curl(f"{website}/Add", "-d", "{}", "-H", "Origin: https://evil.example")[0] == 403
    assert curl(f"{website}/a%0d%0aX-Injected:%20yes", "-d", "{}", "-i")[2].count("X-Injected: yes\r\n") == 0
    status, kind, body = curl(f"{website}/openapi.json")
    assert (status, kind) == (200, JSON)
    assert json.loads(body)["servers"] == [{"url": "/tools"}]
