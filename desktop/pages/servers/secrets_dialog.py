"""Dialog for the secrets that servers refer to: set, replace, delete. Values are never shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from bridge.api import SecretUse, ServersStatus, Services, VaultStatus
from desktop.language import label_text
from desktop.lazy.time_slices import SlicedTask, Steps
from desktop.theme.metrics import GRID
from desktop.theme.painting import ButtonKind
from desktop.widgets.controls import make_button, make_line
from desktop.widgets.dialogs import confirm, resize_for_text
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import DIALOG, CachedColumn, align_labels, column, discard, row
from desktop.widgets.panel import Panel
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.tab_order import set_tab_order
from desktop.widgets.text.bidi import isolate, isolate_all
from desktop.widgets.text.safe_text import one_line

_WIDE, _TALL = 76, 32  # characters, lines
_GAP = 6  # pixels between rows


class SecretsDialog(QDialog):
    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._service = services.servers
        self.setObjectName("secretsDialog")
        self.setWindowTitle(self.tr("Keys"))
        self._drawn: object = None
        self._shown_action = -1
        self._rows: QWidget | None = None
        self._slices = SlicedTask(self)
        self._slices.done.connect(self._keep_order)
        intro = self.tr("Keys are stored in your keychain and given only to the server that needs them.")
        self._where = Label("", name="where", tone=Tone.MUTED)
        self._outcome = Label("", name="outcome", announced=True)
        self._list = column()
        # not the default button: Return in the value field saves it
        self._close = make_button("close", self.tr("C&lose"), self.close, auto_default=False)
        buttons = QDialogButtonBox()
        buttons.addButton(self._close, QDialogButtonBox.ButtonRole.RejectRole)
        head = (Label(intro, name="intro"), self._where, self._fields(), self._outcome)
        self.setLayout(column(*head, (self._list, 1), buttons, margins=DIALOG, spacing=10))
        resize_for_text(self, _WIDE, _TALL)

    def _fields(self) -> QFormLayout:
        form = QFormLayout()
        form.setHorizontalSpacing(12)
        self._name = make_line("name", self.tr("Name"))
        self._value = make_line("value", self.tr("Value"))
        self._value.setEchoMode(QLineEdit.EchoMode.Password)
        hints = Qt.InputMethodHint.ImhSensitiveData | Qt.InputMethodHint.ImhNoPredictiveText
        self._value.setInputMethodHints(hints)
        self._value.returnPressed.connect(self._submit)
        self._save = make_button(
            "keep", self.tr("&Save"), self._submit, auto_default=False, kind=ButtonKind.PRIMARY
        )
        form.addRow(self.tr("&Name"), self._name)
        title = QLabel(self.tr("&Value"))
        title.setBuddy(self._value)
        form.addRow(title, row((self._value, 1), self._save, spacing=GRID))
        align_labels(form)
        return form

    def begin(self, name: str) -> None:
        """Let the user set this secret."""
        self._name.setText(name)
        (self._value if name else self._name).setFocus()

    def draw(self, status: ServersStatus, vault: VaultStatus) -> None:
        self._where.show_text(label_text(vault.problem))
        if self._shown_action < 0:
            self._shown_action = status.last_action.number
        elif status.last_action.number > self._shown_action:
            self._shown_action = status.last_action.number
            self._outcome.set_tone(Tone.ERROR if status.last_action.problem else Tone.MUTED)
            self._outcome.show_text(label_text(status.last_action.problem or status.last_action.done))
        if status.secrets != self._drawn:
            self._drawn = status.secrets
            self._draw_list(status.secrets)

    def _draw_list(self, secrets: tuple[SecretUse, ...]) -> None:
        if self._rows is not None:
            discard(self._rows)
        content = QWidget()
        rows = CachedColumn(content, spacing=_GAP)
        if not secrets:
            none = self.tr("No server uses a key yet.")
            rows.addWidget(Label(none, name="none", tone=Tone.MUTED))
        rows.addStretch(1)
        self._rows = FittingScroll(content, name="scroll")
        self._list.addWidget(self._rows, 1)
        self._slices.start(self._fill(rows, secrets))

    def _fill(self, rows: CachedColumn, secrets: tuple[SecretUse, ...]) -> Steps:
        for place, secret in enumerate(secrets):
            frame = Panel()
            frame.setLayout(self._left(secret) if secret.sign_in else self._row(secret))
            rows.insert_row(place, frame)
            yield None

    def _keep_order(self) -> None:
        if self._rows is not None:
            set_tab_order(self._save, self._rows, (self._close,))

    def _row(self, secret: SecretUse) -> QHBoxLayout:
        name = secret.name
        title = Label(one_line(name, 128), name=f"name:{name}", bold=True)
        servers = isolate_all(one_line(server, 60) for server in secret.servers)
        used = self.tr("used by {servers}") if servers else self.tr("not used by any server")
        text = used if secret.kept else self.tr("missing · needed by {servers}")
        tone = Tone.MUTED if secret.kept else Tone.WARNING
        users = Label(text.format(servers=servers), name=f"users:{name}", tone=tone)
        verb = self.tr("Replace…") if secret.kept else self.tr("Set…")
        buttons = [self._button("set", verb, partial(self.begin, name), name)]
        if secret.kept:
            delete = partial(self._ask_to_delete, secret)
            buttons.append(self._button("delete", self.tr("Delete…"), delete, name))
        return row((column(title, users, spacing=1), 1), *buttons, margins=None)

    def _left(self, secret: SecretUse) -> QHBoxLayout:
        """Return the row of a sign-in whose server was removed."""
        text = self.tr("Sign-in to {server}, which was removed")
        text = text.format(server=isolate(one_line(secret.name, 60)))
        forget = partial(self._service.sign_out, secret.name)
        button = self._button("forget", self.tr("Delete it"), forget, secret.name)
        return row((Label(text, name=f"left:{secret.name}", tone=Tone.MUTED), 1), button, margins=None)

    def _button(self, verb: str, text: str, act: Callable[[], object], secret: str) -> QPushButton:
        spoken = f"{text} {one_line(secret, 60)}"
        return make_button(f"{verb}:{secret}", text, act, spoken=spoken, auto_default=False)

    def _submit(self) -> None:
        name, value = self._name.text().strip(), self._value.text()
        if not name or not value:
            self._outcome.set_tone(Tone.ERROR)
            self._outcome.show_text(self.tr("Please give a name and a value."))
            (self._value if name else self._name).setFocus()
            return
        self._value.clear()
        self._service.set_secret(name, value)

    def _ask_to_delete(self, secret: SecretUse) -> None:
        title = self.tr("Delete the key {name}?").format(name=one_line(secret.name, 60))
        used = ", ".join(secret.servers)
        text = self.tr("{servers} won't start without it.").format(servers=used) if used else ""
        confirm(self, title, text, self.tr("&Delete"), lambda: self._service.delete_secret(secret.name))
