"""Light, dark and high contrast: the palette follows what the desktop and the person say."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from PySide6.QtDBus import QDBusVariant
from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bridge.api import Status
from desktop.theme import motion
from desktop.theme.appearance import Theme, set_palette
from desktop.theme.colours import DARK, HIGH_CONTRAST, LIGHT, current, is_dark, make_palette
from desktop.widgets.labels import Label, Tone

APPEARANCE = "org.freedesktop.appearance"
SCHEME = (APPEARANCE, "color-scheme")


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    made = Theme()
    yield made
    QGuiApplication.styleHints().unsetColorScheme()
    made.deleteLater()
    motion.set_reduced(False)
    set_palette(dark=False)


def test_the_windows_turn_dark_and_light_again_as_the_desktop_says(theme: Theme, qtbot: QtBot) -> None:
    theme.changed(*SCHEME, QDBusVariant(QDBusVariant(1)))
    qtbot.waitUntil(lambda: current() is DARK)
    theme.changed(*SCHEME, QDBusVariant(0))
    qtbot.waitUntil(lambda: current() is LIGHT)


@pytest.mark.parametrize("system", [0, 1])
def test_the_persons_word_wins_over_the_systems_and_can_be_taken_back(
    theme: Theme, qtbot: QtBot, system: int
) -> None:
    theme.changed(*SCHEME, QDBusVariant(system))
    for wish, dark in (("dark", True), ("light", False), ("dark", True), ("system", bool(system))):
        theme.draw(Status(theme=wish))
        turned = partial(lambda wanted: is_dark(QGuiApplication.palette()) is wanted, dark)
        qtbot.waitUntil(turned)


def test_our_light_palette_overrides_a_dark_theme_that_does_not_listen(theme: Theme, qtbot: QtBot) -> None:
    QApplication.setPalette(make_palette(dark=True))
    theme.draw(Status(theme="light"))
    qtbot.waitUntil(lambda: current() is LIGHT)


def test_a_system_that_asks_for_more_contrast_gets_it(theme: Theme, qtbot: QtBot) -> None:
    theme.changed(APPEARANCE, "contrast", QDBusVariant(1))
    qtbot.waitUntil(lambda: current() is HIGH_CONTRAST[False])
    theme.changed(*SCHEME, QDBusVariant(1))
    qtbot.waitUntil(lambda: current() is HIGH_CONTRAST[True])


def test_a_system_that_asks_for_less_motion_gets_none(theme: Theme) -> None:
    seen: list[float] = []
    theme.changed(APPEARANCE, "reduced-motion", QDBusVariant(1))
    assert motion.animate(theme, 0.0, 1.0, seen.append) is None
    assert seen == [1.0]
    theme.changed(APPEARANCE, "reduced-motion", QDBusVariant(0))
    assert not motion.is_reduced()
    theme.changed("org.gnome.desktop.interface", "enable-animations", QDBusVariant(False))
    assert motion.is_reduced()


def test_other_settings_change_nothing(theme: Theme, qtbot: QtBot) -> None:
    theme.changed("org.gnome.desktop.interface", "color-scheme", QDBusVariant(1))
    QApplication.processEvents()
    assert current() is LIGHT


def test_a_label_changes_its_tone_with_the_palette(theme: Theme, qtbot: QtBot) -> None:
    label = Label("wrong", tone=Tone.ERROR)
    qtbot.addWidget(label)
    label.show()
    role = QPalette.ColorRole.WindowText
    assert label.palette().color(role) == LIGHT.error
    set_palette(dark=True)
    qtbot.waitUntil(lambda: label.palette().color(role) == DARK.error)
