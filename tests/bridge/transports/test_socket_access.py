"""Who may use the owner-only socket, and what may be in its place."""

from __future__ import annotations

import asyncio
import os
import socket
import stat
from contextlib import suppress
from pathlib import Path

import pytest

from bridge.errors import AlreadyRunning, DeskbellError
from tests.bridge.transports.socket_rig import STDIO, Host, Recorder, names_beside, transport_at


async def test_only_the_owner_may_use_the_socket(front: Recorder, path: str) -> None:
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700


async def test_an_open_folder_is_made_private(path: str) -> None:
    os.mkdir(os.path.dirname(path), 0o777)
    transport = transport_at(path)
    await transport.start()
    assert stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700
    await transport.stop()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can act as somebody else")
async def test_a_symbolic_link_of_another_user_is_not_followed(path: str, tmp_path: Path) -> None:
    ours = tmp_path / "ours"
    ours.mkdir(0o755)
    os.symlink(ours, os.path.dirname(path))
    os.lchown(os.path.dirname(path), 65534, 65534)
    with pytest.raises(DeskbellError, match="cannot be used"):
        await transport_at(path).start()
    assert (stat.S_IMODE(ours.stat().st_mode), list(ours.iterdir())) == (0o755, [])


async def test_a_link_of_our_own_is(path: str, tmp_path: Path) -> None:
    ours = tmp_path / "ours"
    ours.mkdir()
    os.symlink(ours, os.path.dirname(path))
    transport = transport_at(path)
    await transport.start()
    assert [file.name for file in ours.iterdir()] == [os.path.basename(path)]
    await transport.stop()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can act as somebody else")
async def test_a_process_of_another_user_is_refused(
    front: Recorder, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(os.path.dirname(path))
    os.chmod(".", 0o755)  # noqa: S103 - as if the folder had been opened by mistake
    os.chmod(path, 0o666)  # noqa: S103
    stranger = socket.socket(socket.AF_UNIX)
    os.seteuid(65534)
    try:
        stranger.connect("deskbell.sock")
    finally:
        os.seteuid(0)
    host = Host(*await asyncio.open_unix_connection(sock=stranger))
    host.writer.write(STDIO + b'{"id":1}\n')
    with suppress(ConnectionResetError):
        assert await host.everything() == b""
    assert front.callers == []
    host.writer.transport.abort()


async def test_the_socket_of_a_killed_app_is_replaced(path: str) -> None:
    os.mkdir(os.path.dirname(path))
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(path)
        dead.listen()
    front = Recorder()
    transport = transport_at(path, front)
    await transport.start()
    host = await Host.at(path)
    await front.linked()
    await host.leave()
    await transport.stop()


async def test_a_socket_that_answers_is_left_alone(front: Recorder, path: str) -> None:
    second = transport_at(path)
    with pytest.raises(AlreadyRunning):
        await second.start()
    await second.stop()
    host = await Host.at(path)
    await front.linked()
    await host.leave()


async def test_a_file_in_the_way_is_not_removed(path: str) -> None:
    os.makedirs(path + "/precious")
    with pytest.raises(DeskbellError, match="in the way"):
        await transport_at(path).start()
    assert os.listdir(path) == ["precious"]


async def test_stopping_leaves_the_socket_of_a_successor(path: str) -> None:
    first = transport_at(path)
    await first.start()
    os.unlink(path)
    second = transport_at(path)
    await second.start()
    await first.stop()
    assert names_beside(path) == ["deskbell.sock"]
    await second.stop()
