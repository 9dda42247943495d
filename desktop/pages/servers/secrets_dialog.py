"""Dialog for the secrets that servers refer to: set, replace, delete. Values are never shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMessageBox,
    QVBoxLayout,
    QWidget,
)

from bridge.api import SecretUse, ServersStatus, VaultStatus
from desktop.language import label_text
from desktop.lazy.time_slices import SlicedTask, Steps
from desktop.widgets.bidi import isolate, isolate_all
from desktop.widgets.cached_column import CachedColumn, insert_row
from desktop.widgets.confirm_box import confirm
from desktop.widgets.labels import Label, Tone
from desktop.widgets.message_bar import make_button
from desktop.widgets.panel import Panel
from desktop.widgets.safe_text import one_line
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.tab_order import set_tab_order

if TYPE_CHECKING:
    from bridge.api import ServerService

_WIDE, _TALL = 76, 32  # characters, lines
_GAP = 6  # pixels between rows


class SecretsDialog(QDialog):
    def __init__(self, servers: ServerService, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._service = servers
        self.setObjectName("secretsDialog")
        self.setWindowTitle(self.tr("Secrets"))
        self._drawn: object = None
        self._told = -1
        self._asking: QMessageBox | None = None
        self._rows: QWidget | None = None
        self._slices = SlicedTask(self)
        self._slices.done.connect(self._keep_order)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(18, 16, 18, 14)
        self._column.setSpacing(10)
        said = self.tr("Keys are stored in the vault and given only to the server that needs them.")
        self._column.addWidget(Label(said, name="intro"))
        self._where = Label("", name="where", tone=Tone.MUTED)
        self._column.addWidget(self._where)
        self._column.addLayout(self._fields())
        self._outcome = Label("", name="outcome", announced=True)
        self._column.addWidget(self._outcome)
        self._list = QVBoxLayout()
        self._column.addLayout(self._list, 1)
        buttons = QDialogButtonBox()
        close = self._close = make_button("close", self.tr("C&lose"), self.close)
        close.setAutoDefault(False)  # Return in the value field saves it
        buttons.addButton(close, QDialogButtonBox.ButtonRole.RejectRole)
        self._column.addWidget(buttons)
        metrics, screen = self.fontMetrics(), self.screen().availableSize()
        wide, tall = metrics.averageCharWidth() * _WIDE, metrics.lineSpacing() * _TALL
        self.resize(min(wide, round(screen.width() * 0.94)), min(tall, round(screen.height() * 0.88)))

    def _fields(self) -> QFormLayout:
        form = QFormLayout()
        form.setHorizontalSpacing(12)
        self._name, self._value = QLineEdit(), QLineEdit()
        self._name.setObjectName("name")
        self._value.setObjectName("value")
        self._value.setEchoMode(QLineEdit.EchoMode.Password)
        hints = Qt.InputMethodHint.ImhSensitiveData | Qt.InputMethodHint.ImhNoPredictiveText
        self._value.setInputMethodHints(hints)
        self._name.setAccessibleName(self.tr("Name"))
        self._value.setAccessibleName(self.tr("Value"))
        self._value.returnPressed.connect(self._keep)
        row = QHBoxLayout()
        row.addWidget(self._value, 1)
        keep = self._kept = make_button("keep", self.tr("&Save"), self._keep)
        keep.setAutoDefault(False)
        row.addWidget(keep)
        form.addRow(self.tr("&Name"), self._name)
        title = QLabel(self.tr("&Value"))
        title.setBuddy(self._value)
        form.addRow(title, row)
        return form

    def begin(self, name: str) -> None:
        """Let the user set this secret."""
        self._name.setText(name)
        (self._value if name else self._name).setFocus()

    def draw(self, status: ServersStatus, vault: VaultStatus) -> None:
        self._where.show_text(label_text(vault.words()) if vault.store else "")
        if self._told < 0:
            self._told = status.told.number
        elif status.told.number > self._told:
            self._told = status.told.number
            self._outcome.set_tone(Tone.ERROR if status.told.problem else Tone.MUTED)
            self._outcome.show_text(label_text(status.told.problem or status.told.done))
        if status.secrets != self._drawn:
            self._drawn = status.secrets
            self._draw_list(status.secrets)

    def _draw_list(self, secrets: tuple[SecretUse, ...]) -> None:
        if self._rows is not None:
            self._rows.hide()
            self._rows.deleteLater()
        content = QWidget()
        column = CachedColumn(content, spacing=_GAP)
        if not secrets:
            column.addWidget(
                Label(self.tr("No server refers to a secret yet."), name="none", tone=Tone.MUTED)
            )
        column.addStretch(1)
        self._rows = FittingScroll(content, name="scroll")
        self._list.addWidget(self._rows, 1)
        self._slices.start(self._fill(column, secrets))

    def _fill(self, column: CachedColumn, secrets: tuple[SecretUse, ...]) -> Steps:
        for place, one in enumerate(secrets):
            insert_row(column, place, self._left(one) if one.sign_in else self._row(one))
            yield None

    def _keep_order(self) -> None:
        if self._rows is not None:
            set_tab_order(self._kept, self._rows, (self._close,))

    def _row(self, one: SecretUse) -> QWidget:
        frame = Panel()
        row = QHBoxLayout(frame)
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(Label(one_line(one.name, 128), name=f"name:{one.name}", bold=True))
        used = isolate_all(one_line(server, 60) for server in one.servers)
        said = self.tr("used by {servers}").format(servers=used) if used else self.tr("used by no server")
        if not one.kept:
            said = self.tr("missing; {servers} needs it").format(servers=used)
        tone = Tone.MUTED if one.kept else Tone.WARNING
        words.addWidget(Label(said, name=f"users:{one.name}", tone=tone))
        row.addLayout(words, 1)
        text = self.tr("Replace…") if one.kept else self.tr("Set…")
        self._add_button(row, f"set:{one.name}", text, lambda: self.begin(one.name), one.name)
        if one.kept:
            self._add_button(row, f"delete:{one.name}", self.tr("Delete…"), lambda: self._sure(one), one.name)
        return frame

    def _left(self, one: SecretUse) -> QWidget:
        """Return the row of a sign-in whose server was removed."""
        frame = Panel()
        row = QHBoxLayout(frame)
        said = self.tr("The sign-in to {server}, which is not there any more")
        name = isolate(one_line(one.name, 60))
        row.addWidget(Label(said.format(server=name), name=f"left:{one.name}", tone=Tone.MUTED), 1)
        text = self.tr("Forget it")
        self._add_button(row, f"forget:{one.name}", text, lambda: self._service.sign_out(one.name), one.name)
        return frame

    def _add_button(
        self, row: QHBoxLayout, name: str, text: str, act: Callable[[], object], secret: str
    ) -> None:
        button = make_button(name, text, act)
        button.setAutoDefault(False)
        button.setAccessibleName(f"{text} {one_line(secret, 60)}")
        row.addWidget(button)

    def _keep(self) -> None:
        name, value = self._name.text().strip(), self._value.text()
        if not name or not value:
            self._outcome.set_tone(Tone.ERROR)
            self._outcome.show_text(self.tr("Please give a name and a value."))
            (self._value if name else self._name).setFocus()
            return
        self._value.clear()
        self._service.set_secret(name, value)

    def _sure(self, one: SecretUse) -> None:
        title = self.tr("Delete {name}?").format(name=one_line(one.name, 60))
        used = ", ".join(one.servers)
        text = self.tr("{servers} will not start without it.").format(servers=used) if used else ""
        yes = self.tr("&Delete")
        self._asking = confirm(self, title, text, yes, lambda: self._service.delete_secret(one.name))
