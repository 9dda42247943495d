"""The Details tab: how a server is reached, who uses it, and its last problem."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QWidget

from bridge.api import ServerStatus, ServerView, Status
from desktop.language import label_text
from desktop.pages.servers.cards import users_of
from desktop.pages.servers.tool_result import ResultText
from desktop.pages.texts import kind_of, state_of, tone_of
from desktop.theme.metrics import GRID
from desktop.widgets.controls import make_button
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import Part, column, discard, row, widget_with
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.text.bidi import isolate
from desktop.widgets.text.safe_text import one_line, readable


class ServerDetailsTab(QWidget):
    secret_wanted = Signal(str)  # name of a missing secret

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("details")
        self._drawn: object = None
        self._content: QWidget | None = None
        self._column = column()
        self.setLayout(self._column)

    def draw(self, server: ServerStatus, look: ServerView | None, status: Status) -> None:
        users = users_of(server, status)
        seen = (server, look, users)
        if seen == self._drawn:
            return
        self._drawn = seen
        if self._content is not None:
            discard(self._content)
        facts = self._facts(server, look, users)
        rows = column(facts, *self._trouble(server, look), 1, margins=(0, GRID, GRID, 0), spacing=10)
        self._content = FittingScroll(widget_with(rows), name="scroll")
        self._column.addWidget(self._content)

    def _facts(self, server: ServerStatus, look: ServerView | None, users: tuple[str, ...]) -> QFormLayout:
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        plan = look.plan if look else None

        def add(name: str, title: str, text: str, tone: Tone = Tone.PLAIN) -> None:
            if text:
                form.addRow(title, Label(text, name=name, tone=tone, selectable=True))

        add("state", self.tr("State"), f"{state_of(server)} · {kind_of(server.kind)}", tone_of(server))
        if plan is not None:
            add("command", self.tr("Command"), readable(plan.command))
            add("url", self.tr("Address"), readable(plan.url))
            add("cwd", self.tr("Folder"), readable(plan.cwd))
            pairs = (*plan.env, *plan.headers)
            add("pairs", self.tr("Variables") if plan.command else self.tr("Headers"), _lines(pairs))
            add("timeout", self.tr("Time limit"), self.tr("{seconds} s").format(seconds=f"{plan.timeout:g}"))
            shared = self.tr("one for all AI apps") if plan.shared else self.tr("one for each AI app")
            add("shared", self.tr("Connections"), "" if server.kind == "built-in" else shared)
        named = ", ".join(one_line(name, 60) for name in users)
        add("users", self.tr("Used by"), named or self.tr("no AI app at the moment"))
        return form

    def _trouble(self, server: ServerStatus, look: ServerView | None) -> Iterator[Part]:
        for name in server.missing:
            words = self.tr("The key {name} is missing.").format(name=isolate(one_line(name, 128)))
            spoken = self.tr("Set {name}").format(name=one_line(name, 60))
            ask = partial(self.secret_wanted.emit, name)
            button = make_button(f"setSecret:{name}", self.tr("Set it…"), ask, spoken=spoken)
            yield row((Label(words, name=f"missing:{name}", tone=Tone.WARNING), 1), button)
        if server.problem:
            yield Label(self.tr("Last problem"), name="problemTitle", bold=True)
            tone = Tone.ERROR if server.state in ("failed", "back-off") else Tone.WARNING
            yield Label(label_text(server.problem), name="problem", tone=tone, selectable=True)
        if look is not None and look.lines:
            title = self.tr("Last messages of the program")
            yield Label(title, name="linesTitle", bold=True)
            yield ResultText(readable("\n".join(look.lines)), "lines", title, fixed=True)


def _lines(pairs: tuple[tuple[str, str], ...]) -> str:
    return "\n".join(one_line(f"{key} = {value}", 300) for key, value in pairs)
