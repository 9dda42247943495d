"""A server's Markdown is shown and can do nothing: no picture, no link, no HTML, no time lost."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QFont, QImage, QTextDocument, QTextTable
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop.theme.colours import current
from desktop.widgets.text.markdown_view import MarkdownView


def shown(markdown: str) -> str:
    return MarkdownView(markdown, name="message").toPlainText()


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("**bold**, _slanted_ and `code`", "bold, slanted and code"),
        ("# Title\ntext", "Title\ntext"),
        ("one line\nand the next", "one line\nand the next"),
        ("- a\n- b", "a\nb"),
        ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
        ("```\nx  =  1\n\ny\n```", "x  =  1\n\ny"),
        ("<b>bold</b> <script>x</script>", "<b>bold</b> <script>x</script>"),
        ("[docs](https://evil.example/x) here", "docs (https://evil.example/x) here"),
        ("[**a** b](https://evil.example/) c", "a b (https://evil.example/) c"),
        ("<https://a.example> https://b.example/y", "https://a.example https://b.example/y"),
        ("![a cat](https://spy.example/cat.png)", "[a cat https://spy.example/cat.png]"),
    ],
)
def test_markdown_is_read_and_made_harmless(qtbot: QtBot, markdown: str, text: str) -> None:
    assert shown(markdown).strip() == text


def test_nothing_in_it_can_be_followed_or_loaded(qtbot: QtBot) -> None:
    prose = MarkdownView("[a](https://b.example) ![c](d.png) www.e.example x@f.example", name="message")
    html = prose.document().toHtml()
    assert "href" not in html
    assert "<img" not in html
    assert not prose.textInteractionFlags() & Qt.TextInteractionFlag.LinksAccessibleByMouse


def test_a_picture_on_this_computer_is_not_looked_at(qtbot: QtBot, tmp_path, monkeypatch) -> None:
    picture = tmp_path / "cat.png"
    QImage(3, 3, QImage.Format.Format_RGB32).save(str(picture))
    asked: list[str] = []

    def load(_: QTextDocument, __: int, url: QUrl) -> None:
        asked.append(url.toString())

    monkeypatch.setattr(QTextDocument, "loadResource", load)
    prose = MarkdownView(f"![x]({picture}) ![y]({picture.as_uri()}) ![](//host/share.png)", name="message")
    qtbot.addWidget(prose)
    prose.show()
    QTest.qWaitForWindowExposed(prose)
    assert asked == []
    assert prose.loadResource(int(QTextDocument.ResourceType.ImageResource.value), picture.as_uri()) is None


def test_a_heading_does_not_shout(qtbot: QtBot) -> None:
    prose = MarkdownView("# WARNING\n\ntext", name="message")
    style = prose.document().begin().begin().fragment().charFormat()
    assert style.fontWeight() == QFont.Weight.Bold
    assert style.property(0x1FE5) is None  # FontSizeAdjustment


def test_a_table_after_code_has_a_header_of_one_line_in_bold(qtbot: QtBot) -> None:
    prose = MarkdownView("```\nx = 1\n```\n\n| file | lines |\n|---|---|\n| a | 1 |", name="message")
    (table,) = prose.document().rootFrame().childFrames()
    assert isinstance(table, QTextTable)
    for place, words in enumerate(("file", "lines")):
        cell = table.cellAt(0, place)
        first, last = cell.firstCursorPosition().block(), cell.lastCursorPosition().block()
        assert (first.text(), first) == (words, last)
        assert first.begin().fragment().charFormat().fontWeight() == QFont.Weight.Bold


def test_added_and_removed_lines_of_a_diff_have_grounds_of_their_own(qtbot: QtBot) -> None:
    prose = MarkdownView("```diff\n-a\n+b\n c\n```", name="message")
    block, grounds = prose.document().begin(), []
    while block.isValid():
        grounds.append(block.blockFormat().background().color().name())
        block = block.next()
    use = current()
    assert grounds[:2] == [use.error_ground.name(), use.success_ground.name()]
    assert grounds[2] not in grounds[:2]


@pytest.mark.parametrize(
    "hostile",
    ["> " * 9_000, "- " * 9_000, "|a" * 9_000, "[" * 19_000, "[a](b) " * 3_000, "a*" * 9_000, "x" * 60_000],
)
def test_what_would_take_for_ever_is_shown_as_it_came(qtbot: QtBot, hostile: str) -> None:
    text = shown(hostile)
    assert text.rstrip("\n…").startswith(hostile[:1_000].rstrip())


@pytest.mark.parametrize("lines", ["\n" * 19_000, "\r\n" * 9_000, "\n \n" * 6_000, "\n- x" * 4_000])
def test_very_many_lines_are_shown_as_they_came_blank_ones_too(qtbot: QtBot, lines: str) -> None:
    assert shown(f"*x*{lines}y") == f"*x*{lines}y".replace("\r\n", "\n")
    assert shown("*x*" + "\n" * 100 + "y").split() == ["x", "y"]


def test_the_view_is_as_tall_as_its_words_up_to_a_point(qtbot: QtBot) -> None:
    heights = [MarkdownView("word " * words, name="m").heightForWidth(400) for words in (1, 60, 5_000, 9_000)]
    assert heights[0] < heights[1] < heights[2] == heights[3]
