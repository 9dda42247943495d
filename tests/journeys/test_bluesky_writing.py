"""Approval of what is written on Bluesky: by the person's policy, through the whole program."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import pytest

from tests.fixtures.fake_pds import APP_PASSWORD, DID, OTHER, Sky, sky_apart
from tests.journeys.app_under_test import DESKBELL, ROOT, Person
from tests.journeys.conftest import Spawn, Start
from tests.journeys.hosts import LEGACY, MODERN

PREVIEW = "Follow @bob.test on Bluesky as @alice.test?\n\n> Bob\n> \\# the builder"
MADE = {"uri": f"at://{DID}/app.bsky.graph.follow/3f", "cid": "c"}


@pytest.fixture
def sky() -> Iterator[Sky]:
    with sky_apart() as sky:
        profile = {"did": OTHER, "handle": "bob.test", "displayName": "Bob\n# the builder"}
        sky.answers["app.bsky.actor.getProfile"] = profile
        sky.answers["com.atproto.repo.createRecord"] = MADE
        yield sky


@pytest.mark.parametrize("revision", [LEGACY, MODERN])
@pytest.mark.parametrize(
    ("rule", "asked"),
    [
        ("", 1),
        ('[policy]\n"bluesky_follow" = "confirm"\n', 1),
        ('[policy]\n"bluesky_*" = "allow"\n', 0),
        ('[hosts.Zed.policy]\n"bluesky_follow" = "allow"\n', 0),
        ('[hosts.Zed.policy]\n"*_follow" = "confirm"\n[policy]\n"bluesky_*" = "allow"\n', 1),
    ],
    ids=["no rule", "confirm", "allow", "allow for this host", "this host's own rule first"],
)
def test_the_policy_says_whether_the_person_is_asked_and_never_twice(
    revision: str, rule: str, asked: int, sky: Sky, start: Start, spawn: Spawn, person: Person
):
    start(person.says("accept", {}), sky.settings + rule)
    host = spawn("stdio", "--server", "bluesky", "--host-name", "Zed", revision=revision)
    host.open()
    host.call("login", account="alice.test", password=APP_PASSWORD)
    (said,) = host.call("follow", account="bob.test")["content"]
    assert said["text"] == "✓ Followed @bob.test"
    assert [one["message"] for one in person.asked] == [PREVIEW] * asked
    assert sky.asks[-1][1]["record"]["subject"] == OTHER


def test_the_command_line_writes_too_and_not_where_nobody_can_be_asked(
    sky: Sky, start: Start, env: dict[str, str]
):
    start("silent", sky.settings)

    def call(*words: str) -> subprocess.CompletedProcess[str]:
        command = [*DESKBELL, "call", *words]
        return subprocess.run(
            command, env=env, cwd=ROOT, capture_output=True, text=True, timeout=50, check=False
        )

    signed_in = call("bluesky_login", "account=alice.test", f"password={APP_PASSWORD}")
    assert signed_in.stdout == "✓ Logged in as @alice.test\n", signed_in.stderr
    technical = f"<details><summary>Technical</summary>\nDID: {OTHER}\n</details>"
    shown = call("bluesky_profile", "account=bob.test").stdout
    assert shown == f"# @bob.test\n\n> Bob\n> # the builder\n\n{technical}\n"
    refused = call("bluesky_follow", "account=bob.test")
    assert refused.returncode != 0
    assert "Nothing was sent" in refused.stderr
    assert '"bluesky_follow" = "allow"' in refused.stderr
    assert not any(nsid.endswith("createRecord") for nsid, _ in sky.asks)
