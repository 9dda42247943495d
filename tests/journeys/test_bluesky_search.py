"""A repository that takes its time: its download is seen by the host, and can be given up without a trace."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures import pds_repository
from tests.fixtures.fake_pds import Sky, sky_apart
from tests.journeys.app_under_test import WAIT, until
from tests.journeys.conftest import Spawn, Start
from tests.journeys.hosts import LEGACY, MODERN

AT_ONCE = 600_000  # bytes, of which a host hears twice
QUERY = {"from": "alice.test", "query": "word1999"}


class Slow:
    """Sends a repository, its larger part at once; the rest drips until `hurry`, or the other end is gone."""

    def __init__(self, sky: Sky) -> None:
        texts: dict[str, Any] = {f"3k{n:04}": f"word{n} " + "and more " * 20 for n in range(2000)}
        self._whole = pds_repository.posts(texts).car()
        self.hurry, self.left = threading.Event(), threading.Event()
        sky.public["com.atproto.sync.getLatestCommit"] = lambda query: {"rev": "r1", "cid": "c"}
        sky.public["com.atproto.sync.getRepo"] = lambda query: self._parts()

    async def _parts(self) -> AsyncGenerator[bytes, None]:
        assert len(self._whole) > AT_ONCE + 100_000
        yield self._whole[:AT_ONCE]
        place = AT_ONCE
        try:
            while not self.hurry.is_set():
                await asyncio.sleep(0.02)
                yield self._whole[place : place + 10]
                place += 10
            yield self._whole[place:]
        finally:
            self.left.set()


@pytest.fixture
def slow() -> Iterator[tuple[Sky, Slow]]:
    with sky_apart() as sky:
        yield sky, Slow(sky)


@pytest.mark.parametrize("revision", [LEGACY, MODERN])
def test_a_download_is_seen_by_the_host_and_cancelled_leaves_nothing_behind(
    revision: str, slow: tuple[Sky, Slow], start: Start, spawn: Spawn, home: Path
):
    sky, server = slow
    start("silent", sky.settings)
    host = spawn("stdio", "--server", "bluesky", revision=revision)
    host.open()
    host.begin_call("search", **QUERY)
    until(lambda: len([one for one in host.heard if one["method"] == "notifications/progress"]) >= 2)
    told = [one["params"] for one in host.heard if one["method"] == "notifications/progress"]
    assert {one["progressToken"] for one in told} == {"of search"}
    assert [one["progress"] for one in told] == sorted({one["progress"] for one in told}), "it only grows"
    assert told[-1]["message"].startswith("Downloading the posts of @alice.test: 0.")
    host.write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": host.last}})
    assert server.left.wait(WAIT), "the server is not kept busy for nobody"
    until(lambda: not list((home / "repositories").iterdir()))

    server.hurry.set()
    (block,) = host.call("search", **QUERY)["content"]
    assert "> **word1999** and more" in block["text"]
    last = [one["params"] for one in host.heard if one["method"] == "notifications/progress"][-1]
    assert last["message"] == "Reading the posts of @alice.test…"
    assert [one.suffix for one in (home / "repositories").iterdir()] == [".db"]
