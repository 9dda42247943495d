"""Dialog for a new or changed rule: AI app, tools, verdict; with the tools it matches now."""

from __future__ import annotations

from fnmatch import fnmatchcase

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QDialog, QFormLayout, QWidget

from bridge.api import RuleStatus, ToolStatus
from desktop.pages.texts import VERDICTS, host_of, verdict_of
from desktop.widgets.controls import make_button, make_choice, make_line
from desktop.widgets.dialogs import accept_or_cancel
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import DIALOG, align_labels, column
from desktop.widgets.text.bidi import isolate_all
from desktop.widgets.text.safe_text import one_line

_NAMED = 6  # matching tools that are named
_EMS = 66  # width in average characters


class RuleDialog(QDialog):
    """`rule` None: a new one. Choosing server and tool fills in the pattern, which can be edited."""

    made = Signal(str, str, str)  # host, pattern, verdict

    def __init__(
        self,
        parent: QWidget | None,
        hosts: tuple[str, ...],
        tools: tuple[ToolStatus, ...],
        rule: RuleStatus | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("ruleDialog")
        self.setWindowTitle(self.tr("New rule") if rule is None else self.tr("Change rule"))
        self._tools = tools
        form = QFormLayout()
        form.setHorizontalSpacing(12)
        self._host = self._combo("ruleHost", self.tr("&App"), form)
        self._host.setEditable(True)
        for host in dict.fromkeys(("", *hosts)):
            self._host.addItem(host_of(host), host)
        self._server = self._combo("ruleServer", self.tr("&Server"), form)
        self._server.addItem(self.tr("Every server"), "")
        for server in dict.fromkeys(tool.server for tool in tools):
            self._server.addItem(one_line(server, 60), server)
        self._tool = self._combo("ruleTool", self.tr("&Tool"), form)
        self._pattern = make_line("rulePattern", self.tr("Pattern"))
        hint = self.tr("A tool's full name; * stands for anything, ? for one letter")
        self._pattern.setToolTip(hint)
        self._pattern.setAccessibleDescription(hint)
        form.addRow(self.tr("&Pattern"), self._pattern)
        self._verdict = self._combo("ruleVerdict", self.tr("Actio&n"), form)
        for verdict in VERDICTS:
            self._verdict.addItem(verdict_of(verdict), verdict)
        align_labels(form)
        self._matches = Label("", name="ruleMatches", tone=Tone.MUTED)
        self._build(form)
        self._server.currentIndexChanged.connect(lambda: self._list_tools())
        self._tool.currentIndexChanged.connect(lambda: self._compose())
        self._pattern.textChanged.connect(lambda: self._preview())
        self._list_tools()
        self._take(rule)

    def _combo(self, name: str, title: str, form: QFormLayout) -> QComboBox:
        box = make_choice(name, title.replace("&", ""))
        form.addRow(title, box)
        return box

    def _build(self, form: QFormLayout) -> None:
        self._save = make_button("keepRule", self.tr("Sa&ve rule"), self._done)
        buttons = accept_or_cancel(self._save, make_button("", self.tr("&Cancel"), self.reject))
        self._column = column(form, self._matches, 1, buttons, margins=DIALOG, spacing=10)
        self.setLayout(self._column)
        self.resize(self.fontMetrics().averageCharWidth() * _EMS, self.sizeHint().height())

    def _take(self, rule: RuleStatus | None) -> None:
        self._verdict.setCurrentIndex(VERDICTS.index(rule.verdict) if rule else 1)
        if rule is not None:
            self._host.setCurrentIndex(max(self._host.findData(rule.host), 0))
            self._host.setEnabled(False)  # for another host it would be another rule
            self._pattern.setText(rule.pattern)
        else:
            self._compose()

    def _list_tools(self) -> None:
        server = self._server.currentData()
        self._tool.clear()
        self._tool.addItem(self.tr("Every tool"), "")
        for tool in self._tools if server else ():
            if tool.server == server:
                self._tool.addItem(one_line(tool.name, 60), tool.public)
        self._tool.setEnabled(bool(server))

    def _compose(self) -> None:
        server, tool = self._server.currentData(), self._tool.currentData()
        self._pattern.setText(tool or (f"{server}_*" if server else "*"))

    def _preview(self) -> None:
        pattern = self._pattern.text().strip()
        found = [tool for tool in self._tools if _matches(tool, pattern)]
        named = isolate_all(one_line(tool.public, 60) for tool in found[:_NAMED])
        more = ", …" if len(found) > _NAMED else ""
        words = self.tr("Matches {count} tools now: {names}")
        if len(found) == 1:
            words = self.tr("Matches 1 tool now: {names}")
        words = words.format(count=len(found), names=named + more)
        self._matches.show_text(words if found else self.tr("No known tool matches."))
        self._save.setEnabled(bool(pattern))
        needed = self._column.totalHeightForWidth(self.width())
        if self.height() < needed:  # else the rows above are squeezed
            self.resize(self.width(), needed)

    def _done(self) -> None:
        typed = self._host.currentText().strip()
        chosen = self._host.findText(typed)
        host = str(self._host.itemData(chosen)) if chosen >= 0 else typed
        self.made.emit(host, self._pattern.text().strip(), str(self._verdict.currentData()))
        self.accept()


def _matches(tool: ToolStatus, pattern: str) -> bool:
    return fnmatchcase(tool.public, pattern) or fnmatchcase(f"{tool.server}_{tool.name}", pattern)
