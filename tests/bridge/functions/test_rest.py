"""REST, OpenAPI and CGI in front of a whole Deskbell: the same answers and statuses, no other way in."""

from __future__ import annotations

import base64
import io
import json
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from openapi_spec_validator import validate

from bridge.api import CANCEL, DECLINE, accept
from bridge.cli import cgi
from tests.bridge.running_app import House, Said, house, install

ASKING = Path(__file__).parents[2] / "fixtures" / "asking_server.py"
CONFIG = f"""
question_timeout = 300
[servers.asking]
command = {json.dumps(sys.executable)}
args = ["-I", "-S", {json.dumps(str(ASKING))}, "legacy"]
[servers.elicit]
command = "/nowhere/to/be/found"
[hosts.CGI]
servers = ["math", "asking", "desk"]
[policy]
"math_fail" = "deny"
"""


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    packages = tmp_path_factory.mktemp("packages")
    install(packages)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DESKBELL_PORT", "0")
        patch.syspath_prepend(packages)
        with house(tmp_path_factory.mktemp("home"), CONFIG) as built:
            yield built
    sys.modules.pop("math_tools", None)


@pytest.fixture
def deskbell(running: House) -> House:
    running.answer = lambda question: None
    running.asked.clear()
    return running


def by_cgi(deskbell: House, name: str, body: bytes) -> Said:
    env = {"REQUEST_METHOD": "POST", "PATH_INFO": name, "CONTENT_LENGTH": str(len(body))}
    return cgi_request(deskbell, env, body)


def cgi_request(deskbell: House, env: dict[str, str], body: bytes = b"") -> Said:
    try:
        reply = cgi._answer(env, io.BytesIO(body), deskbell.home)
    except cgi.CgiRefusal as refused:
        reply = refused.reply
    head, _, rest = cgi.written(reply, env.get("REQUEST_METHOD") == "HEAD").partition(b"\r\n\r\n")
    headers = dict(line.lower().split(": ", 1) for line in head.decode().split("\r\n"))
    return Said(int(headers["status"].split()[0]), headers, rest)


CALLS = [
    ("Add", b'{"a":2,"b":3}', 200, b'{"result":5}'),
    ("math_Add", b'{"a":"2","b":3}', 200, b'{"result":5}'),
    ("divide", b'{"a":7,"b":2}', 200, b'{"result0":3,"result1":1}'),
    ("nothing", b"", 200, b"{}"),
    ("praise", b"{}", 200, b'{"result":"# Well done, Ada"}'),
    ("Add", b'{"a":2}', 400, b'{"error":"Add needs b."}'),
    ("Add", b"{}", 400, b'{"error":"Add needs a, b."}'),
    ("Add", b'{"a":2,"b":3,"c":4}', 400, b'{"error":"Add has no argument called c. It has: a, b."}'),
    ("Add", b"{", 400, b'{"error":"Invalid JSON body: Input data was truncated."}'),
    ("Add", b"[1,2]", 400, b'{"error":"The arguments of Add must be one JSON object."}'),
    ("Subtract", b"{}", 404, b'{"error":"Function not found: Subtract"}'),
    ("math_Subtract", b"{}", 404, b'{"error":"Function not found: math_Subtract"}'),
    ("fail", b"{}", 500, b'{"error":"The settings of Deskbell do not allow math_fail."}'),
    ("asking_count", b"{}", 200, None),
]


@pytest.mark.parametrize(("name", "body", "status", "answer"), CALLS)
def test_rest_and_cgi_give_the_same_answer(deskbell, name, body, status, answer):
    said = deskbell.post(name, body)
    assert said.status == status
    assert said.headers["content-type"] == "application/json"
    assert answer is None or said.body == answer
    for path in (f"/{name}", f"/functions/{name}"):
        cgi_said = by_cgi(deskbell, path, body)
        assert cgi_said.status == status
        assert cgi_said.headers["content-type"] == "application/json"
        assert answer is None or cgi_said.body == answer


@pytest.mark.parametrize(
    "body",
    [
        b'{"a":1e400,"b":1}',
        b'{"a":NaN,"b":1}',
        b'{"a":1,"b":' + b"[" * 50_000 + b"]" * 50_000 + b"}",
        b"[" * 200_000,
        b'{"a":1,"a":2,"b":1}',
        b'\xff\xfe{"a":1}',
        b'{"a":"\\ud800","b":1}',
        b'{"a":' + b"9" * 100_000 + b',"b":1}',
        b"null",
        b'"a"',
        b"a=1&b=2",
    ],
    ids=range(11),
)
def test_hostile_bodies_are_bad_requests_and_nothing_worse(deskbell, body):
    said = deskbell.post("Add", body)
    assert said.status == 400
    assert set(said.json) == {"error"}
    assert len(said.body) < 2000
    assert deskbell.post("Add", {"a": 1, "b": 1}).json == {"result": 2}


@pytest.mark.parametrize(
    "path",
    ["..%2f..%2fetc%2fpasswd", "../openapi.json", "%00", "a%0d%0aSet-Cookie:%20x", "Add/", "%2e%2e", ""],
)
def test_a_name_that_is_a_path_finds_nothing(deskbell, path):
    said = deskbell.ask("POST", f"/functions/{path}", "{}")
    assert said.status == 404
    assert set(said.json) == {"error"}
    assert "set-cookie" not in said.headers


def test_a_server_that_does_not_start_says_so_and_hides_no_built_in_tool(deskbell):
    words = "Could not start elicit: `/nowhere/to/be/found` was not found. Install it or edit the command."
    first = deskbell.post("elicit_anything")
    assert (first.status, first.json) == (500, {"error": words})
    calls = (deskbell.post("elicit_anything") for _ in range(9))  # each rest is longer than the last
    resting = next(said for said in calls if said.json != first.json)
    assert (resting.status, resting.json["error"].startswith(words + " It is tried again in ")) == (500, True)
    assert deskbell.post("elicit_input", {"message": 5}).status == 400


def test_the_settings_keep_a_server_from_a_caller(deskbell):
    assert by_cgi(deskbell, "/elicit_anything", b"{}").status == 404
    assert by_cgi(deskbell, "/Add", b'{"a":1,"b":1}').status == 200


def test_rest_checks_host_origin_and_token_as_mcp_does(deskbell):
    assert deskbell.post("Add", Authorization="Bearer wrong").status == 401
    assert deskbell.post("Add", Origin="https://evil.example").status == 403
    assert deskbell.post("Add", Host="evil.example").status == 421
    assert deskbell.ask("GET", "/openapi.json", Authorization="").status == 401
    assert deskbell.ask("GET", "/docs", Authorization="").status == 401
    assert deskbell.post("Add", Content_Length=str(65 << 20)).status == 413


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/functions/Add", {"POST"}),
        ("OPTIONS", "/functions/Add", {"POST"}),
        ("DELETE", "/functions/Add", {"POST"}),
        ("POST", "/openapi.json", {"GET", "HEAD"}),
        ("OPTIONS", "/openapi.json", {"GET"}),
    ],
)
def test_other_methods_get_405_with_the_allowed_ones(deskbell, method, path, allowed):
    said = deskbell.ask(method, path)
    assert said.status == 405
    assert set(said.headers["allow"].split(", ")) == allowed


# --- asking --------------------------------------------------------------------------------------------


def test_a_call_that_asks_waits_for_the_person(deskbell):
    deskbell.answer = lambda question: accept({"value": "b"})
    assert deskbell.post("choose").json == {"result": "b"}
    assert (deskbell.asked[0].host, deskbell.asked[0].server) == ("REST", "math")
    deskbell.answer = lambda question: accept({"name": "Ada"})
    assert deskbell.post("asking_ask").json["result"]["content"] == {"name": "Ada"}
    assert deskbell.asked[1].tool == "ask"


@pytest.mark.parametrize(("answer", "words"), [(DECLINE, "declined"), (CANCEL, "closed the question")])
def test_a_call_whose_question_is_not_answered_fails_with_a_text(deskbell, answer, words):
    deskbell.answer = lambda question: answer
    said = deskbell.post("choose")
    assert said.status == 500
    assert words in said.json["error"]


def test_an_expired_question_is_a_gateway_timeout(deskbell):
    said = deskbell.post("choose", {"within": 0.05})
    assert (said.status, said.json) == (504, {"error": "Nobody answered within 0.05 s."})


def test_a_caller_that_hangs_up_takes_its_question_with_it(deskbell):
    connection = deskbell.connect()
    token = deskbell.home.read_token()
    connection.request("POST", "/functions/asking_ask", "{}", {"Authorization": f"Bearer {token}"})
    deskbell.until(lambda: deskbell.asked)
    connection.sock.shutdown(socket.SHUT_RDWR)
    connection.close()
    deskbell.until(lambda: not deskbell.bridge.status.waiting)


def test_arguments_of_any_length_arrive_whole(deskbell):
    long = "x" * 200_000
    assert deskbell.post("desk_elicit_choice", {"message": "?", "options": [long, long]}).status == 400
    deskbell.answer = lambda question: accept({"value": question.message[-1]})
    assert deskbell.post("elicit_input", {"message": long + "y"}).json["result"]["value"] == "y"


def test_calls_at_the_same_time_do_not_mix(deskbell):
    answers: dict[int, object] = {}

    def call(number: int) -> None:
        answers[number] = deskbell.post("Add", {"a": number, "b": 1}).json["result"]

    threads = [threading.Thread(target=call, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {number: number + 1 for number in range(20)}


# --- OpenAPI and the page ------------------------------------------------------------------------------


def test_openapi_is_valid_and_complete(deskbell):
    said = deskbell.ask("GET", "/openapi.json")
    assert said.headers["content-type"] == "application/json"
    validate(said.json)
    operations = {path: item["post"] for path, item in said.json["paths"].items()}
    assert {one["operationId"] for one in operations.values()} == {path[11:] for path in operations}
    assert {"/functions/math_Add", "/functions/asking_ask", "/functions/desk_elicit_form"} <= set(operations)
    assert operations["/functions/math_Add"]["tags"] == ["math"]
    assert "Not in this document: elicit, " in said.json["info"]["description"]


def test_cgi_gives_the_same_document_for_its_own_place(deskbell):
    env = {"REQUEST_METHOD": "GET", "PATH_INFO": "/openapi.json", "SCRIPT_NAME": "/cgi-bin/deskbell"}
    said = cgi_request(deskbell, env)
    validate(said.json)
    assert said.json["servers"] == [{"url": "/cgi-bin/deskbell"}]
    assert {"/functions/math_Add", "/functions/asking_ask"} <= set(said.json["paths"])
    head = cgi_request(deskbell, {**env, "REQUEST_METHOD": "HEAD"})
    assert (head.body, head.headers["content-length"]) == (b"", said.headers["content-length"])


def test_the_page_is_inert(deskbell):
    said = deskbell.ask("GET", "/docs")
    assert said.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in said.headers["content-security-policy"]
    page = said.body.decode()
    assert "<code>math_Add</code>" in page
    assert "elicit did not tell its tools. `deskbell tools` says why." in page
    assert "<script" not in page
    assert "href=" not in page
    assert "src=" not in page
    assert cgi_request(deskbell, {"REQUEST_METHOD": "GET", "PATH_INFO": ""}).body.startswith(
        b"<!doctype html>"
    )


def test_a_browser_opens_what_is_to_be_read_with_the_token_as_a_password_and_nothing_else(deskbell):
    def basic(password: str) -> str:
        return "Basic " + base64.b64encode(f"me:{password}".encode()).decode()

    known = basic(deskbell.home.read_token())
    refused = deskbell.ask("GET", "/docs", Authorization="")
    assert refused.headers["www-authenticate"].startswith("Basic ")
    assert deskbell.ask("GET", "/docs", Authorization=known).status == 200
    assert deskbell.ask("GET", "/openapi.json", Authorization=known).status == 200
    for wrong in (basic(""), basic("x"), "Basic ???", "Basic", known.replace("Basic", "Digest")):
        assert deskbell.ask("GET", "/docs", Authorization=wrong).status == 401
    assert deskbell.post("Add", {"a": 1, "b": 1}, Authorization=known).status == 401
    assert deskbell.ask("POST", "/mcp", "{}", Authorization=known).status == 401


# --- CGI -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("env", "status"),
    [
        ({}, 400),
        ({"REQUEST_METHOD": "GET", "PATH_INFO": "/Add"}, 405),
        ({"REQUEST_METHOD": "POST", "PATH_INFO": "/openapi.json"}, 405),
        ({"REQUEST_METHOD": "POST", "PATH_INFO": "/Add", "CONTENT_LENGTH": "many"}, 400),
        ({"REQUEST_METHOD": "POST", "PATH_INFO": "/Add", "CONTENT_LENGTH": "-1"}, 400),
        ({"REQUEST_METHOD": "POST", "PATH_INFO": "/Add", "CONTENT_LENGTH": "5"}, 400),
        ({"REQUEST_METHOD": "POST", "PATH_INFO": "/Add", "CONTENT_LENGTH": "9" * 5000}, 413),
        ({"REQUEST_METHOD": "POST", "PATH_INFO": "/Add", "HTTP_ORIGIN": "https://evil.example"}, 403),
        ({"REQUEST_METHOD": "POST", "PATH_INFO": "/Add", "HTTP_SEC_FETCH_SITE": "cross-site"}, 403),
        ({"REQUEST_METHOD": "POST", "PATH_INFO": "/\udcff"}, 400),
        ({"REQUEST_METHOD": "POST", "PATH_INFO": "/functions/../../etc/passwd"}, 404),
        ({"REQUEST_METHOD": "POST", "PATH_INFO": "/Add\r\nStatus: 200 OK"}, 404),
    ],
    ids=range(12),
)
def test_a_request_that_makes_no_sense_has_a_status_and_no_headers_of_its_own(deskbell, env, status):
    said = cgi_request(deskbell, env)
    assert said.status == status
    assert set(said.headers) <= {"status", "content-type", "content-length", "allow"}
    assert set(said.json) == {"error"}


def test_history_and_status_name_these_callers(deskbell):
    deskbell.post("Add", {"a": 1, "b": 1})
    by_cgi(deskbell, "/Add", b'{"a":1,"b":1}')
    hosts = {(host.name, host.wire) for host in deskbell.bridge.status.hosts}
    assert {("REST", "rest"), ("CGI", "cgi")} <= hosts


def test_what_a_web_server_tells_of_its_encryption_is_not_handed_on_either():
    assert cgi._OF_REQUEST.match("SSL_CLIENT_S_DN")
    assert not cgi._OF_REQUEST.match("SSL_CERT_FILE")
