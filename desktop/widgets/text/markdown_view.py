"""A read-only view of foreign Markdown: loads no picture, follows no link, shows HTML as text.

Qt's importer reads it into a document without a layout (Qt looks for pictures during layout). There every
picture is replaced by its alternative text and every link by its text and address; then the document is
shown. Text that is too long, has too many lines or nests too deeply is shown as plain text.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Qt, QUrl
from PySide6.QtGui import (
    QColor,
    QFont,
    QPalette,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFragment,
    QTextFrameFormat,
    QTextTable,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextEdit

from desktop.theme.colours import current
from desktop.theme.metrics import scaled_font

_LONGEST = 20_000  # characters
_BUSIEST = 1_500  # characters with a meaning in Markdown
_LINES = 1_000  # the importer's time grows with the square of the lines, blank ones included
_MOST = 200  # pictures and links
_LIMIT = 50_000  # characters that are shown
_MEASURED = 5_000  # more than any window shows at once
_WIDTH = 440
_BAR = 3  # pixels
_BAR_GAP = 12  # pixels
_INDENT = 22  # pixels of one step of a list
_APART = 8  # pixels
_CELL = 5  # pixels around what is in a cell
_CODE_GROUND = QColor(127, 127, 127, 36)
_FENCE = re.compile(r" {0,3}(```|~~~)")
# Repeated nesting on one line, or a table of very many columns: nothing a person would write.
_BOTTOMLESS = re.compile(r"^(?:\s*(?:[>*+-]|\d+[.)])){12}|(?:\|[^|\n]*){40}|[\[(*_`]{60}", re.MULTILINE)
_MEANING = re.compile(r"[*_`\[\]<>|&~#]")
_GITHUB = QTextDocument.MarkdownFeature.MarkdownDialectGitHub
_NO_HTML = QTextDocument.MarkdownFeature.MarkdownNoHTML


class MarkdownView(QTextEdit):
    """As tall as its text, up to `lines`; marked by a bar, so that it cannot pass for Deskbell's own text.

    `scale`: of its letters, relative to the system's.
    """

    def __init__(
        self, markdown: str, *, name: str, lines: int = 14, scale: float = 1.0, bold: bool = False
    ) -> None:
        super().__init__()
        self.setObjectName(name)
        if scale != 1.0 or bold:
            self.setFont(scaled_font(scale, bold=bold))
        self._lines = lines
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setAcceptDrops(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        flags = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        self.setTextInteractionFlags(flags)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._bar = QFrame(self)
        self._bar.setAutoFillBackground(True)
        self._blend_in()
        self._show(markdown)
        self._place_bar()

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Load nothing."""
        return None

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        self._measure.setTextWidth(max(40, width - _BAR - _BAR_GAP))
        return min(round(self._measure.size().height()) + 1, self._tall(self._lines))

    def sizeHint(self) -> QSize:
        return QSize(_WIDTH, self.heightForWidth(_WIDTH))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, min(self.heightForWidth(_WIDTH), self._tall(2)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_bar()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange:
            self._blend_in()
            _colour(self.document())
        elif event.type() is QEvent.Type.LayoutDirectionChange:
            self._place_bar()

    def _show(self, markdown: str) -> None:
        document = inert_document(markdown, self.font())
        document.setParent(self)
        document.setDocumentMargin(0)
        long = document.characterCount() > _MEASURED
        self._measure = _beginning(document) if long else document.clone()
        self.setDocument(document)
        self.setAccessibleDescription(self.toPlainText())

    def _place_bar(self) -> None:
        side = self.width() - _BAR if self.isRightToLeft() else 0
        self._bar.setGeometry(side, 0, _BAR, self.height())
        margin = _BAR + _BAR_GAP
        self.setViewportMargins(*((0, 0, margin, 0) if self.isRightToLeft() else (margin, 0, 0, 0)))

    def _tall(self, lines: int) -> int:
        return lines * self.fontMetrics().lineSpacing()

    def _blend_in(self) -> None:
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Base, Qt.GlobalColor.transparent)
        palette.setColor(QPalette.ColorRole.Text, palette.color(QPalette.ColorRole.WindowText))
        self.setPalette(palette)
        bar = QPalette()
        bar.setColor(QPalette.ColorRole.Window, current().accent)
        self._bar.setPalette(bar)


def inert_document(markdown: str, font: QFont) -> QTextDocument:
    """Return a document that shows this Markdown, without pictures and links."""
    document = QTextDocument()
    document.setUndoRedoEnabled(False)
    document.setDefaultFont(font)
    if _is_too_much(markdown):
        return _as_plain_text(document, markdown)
    document.setMarkdown(_keep_line_breaks(markdown), _GITHUB | _NO_HTML)
    changes = _replacements(document)
    if len(changes) > _MOST:
        return _as_plain_text(document, markdown)
    for start, end, instead, style in reversed(changes):
        cursor = QTextCursor(document)
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(instead, style)
    for table in _tables(document):
        _mend(table)
    _space_blocks(document)
    _colour(document)
    return document


def _tables(document: QTextDocument) -> list[QTextTable]:
    return [frame for frame in document.rootFrame().childFrames() if isinstance(frame, QTextTable)]


def _colour(document: QTextDocument) -> None:
    """Colour what has a colour of the theme: lines of tables, and the ground of code."""
    for table in _tables(document):
        look = table.format()
        look.setBorderBrush(current().line)
        table.setFormat(look)
    _shade_code(document)


def _mend(table: QTextTable) -> None:
    """Set the table apart, with thin lines, and make header cells bold and of one height.

    Qt's importer forgets it for the first of them."""
    look = table.format()
    look.setTopMargin(_APART)
    look.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    look.setCellPadding(_CELL)
    table.setFormat(look)
    _drop_empty_block(table)
    for column in range(table.columns()):
        cell = table.cellAt(0, column)
        cursor = cell.firstCursorPosition()
        cursor.setPosition(cell.lastCursorPosition().position(), QTextCursor.MoveMode.KeepAnchor)
        bold = QTextCharFormat()
        bold.setFontWeight(QFont.Weight.Bold)
        cursor.mergeCharFormat(bold)
        flat = QTextBlockFormat()
        flat.setTopMargin(0)
        flat.setBottomMargin(0)
        cursor.mergeBlockFormat(flat)


def _drop_empty_block(table: QTextTable) -> None:
    """Remove the empty line that Qt's importer puts into the first cell of a table after a block of code."""
    cell = table.cellAt(0, 0)
    first, last = cell.firstCursorPosition(), cell.lastCursorPosition()
    if not first.block().text() and first.block() != last.block():
        first.deleteChar()


def _space_blocks(document: QTextDocument) -> None:
    """Indent lists by one step, and set headings, code and what follows a table apart."""
    document.setIndentWidth(_INDENT)
    after_table = False
    block = document.begin()
    while block.isValid():
        in_table = QTextCursor(block).currentTable() is not None
        apart = QTextBlockFormat()
        if not in_table and (after_table or _begins(block, _is_code) or _begins(block, _is_heading)):
            apart.setTopMargin(_APART)
        if not in_table and _is_code(block) and not _is_code(block.next()):
            apart.setBottomMargin(_APART)
        if block.blockNumber() == 0:
            apart.setTopMargin(0)
        QTextCursor(block).mergeBlockFormat(apart)
        after_table = in_table
        block = block.next()


def _begins(block: QTextBlock, kind: Callable[[QTextBlock], bool]) -> bool:
    return kind(block) and not kind(block.previous())


def _is_code(block: QTextBlock) -> bool:
    return block.isValid() and block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence)


def _is_heading(block: QTextBlock) -> bool:
    return block.isValid() and block.blockFormat().headingLevel() > 0


def _shade_code(document: QTextDocument) -> None:
    """Give blocks of code a ground of their own; the lines of a diff that are added or removed, theirs."""
    use = current()
    changes = {"+": use.success_ground, "-": use.error_ground}
    block = document.begin()
    while block.isValid():
        if _is_code(block):
            is_diff = block.blockFormat().property(QTextFormat.Property.BlockCodeLanguage) == "diff"
            colour = changes.get(block.text()[:1]) if is_diff else None
            shade = QTextBlockFormat()
            shade.setBackground(QColor(colour) if colour else _CODE_GROUND)
            QTextCursor(block).mergeBlockFormat(shade)
        block = block.next()


def _is_too_much(markdown: str) -> bool:
    return (
        len(markdown) > _LONGEST
        or len(markdown.splitlines()) > _LINES
        or len(_MEANING.findall(markdown)) > _BUSIEST
        or _BOTTOMLESS.search(markdown) is not None
    )


def _as_plain_text(document: QTextDocument, text: str) -> QTextDocument:
    document.setPlainText(text if len(text) <= _LIMIT else text[:_LIMIT] + "\n…")
    return document


def _keep_line_breaks(markdown: str) -> str:
    """Turn line ends into hard breaks: servers write for people, not for a formatter."""
    lines, fenced = [], False
    for line in markdown.split("\n"):
        fenced ^= bool(_FENCE.match(line))
        lines.append(line if fenced or not line.strip() else f"{line}  ")
    return "\n".join(lines)


Change = tuple[int, int, str, QTextCharFormat]


def _replacements(document: QTextDocument) -> list[Change]:
    """Return the replacements for pictures, links and headings, in document order."""
    changes: list[Change] = []
    block = document.begin()
    while block.isValid():
        changes += _in_block(block)
        block = block.next()
    return changes


def _in_block(block: QTextBlock) -> list[Change]:
    changes: list[Change] = []
    heading = block.blockFormat().headingLevel() > 0
    fragments = _fragments(block)
    for number, fragment in enumerate(fragments):
        style = fragment.charFormat()
        start, end, text = fragment.position(), fragment.position() + fragment.length(), fragment.text()
        if style.isImageFormat():
            picture = style.toImageFormat()
            alt = str(picture.property(QTextFormat.Property.ImageAltText) or "")
            words = f"[{' '.join(filter(None, (alt, picture.name())))}]"
            changes.append((start, end, words * fragment.length(), _plain(style, heading)))
        elif style.isAnchor():
            follows = fragments[number + 1].charFormat() if number + 1 < len(fragments) else QTextCharFormat()
            last = follows.anchorHref() != style.anchorHref()
            address = (
                f" ({style.anchorHref()})"
                if last and style.anchorHref() not in (text, f"http://{text}", f"mailto:{text}")
                else ""
            )
            changes.append((start, end, text + address, _plain(style, heading)))
        elif heading:
            changes.append((start, end, text, _plain(style, heading)))
    return changes


def _fragments(block: QTextBlock) -> list[QTextFragment]:
    found, place = [], block.begin()
    while not place.atEnd():
        found.append(place.fragment())
        place += 1
    return found


def _plain(style: QTextCharFormat, heading: bool) -> QTextCharFormat:
    """Return the format without link, picture and font size."""
    plain = QTextCharFormat()
    plain.setFontItalic(style.fontItalic())
    plain.setFontWeight(QFont.Weight.Bold if heading else style.fontWeight() or QFont.Weight.Normal)
    return plain


def _beginning(document: QTextDocument) -> QTextDocument:
    start = QTextDocument()
    start.setDefaultFont(document.defaultFont())
    start.setDocumentMargin(0)
    start.setPlainText(document.toPlainText()[:_MEASURED])
    return start
