"""Keys are recognised by their shape and by the words around them; ordinary text stays as it is."""

from __future__ import annotations

import json
import time

import pytest

from bridge.journal import MASK, redact
from bridge.system.masking import masked

SECRETS = [
    "sk-ant-api03-abcdefghijklmnop_QRSTUV",
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuv",
    "xoxb-123456789012-abcdefghijkl",
    "AKIAIOSFODNN7EXAMPLE",
    "AIzaSyA1234567890abcdefghijklmnopqrstuv",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
    "glpat-ABCDEFGHIJKLMNOPqrst",
    "dbt-abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq",
    "Zk3vQx9LmN2pRs7TuV4wXyZ0aBcDeFgHiJkLmNoPq-_",
]


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("around", ["{}", "key {} used", '{{"x": "{}"}}', "https://h/?k={}&b=1"])
def test_keys_are_masked_wherever_they_stand(secret: str, around: str) -> None:
    assert redact(around.format(secret)) == around.format(MASK)


@pytest.mark.parametrize(
    "name",
    [
        *("password", "Passwd", "PASSPHRASE", "pwd", "client_secret", "accessToken", "credentials", "Cookie"),
        *("api_key", "API-KEY", "apikey", "access_key", "private-key", "Signing_Key"),
    ],
)
def test_what_has_a_telling_name_is_masked_whatever_it_looks_like(name: str) -> None:
    assert redact(f"{name}=hunter22, and more") == f"{name}={MASK}, and more"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Authorization: Bearer abcdefgh1234", f"Authorization: Bearer {MASK}"),
        ("password=hunter22 ok", f"password={MASK} ok"),
        ('"api_key": "12345678"', f'"api_key": "{MASK}"'),
        ("DB_PASSWORD: s3cret!x", f"DB_PASSWORD: {MASK}"),
        ("postgres://ann:pw@db/x", f"postgres://ann:{MASK}@db/x"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY----- x", f"{MASK} x"),
    ],
)
def test_what_is_named_a_secret_is_masked(text: str, masked: str) -> None:
    assert redact(text) == masked


TOLD = {
    "pwd": "abc",
    "passphrase": 'correct "horse", battery',
    "client_secret": "ends with \\",
    "Authorization": "hunter22",
    "passwords": ["a]b", "{"],
    "credentials": {"user": [{"deep": 123456}]},
    "pin_token": 1234,
    "max_tokens": 500,
    "token": None,
    "secret": False,
    "last": "shown",
}


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_json_in_a_text_is_masked_like_json_however_often_it_is_quoted(depth: int) -> None:
    text = json.dumps(TOLD)
    for _ in range(depth - 1):
        text = json.dumps({"text": text})
    shown = redact(text)
    for _ in range(depth - 1):
        shown = json.loads(shown)["text"]
    assert json.loads(shown) == masked(TOLD)


@pytest.mark.parametrize(
    "value", ["correct horse battery", ["hunter", "horse battery"], {"a": ["horse battery"]}]
)
def test_json_that_ends_within_a_secret_is_masked_to_its_end(value: object) -> None:
    text = json.dumps({"id": 1, "password": value})
    shown = redact(text[: text.index("battery")])
    assert "horse" not in shown
    assert shown.startswith('{"id": 1, "password": ')


@pytest.mark.parametrize(
    "text",
    [
        "Listening on http://127.0.0.1:23355/mcp",
        "max_tokens=4096",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "npm warn deprecated glob@7.2.3: Glob versions prior to v9 are no longer supported",
        "/home/ann/projects/some-quite-long-folder-name/and-another/file.py",
        "550e8400-e29b-41d4-a716-446655440000",
    ],
)
def test_ordinary_words_stay(text: str) -> None:
    assert redact(text) == text


def test_masking_a_long_line_takes_time_in_proportion_to_its_length() -> None:
    for text in (
        "a-" * 50_000,
        "://" * 30_000,
        "token" * 20_000,
        "-----BEGIN PRIVATE KEY-----" * 5_000,
        "eyJ" * 30_000,
    ):
        start = time.process_time()
        redact(text)
        assert time.process_time() - start < 20  # of the processor; by its square it would be minutes
