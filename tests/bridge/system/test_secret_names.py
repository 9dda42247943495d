"""Names of secrets: settings, forms and the history agree on what is one."""

from __future__ import annotations

import re

import pytest

from bridge.system.secret_names import IN_TEXT, asks_for_secret, is_secret_member, is_secret_name, may_be_in

ALIKE = (
    "password",
    "Passphrase",
    "api_key",
    "access-key",
    "private key",
    "client_secret",
    "auth_token",
    "credential",
)


@pytest.mark.parametrize("name", ALIKE)
def test_a_secret_is_one_in_settings_in_forms_and_in_the_history(name: str) -> None:
    assert is_secret_name(name)
    assert is_secret_member(name)
    assert asks_for_secret([name])


@pytest.mark.parametrize("name", ["author", "AUTHORS", "name", "path", "DEBUG"])
def test_a_plain_name_is_no_secret(name: str) -> None:
    assert not is_secret_name(name)
    assert not is_secret_member(name)
    assert not asks_for_secret([name])


@pytest.mark.parametrize("name", ["Authorization", "X-Auth", "OAUTH", "GITHUB_KEY", "Cookie"])
def test_a_header_or_variable_may_be_a_secret_by_a_part_of_its_name(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize("name", [*ALIKE, "Passwort", "kennwort", "signingKey", "session cookie"])
def test_the_fast_check_lets_through_whatever_the_pattern_finds(name: str) -> None:
    assert re.search(IN_TEXT, name, re.IGNORECASE)
    assert may_be_in(name.casefold())
