"""An input for a file or a picture: chosen, dropped or pasted. bridge.api.files encodes it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QBuffer, QMimeData, QMimeDatabase, Qt
from PySide6.QtGui import (
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QImage,
    QKeyEvent,
    QKeySequence,
    QPixmap,
)
from PySide6.QtWidgets import QFileDialog, QLabel

from bridge.api import files, schema
from desktop.widgets.controls import make_button
from desktop.widgets.inputs.base import Input, entered_text
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import column, row
from desktop.widgets.text.safe_text import one_line

_PREVIEW = 96  # pixels


class FileInput(Input):
    """Shows the name and size of the file, and a picture in small."""

    def __init__(self, field: schema.Field) -> None:
        super().__init__(field)
        self._value = entered_text(field.initial)
        self._choose = make_button("choose", self.tr("Choose a file…"), self._open, auto_default=False)
        self._choose.installEventFilter(self)
        self._remove = make_button(f"clear:{field.name}", self.tr("Remove"), self._clear, auto_default=False)
        self._preview = QLabel()
        self._about = Label("", name=f"file:{field.name}", tone=Tone.MUTED)
        buttons = row(self._choose, self._remove, (self._about, 1), spacing=8)
        self.setLayout(column(buttons, self._preview, spacing=4))
        self.set_main_widget(self._choose)
        self.setAcceptDrops(True)
        self._show("")

    def entered(self) -> schema.Entered:
        return self._value

    def enter(self, entered: schema.Entered) -> None:
        self._take(entered_text(entered), "")

    def takes_key(self, event: QKeyEvent) -> bool:
        if event.matches(QKeySequence.StandardKey.Paste):
            self._take_mime(QGuiApplication.clipboard().mimeData())
            return True
        return super().takes_key(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls() or event.mimeData().hasImage():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self._take_mime(event.mimeData())

    def _take_mime(self, data: QMimeData) -> None:
        """Take a file or a picture that was dropped or pasted."""
        paths = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
        if paths:
            self.read(Path(paths[0]))
        elif data.hasImage():
            drawn = QBuffer()
            drawn.open(QBuffer.OpenModeFlag.WriteOnly)
            QImage(data.imageData()).save(drawn, "PNG")  # type: ignore[call-overload]
            self._offer(bytes(drawn.data().data()), "image/png", self.tr("Pasted picture"))

    def read(self, path: Path) -> None:
        """Take this file, if it is small enough and of the wanted kind."""
        kind = QMimeDatabase().mimeTypeForFile(str(path)).name()
        try:
            with path.open("rb") as file:
                data = file.read(files.LARGEST + 1)
        except OSError as error:
            self._about.show_text(error.strerror or str(error))
            return
        self._offer(data, kind, path.name)

    def _offer(self, data: bytes, kind: str, name: str) -> None:
        if not files.suits(kind, self.field.media_type):
            wanted = self.field.media_type
            self._about.show_text(self.tr("Only {kind} files can be sent here.").format(kind=wanted))
            return
        self._take(files.encode(self.field.encoding, data, kind), name)

    def _take(self, value: str, name: str) -> None:
        self._value = value
        self._show(name)
        self.changed.emit()
        self.resized.emit()

    def _clear(self) -> None:
        self._take("", "")
        self._choose.setFocus()

    def _show(self, name: str) -> None:
        data = files.decode(self.field.encoding, self._value) if self._value else b""
        size = self.tr("{size} kB").format(size=max(1, len(data or b"") // 1000)) if data else ""
        hint = self.tr("or drop or paste it here")
        self._about.show_text(" · ".join(filter(None, (one_line(name, 60), size))) if data else hint)
        self._remove.setVisible(bool(data))
        picture = QPixmap()
        picture.loadFromData(data or b"")
        small = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        if not picture.isNull():
            self._preview.setPixmap(picture.scaled(_PREVIEW, _PREVIEW, *small))
        self._preview.setVisible(not picture.isNull())

    def _open(self) -> None:
        box = QFileDialog(self, self.title)
        box.setObjectName("fileDialog")
        box.setFileMode(QFileDialog.FileMode.ExistingFile)
        if self.field.media_type and not self.field.media_type.endswith("*"):
            box.setMimeTypeFilters([self.field.media_type])
        box.fileSelected.connect(lambda path: self.read(Path(path)))
        box.finished.connect(lambda _: box.deleteLater())
        box.open()
