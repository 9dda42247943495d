"""A passage is as tall as its words need, whatever was measured before."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from desktop.widgets.text.text_box import TextBox


def test_a_text_box_grows_with_its_text_and_its_font_and_shrinks_again(qtbot: QtBot) -> None:
    passage = TextBox("one line", name="it", lines=50)
    qtbot.addWidget(passage)
    low = passage.heightForWidth(400)
    passage.show_text("\n".join("line" for _ in range(10)))
    tall = passage.heightForWidth(400)
    assert tall > low * 3
    font = passage.font()
    font.setPointSizeF(font.pointSizeF() * 2)
    passage.setFont(font)
    assert passage.heightForWidth(400) > tall * 1.5
    font.setPointSizeF(font.pointSizeF() / 2)
    passage.setFont(font)
    passage.show_text("one line")
    assert passage.heightForWidth(400) == low
