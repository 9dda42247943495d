"""Whatever state a control is in, its words can be read and its edge is seen: measured on painted pixels."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from desktop.theme import painting
from desktop.theme.colours import READABLE, VISIBLE, Colours, contrast
from desktop.theme.painting import ENABLED, FOCUS, HOVER, NO_CHANGE, ON, SUNKEN, ButtonKind
from tests.desktop.theme.test_colours import SETS

BOX = QRect(8, 8, 80, 32)
MARK = QRect(8, 8, 18, 18)
STATES = {"idle": 0, "hover": HOVER, "pressed": SUNKEN | HOVER, "focus": FOCUS, "focus hover": FOCUS | HOVER}
CASES = list(product(SETS, ("window", "surface"), STATES))


def painted(ground: QColor, paint: Callable[[QPainter], None]) -> QImage:
    image = QImage(96, 48, QImage.Format.Format_RGB32)
    image.fill(ground)
    painter = QPainter(image)
    paint(painter)
    painter.end()
    return image


def strongest(image: QImage, ground: QColor, rect: QRect) -> float:
    """The greatest contrast to the ground on a line from outside the control to its middle."""
    middle = rect.center().y()
    return max(contrast(image.pixelColor(x, middle), ground) for x in range(rect.left(), rect.center().x()))


@pytest.mark.parametrize(("name", "ground", "state"), CASES)
@pytest.mark.parametrize("kind", ButtonKind)
def test_a_button_is_readable_and_seen(
    kind: ButtonKind, name: str, ground: str, state: str, qtbot: QtBot
) -> None:
    use: Colours = SETS[name]
    behind, flags = getattr(use, ground), STATES[state] | ENABLED
    image = painted(behind, lambda painter: painting.button(painter, BOX, flags, kind, use))
    inside = image.pixelColor(BOX.center())
    assert contrast(painting.button_ink(flags, kind, use), inside) >= READABLE
    if kind is not ButtonKind.QUIET or flags & FOCUS:  # a quiet one is seen by its words, as a link is
        assert strongest(image, behind, BOX) >= VISIBLE


@pytest.mark.parametrize(("name", "ground", "state"), CASES)
@pytest.mark.parametrize("wrong", [False, True])
def test_a_field_is_readable_and_has_an_edge(
    wrong: bool, name: str, ground: str, state: str, qtbot: QtBot
) -> None:
    use = SETS[name]
    behind, flags = getattr(use, ground), STATES[state] | ENABLED
    image = painted(behind, lambda painter: painting.field(painter, BOX, flags, use, wrong=wrong))
    inside = image.pixelColor(BOX.center())
    assert contrast(use.text, inside) >= READABLE
    assert contrast(use.muted, inside) >= READABLE  # its placeholder
    assert strongest(image, behind, BOX) >= VISIBLE


@pytest.mark.parametrize(("name", "ground", "state"), CASES)
@pytest.mark.parametrize("paint", [painting.check_box, painting.radio_button])
@pytest.mark.parametrize("mark", [0, ON, NO_CHANGE])
def test_a_check_box_and_a_radio_button_are_seen_and_so_is_their_mark(
    mark: int,
    paint: Callable[[QPainter, QRect, int, Colours], None],
    name: str,
    ground: str,
    state: str,
    qtbot: QtBot,
) -> None:
    use = SETS[name]
    behind, flags = getattr(use, ground), STATES[state] | ENABLED | mark
    image = painted(behind, lambda painter: paint(painter, MARK, flags, use))
    assert strongest(image, behind, MARK) >= VISIBLE
    colours = [image.pixelColor(x, y) for x in range(14, 21) for y in range(14, 21)]
    spread = max(contrast(one, colours[0]) for one in colours)
    marked = bool(mark) and not (mark == NO_CHANGE and paint is painting.radio_button)
    assert (spread >= VISIBLE) == marked
