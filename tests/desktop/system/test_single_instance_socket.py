"""How a later start reaches the first: one contract for the socket and for Qt's pipe."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop.system.single_instance import PipeListener, SocketListener

Kind = type[SocketListener] | type[PipeListener]
KINDS: tuple[Kind, ...] = (PipeListener,) if sys.platform == "win32" else (SocketListener, PipeListener)
ASK = """
import sys
from PySide6.QtCore import QCoreApplication
from desktop.system import single_instance
app = QCoreApplication([])
print(getattr(single_instance, sys.argv[1])(sys.argv[2]).ask(*sys.argv[3:]))
"""


@pytest.fixture
def name(tmp_path: Path) -> str:
    return f"deskbell-test-{tmp_path.name}" if sys.platform == "win32" else str(tmp_path / "ear.sock")


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def ear(qtbot: QtBot, request: pytest.FixtureRequest, name: str) -> Iterator[SocketListener | PipeListener]:
    made = request.param(name)
    yield made
    made.close()


def asks(kind: Kind, name: str, *link: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", ASK, kind.__name__, name, *link]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_whoever_asks_is_heard_and_told_so(
    qtbot: QtBot, ear: SocketListener | PipeListener, kind: Kind, name: str
) -> None:
    ear.listen()
    for _ in range(2):
        with qtbot.waitSignal(ear.raised):
            asking = asks(kind, name)
        qtbot.waitUntil(partial(_is_over, asking))
        assert asking.communicate()[0].strip() == "True"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("length", [20, 30_000])
def test_a_link_arrives_whole(
    qtbot: QtBot, ear: SocketListener | PipeListener, kind: Kind, name: str, length: int
) -> None:
    ear.listen()
    link = "deskbell:add-server?name=" + "a" * length
    with qtbot.waitSignal(ear.link_opened) as opened:
        asking = asks(kind, name, link)
    assert opened.args == [link]
    qtbot.waitUntil(partial(_is_over, asking))
    assert asking.communicate()[0].strip() == "True"


def test_where_nobody_listens_nobody_hears(ear: SocketListener | PipeListener) -> None:
    assert not ear.ask()
    ear.listen()
    ear.close()
    assert not ear.ask()


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe has no file")
def test_other_words_and_hanging_up_raise_nobody(qtbot: QtBot, tmp_path: Path) -> None:
    ear = SocketListener(str(tmp_path / "ear.sock"))
    ear.listen()
    raised: list[bool] = []
    ear.raised.connect(lambda: raised.append(True))
    for said in (b"", b"raise", b"open sesame\n"):
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(0)
            line.connect(str(tmp_path / "ear.sock"))
            line.send(said)
            line.shutdown(socket.SHUT_WR)
            heard: list[bytes] = []
            qtbot.waitUntil(partial(_ended, line, heard))
            assert b"".join(heard) == b""
    assert not raised
    ear.close()


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe has no file")
def test_a_folder_that_is_not_there_is_no_reason_to_fail(qtbot: QtBot, tmp_path: Path) -> None:
    ear = SocketListener(str(tmp_path / "nowhere" / "ear.sock"))
    ear.listen()
    assert not ear.ask()
    ear.close()


def _ended(line: socket.socket, heard: list[bytes]) -> bool:
    try:
        data = line.recv(64)
    except BlockingIOError:
        return False
    heard.append(data)
    return not data


def _is_over(process: subprocess.Popen[str]) -> bool:
    return process.poll() is not None
