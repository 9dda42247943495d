"""The windows Log, Diagnostics and About."""

from __future__ import annotations

import sys

from PySide6.QtCore import Qt, QUrl, Signal, qVersion
from PySide6.QtGui import (
    QDesktopServices,
    QFontDatabase,
    QGuiApplication,
    QKeySequence,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from desktop.widgets.controls import make_button
from desktop.widgets.icons import app_icon
from desktop.widgets.labels import Label, Tone

_WIDE, _TALL = 110, 34  # characters, lines
_PICTURE = 64
_LIBRARIES = (
    ("Qt for Python (PySide6)", "LGPL-3.0", "https://doc.qt.io/qtforpython"),
    ("Python", "PSF-2.0", "https://www.python.org"),
    ("qasync", "BSD-2-Clause", "https://github.com/CabbageDevelopment/qasync"),
    ("uvicorn, Starlette, httptools, uvloop", "BSD-3-Clause, MIT", "https://www.uvicorn.org"),
    ("aiohappyeyeballs", "PSF-2.0", "https://aiohappyeyeballs.readthedocs.io"),
    ("msgspec", "BSD-3-Clause", "https://jcristharif.com/msgspec"),
    ("cryptography", "Apache-2.0 or BSD-3-Clause", "https://cryptography.io"),
    ("keyring, jeepney", "MIT", "https://github.com/jaraco/keyring"),
    ("mcp", "MIT", "https://modelcontextprotocol.io"),
    ("tomlkit, ruamel.yaml, jsonschema, dnspython, libipld", "MIT, ISC", "https://tomlkit.readthedocs.io"),
)


class TextWindow(QDialog):
    """Plain monospaced text that can be copied and refreshed."""

    refresh_wanted = Signal()

    def __init__(self, name: str, title: str, note: str, folder: str = "") -> None:
        super().__init__()
        self.setObjectName(name)
        self.setWindowTitle(title)
        self.setWindowIcon(app_icon())
        self._folder = folder
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 16, 18, 14)
        column.setSpacing(10)
        column.addWidget(Label(note, name="note", tone=Tone.MUTED))
        self._text = QPlainTextEdit()
        self._text.setObjectName("text")
        self._text.setAccessibleName(title)
        self._text.setReadOnly(True)
        self._text.setTabChangesFocus(True)
        self._text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._text.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        column.addWidget(self._text, 1)
        column.addLayout(self._foot())
        QShortcut(QKeySequence(QKeySequence.StandardKey.Close), self, self.close)
        metrics, screen = self._text.fontMetrics(), self.screen().availableSize()
        wide, tall = metrics.averageCharWidth() * _WIDE, metrics.lineSpacing() * _TALL
        self.resize(min(wide, round(screen.width() * 0.94)), min(tall, round(screen.height() * 0.88)))

    def show_text(self, text: str) -> None:
        """Show the text; a log is scrolled to its end."""
        self._text.setPlainText(text or self.tr("There is nothing in it yet."))
        self._copy.setEnabled(bool(text))
        self._status.show_text("")
        bar = self._text.verticalScrollBar()
        bar.setValue(bar.maximum() if self._folder else 0)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh_wanted.emit()

    def _foot(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self._copy = make_button("copy", self.tr("&Copy all"), self._copy_all)
        row.addWidget(self._copy)
        row.addWidget(make_button("refresh", self.tr("&Refresh"), self.refresh_wanted.emit))
        if self._folder:
            row.addWidget(make_button("folder", self.tr("Open its &folder"), self._open_folder))
        self._status = Label("", name="said", tone=Tone.MUTED, announced=True)
        row.addWidget(self._status, 1)
        row.addStretch(1)
        row.addWidget(make_button("close", self.tr("C&lose"), self.close))
        return row

    def _copy_all(self) -> None:
        QGuiApplication.clipboard().setText(self._text.toPlainText())
        self._status.show_text(self.tr("Copied."))

    def _open_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(self._folder))


class AboutWindow(QDialog):
    def __init__(self, version: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("about")
        self.setWindowTitle(self.tr("About Deskbell"))
        self.setWindowIcon(app_icon())
        column = QVBoxLayout(self)
        column.setContentsMargins(22, 20, 22, 14)
        column.setSpacing(10)
        column.addLayout(self._head(version))
        column.addWidget(Label(self.tr("A bell on your desk that AI applications ring."), name="what"))
        column.addWidget(
            Label(self.tr("Free software under the MIT licence, without any warranty."), name="licence")
        )
        column.addWidget(Label(self.tr("Made with"), name="madeWith", bold=True))
        column.addWidget(self._libraries())
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(make_button("close", self.tr("C&lose"), self.close))
        column.addLayout(foot)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Close), self, self.close)

    def _head(self, version: str) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(16)
        picture = QLabel()
        picture.setPixmap(app_icon().pixmap(_PICTURE, _PICTURE))
        picture.setAccessibleName("Deskbell")
        row.addWidget(picture)
        words = QVBoxLayout()
        words.addWidget(Label(f"Deskbell {version}", name="version", bold=True, scale=1.4, selectable=True))
        python = ".".join(str(part) for part in sys.version_info[:3])
        words.addWidget(Label(f"Qt {qVersion()}, Python {python}", tone=Tone.MUTED, selectable=True))
        row.addLayout(words, 1)
        return row

    def _libraries(self) -> QLabel:
        """Return the libraries as rich text with links: our own text, so markup is safe."""
        lines = [f'<a href="{where}">{name}</a> ({licence})' for name, licence, where in _LIBRARIES]
        label = QLabel("<br>".join(lines))
        label.setObjectName("libraries")
        label.setOpenExternalLinks(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        label.setAccessibleName(", ".join(f"{name} ({licence})" for name, licence, _ in _LIBRARIES))
        return label
