"""Whatever state a widget is in, its words and marks stand out from their ground: measured on real widgets.

Buttons, fields, check boxes and radio buttons are measured in test_state_contrast.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QListWidget,
    QMenu,
    QProgressBar,
    QScrollBar,
    QSlider,
    QSpinBox,
    QTabBar,
    QTextEdit,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bridge.api import parse_form
from desktop.theme.appearance import set_palette
from desktop.theme.colours import READABLE, VISIBLE, contrast, current
from desktop.widgets.chip import Chip
from desktop.widgets.controls import Disclosure, make_button
from desktop.widgets.inputs.scale import StarsInput
from desktop.widgets.labels import Label, Tone
from desktop.widgets.message_bar import MessageBar
from desktop.widgets.sidebar import Sidebar
from desktop.widgets.switch import Switch
from tests.desktop import samples

LOOKS = {
    "light": (False, False),
    "dark": (True, False),
    "more light": (False, True),
    "more dark": (True, True),
}
WORDS = "MWHB"  # letters with strokes that fill whole pixels


@pytest.fixture(params=LOOKS, autouse=True)
def _look(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[None]:
    dark, more = LOOKS[request.param]
    set_palette(dark, more_contrast=more)
    yield
    set_palette(dark=False)


def picture(widget: QWidget, qtbot: QtBot, ground: str = "window") -> QImage:
    """Three times as large, so that strokes fill whole pixels."""
    qtbot.addWidget(widget)
    widget.setMinimumSize(widget.sizeHint())
    widget.show()
    image = QImage(widget.size() * 3, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(3)
    image.fill(getattr(current(), ground))
    widget.render(image)
    return image


def strongest(image: QImage, place: QRect | None = None, ground: QColor | None = None) -> float:
    """The greatest contrast of a pixel to the ground: the first pixel of the place, if none is given."""
    rect = place or image.rect()
    behind = ground or image.pixelColor(rect.topLeft())
    spots = ((x, y) for x in range(rect.left(), rect.right()) for y in range(rect.top(), rect.bottom(), 2))
    return max(contrast(QColor(rgb), behind) for rgb in {image.pixel(x, y) for x, y in spots})


def tripled(rect: QRect) -> QRect:
    return QRect(rect.topLeft() * 3, rect.size() * 3)


@pytest.mark.parametrize("on", [False, True])
def test_a_switch_and_where_its_knob_is(on: bool, qtbot: QtBot) -> None:
    made = Switch("it", "It", checked=on)
    image = picture(made, qtbot)
    middle = image.height() // 2
    line = [image.pixelColor(x, middle) for x in range(image.width())]
    assert max(contrast(one, current().window) for one in line) >= VISIBLE
    track = line[image.width() // 2]
    side = line[image.width() // 2 :] if on else line[: image.width() // 2]
    assert max(contrast(one, track) for one in side) >= VISIBLE


@pytest.mark.parametrize("value", [0, 50, 100])
def test_a_slider(value: int, qtbot: QtBot) -> None:
    made = QSlider(Qt.Orientation.Horizontal)
    made.setValue(value)
    made.resize(made.sizeHint())
    image = picture(made, qtbot)
    assert strongest(image, ground=current().window) >= VISIBLE
    middle = image.height() // 2
    ends = (image.pixelColor(3 * 8, middle), image.pixelColor(image.width() - 3 * 8, middle))
    assert min(contrast(one, current().window) for one in ends) >= VISIBLE  # its line, on both sides


def test_stars_chosen_and_not(qtbot: QtBot) -> None:
    node = {"type": "integer", "title": "Rating", "minimum": 1, "maximum": 5}
    made = StarsInput(parse_form(samples.form({"mark": node}).schema).fields[0])
    made.enter("3")
    image = picture(made, qtbot)
    stars = [tripled(one.geometry()) for one in made.findChildren(QToolButton)]
    for star in stars:
        assert strongest(image, star, current().window) >= VISIBLE
    middles = [image.pixelColor(star.center()) for star in stars]
    assert contrast(middles[0], current().window) >= VISIBLE  # filled
    assert middles[-1] == current().window  # empty


@pytest.mark.parametrize("chosen", [0, 1])
def test_tabs(chosen: int, qtbot: QtBot) -> None:
    made = QTabBar()
    for _ in range(2):
        made.addTab(WORDS)
    made.setCurrentIndex(chosen)
    image = picture(made, qtbot)
    for place in range(2):
        assert strongest(image, tripled(made.tabRect(place)), current().window) >= READABLE
    bar = tripled(made.tabRect(chosen))
    bar.setTop(bar.bottom() - 3 * 3)
    assert strongest(image, bar, current().window) >= VISIBLE


@pytest.mark.parametrize("value", [5, 60])
def test_a_bar_of_progress(value: int, qtbot: QtBot) -> None:
    made = QProgressBar()
    made.setTextVisible(False)
    made.setValue(value)
    assert strongest(picture(made, qtbot), ground=current().window) >= VISIBLE


@pytest.mark.parametrize("make", [QComboBox, QSpinBox])
def test_the_words_and_arrows_of_a_box(make: Callable[[], QComboBox | QSpinBox], qtbot: QtBot) -> None:
    made = make()
    made.addItem(WORDS) if isinstance(made, QComboBox) else made.setValue(88)
    image = picture(made, qtbot)
    inside = image.rect().adjusted(12, 12, -12, -12)
    words, arrows = QRect(inside), QRect(inside)
    words.setRight(inside.center().x())
    arrows.setLeft(inside.right() - 3 * 22)
    assert strongest(image, words, current().surface) >= READABLE
    assert strongest(image, arrows, current().surface) >= VISIBLE


@pytest.mark.parametrize("chosen", [0, 1])
def test_rows_of_a_list(chosen: int, qtbot: QtBot) -> None:
    made = QListWidget()
    made.addItems([WORDS, WORDS])
    made.setCurrentRow(chosen)
    image = picture(made, qtbot)
    for row in range(2):
        place = tripled(made.visualItemRect(made.item(row)).translated(made.viewport().pos()))
        ground = image.pixelColor(place.right() - 12, place.center().y())
        assert strongest(image, place.adjusted(12, 6, -12, -6), ground) >= READABLE


@pytest.mark.parametrize("chosen", ["home", "questions"])
def test_pages_in_the_sidebar_and_their_count(chosen: str, qtbot: QtBot) -> None:
    made = Sidebar()
    made.add("home", WORDS, "house")
    made.add("questions", WORDS, "inbox")
    made.resize(220, 300)
    made.show_count("questions", 3)
    made.list.setCurrentRow(("home", "questions").index(chosen))
    image = picture(made, qtbot, "sidebar")
    for row in range(2):
        place = made.list.visualItemRect(made.list.item(row))
        place.translate(made.list.viewport().mapTo(made, made.list.viewport().rect().topLeft()))
        whole = tripled(place)
        ground = image.pixelColor(whole.center().x() + whole.width() // 4, whole.center().y())
        assert strongest(image, whole.adjusted(60, 12, -60, -12), ground) >= READABLE


@pytest.mark.parametrize("tone", Tone)
def test_words_on_chips_and_in_bars_of_every_tone(tone: Tone, qtbot: QtBot) -> None:
    image = picture(Chip(WORDS, tone), qtbot)
    assert strongest(image, ground=image.pixelColor(3 * 4, image.height() // 2)) >= READABLE
    bar = MessageBar("it", WORDS, (), tone)
    image = picture(bar, qtbot)
    ground = image.pixelColor(image.width() - 3 * 4, image.height() // 2)
    assert strongest(image, image.rect().adjusted(9, 9, -9, -9), ground) >= READABLE


@pytest.mark.parametrize("tone", [Tone.PLAIN, Tone.MUTED, Tone.ERROR, Tone.WARNING, Tone.SUCCESS])
def test_labels_of_every_tone(tone: Tone, qtbot: QtBot) -> None:
    for ground in ("window", "surface"):
        image = picture(Label(WORDS, name="it", tone=tone, bold=True), qtbot, ground)
        assert strongest(image, ground=getattr(current(), ground)) >= READABLE


@pytest.mark.parametrize("opened", [False, True])
def test_a_disclosure_and_its_arrow(opened: bool, qtbot: QtBot) -> None:
    made = Disclosure(WORDS, "", name="it")
    made.setChecked(opened)
    image = picture(made, qtbot)
    ground = image.pixelColor(3 * 3, image.height() // 2)
    arrow = QRect(3 * 4, 9, 3 * 16, image.height() - 18)
    assert strongest(image, arrow, ground) >= VISIBLE
    assert strongest(image, image.rect().adjusted(3 * 24, 9, -9, -9), ground) >= READABLE


def test_the_handle_of_a_scroll_bar(qtbot: QtBot) -> None:
    made = QScrollBar(Qt.Orientation.Vertical)
    made.setRange(0, 100)
    made.resize(12, 200)
    assert strongest(picture(made, qtbot), ground=current().window) >= VISIBLE


def test_entries_of_a_menu(qtbot: QtBot) -> None:
    made = QMenu()
    for _ in range(2):
        made.addAction(WORDS)
    made.setActiveAction(made.actions()[1])
    image = picture(made, qtbot)
    for action in made.actions():
        place = tripled(made.actionGeometry(action)).adjusted(12, 9, -12, -9)
        assert strongest(image, place, image.pixelColor(place.right(), place.center().y())) >= READABLE


def test_the_hint_in_an_empty_box(qtbot: QtBot) -> None:
    made = QTextEdit()
    made.setPlaceholderText(WORDS)
    image = picture(made, qtbot)
    assert strongest(image, image.rect().adjusted(12, 12, -12, -12), current().surface) >= READABLE


def test_every_widget_has_a_focus_ring_that_is_seen(qtbot: QtBot) -> None:
    for made in (Switch("it", "It"), QComboBox(), QSpinBox(), make_button("b", WORDS, lambda: None)):
        image = picture(made, qtbot)
        made.setFocus()
        qtbot.waitUntil(made.hasFocus)
        focused = picture(made, qtbot)
        assert focused != image
        ring = current().focus
        assert contrast(ring, current().window) >= VISIBLE
        assert any(
            QColor(focused.pixel(x, y)) == ring
            for x in range(0, focused.width(), 2)
            for y in range(focused.height())
        )
