"""Names that lead to this machine or the network around it, in all their spellings."""

from __future__ import annotations

import pytest

from bridge.core.policy.network_addresses import is_loopback, is_number, is_public


@pytest.mark.parametrize(
    "host", ["localhost", "LocalHost", "a.localhost", "127.0.0.1", "127.9.9.9", "::1", "[::1]"]
)
def test_this_machine_is_known_by_its_plain_names(host: str):
    assert is_loopback(host)
    assert not is_public(host)


@pytest.mark.parametrize(
    "host", ["localhost.", "127.1", "0x7f000001", "localhost.example.org", "10.0.0.1", ""]
)
def test_what_only_some_programs_read_as_this_machine_does_not_count_as_it(host: str):
    assert not is_loopback(host)


@pytest.mark.parametrize(
    "host",
    [
        "0x7f000001",
        "0X7F.1",
        "2130706433",
        "017700000001",
        "127.1",
        "127.0.0.1.",
        "127.0.0.0x1",
        "１２７.0.0.1",  # noqa: RUF001
        "127。0。0。1",
        "0.0.0.0",
        "10.1.2.3",
        "192.168.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
        "[64:ff9b::127.0.0.1]",
        "[2002:7f00:1::]",
        "[2001:0:7f00:1::]",
        "[fe80::1]",
        "[fe80::1%eth0]",
        "[fd00::1]",
        "[ff02::1]",
        "LOCALHOST.",
        "printer",
        "nas.local",
        "wiki.internal",
        "router.home.arpa",
        "localhost.localdomain",
        "",
    ],
)
def test_no_spelling_of_what_is_near_passes_for_the_internet(host: str):
    assert not is_public(host)


@pytest.mark.parametrize(
    "host",
    ["bsky.social", "Example.ORG.", "93.184.215.14", "[2606:4700::1111]", "[::ffff:93.184.215.14]", "x.test"],
)
def test_the_internet_is_the_internet(host: str):
    assert is_public(host)


@pytest.mark.parametrize(
    ("host", "number"), [("127.1", True), ("a.0x7F", True), ("1.2.3.4.", True), ("1.example", False)]
)
def test_a_name_that_ends_in_a_number_is_an_address(host: str, number: bool):
    assert is_number(host) is number
