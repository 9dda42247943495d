"""The window that tries a tool: a form made from its schema, Run, and the result.

If no form can be made from the schema, the arguments are typed as one JSON object.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import msgspec
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QProgressBar, QWidget

from bridge.api import Question, ServerTool, Services, ToolTrial, parse_form, schema
from desktop.language import label_text, translated
from desktop.lazy.time_slices import SlicedTask, Steps
from desktop.pages.servers.tool_result import ResultView
from desktop.pages.texts import risk_of
from desktop.questions.fields import FormFields, read_form
from desktop.theme.painting import ButtonKind
from desktop.widgets.controls import make_button
from desktop.widgets.dialogs import close_on_key, press_focused, resize_for_text, submit_on_keys
from desktop.widgets.icons import app_icon
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import DIALOG, column, row, widget_with
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.tab_order import set_tab_order
from desktop.widgets.text.bidi import isolate
from desktop.widgets.text.markdown_view import MarkdownView
from desktop.widgets.text.safe_text import one_line, readable

_WIDE, _TALL = 84, 40  # characters, lines
_OURS = "Deskbell"  # host name of calls from these windows
MEASURING = 300  # milliseconds in which long texts find their height
_WHOLE = "arguments"
_AS_JSON = json.dumps(
    {"type": "object", "properties": {_WHOLE: {"type": "object", "title": "Arguments", "default": {}}}}
).encode()


class TryWindow(QDialog):
    """Not modal. Closing it cancels a running call."""

    open_wanted = Signal(str)  # Question id: the person who runs the tool waits for it

    def __init__(self, services: Services, server: str, tool: ServerTool) -> None:
        super().__init__()
        self._service = services.servers
        self.setObjectName("tryTool")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowIcon(app_icon())
        self._server, self._tool = server, tool
        self._mine = False  # the current ToolTrial was started here
        self._before = 0  # number of the last ToolTrial that was not
        self._drawn: object = None
        self._opened = ""  # id of the Question this window has opened
        title = one_line(tool.title or tool.name, 80)
        self.setWindowTitle(self.tr("Try {tool} of {server}").format(tool=title, server=one_line(server, 60)))
        close_on_key(self)
        resize_for_text(self, _WIDE, _TALL)
        self.building = SlicedTask(self, self._build(title))  # the window is usable when it is done

    def _build(self, title: str) -> Steps:
        self._whole = ""
        try:
            self._form = yield from read_form(self._tool.schema)
        except schema.SchemaError as error:
            self._whole = translated(error.args[0])
            self._form = parse_form(_AS_JSON)
        hints = " · ".join(filter(None, (isolate(self._tool.name), risk_of(self._tool.hints))))
        rows = column(
            Label(title, name="tool", bold=True, scale=1.2),
            Label(hints, name="hints", tone=Tone.MUTED),
            spacing=10,
        )
        content = widget_with(rows)
        if self._tool.description:
            about = MarkdownView(readable(self._tool.description), name="description", lines=8)
            about.setAccessibleName(self.tr("Description"))
            rows.addWidget(about)
        yield None
        rows.addWidget(Label(self._intro(), name="intro", tone=Tone.MUTED))
        self._fields = FormFields(self._form.fields, ours=True)
        self._fields.submitted.connect(self.run)
        self._fields.grew.connect(self._keep_order)
        yield from self._fields.build()
        self._error = Label("", name="error", tone=Tone.ERROR)
        self._outcome = Label("", name="outcome", bold=True, announced=True)
        self._notes = Label("", name="notes", tone=Tone.MUTED, selectable=True)
        self._result = ResultView()
        for part in (self._fields, self._error, self._outcome, self._notes, self._result):
            rows.addWidget(part)
        rows.addStretch(1)
        yield None
        self._scroll = FittingScroll(content, name="scroll")
        self._arriving = QTimer(self, singleShot=True, interval=MEASURING)
        self._scroll.verticalScrollBar().rangeChanged.connect(self._measured)
        self.setLayout(column((self._scroll, 1), self._foot(), margins=DIALOG, spacing=10))
        submit_on_keys(self, self.run)
        yield None
        if self._fields.rows:
            self._fields.rows[0].input.setFocus()
        else:
            self._run.setFocus()

    def _keep_order(self, before: QWidget) -> None:
        """Put fields that are built late ahead of the buttons in tab order."""
        set_tab_order(before, self._result, (self._run, self._cancel, self._close))

    def _intro(self) -> str:
        if self._whole:
            why = self.tr("This tool's form cannot be shown. Enter its arguments as JSON. {why}")
            return why.format(why=self._whole)
        if not self._form.fields:
            return self.tr("No input needed.")
        if any(field.required for field in self._form.fields):
            return self.tr("* required. What you leave blank is left out.")
        return self.tr("What you leave blank is left out.")

    def _foot(self) -> QHBoxLayout:
        self._bar = QProgressBar()
        self._bar.setObjectName("progress")
        self._bar.setAccessibleName(self.tr("Progress"))
        self._bar.setTextVisible(False)
        self._bar.hide()
        self._progress = Label("", name="said", tone=Tone.MUTED)
        cancel = self._service.cancel_trial
        self._run = make_button("run", self.tr("&Run"), self.run, auto_default=False, kind=ButtonKind.PRIMARY)
        self._cancel = make_button("cancel", self.tr("&Cancel"), cancel, auto_default=False)
        self._close = make_button("close", self.tr("C&lose"), self.close, auto_default=False)
        buttons = QDialogButtonBox()
        buttons.addButton(self._run, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(self._cancel, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(self._close, QDialogButtonBox.ButtonRole.RejectRole)
        self._cancel.hide()
        return row((self._bar, 1), (self._progress, 2), 0, buttons)

    # --- what the person wants ---------------------------------------------------------------------------

    def run(self) -> None:
        if not self._run.isEnabled():
            return
        filled = self._form.fill(self._fields.entered())
        self._error.show_text(label_text(filled.errors.get("", "")))
        first = self._fields.show_errors(filled.errors)
        if filled.content is None:
            if first is not None:
                self._scroll.ensureWidgetVisible(first)
            return
        content = filled.content
        if self._whole:
            content = bytes(msgspec.json.decode(content, type=dict[str, msgspec.Raw]).get(_WHOLE, b"{}"))
        self._mine = True
        if self._run.hasFocus():
            self._cancel.show()
            self._cancel.setFocus()
        self._run.setEnabled(False)
        self._service.try_tool(self._server, self._tool.public, content)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Run on Return, unless a button has the focus: then press it."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
            return
        event.accept()
        press_focused(self, self._run)

    def done(self, result: int) -> None:
        if self._mine and not self._run.isEnabled():
            self._service.cancel_trial()
        super().done(result)

    # --- what comes back ---------------------------------------------------------------------------------

    def draw(self, trial: ToolTrial, waiting: Sequence[Question] = ()) -> None:
        if not self._mine:
            self._before = trial.number
            return
        asks = self._asked(waiting) if trial.running else None
        if trial.number <= self._before or (trial, asks) == self._drawn:
            return
        self._drawn = (trial, asks)
        at_buttons = self.focusWidget() in (None, self._run, self._cancel)
        self._run.setEnabled(not trial.running)
        self._cancel.setVisible(trial.running)
        if at_buttons:
            (self._cancel if trial.running else self._run).setFocus()
        self._bar.setVisible(trial.running)
        self._bar.setRange(0, 1000 if trial.total > 0 else 0)
        if trial.total > 0:
            self._bar.setValue(round(1000 * min(max(trial.done / trial.total, 0.0), 1.0)))
        self._progress.show_text(self._under_way(trial, asks) if trial.running else "")
        self._notes.show_text(readable("\n".join(trial.notes)))
        self._outcome.set_tone(Tone.ERROR if trial.failed else Tone.PLAIN)
        self._outcome.show_text("" if trial.running else self._ended(trial))
        self._result.draw(trial.blocks)
        if not trial.running:
            self._before = trial.number - 1
            self._reveal()
            self.setAccessibleDescription(self._outcome.accessibleName())

    def _reveal(self) -> None:
        """Scroll to the result, also while the layout is still changing."""
        self._arriving.start()
        self._scroll.verticalScrollBar().setValue(self._outcome.y())

    def _measured(self) -> None:
        if self._arriving.isActive():
            self._scroll.verticalScrollBar().setValue(self._outcome.y())

    def _asked(self, waiting: Sequence[Question]) -> str | None:
        """Return the id of the Question the tool asks; open it once if this window is active."""
        names = (self._tool.name, self._tool.public)
        for question in waiting:
            if question.server == self._server and question.tool in names and question.host == _OURS:
                if question.id != self._opened and self.isActiveWindow():
                    self._opened = question.id
                    self.open_wanted.emit(question.id)
                return question.id
        return None

    def _under_way(self, trial: ToolTrial, asks: str | None) -> str:
        if asks is not None:
            return self.tr("The tool is asking you something in another window.")
        message = one_line(trial.message, 200) or self.tr("Waiting for the answer…")
        return f"{trial.done:g} · {message}" if trial.done and not trial.total else message

    def _ended(self, trial: ToolTrial) -> str:
        if trial.cancelled:
            return self.tr("Cancelled.")
        seconds = f"{trial.seconds:.3f}" if trial.seconds < 1 else f"{trial.seconds:.1f}"
        if trial.failed:
            return self.tr("Failed after {seconds} s.").format(seconds=seconds)
        if not trial.blocks:
            return self.tr("Done in {seconds} s, without output.").format(seconds=seconds)
        return self.tr("Answered in {seconds} s.").format(seconds=seconds)
