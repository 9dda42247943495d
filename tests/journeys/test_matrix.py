"""The matrix: hosts of every revision and ability, by both wires, in front of servers of every era.

Each cell is a test: who is asked a form and who a link (the host or the desk), in which words, what the
server gets back and in which era it was spoken to. One Deskbell serves all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.journeys.hosts import MODERN, Failed, Host, Json, said_in
from tests.journeys.matrix import (
    ANSWERS,
    DECLARED,
    ERAS,
    REVISIONS,
    SENT_TO_THE_DESK,
    SERVERS,
    WHO,
    House,
    cell,
    open_house,
)

# Who deals with error -32042, the link that a legacy server wants visited before it is called again.
URLS_FIRST = """
            cannot  form  form+url  declines
2024-11-05  desk    desk  desk      desk
2025-03-26  desk    desk  desk      desk
2025-06-18  desk    desk  desk      desk
2025-11-25  desk    desk  error     error
2026-07-28  desk    desk  host      no
"""
pytestmark = pytest.mark.parametrize("wire", ["stdio", "http"])
revisions = pytest.mark.parametrize("revision", REVISIONS)
abilities = pytest.mark.parametrize("ability", DECLARED)
servers = pytest.mark.parametrize("upstream", SERVERS)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("matrix")) as house:
        yield house


@pytest.fixture(autouse=True)
def nobody_is_left() -> None:
    """The house is looked after as a whole, when it closes."""


def elicitations(host: Host) -> list[Json]:
    return [one["params"] for one in host.heard if one["method"] == "elicitation/create"]


def tried(host: Host, tool: str) -> Json:
    """The result of a call, or the error."""
    try:
        return host.call(tool)
    except Failed as failed:
        return {"code": failed.code, "data": failed.data}


def spoken_to(upstream: str, revision: str) -> str:
    """In which era: its own, or the host's if it has both; the Python SDK 2 asks in the legacy one only."""
    sdk, _, era = upstream.partition("-")
    if era != "dual":
        return era
    return "modern" if revision == MODERN and sdk != "sdk" else "legacy"


def check_introduction(host: Host) -> None:
    """Every host is answered in its own revision."""
    found = host.open()
    if host.modern:
        assert MODERN in found["supportedVersions"]
    else:
        assert found["protocolVersion"] == host.revision


def check_words(host: Host, asked: Json) -> None:
    """What a host hears when a link is to be opened: with an id in 2025-11-25 only."""
    assert asked["url"] == "https://example.org/login"
    assert ("elicitationId" in asked) == (not host.modern)


@servers
@abilities
@revisions
def test_the_person_is_asked_by_whoever_can(
    wire: str, upstream: str, revision: str, ability: str, house: House
):
    who = cell(WHO, revision, ability)
    with closing(house.host(wire, upstream, revision, ability)) as host:
        check_introduction(host)
        assert {"ask", "ask_url"} <= set(host.tools())
        for kind, tool in enumerate(("ask", "ask_url")):
            result = host.call_refusing(tool) if who[kind] == "no" else host.call(tool)
            assert said_in(result) == ANSWERS[who[kind]][kind]
            assert ("resultType" in result) == host.modern
        name = host.info["name"]
        at_the_desk = [asked["mode"] for asked in house.asked(name)]
        at_the_host = list(dict.fromkeys(asked.get("mode", "form") for asked in elicitations(host)))
        assert at_the_desk == [mode for mode, one in zip(("form", "url"), who, strict=True) if one != "host"]
        assert at_the_host == [mode for mode, one in zip(("form", "url"), who, strict=True) if one != "desk"]
        for asked in elicitations(host):
            if asked.get("mode") == "url":
                check_words(host, asked)
        era = "count" if upstream.startswith("process") else "era"
        assert said_in(host.call(era))["era"] == spoken_to(upstream, revision)
        assert len(house.notices(name)) == (who[0] == "no")


@pytest.mark.parametrize("upstream", [f"process-{era}" for era in ERAS])
@revisions
def test_a_host_that_declines_is_passed_by_where_the_settings_say_so(
    wire: str, upstream: str, revision: str, house: House
):
    with closing(house.host(wire, upstream, revision, "declines", SENT_TO_THE_DESK)) as host:
        host.open()
        for kind, tool in enumerate(("ask", "ask_url")):
            before = len(house.asked(SENT_TO_THE_DESK))
            assert said_in(host.call(tool)) == ANSWERS["desk"][kind]
            [asked] = house.asked(SENT_TO_THE_DESK)[before:]
            assert (asked["mode"], asked["server"]) == (("form", "url")[kind], upstream)
        assert elicitations(host) == []
        assert house.notices(SENT_TO_THE_DESK) == []


@abilities
@revisions
def test_a_link_that_comes_first_is_visited_by_whoever_can(
    wire: str, revision: str, ability: str, house: House
):
    [who] = cell(URLS_FIRST, revision, ability)
    name = f"link first, {revision} {ability} by {wire}"
    with closing(house.host(wire, "process-legacy", revision, ability, name)) as host:
        host.open()
        result = tried(host, "link_first")
        if who == "no" and result.get("isError"):
            return  # on a machine so busy that the host took as long as a person, its no is believed
        at_the_host = [asked["mode"] for asked in elicitations(host)]
        at_the_desk = [asked["mode"] for asked in house.asked(name)]
        assert at_the_host == (["url"] if who in ("host", "no") else [])
        assert at_the_desk == {"error": [], "host": ["form"]}.get(who, ["url", "form"])  # the form: done?
        if who == "error":
            assert result["code"] == -32042
            assert result["data"]["elicitations"][0]["elicitationId"] == "e2"
        else:
            assert said_in(result) == {"signed": "in"}
