"""Dialog for a new or changed model: where it is, its key, what it is good for, which servers may use it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QDialog, QDoubleSpinBox, QFormLayout, QLineEdit, QWidget

from bridge.api import ModelStatus
from desktop.theme.metrics import GRID
from desktop.widgets.controls import ignore_wheel, make_button, make_check, make_choice, make_line
from desktop.widgets.dialogs import accept_or_cancel
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import DIALOG, align_labels, column, row
from desktop.widgets.settings_grid import select_value

_EMS = 66  # width in average characters
_PLACES = {  # kind → address that is proposed
    "openai": "http://127.0.0.1:1234/v1",
    "anthropic": "https://api.anthropic.com",
    "ollama": "http://127.0.0.1:11434",
}
_EVERY = "*"
translate = QCoreApplication.translate


def kind_of(kind: str) -> str:
    """Return the name of an API."""
    named = {"anthropic": "Anthropic", "ollama": "Ollama"}
    return named.get(kind) or translate("models", "OpenAI-compatible")


class ModelDialog(QDialog):
    made = Signal(object, str)  # ModelStatus, key that was typed

    def __init__(
        self,
        parent: QWidget | None,
        form: ModelStatus,
        servers: tuple[str, ...],
        taken: tuple[str, ...],
        *,
        new: bool,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("modelDialog")
        self.setWindowTitle(self.tr("Add a model") if new else self.tr("Edit model"))
        self._form, self._taken = form, taken
        rows = QFormLayout()
        rows.setHorizontalSpacing(12)
        self._name = make_line("modelName", self.tr("Name"), form.name)
        self._name.setReadOnly(not new)
        rows.addRow(self.tr("&Name"), self._name)
        self._kind = make_choice("modelKind", self.tr("Kind"), ((kind_of(kind), kind) for kind in _PLACES))
        select_value(self._kind, form.kind)
        self._kind.activated.connect(lambda: self._propose())
        rows.addRow(self.tr("&Kind"), self._kind)
        self._url = make_line("modelUrl", self.tr("Address"), form.url or _PLACES["openai"])
        rows.addRow(self.tr("&Address"), self._url)
        self._model = make_line("modelId", self.tr("Model"), form.model, placeholder="qwen3")
        rows.addRow(self.tr("&Model"), self._model)
        self._add_key(rows)
        self._add_use(rows, servers)
        self._add_prices(rows)
        align_labels(rows)
        self._problem = Label("", name="problem", tone=Tone.ERROR)
        save = make_button("saveModel", self.tr("&Save"), self._done)
        buttons = accept_or_cancel(save, make_button("", self.tr("Cancel"), self.reject))
        self.setLayout(column(rows, self._problem, 1, buttons, margins=DIALOG))
        self.resize(self.fontMetrics().averageCharWidth() * _EMS, self.sizeHint().height())
        (self._name if new and not form.name else self._model).setFocus()

    def _add_key(self, rows: QFormLayout) -> None:
        kept = self._form.has_key
        hint = self.tr("Stored; type to replace it") if kept else self.tr("None needed for local models")
        self._key = make_line("modelKey", self.tr("Key"), placeholder=hint)
        self._key.setEchoMode(QLineEdit.EchoMode.Password)
        hints = Qt.InputMethodHint.ImhSensitiveData | Qt.InputMethodHint.ImhNoPredictiveText
        self._key.setInputMethodHints(hints)
        rows.addRow(self.tr("Ke&y"), self._key)
        rows.addRow("", Label(self.tr("Keys are stored in your keychain."), name="keyNote", tone=Tone.MUTED))

    def _add_use(self, rows: QFormLayout, servers: tuple[str, ...]) -> None:
        form = self._form
        slots = (
            ("cheap", self.tr("Low &price")),
            ("fast", self.tr("Speed")),
            ("clever", self.tr("Intelligence")),
        )
        self._slots = {
            slot: make_check(f"slot:{slot}", text, checked=slot in form.slots) for slot, text in slots
        }
        rows.addRow(Label(self.tr("Good for"), name="slots"), row(*self._slots.values(), 1))
        self._tools = make_check("modelTools", self.tr("It can call &tools"), checked=form.tools)
        rows.addRow("", self._tools)
        listed = ", ".join(form.servers) if _EVERY not in form.servers else ""
        self._servers = make_line(
            "modelServers", self.tr("Servers"), listed, placeholder=self.tr("Every server")
        )
        words = self.tr("Names, separated by commas. Empty: every server. Known: {names}")
        about = words.format(names=", ".join(servers) or "–")
        self._servers.setToolTip(about)
        self._servers.setAccessibleDescription(about)
        rows.addRow(self.tr("Se&rvers"), self._servers)

    def _add_prices(self, rows: QFormLayout) -> None:
        self._price_in = self._price(
            "priceIn", self.tr("Price of a million tokens sent"), self._form.price_in
        )
        self._price_out = self._price(
            "priceOut", self.tr("Price of a million tokens received"), self._form.price_out
        )
        sent, received = Label(self.tr("sent"), name="sent"), Label(self.tr("received"), name="received")
        prices = row(self._price_in, sent, self._price_out, received, 1, spacing=GRID)
        title = Label(self.tr("Price of a million tokens"), name="prices")
        title.setWordWrap(False)
        rows.addRow(title, prices)

    def _price(self, name: str, title: str, value: float) -> QDoubleSpinBox:
        box = QDoubleSpinBox()
        box.setObjectName(name)
        box.setAccessibleName(title)
        box.setRange(0.0, 100_000.0)
        box.setDecimals(3)
        box.setSpecialValueText(self.tr("Unknown"))
        box.setValue(value)
        ignore_wheel(box)
        return box

    def _propose(self) -> None:
        """Propose the usual address of this kind, unless another was typed."""
        if self._url.text().strip() in ("", *_PLACES.values()):
            self._url.setText(_PLACES[self._kind.currentData()])

    def _done(self) -> None:
        name, url, model = (line.text().strip() for line in (self._name, self._url, self._model))
        if not (name and url and model):
            self._problem.show_text(self.tr("Please give a name, an address and a model."))
            return
        if name in self._taken:
            self._problem.show_text(self.tr("There is already a model with this name."))
            return
        servers = tuple(filter(None, (one.strip() for one in self._servers.text().split(","))))
        form = replace(
            self._form,
            name=name,
            kind=self._kind.currentData(),
            url=url,
            model=model,
            slots=tuple(slot for slot, box in self._slots.items() if box.isChecked()),
            servers=servers or (_EVERY,),
            tools=self._tools.isChecked(),
            price_in=self._price_in.value(),
            price_out=self._price_out.value(),
        )
        self.made.emit(form, self._key.text())
        self.accept()
