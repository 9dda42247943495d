"""The official conformance suite: what a server can directly it can through the bridge, in both revisions."""

from __future__ import annotations

import os
import tomllib
from functools import cache
from pathlib import Path

import pytest

from tests.live import conformance
from tests.live.conformance import REVISIONS, WIRES, Verdict, Verdicts

pytestmark = [
    pytest.mark.skipif(bool(conformance.MISSING), reason=conformance.MISSING),
    pytest.mark.timeout(1200),  # a Python server per host: the suite is forty hosts
]
EXPECTED = tomllib.loads(Path(__file__).with_name("expected_failures.toml").read_text("utf-8"))
direct = cache(conformance.direct)
through = cache(conformance.through)
as_client = cache(conformance.as_client)


def surprises(verdicts: Verdicts, expected: dict[str, str]) -> list[str]:
    """What failed and should not, and what did not fail and should."""
    new = [
        f"{name}: {each.problems}" for name, each in verdicts.items() if not each.ok and name not in expected
    ]
    stale = [f"{name} passes" for name, each in verdicts.items() if each.ok and name in expected]
    return new + stale


@pytest.mark.parametrize("revision", REVISIONS)
def test_the_fixture_has_full_marks_by_itself(revision):
    assert surprises(direct(revision), {}) == []


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("revision", REVISIONS)
def test_what_passes_directly_passes_through_the_bridge(revision, wire):
    verdicts = through(revision, wire)

    assert verdicts.keys() == direct(revision).keys()
    assert surprises(verdicts, EXPECTED["server"]) == []


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("revision", REVISIONS)
def test_scenarios_with_sampling_are_equal_to_direct_where_deskbell_has_a_model_too(revision, wire):
    verdicts = conformance.through_with_model(revision, wire)
    assert set(verdicts) == set(conformance.SAMPLING[revision])
    assert verdicts == {name: direct(revision)[name] for name in verdicts}


@pytest.mark.parametrize("revision", REVISIONS)
def test_the_bridge_is_a_conforming_client_of_its_servers(revision):
    assert surprises(as_client(revision), EXPECTED["client"]) == []


def test_the_documentation_tells_what_the_suite_said():
    page = conformance.page(
        {revision: direct(revision) for revision in REVISIONS},
        {(revision, wire): through(revision, wire) for revision in REVISIONS for wire in WIRES},
        {revision: as_client(revision) for revision in REVISIONS},
    )
    if os.environ.get("DESKBELL_WRITE_DOCS"):
        conformance.write(page)

    assert conformance.PAGE.read_text("utf-8").partition("\n## ")[2] == page.partition("\n## ")[2]


def test_a_new_failure_and_a_stale_entry_are_both_reported():
    verdicts = {"fails": Verdict(1, ("no",)), "passes": Verdict(2, ())}

    assert surprises(verdicts, {"fails": "known"}) == []
    assert surprises(verdicts, {"passes": "old"}) == ["fails: ('no',)", "passes passes"]


def test_every_expected_failure_is_a_scenario_of_the_suite():
    of_clients = {name for revision in REVISIONS for name in conformance.client_scenarios(revision)}

    assert EXPECTED["client"].keys() <= of_clients
    assert EXPECTED["server"].keys() <= {name for revision in REVISIONS for name in direct(revision)}
