"""The result of a tool: texts, indented JSON, pictures, links. Fetches nothing."""

from __future__ import annotations

from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from bridge.api import ContentBlock
from desktop.language import translated
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import column, discard
from desktop.widgets.picture import make_picture
from desktop.widgets.text.safe_text import format_json, one_line, readable

_TALLEST = 24  # lines of a text before it scrolls
_WIDEST = 480  # width of a picture in device-independent pixels


class ResultText(QPlainTextEdit):
    """Read-only text of any length, as tall as its lines up to _TALLEST."""

    def __init__(self, text: str, name: str, title: str, *, fixed: bool = False) -> None:
        super().__init__(text)
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        if fixed:
            self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        lines = min(max(self.blockCount(), len(text) // 90 + 1), _TALLEST)
        margins = 2 * (self.document().documentMargin() + self.frameWidth())
        self.setFixedHeight(round((lines + 0.5) * self.fontMetrics().lineSpacing() + margins))


class ResultView(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("result")
        self._column = column(spacing=8)
        self.setLayout(self._column)
        self._parts: list[QWidget] = []

    def draw(self, blocks: tuple[ContentBlock, ...]) -> None:
        """Show these blocks instead of the previous ones."""
        discard(*self._parts)
        self._parts = [part for place, block in enumerate(blocks) for part in self._part(block, place)]
        for part in self._parts:
            self._column.addWidget(part)

    def _part(self, block: ContentBlock, place: int) -> list[QWidget]:
        name = f"part:{place}"
        match block.kind:
            case "text":
                return [ResultText(readable(translated(block.text)), name, self.tr("Text"))]
            case "json":
                return [ResultText(format_json(block.text.encode()), name, self.tr("Data"), fixed=True)]
            case "image":
                ratio = self.devicePixelRatioF()
                return [make_picture(block.data, block.mime, name=name, room=_WIDEST, ratio=ratio)]
            case "link":
                address = self.tr("Resource: {address}").format(address=readable(block.uri[:2000]))
                lines = "\n".join(filter(None, (address, readable(block.text))))
                return [Label(lines, name=name, selectable=True)]
        about = self._about(block)
        if block.kind == "resource" and not block.data:
            return [about, ResultText(readable(block.text), name, self.tr("Resource"))]
        return [about]

    def _about(self, block: ContentBlock) -> Label:
        what = self.tr("Sound") if block.kind == "audio" else self.tr("Resource")
        size = self.tr("{count} bytes").format(count=len(block.data)) if block.data else ""
        text = " · ".join(filter(None, (what, one_line(block.uri, 400), one_line(block.mime, 60), size)))
        return Label(text, name="about", tone=Tone.MUTED, selectable=True)
