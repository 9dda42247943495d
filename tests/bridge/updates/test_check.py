"""A newer Deskbell is asked about only if the person wants it, and rarely; it says nothing of them."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bridge.errors import NetworkError
from bridge.settings import Updates
from bridge.updates import check, source
from bridge.updates.check import UpdateCheck
from bridge.updates.installation import Installation, InstallationKind
from bridge.updates.source import Source, latest
from bridge.updates.versions import is_newer, version_in
from tests.fixtures.patience import WITHIN
from tests.fixtures.release_repository import ReleaseRepository, Signer


@pytest.fixture
def place() -> Iterator[ReleaseRepository]:
    """Where new versions are announced, without a signature."""
    made = ReleaseRepository()
    made.files["/updates.json"] = b'{"version": "9.0"}'
    yield made
    made.close()


class Checked:
    def __init__(self, file: Path, installed: Installation | None = None) -> None:
        self._news = asyncio.Event()
        self.check = UpdateCheck(file, file.with_name("updates"), "0.1.0", self._news.set, installed)

    async def until(self, look: Callable[[], object]) -> None:
        async with asyncio.timeout(WITHIN):
            while not look():
                self._news.clear()
                await self._news.wait()


async def test_switched_on_it_asks_once_and_tells_of_a_newer_one(
    place: ReleaseRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "SOON", 0.0)
    one = Checked(tmp_path / "updates.json")
    assert (one.check.status().newer, place.asked) == ("", [])
    one.check.apply(Updates(True, place.url))
    await one.until(lambda: one.check.status().newer)
    assert one.check.status().newer == "9.0"
    assert one.check.notices() == ("Deskbell 9.0 is available; you have 0.1.0.",)
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
    place: ReleaseRepository, tmp_path: Path, answer: tuple[int, bytes], words: str
) -> None:
    place.status, place.files["/updates.json"] = answer
    one = Checked(tmp_path / "updates.json")
    one.check.apply(Updates(True, place.url))
    one.check.ask_now()
    await one.until(lambda: one.check.status().problem)
    assert words in one.check.status().problem
    assert len(place.asked) == 1
    one.check.close()


async def test_an_answer_without_an_end_is_not_read_to_its_end(
    place: ReleaseRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "_MAX_BYTES", 1000)
    place.files["/updates.json"] = json.dumps({"version": "9.0", "more": "x" * 1000}).encode()
    with pytest.raises(NetworkError, match="sent too much"):
        await latest(Source(place.url), 0)


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


# ---- signed, and downloaded ------------------------------------------------------------------------------

IMAGE = Installation(InstallationKind.APPIMAGE, Path("/nowhere/Deskbell.AppImage"))
GOOD = b"#!/bin/sh\n[ $1 = self-test ]\n"
BAD = b"#!/bin/sh\necho 'Window: it shows nothing'; exit 5\n"
NAME = "Deskbell-9.0.AppImage"


def publish(place: ReleaseRepository, content: bytes = GOOD, **more: float) -> bytes:
    return place.publish("9.0", {IMAGE.key: (NAME, content)}, **more)  # type: ignore[arg-type]


async def asked(
    place: ReleaseRepository, home: Path, *, install: bool = True, here: Installation = IMAGE
) -> Checked:
    """Return a check that has asked, and downloaded if it wants to."""
    one = Checked(home / "updates.json", here)
    one.check.apply(Updates(True, place.url, place.signer.public, install))
    one.check.ask_now()
    await one.until(lambda: one.check.status().asked)
    status = one.check.status
    if install and status().newer and here.updates_itself:
        await one.until(lambda: status().ready or status().problem)
    one.check.close()
    return one


def test_a_deskbell_whose_files_were_replaced_asks_to_be_started_again(tmp_path: Path) -> None:
    program, newer = tmp_path / "program", tmp_path / "newer"
    for file in (program, newer):
        file.touch()
    check = UpdateCheck(tmp_path, tmp_path, "1.0", lambda: None, program=program)
    assert check.notices() == ()
    newer.replace(program)
    assert check.notices() == ("Deskbell was updated or moved. Quit it and start it again.",)


@pytest.mark.skipif(sys.platform == "win32", reason="its AppImage is a shell script")
async def test_a_signed_version_is_downloaded_proven_and_waits(
    place: ReleaseRepository, tmp_path: Path
) -> None:
    publish(place)
    status = (await asked(place, tmp_path)).check.status()
    assert (status.ready, status.newer, status.problem) == ("9.0", "9.0", "")
    assert (tmp_path / "updates" / NAME).read_bytes() == GOOD
    downloads = place.paths.count(f"/{NAME}")
    assert (await asked(place, tmp_path)).check.status().ready == "9.0"  # known over a restart
    assert place.paths.count(f"/{NAME}") == downloads


async def test_nothing_is_downloaded_unless_that_is_wanted_and_nobody_else_owns_the_files(
    place: ReleaseRepository, tmp_path: Path
) -> None:
    publish(place)
    assert (await asked(place, tmp_path, install=False)).check.status().ready == ""
    of_apt = Installation(InstallationKind.DEB, Path("/usr/lib/deskbell"))
    status = (await asked(place, tmp_path, here=of_apt)).check.status()
    assert (status.newer, status.ready, status.can_install) == ("9.0", "", False)
    assert status.command == "sudo apt-get install ./deskbell_9.0_*.deb"
    assert f"/{NAME}" not in place.paths


def test_a_build_without_a_key_knows_that_it_cannot_update_itself(tmp_path: Path) -> None:
    def lacks_key(kind: InstallationKind) -> bool:
        here = Installation(kind, tmp_path)
        return UpdateCheck(tmp_path, tmp_path, "1.0", lambda: None, here).status().lacks_key

    assert lacks_key(InstallationKind.APPIMAGE)
    assert not lacks_key(InstallationKind.DEB)


@pytest.mark.skipif(sys.platform == "win32", reason="its AppImage is a shell script")
async def test_one_that_fails_its_self_test_is_named_and_not_tried_daily(
    place: ReleaseRepository, tmp_path: Path
) -> None:
    publish(place, BAD)
    status = (await asked(place, tmp_path)).check.status()
    assert status.ready == ""
    assert status.problem == "Deskbell 9.0 failed its self-test here: Window: it shows nothing"
    assert not (tmp_path / "updates" / NAME).exists()
    daily = Checked(tmp_path / "updates.json", IMAGE)
    daily.check.apply(Updates(True, place.url, place.signer.public, True))
    await daily.until(lambda: daily.check.status().problem)
    assert place.paths.count(f"/{NAME}") == 1
    daily.check.close()


async def test_what_was_tampered_with_replayed_or_cut_off_is_refused(
    place: ReleaseRepository, tmp_path: Path
) -> None:
    newest = publish(place, serial=7)
    assert (await asked(place, tmp_path, install=False)).check.status().problem == ""

    async def problem() -> str:
        status = (await asked(place, tmp_path)).check.status()
        assert status.ready == ""
        return status.problem

    place.announce(newest.replace(b"9.0", b"9.9"), place.signer.sign(newest))
    assert "somebody has changed it" in await problem()
    place.announce(newest[:-9], place.signer.sign(newest))
    assert "somebody has changed it" in await problem()
    place.announce(newest, place.signer.sign(newest)[:-60])
    assert "signature cannot be read" in await problem()
    place.announce(newest, Signer(b"otherkey").sign(newest))
    assert "signed with another key" in await problem()
    place.announce(newest, Signer().sign(newest))  # under the number of our key
    assert "somebody has changed it" in await problem()
    del place.files["/updates.json.minisig"]
    assert "HTTP status 404" in await problem()
    publish(place, serial=6)
    assert "older than one that was seen before" in await problem()
    publish(place, serial=8, expires=1.0)
    assert "out of date" in await problem()
    place.announce(b"[]", place.signer.sign(b"[]"))
    assert "cannot be read" in await problem()
    place.publish("9.0", {IMAGE.key: ("../evil", GOOD)}, serial=9)
    assert "cannot be read" in await problem()
    publish(place, serial=9)
    place.files[f"/{NAME}"] = GOOD[:-1]
    assert "the file is incomplete" in await problem()
    place.files[f"/{NAME}"] = GOOD[:-1] + b"!"
    assert "not the one that was published" in await problem()
    place.files[f"/{NAME}"] = GOOD + b"more"
    assert "sent too much" in await problem()
    del place.files[f"/{NAME}"]
    assert "HTTP status 404" in await problem()
    place.publish("9.0", {"nsis-x86_64": ("setup.exe", GOOD)}, serial=9)
    assert "no file for this kind" in await problem()
    assert not (tmp_path / "updates").exists()


def test_the_command_says_what_there_is_and_who_updates(place: ReleaseRepository, tmp_path: Path) -> None:
    def said(*words: str) -> str:
        command = (sys.executable, "-m", "bridge", "update", *words)
        env = {**os.environ, "DESKBELL_HOME": str(tmp_path)}
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=WITHIN)
        return done.stdout + done.stderr

    assert "no address to check at" in said()
    (tmp_path / "config.toml").write_text(f'[updates]\nurl = "{place.url}"\nkey = "{place.signer.public}"\n')
    publish(place)
    assert said() == "Deskbell 9.0 is out. Update with:  git pull\n"
    place.publish("0.0.1", {}, serial=2)
    assert said("--check").endswith("is the newest.\n")
    publish(place, serial=1)
    assert "older than one that was seen before" in said()
