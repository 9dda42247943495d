"""A server is shown by the icon it declares; without one, or with a bad one, by its monogram."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from bridge.api import ServerStatus, Status
from desktop.questions.asker import avatar_of
from desktop.questions.popup_card import PopupCard, PopupCardContent
from desktop.widgets.avatar import Avatar
from desktop.widgets.server_icons import server_icons
from tests.desktop import samples, scenes
from tests.desktop.scenes import page

GREEN, BLUE = QColor("#00ff00"), QColor("#0000ff")
QUESTION = samples.form({"name": {"type": "string"}}, "name")


def picture(path: Path, colour: QColor, kind: str = "PNG", side: int = 64) -> str:
    image = QImage(side, side, QImage.Format.Format_RGB32)
    image.fill(colour)
    assert image.save(str(path), kind)  # type: ignore[call-overload]
    return str(path)


def status(icon: str, name: str = QUESTION.server) -> Status:
    return Status(version="1", servers=(ServerStatus(name, "stdio", "ready", icon=icon),))


def centre(avatar: Avatar) -> QColor:
    image = avatar.pixmap().toImage()
    return image.pixelColor(image.width() // 2, image.height() // 3)


def decode(qtbot: QtBot, icon: str) -> None:
    with qtbot.waitSignal(server_icons().changed):
        server_icons().draw(status(icon))


@pytest.fixture(autouse=True)
def _no_icons() -> Iterator[None]:
    yield
    server_icons().draw(Status())


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_a_window_that_is_open_shows_a_new_icon_and_one_that_opens_later(
    qtbot: QtBot, tmp_path: Path, kind: str
) -> None:
    open_ = avatar_of(QUESTION)
    qtbot.addWidget(open_)
    monogram = centre(open_)
    decode(qtbot, picture(tmp_path / "icon", BLUE, kind, side=600))
    later = avatar_of(QUESTION)
    qtbot.addWidget(later)
    for avatar in (open_, later):
        assert centre(avatar).blue() > 240
        assert centre(avatar).red() < 16
    server_icons().draw(status(""))
    assert centre(open_) == monogram


def test_the_icon_is_the_face_in_the_card_at_home_and_among_servers(qtbot: QtBot, tmp_path: Path) -> None:
    icon = picture(tmp_path / "icon", GREEN)
    decode(qtbot, icon)
    now = status(icon)
    card = PopupCard()
    qtbot.addWidget(card)
    card.draw(PopupCardContent(QUESTION))
    windows = [card, page(now, "home"), page(now, "servers"), page(now, "approvals")]
    scenes.settle()
    for window in windows:
        faces = [one for one in window.findChildren(Avatar) if QUESTION.server in one.accessibleName()]
        assert faces, window
        assert {centre(face).name() for face in faces} == {GREEN.name()}
    scenes.put_away()


def test_an_icon_with_transparent_parts_stands_on_white(qtbot: QtBot, tmp_path: Path) -> None:
    image = QImage(64, 64, QImage.Format.Format_ARGB32)
    image.fill(QColor(0, 0, 0, 0))
    image.save(str(tmp_path / "icon"), "PNG")  # type: ignore[call-overload]
    decode(qtbot, str(tmp_path / "icon"))
    avatar = avatar_of(QUESTION)
    qtbot.addWidget(avatar)
    assert centre(avatar).name() == "#ffffff"


def _bomb(width: int, height: int) -> bytes:
    """Return a small PNG file that says it is huge."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress(bytes(1000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


BAD = {
    "bomb": _bomb(50_000, 50_000),
    "cut off": b"\x89PNG\r\n\x1a\n",
    "noise": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
    "svg": b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>",
    "nothing": b"",
}


def test_what_cannot_be_decoded_leaves_the_monogram(qtbot: QtBot, tmp_path: Path) -> None:
    for name, data in BAD.items():
        (tmp_path / name).write_bytes(data)
    names = [*BAD, "gone", "good"]
    picture(tmp_path / "good", GREEN)
    servers = tuple(ServerStatus(name, "stdio", "ready", icon=str(tmp_path / name)) for name in names)
    with qtbot.waitSignal(server_icons().changed) as changed:  # one thread decodes in order: the last is good
        server_icons().draw(Status(servers=servers))
    assert changed.args == ["good"]
    assert all(server_icons().image(name).isNull() for name in names[:-1])
