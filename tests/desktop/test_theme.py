"""Light and dark: the palette follows what the desktop says, and every tone stays readable in both."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from PySide6.QtDBus import QDBusVariant
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bridge.api import Status
from desktop.theme import Theme, contrast, fields_blend_in, own_palette, repaired
from desktop.widgets.labels import Label, Tone, is_dark

LIGHT_WINDOWS = ("#efefef", "#faf9f8", "#ffffff")
DARK_WINDOWS = ("#323232", "#2d2d2d", "#242424", "#1e1e1e")
APPEARANCE = ("org.freedesktop.appearance", "color-scheme")


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    before = QPalette(qapp.palette())
    made = Theme()
    yield made
    QGuiApplication.styleHints().unsetColorScheme()
    made.deleteLater()
    qapp.setPalette(before)


@pytest.mark.parametrize("tone", [tone for tone in Tone if tone is not Tone.PLAIN])
def test_every_tone_is_readable_on_light_and_on_dark(tone: Tone) -> None:
    for windows, colour in zip((LIGHT_WINDOWS, DARK_WINDOWS), tone.value, strict=True):
        for window in windows:
            assert contrast(QColor(colour), QColor(window)) >= 4.5


def test_our_dark_palette_is_dark_and_readable() -> None:
    palette = own_palette(dark=True)
    role = QPalette.ColorRole
    assert is_dark(palette)
    for text, ground in (
        (role.WindowText, role.Window),
        (role.Text, role.Base),
        (role.ButtonText, role.Button),
    ):
        assert contrast(palette.color(text), palette.color(ground)) >= 7
    assert contrast(palette.color(role.PlaceholderText), palette.color(role.Base)) >= 4.5


@pytest.mark.parametrize("palette", [own_palette(dark=True), own_palette(dark=False)])
def test_what_is_selected_is_readable(palette: QPalette) -> None:
    role = QPalette.ColorRole
    assert contrast(palette.color(role.HighlightedText), palette.color(role.Highlight)) >= 4.5
    for ground in (role.Window, role.Base):  # rings and bars have no words on them: WCAG 2.2, 1.4.11
        assert contrast(palette.color(role.Accent), palette.color(ground)) >= 3
    assert not fields_blend_in(palette)


@pytest.mark.parametrize(
    ("window", "base"), [("#faf9f8", "#f6f5f4"), ("#fafafa", "#fafafa"), ("#323232", "#323232")]
)
def test_fields_in_the_colour_of_the_window_are_mended_and_nothing_else_is(window: str, base: str) -> None:
    role = QPalette.ColorRole
    system = QPalette(QColor(window))
    system.setColor(role.Base, QColor(base))
    better = repaired(system)
    assert fields_blend_in(system)
    assert contrast(better.color(role.Base), system.color(role.Window)) > 1.03
    assert not better.isBrushSet(QPalette.ColorGroup.Active, role.Window)


@pytest.mark.parametrize(
    ("window", "chosen", "words"),
    [("#fafafa", "#3584e4", "#ffffff"), ("#323232", "#308cc6", "#ffffff"), ("#323232", "#805000", "#000000")],
)
def test_a_selection_that_is_hard_to_read_gets_deeper_and_keeps_its_hue(
    window: str, chosen: str, words: str
) -> None:
    role = QPalette.ColorRole
    system = QPalette(QColor(window))
    system.setColor(role.Highlight, QColor(chosen))
    system.setColor(role.HighlightedText, QColor(words))
    better = repaired(system).color(role.Highlight)
    assert repaired(system).color(role.Accent) == QColor(chosen)
    assert contrast(better, QColor(words)) >= 4.5
    assert abs(better.hslHue() - QColor(chosen).hslHue()) <= 3


def test_a_window_without_the_keyboard_is_as_readable_as_one_with_it() -> None:
    group, role = QPalette.ColorGroup, QPalette.ColorRole
    system = own_palette(dark=False)
    system.setColor(group.Inactive, role.WindowText, QColor("#929595"))
    better = repaired(system)
    assert better.color(group.Inactive, role.WindowText) == system.color(group.Active, role.WindowText)
    assert not better.isBrushSet(group.Active, role.WindowText)


def test_links_are_readable_and_what_is_readable_stays_the_systems() -> None:
    role = QPalette.ColorRole
    system = QPalette(QColor("#323232"))
    system.setColor(role.Link, QColor("#308cc6"))
    assert contrast(repaired(system).color(role.Link), system.color(role.Window)) >= 4.5
    assert repaired(own_palette(dark=False)) == repaired(own_palette(dark=True)) == QPalette()


def test_the_windows_turn_dark_and_light_again_as_the_desktop_says(theme: Theme, qtbot: QtBot) -> None:
    theme.changed(*APPEARANCE, QDBusVariant(QDBusVariant(1)))
    qtbot.waitUntil(lambda: is_dark(QGuiApplication.palette()))
    theme.changed(*APPEARANCE, QDBusVariant(0))
    qtbot.waitUntil(lambda: not is_dark(QGuiApplication.palette()))


@pytest.mark.parametrize("system", [0, 1])
def test_the_persons_word_wins_over_the_systems_and_can_be_taken_back(
    theme: Theme, qtbot: QtBot, system: int
) -> None:
    theme.changed(*APPEARANCE, QDBusVariant(system))
    for wish, dark in (("dark", True), ("light", False), ("dark", True), ("system", bool(system))):
        theme.draw(Status(theme=wish))
        turned = partial(lambda wanted: is_dark(QGuiApplication.palette()) is wanted, dark)
        qtbot.waitUntil(turned)


def test_our_light_palette_overrides_a_dark_theme_that_does_not_listen(theme: Theme, qtbot: QtBot) -> None:
    QApplication.setPalette(own_palette(dark=True))
    theme.draw(Status(theme="light"))
    qtbot.waitUntil(lambda: not is_dark(QGuiApplication.palette()))
    role, palette = QPalette.ColorRole, own_palette(dark=False)
    for text, ground in ((role.WindowText, role.Window), (role.Text, role.Base), (role.Link, role.Base)):
        assert contrast(palette.color(text), palette.color(ground)) >= 4.5


def test_other_settings_change_nothing(theme: Theme, qtbot: QtBot) -> None:
    theme.changed("org.gnome.desktop.interface", "color-scheme", QDBusVariant(1))
    QApplication.processEvents()
    assert not is_dark(QGuiApplication.palette())


def test_a_label_changes_its_tone_with_the_palette(theme: Theme, qtbot: QtBot) -> None:
    label = Label("wrong", tone=Tone.ERROR)
    qtbot.addWidget(label)
    label.show()
    assert label.palette().color(QPalette.ColorRole.WindowText) == QColor(Tone.ERROR.value[0])
    QApplication.setPalette(own_palette(dark=True))
    qtbot.waitUntil(
        lambda: label.palette().color(QPalette.ColorRole.WindowText) == QColor(Tone.ERROR.value[1])
    )
