"""A newer Deskbell is asked about only if the person wants it, and rarely; it says nothing of them."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from bridge import updates
from bridge.errors import NetworkError
from bridge.settings import Updates
from bridge.updates import UpdateCheck, is_newer, latest, version_in
from tests.fixtures.patience import WITHIN


class Place:
    """Where new versions are announced."""

    def __init__(self) -> None:
        self.answer: tuple[int, bytes] = (200, b'{"version": "9.0"}')
        self.asked: list[dict[str, str]] = []
        place = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                place.asked.append({name.lower(): value for name, value in self.headers.items()})
                status, body = place.answer
                self.send_response(status)
                if 300 <= status < 400:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *words: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/latest.json"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()


@pytest.fixture
def place() -> Iterator[Place]:
    made = Place()
    yield made
    made.server.shutdown()
    made.thread.join()
    made.server.server_close()


class Checked:
    def __init__(self, file: Path) -> None:
        self._news = asyncio.Event()
        self.check = UpdateCheck(file, "0.1.0", self._news.set)

    async def until(self, look: Callable[[], object]) -> None:
        async with asyncio.timeout(WITHIN):
            while not look():
                self._news.clear()
                await self._news.wait()


async def test_switched_on_it_asks_once_and_tells_of_a_newer_one(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(updates, "SOON", 0.0)
    one = Checked(tmp_path / "updates.json")
    assert (one.check.status().newer, place.asked) == ("", [])
    one.check.apply(Updates(True, place.url))
    await one.until(lambda: one.check.status().newer)
    assert one.check.status().newer == "9.0"
    assert one.check.notices() == ("Deskbell 9.0 is out; this is 0.1.0.",)
    (headers,) = place.asked
    assert headers["user-agent"] == "Deskbell"
    assert set(headers) <= {"host", "user-agent", "accept", "accept-encoding", "connection"}
    one.check.close()

    again = Checked(tmp_path / "updates.json")  # a restart is no reason to ask again
    again.check.apply(Updates(True, place.url))
    await again.until(lambda: again.check.status().newer)
    assert len(place.asked) == 1
    again.check.ask_now()
    await again.until(lambda: len(place.asked) == 2)
    again.check.apply(Updates(False, place.url))
    assert again.check.status().newer == ""
    assert again.check.notices() == ()


async def test_without_an_address_nothing_is_asked_and_that_is_told(tmp_path: Path) -> None:
    one = Checked(tmp_path / "updates.json")
    one.check.apply(Updates(True, ""))
    assert "no address" in one.check.status().problem
    one.check.ask_now()
    assert one.check.status().asked == 0.0


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((404, b""), "HTTP status 404"),
        ((302, b""), "HTTP status 302"),
        ((200, b"<html>"), "not JSON"),
        ((200, b"[1]"), "names no version"),
        ((200, b'{"version": "soon"}'), "names no version"),
    ],
)
async def test_what_cannot_be_learned_is_told_in_words(
    place: Place, tmp_path: Path, answer: tuple[int, bytes], words: str
) -> None:
    place.answer = answer
    one = Checked(tmp_path / "updates.json")
    one.check.apply(Updates(True, place.url))
    one.check.ask_now()
    await one.until(lambda: one.check.status().problem)
    assert words in one.check.status().problem
    assert len(place.asked) == 1
    one.check.close()


async def test_an_answer_without_an_end_is_not_read_to_its_end(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(updates, "_MAX_BYTES", 1000)
    place.answer = (200, json.dumps({"version": "9.0", "more": "x" * 1000}).encode())
    with pytest.raises(NetworkError, match="sent too much"):
        await latest(place.url)


@pytest.mark.parametrize(
    ("found", "here", "newer"),
    [
        ("0.2", "0.1.0", True),
        ("0.1.0", "0.1.0", False),
        ("0.1", "0.1.0", False),
        ("0.0.9", "0.1.0", False),
        ("1.0", "0.99.99", True),
        ("1.0rc1", "0.1.0", False),
        ("1.0", "1.0rc1", True),
        ("", "0.1.0", False),
    ],
)
def test_only_a_finished_higher_version_is_newer(found: str, here: str, newer: bool) -> None:
    assert is_newer(found, here) is newer


@pytest.mark.parametrize(
    "said", [{"version": "1.2"}, {"tag_name": "v1.2"}, {"info": {"version": "1.2"}, "version": 3}]
)
def test_the_ways_to_name_a_version(said: object) -> None:
    assert version_in(said) == "1.2"
