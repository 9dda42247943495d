"""Every colour role keeps the contrast it promises, on every ground it is used on."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QPalette

from desktop.theme.colours import (
    DARK,
    HIGH_CONTRAST,
    LIGHT,
    READABLE,
    VISIBLE,
    Colours,
    contrast,
    list_palette,
    make_palette,
)
from desktop.widgets.avatar import GROUNDS

SETS = {"light": LIGHT, "dark": DARK, "more light": HIGH_CONTRAST[False], "more dark": HIGH_CONTRAST[True]}
GROUND_ROLES = ("window", "sidebar", "surface", "hover", "selected")
TONES = ("error", "warning", "success", "info")


@pytest.fixture(params=SETS, ids=list(SETS))
def colours(request: pytest.FixtureRequest) -> Colours:
    return SETS[request.param]


@pytest.mark.parametrize("ink", ["text", "muted", "link"])
def test_text_is_readable_on_every_ground(colours: Colours, ink: str) -> None:
    for ground in GROUND_ROLES:
        assert contrast(getattr(colours, ink), getattr(colours, ground)) >= READABLE, ground


@pytest.mark.parametrize("tone", TONES)
def test_a_tone_is_readable_on_its_own_ground_and_on_plain_ones(colours: Colours, tone: str) -> None:
    for ground in (f"{tone}_ground", "window", "surface", "hover"):
        assert contrast(getattr(colours, tone), getattr(colours, ground)) >= READABLE, ground


def test_text_on_filled_controls_is_readable(colours: Colours) -> None:
    for ground in (colours.accent, colours.accent_hover):
        assert contrast(colours.on_accent, ground) >= READABLE
    assert contrast(colours.on_badge, colours.badge) >= READABLE


@pytest.mark.parametrize("mark", ["border", "focus", "accent"])
def test_edges_and_marks_of_controls_are_visible(colours: Colours, mark: str) -> None:
    for ground in ("window", "surface"):
        assert contrast(getattr(colours, mark), getattr(colours, ground)) >= VISIBLE, ground


def test_the_focus_ring_is_told_from_the_primary_button(colours: Colours) -> None:
    assert abs(colours.focus.hslHue() - colours.accent.hslHue()) > 60 or colours.focus == QColor("#ffffff")


@pytest.mark.parametrize("dark", [False, True])
def test_selected_text_and_rows_are_readable(dark: bool) -> None:
    role = QPalette.ColorRole
    for palette in (make_palette(dark), list_palette(dark)):
        assert contrast(palette.color(role.HighlightedText), palette.color(role.Highlight)) >= READABLE


def test_white_letters_are_readable_on_every_monogram() -> None:
    for ground in GROUNDS:
        assert contrast(QColor("#ffffff"), ground) >= READABLE, ground.name()
