"""The windows Log, Diagnostics, Licences and About."""

from __future__ import annotations

import sys

from PySide6.QtCore import Qt, QUrl, Signal, qVersion
from PySide6.QtGui import QDesktopServices, QFontDatabase, QGuiApplication, QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPlainTextEdit

from desktop.widgets.controls import app_picture, make_button
from desktop.widgets.dialogs import close_on_key, resize_for_text
from desktop.widgets.icons import app_icon
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import DIALOG, column, row

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
        self._text = QPlainTextEdit()
        self._text.setObjectName("text")
        self._text.setAccessibleName(title)
        self._text.setReadOnly(True)
        self._text.setTabChangesFocus(True)
        self._text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._text.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        label = Label(note, name="note", tone=Tone.MUTED)
        self.setLayout(column(label, (self._text, 1), self._foot(), margins=DIALOG, spacing=10))
        close_on_key(self)
        resize_for_text(self, _WIDE, _TALL, self._text.fontMetrics())

    def show_text(self, text: str) -> None:
        """Show the text; a log is scrolled to its end."""
        self._text.setPlainText(text or self.tr("Nothing here yet."))
        self._copy.setEnabled(bool(text))
        self._status.show_text("")
        bar = self._text.verticalScrollBar()
        bar.setValue(bar.maximum() if self._folder else 0)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh_wanted.emit()

    def _foot(self) -> QHBoxLayout:
        self._copy = make_button("copy", self.tr("&Copy all"), self._copy_all)
        self._status = Label("", name="said", tone=Tone.MUTED, announced=True)
        buttons = [self._copy, make_button("refresh", self.tr("&Refresh"), self.refresh_wanted.emit)]
        if self._folder:
            buttons.append(make_button("folder", self.tr("Open &folder"), self._open_folder))
        close = make_button("close", self.tr("C&lose"), self.close)
        return row(*buttons, (self._status, 1), 1, close)

    def _copy_all(self) -> None:
        QGuiApplication.clipboard().setText(self._text.toPlainText())
        self._status.show_text(self.tr("Copied."))

    def _open_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(self._folder))


class AboutWindow(QDialog):
    licences_wanted = Signal()

    def __init__(self, version: str) -> None:
        super().__init__()
        self.setObjectName("about")
        self.setWindowTitle(self.tr("About Deskbell"))
        self.setWindowIcon(app_icon())
        title = Label(f"Deskbell {version}", name="version", bold=True, scale=1.4, selectable=True)
        python = ".".join(str(part) for part in sys.version_info[:3])
        versions = Label(f"Qt {qVersion()}, Python {python}", tone=Tone.MUTED, selectable=True)
        parts = (
            row(app_picture(_PICTURE), (column(title, versions), 1), spacing=16),
            Label(self.tr("A bell on your desk that AI applications ring."), name="what"),
            Label(self.tr("Free software under the MIT licence, without any warranty."), name="licence"),
            Label(self.tr("Made with"), name="madeWith", bold=True),
            self._libraries(),
            row(
                make_button("licences", self.tr("Licences…"), self.licences_wanted.emit),
                1,
                make_button("close", self.tr("C&lose"), self.close),
            ),
        )
        self.setLayout(column(*parts, margins=(22, 20, 22, 14), spacing=10))
        close_on_key(self)

    def _libraries(self) -> QLabel:
        """Return the libraries as rich text with links: our own text, so markup is safe."""
        lines = [f'<a href="{where}">{name}</a> ({licence})' for name, licence, where in _LIBRARIES]
        label = QLabel("<br>".join(lines))
        label.setObjectName("libraries")
        label.setOpenExternalLinks(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        label.setAccessibleName(", ".join(f"{name} ({licence})" for name, licence, _ in _LIBRARIES))
        return label
