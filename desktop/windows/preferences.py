"""The Settings page: how loudly questions may come, how long history is kept, and the language.

Shows what is in force, and says what the person changes; config.toml remembers.
"""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QMessageBox,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from bridge.api import Status, attention
from desktop.language import LANGUAGES
from desktop.widgets.labels import Label, Tone
from desktop.widgets.unwheeled import unwheel


class PreferencesPage(QWidget):
    prefer_wanted = Signal(str, str, object)  # table, key, value

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("preferences")
        self._drawn: dict[QSpinBox, int] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 8)
        column.setSpacing(12)
        column.addWidget(Label(self.tr("When a question comes"), name="attentionTitle", bold=True))
        self._checks: dict[str, QCheckBox] = {
            "windows": self._check("windows", self.tr("Open its &window by itself")),
            "notifications": self._check(
                "notifications", self.tr("Show a &notification that tells who asks")
            ),
            "sound": self._check("sound", self.tr("Play a &sound")),
            "do_not_disturb": self._check(
                "do_not_disturb", self.tr("Stay quiet while the desktop is set to do not &disturb")
            ),
        }
        for box in self._checks.values():
            column.addWidget(box)
        column.addLayout(self._form())
        note = self.tr("A window takes the keyboard only when you allow it here, or when you open it.")
        column.addWidget(Label(note, name="attentionNote", tone=Tone.MUTED))
        column.addWidget(Label(self.tr("History"), name="historyTitle", bold=True))
        column.addLayout(self._history_form())
        column.addWidget(Label(self.tr("Language"), name="languageTitle", bold=True))
        column.addLayout(self._language_form())
        column.addStretch(1)
        self.draw(Status())

    def draw(self, status: Status) -> None:
        for key, box in self._checks.items():
            with QSignalBlocker(box):
                box.setChecked(bool(getattr(status.wishes, key)))
        with QSignalBlocker(self._front):
            self._front.setCurrentIndex(self._front.findData(status.wishes.front.value))
        with QSignalBlocker(self._language):
            self._language.setCurrentIndex(max(self._language.findData(status.language), 0))
        for spin, value in (
            (self._limit, status.questions_per_minute),
            (self._days, round(status.history_days)),
        ):
            if not spin.hasFocus():  # not under the person's hands
                self._drawn[spin] = value
                with QSignalBlocker(spin):
                    spin.setValue(value)

    def _entered(self, spin: QSpinBox, table: str, key: str) -> None:
        """Only what was changed: passing through with Tab must not round half a day to none."""
        if spin.value() == self._drawn.get(spin):
            return
        if spin is self._days and not spin.value():
            self._ask_before_forgetting()
            return
        self._drawn[spin] = spin.value()
        self.prefer_wanted.emit(table, key, spin.value())

    def _ask_before_forgetting(self) -> None:
        box = QMessageBox(QMessageBox.Icon.Question, "Deskbell", self.tr("Keep no history?"), parent=self)
        box.setObjectName("forgetBox")
        box.setInformativeText(self.tr("What there is will be deleted for good."))
        forget = box.addButton(self.tr("&Delete it"), QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(self.tr("&Go back"), QMessageBox.ButtonRole.RejectRole))
        box.finished.connect(lambda _: self._forget(box.clickedButton() is forget))
        box.open()

    def _forget(self, wanted: bool) -> None:
        if wanted:
            self._drawn[self._days] = 0
            self.prefer_wanted.emit("history", "days", 0)
        else:
            self._days.setValue(self._drawn[self._days])

    def _check(self, key: str, text: str) -> QCheckBox:
        box = QCheckBox(text)
        box.setObjectName(f"prefer:{key}")
        box.toggled.connect(lambda on: self.prefer_wanted.emit("desktop", key, on))
        return box

    def _form(self) -> QFormLayout:
        form = QFormLayout()
        self._front = QComboBox()
        unwheel(self._front)
        self._front.setObjectName("prefer:raise")
        for words, when in (
            (self.tr("Never: it waits behind what I am doing"), attention.Raise.NEVER),
            (self.tr("When nobody has touched anything for a while"), attention.Raise.IDLE),
            (self.tr("Always"), attention.Raise.ALWAYS),
        ):
            self._front.addItem(words, when.value)
        self._front.activated.connect(
            lambda: self.prefer_wanted.emit("desktop", "raise", self._front.currentData())
        )
        title = self.tr("Bring it to the &front")
        self._front.setAccessibleName(title.replace("&", ""))
        form.addRow(title, self._front)
        self._limit = self._spin("prefer:questions_per_minute", 1000, self.tr("No limit"))
        self._limit.editingFinished.connect(
            lambda: self._entered(self._limit, "desktop", "questions_per_minute")
        )
        form.addRow(self.tr("Questions a &minute before a server is held back"), self._limit)
        self._limit.setAccessibleName(self.tr("Questions a minute before a server is held back"))
        return form

    def _history_form(self) -> QFormLayout:
        form = QFormLayout()
        self._days = self._spin("prefer:days", 3650, self.tr("Keep no history"))
        self._days.editingFinished.connect(lambda: self._entered(self._days, "history", "days"))
        self._days.setAccessibleName(self.tr("Days that history is kept"))
        form.addRow(self.tr("&Keep it for so many days"), self._days)
        return form

    def _language_form(self) -> QFormLayout:
        form = QFormLayout()
        self._language = QComboBox()
        unwheel(self._language)
        self._language.setObjectName("prefer:language")
        self._language.addItem(self.tr("As the system"), "")
        for code, name in LANGUAGES.items():
            self._language.addItem(name, code)
        self._language.activated.connect(
            lambda: self.prefer_wanted.emit("desktop", "language", self._language.currentData())
        )
        title = self.tr("F&rom the next start on")
        self._language.setAccessibleName(self.tr("Language of the windows, from the next start on"))
        form.addRow(title, self._language)
        return form

    def _spin(self, name: str, most: int, zero: str) -> QSpinBox:
        spin = QSpinBox()
        unwheel(spin)
        spin.setObjectName(name)
        spin.setRange(0, most)
        spin.setSpecialValueText(zero)
        spin.setKeyboardTracking(False)
        spin.setMaximumWidth(spin.fontMetrics().averageCharWidth() * 26)
        return spin
