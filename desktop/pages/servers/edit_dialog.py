"""Dialog to edit a server: name, command or address, variables or headers, time limit."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDoubleSpinBox, QFormLayout, QLabel, QWidget

from bridge.api import ServerForm, ServersStatus, Services
from desktop.language import label_text
from desktop.pages.servers.pairs_table import PairsTable
from desktop.theme.painting import ButtonKind
from desktop.widgets.controls import ignore_wheel, make_button, make_check, make_line
from desktop.widgets.dialogs import accept_or_cancel, resize_for_text
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import DIALOG, align_labels, column
from desktop.widgets.text.safe_text import one_line

_WIDE = 84  # characters
_LONGEST = 86_400  # seconds
_LETTERS = 64  # longest name


class EditDialog(QDialog):
    def __init__(self, services: Services, plan: ServerForm, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._service = services.servers
        self.setObjectName("editServer")
        self.setWindowTitle(self.tr("Edit {server}").format(server=one_line(plan.name, 60)))
        self._plan = plan
        self._shown_action: int | None = None
        self._had_keyboard: QWidget | None = None
        self._latest = ServersStatus()
        self._form = QFormLayout()
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._form.setHorizontalSpacing(12)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self._fill()
        self._problem = Label("", name="problem", tone=Tone.ERROR)
        self._save = make_button("save", self.tr("&Save"), self._submit, kind=ButtonKind.PRIMARY)
        buttons = accept_or_cancel(self._save, make_button("cancel", self.tr("&Cancel"), self.reject))
        layout = column(self._form, self._problem, 1, buttons, margins=DIALOG, spacing=10)
        self.setLayout(layout)
        resize_for_text(self, _WIDE, 1)
        self.resize(self.width(), layout.totalHeightForWidth(self.width()))

    def _fill(self) -> None:
        plan = self._plan
        self._name = make_line("serverName", text=plan.name)
        self._name.setMaxLength(_LETTERS)
        self._target = make_line("url" if plan.url else "command", text=plan.url or plan.command)
        self._cwd = make_line("cwd", text=plan.cwd, placeholder=self.tr("your home folder"))
        pairs = plan.headers if plan.url else plan.env
        self._pairs = PairsTable(pairs, self.tr("Headers") if plan.url else self.tr("Variables"))
        in_vault = self.tr("Store what looks like a &key in your keychain")
        self._vault = make_check("vault", in_vault, checked=True)
        self._timeout = QDoubleSpinBox()
        self._timeout.setObjectName("timeout")
        self._timeout.setDecimals(0 if plan.timeout.is_integer() else 2)
        self._timeout.setRange(1, max(_LONGEST, plan.timeout))
        self._timeout.setValue(plan.timeout)
        self._timeout.setSuffix(self.tr(" s"))
        ignore_wheel(self._timeout)
        shared = self.tr("All AI apps shar&e one connection")
        self._shared = make_check("shared", shared, checked=plan.shared)
        prefix = self.tr("Tools are prefixed with this name. Sign-ins and rules move with it.")
        self._add(self.tr("&Name"), self._name, "nameNote", prefix)
        self._add(self.tr("&Address") if plan.url else self.tr("C&ommand"), self._target)
        if not plan.url:
            self._add(self.tr("&Folder"), self._cwd)
        self._form.addRow(self.tr("Headers") if plan.url else self.tr("Variables"), self._pairs)
        self._form.addRow("", self._vault)
        self._add(self.tr("&Time limit"), self._timeout)
        self._form.addRow("", self._shared)
        align_labels(self._form)

    def _add(self, title: str, part: QWidget, name: str = "", text: str = "") -> None:
        """Add a field; `name` and `text` are of the note below it."""
        part.setAccessibleName(title.replace("&", ""))
        part.setAccessibleDescription(text)
        label = QLabel(title)
        label.setBuddy(part)
        note = Label(text, name=name, tone=Tone.MUTED, scale=0.92)
        self._form.addRow(label, column(part, note, spacing=3) if text else part)

    def draw(self, status: ServersStatus) -> None:
        self._latest = status
        if self._shown_action is not None and status.last_action.number > self._shown_action:
            self._shown_action = None
            self._save.setEnabled(True)
            if not status.last_action.problem:
                self.accept()
                return
            self._problem.show_text(label_text(status.last_action.problem))
            if self._had_keyboard is not None:
                self._had_keyboard.setFocus()

    def _submit(self) -> None:
        pairs, nameless = self._pairs.pairs(), self._pairs.nameless()
        if nameless is not None:
            self._problem.show_text(self.tr("Please give this value a name."))
            nameless.setFocus()
            return
        if not self._name.text().strip():
            self._problem.show_text(self.tr("Please give it a name."))
            self._name.setFocus()
            return
        self._problem.show_text("")
        target, cwd = self._target.text().strip(), self._cwd.text().strip()
        plan = replace(self._plan, timeout=self._timeout.value(), shared=self._shared.isChecked(), cwd=cwd)
        plan = replace(plan, vault=self._vault.isChecked())
        if plan.url:
            plan = replace(plan, url=target, headers=pairs)
        else:
            plan = replace(plan, command=target, env=pairs)
        self._shown_action = self._latest.last_action.number
        self._had_keyboard = self.focusWidget()  # disabling Save moves the focus to Cancel
        self._save.setEnabled(False)
        self._service.edit(plan, self._name.text().strip())
