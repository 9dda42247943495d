"""What the Settings page asks for beside preferences is done without holding up a window."""

from __future__ import annotations

import asyncio
import zipfile
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QPlainTextEdit, QPushButton

from bridge.api import Home, Status
from desktop import qt_loop
from desktop.local_actions import LocalActions
from tests.fixtures.patience import WITHIN

Story = Callable[[LocalActions], Coroutine[Any, Any, None]]


@pytest.fixture
def tell(qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Story], None]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    home = Home(tmp_path / "home")
    home.ensure()

    def tell(story: Story) -> None:
        async def life() -> None:
            desk = LocalActions(home)
            desk.draw(Status(version="0.1.0"))
            try:
                async with asyncio.timeout(WITHIN):
                    await story(desk)
            finally:
                await desk.close()
                desk.deleteLater()

        qt_loop.run(qapp, life())

    return tell


def window(name: str) -> QDialog:
    return next(one for one in QApplication.topLevelWidgets() if one.objectName() == name)  # type: ignore[return-value]


async def came(name: str) -> QDialog:
    """A window is loaded when it is first wanted."""
    await until(lambda: any(one.objectName() == name for one in QApplication.topLevelWidgets()))
    return window(name)


async def until(look: Callable[[], object]) -> None:
    """Qt tells nobody when a clipboard or a text has changed by our own hand."""
    while not look():  # noqa: ASYNC110 - nothing to wait for instead; the story has its bound
        await asyncio.sleep(0.01)


def test_autostart_is_switched_and_told_as_it_is(tell: Callable[[Story], None], tmp_path: Path) -> None:
    entry = tmp_path / "config" / "autostart" / "deskbell.desktop"

    async def story(desk: LocalActions) -> None:
        told: list[tuple[bool, str]] = []
        desk.autostart.connect(lambda on, problem: told.append((on, problem)))
        desk.read_autostart()
        await until(lambda: len(told) == 1)
        desk.switch_autostart(True)
        await until(lambda: len(told) == 2)
        assert entry.exists()
        desk.switch_autostart(False)
        await until(lambda: len(told) == 3)
        assert told == [(False, ""), (True, ""), (False, "")]
        entry.parent.rmdir()
        entry.parent.write_text("in the way")
        desk.switch_autostart(True)
        await until(lambda: len(told) == 4)
        assert told[3][0] is False
        assert told[3][1].startswith("That could not be changed: ")

    tell(story)


def test_an_entry_that_leads_nowhere_is_mended_at_the_start(
    tell: Callable[[Story], None], tmp_path: Path
) -> None:
    entry = tmp_path / "config" / "autostart" / "deskbell.desktop"
    entry.parent.mkdir(parents=True)
    entry.write_text("[Desktop Entry]\nType=Application\nName=Deskbell\nExec=/old/deskbell --at-login\n")

    async def story(desk: LocalActions) -> None:
        desk.repair_autostart()
        await until(lambda: "/old/deskbell" not in entry.read_text())

    tell(story)


def test_the_token_goes_into_the_clipboard(tell: Callable[[Story], None], tmp_path: Path) -> None:
    async def story(desk: LocalActions) -> None:
        desk.copy_token()
        token = Home(tmp_path / "home").read_token()
        await until(lambda: QGuiApplication.clipboard().text() == token)

    tell(story)


def test_the_log_is_shown_read_again_and_copied(tell: Callable[[Story], None], tmp_path: Path) -> None:
    log = tmp_path / "home" / "deskbell.log"

    async def story(desk: LocalActions) -> None:
        desk.show("log")
        shown = await came("log")
        text = shown.findChildren(QPlainTextEdit)[0]
        await until(lambda: text.toPlainText() == "Nothing here yet.")
        assert not shown.findChildren(QPushButton, "copy")[0].isEnabled()
        log.write_text("it went well\n")
        shown.findChildren(QPushButton, "refresh")[0].click()
        await until(lambda: text.toPlainText() == "it went well\n")
        shown.findChildren(QPushButton, "copy")[0].click()
        assert QGuiApplication.clipboard().text() == "it went well\n"
        assert shown.findChildren(QLabel, "said")[0].text() == "Copied."
        desk.show("log")
        assert window("log") is shown

    tell(story)


def test_diagnostics_are_shown_before_they_are_passed_on(tell: Callable[[Story], None]) -> None:
    async def story(desk: LocalActions) -> None:
        desk.show("diagnostics")
        text = (await came("diagnostics")).findChildren(QPlainTextEdit)[0]
        await until(lambda: "## Deskbell" in text.toPlainText())
        assert "Waiting questions: 0" in text.toPlainText()

    tell(story)


def test_the_bundle_for_claude_desktop_is_written_with_its_picture(
    tell: Callable[[Story], None], tmp_path: Path
) -> None:
    async def story(desk: LocalActions) -> None:
        heard: list[tuple[str, str]] = []
        desk.bundle.connect(lambda path, problem: heard.append((path, problem)))
        desk.save_bundle(str(tmp_path / "a.mcpb"))
        desk.save_bundle(str(tmp_path / "a.mcpb" / "b.mcpb"))
        await until(lambda: len(heard) == 2)
        with zipfile.ZipFile(tmp_path / "a.mcpb") as packed:
            assert packed.read("icon.png").startswith(b"\x89PNG")

    tell(story)


def test_about_tells_the_version_and_the_licences(tell: Callable[[Story], None]) -> None:
    async def story(desk: LocalActions) -> None:
        desk.show("about")
        shown = await came("about")
        assert shown.findChildren(QLabel, "version")[0].accessibleName() == "Deskbell 0.1.0"
        assert "LGPL" in shown.findChildren(QLabel, "libraries")[0].accessibleName()

    tell(story)
