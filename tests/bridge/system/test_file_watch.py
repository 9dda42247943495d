"""A file is watched however it changes; only real changes wake anyone."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bridge.system import file_watch as watching
from bridge.system.file_watch import Watcher, watch

LIMIT = 30.0


class Bell:
    """Counts the calls and lets a test wait for the next one."""

    def __init__(self) -> None:
        self.rings = 0
        self._rung = asyncio.Event()

    def __call__(self) -> None:
        self.rings += 1
        self._rung.set()

    async def next(self) -> None:
        await asyncio.wait_for(self._rung.wait(), LIMIT)
        self._rung.clear()


@pytest.fixture(params=["inotify", "looking"])
def start(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Watcher]]:
    """Both ways to watch; the one that looks, with quicker eyes."""
    started: list[Watcher] = []
    if request.param == "inotify" and sys.platform != "linux":
        pytest.skip("Linux only")
    if request.param == "looking":
        monkeypatch.setattr(watching, "POLL_EVERY", 0.02)
        monkeypatch.setattr(sys, "platform", "elsewhere")

    def begin(path: Path, bell: Bell) -> Watcher:
        started.append(watch(path, bell, asyncio.get_running_loop()))
        return started[-1]

    yield begin
    for watcher in started:
        watcher.close()


async def test_a_file_made_written_replaced_and_removed_is_noticed(
    tmp_path: Path, start: Callable[..., Watcher]
) -> None:
    path, bell = tmp_path / "config.toml", Bell()
    start(path, bell)
    path.write_text("1")
    await bell.next()
    path.write_text("22")
    await bell.next()
    (tmp_path / "new").write_text("333")
    os.replace(tmp_path / "new", path)
    await bell.next()
    path.unlink()
    await bell.next()


async def test_nothing_is_told_after_closing(tmp_path: Path, start: Callable[..., Watcher]) -> None:
    path, closed, open_ = tmp_path / "config.toml", Bell(), Bell()
    gone = start(path, closed)
    start(path, open_)
    gone.close()
    gone.close()
    path.write_text("1")
    await open_.next()
    assert closed.rings == 0


@pytest.mark.skipif(sys.platform != "linux", reason="inotify")
async def test_changes_that_come_together_are_told_once_and_other_files_never(tmp_path: Path) -> None:
    path, bell, last = tmp_path / "config.toml", Bell(), Bell()
    loop = asyncio.get_running_loop()
    watchers = [watch(path, bell, loop), watch(tmp_path / "last", last, loop)]
    (tmp_path / "config.toml.swp").write_text("x")
    (tmp_path / "last").write_text("x")
    await last.next()
    assert bell.rings == 0
    for n in range(20):
        path.write_text(str(n))
    await bell.next()
    (tmp_path / "last").write_text("y")
    await last.next()
    assert bell.rings == 1
    for watcher in watchers:
        watcher.close()


@pytest.mark.skipif(sys.platform != "linux", reason="inotify")
async def test_what_a_symlink_leads_to_is_watched_too(tmp_path: Path) -> None:
    for name in ("home", "one", "two"):
        (tmp_path / name).mkdir()
    link, bell = tmp_path / "home" / "config.toml", Bell()
    link.symlink_to(tmp_path / "one" / "real.toml")
    watcher = watch(link, bell, asyncio.get_running_loop())
    (tmp_path / "one" / "real.toml").write_text("1")
    await bell.next()
    link.unlink()
    link.symlink_to(tmp_path / "two" / "other.toml")
    await bell.next()
    (tmp_path / "two" / "other.toml").write_text("2")
    await bell.next()
    watcher.close()


async def test_a_folder_that_is_not_there_is_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "POLL_EVERY", 0.02)
    bell = Bell()
    watcher = watch(tmp_path / "later" / "config.toml", bell, asyncio.get_running_loop())
    (tmp_path / "later").mkdir()
    (tmp_path / "later" / "config.toml").write_text("1")
    await bell.next()
    watcher.close()
