"""The approval window: an AI app wants to call a tool with these arguments. Return alone never allows it.

If the tool changed since it was allowed, the difference is shown. The scope of "Allow always" is spelled out.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QColor, QFont, QSyntaxHighlighter, QTextCharFormat

from bridge.api import DECLINE, Action, Answer, accept
from desktop.lazy.time_slices import Steps
from desktop.pages.texts import hints_of
from desktop.questions.base_window import QuestionWindow, Role
from desktop.widgets.bidi import isolate, strip_isolates
from desktop.widgets.labels import Label, Tone, is_dark
from desktop.widgets.paged_text import PagedText
from desktop.widgets.safe_text import full_json, one_line


class ConfirmWindow(QuestionWindow):
    def fill_body(self) -> Steps:
        self.message.hide()  # the request says the same
        self.setAccessibleDescription(strip_isolates(self._request()))
        self.body.addWidget(Label(self._request(), name="request", scale=1.1))
        if self.question.hints:
            hints = self.tr("Its server says of it: {hints}.").format(hints=hints_of(self.question.hints))
            self.body.addWidget(Label(hints, name="hints", tone=Tone.MUTED))
        if self.question.change:
            self._show_change()
        yield None
        if self.question.arguments.strip() not in (b"", b"{}", b"null"):
            self.body.addWidget(Label(self.tr("With these arguments:"), name="withLabel"))
            title = self.tr("Arguments")
            lines = 8 if self.question.change else 16
            arguments = PagedText(
                full_json(self.question.arguments), name="arguments", title=title, lines=lines
            )
            self.body.addWidget(arguments, 1)
        self.body.addStretch()
        self.body.addWidget(Label(self._always(), name="scope", tone=Tone.MUTED))

    def fill_buttons(self) -> None:
        always = partial(self.answer, Answer(Action.ACCEPT, always=True))
        deny = partial(self.answer, DECLINE)
        self.add_button("allow", self.tr("&Allow"), Role.AcceptRole, partial(self.answer, accept()))
        button = self.add_button("always", self.tr("Allow a&lways"), Role.AcceptRole, always)
        button.setToolTip(self._always())
        button.setAccessibleDescription(strip_isolates(self._always()))
        self.add_button("deny", self.tr("&Deny"), Role.DestructiveRole, deny).setFocus()

    def _show_change(self) -> None:
        words = self.tr("This tool has changed since you allowed it (- before, + now):")
        self.body.addWidget(Label(words, name="changeLabel", tone=Tone.WARNING, bold=True))
        change = PagedText(self.question.change, name="change", title=self.tr("What changed"), lines=14)
        self._marks = _Marks(change.text_box.document(), is_dark(self.palette()))
        self.body.addWidget(change, 1)

    def _request(self) -> str:
        tool = isolate(one_line(self.question.tool, 120))
        host = isolate(one_line(self.question.host, 60)) or self.tr("An AI app")
        return self.tr("{host} wants to use the tool {tool}.").format(host=host, tool=tool)

    def _always(self) -> str:
        """Return the scope of "Allow always"."""
        tool, server = isolate(one_line(self.question.tool, 120)), isolate(one_line(self.question.server, 60))
        scope = isolate(one_line(self.question.scope, 60))
        if self.question.change:
            text = self.tr(
                "Allow always: the tool {tool} of {server} as it is now, for whom it was allowed before."
            )
        elif scope:
            text = self.tr("Allow always: the tool {tool} of {server}, with any arguments, for {host} only.")
        else:
            text = self.tr("Allow always: the tool {tool} of {server}, with any arguments, for every AI app.")
        return text.format(tool=tool, server=server, host=scope)


class _Marks(QSyntaxHighlighter):
    """Mutes removed lines and emphasises added ones; the marks in front of them say it too."""

    def __init__(self, document: object, dark: bool) -> None:
        super().__init__(document)  # type: ignore[call-overload]
        self._dark = dark

    def highlightBlock(self, text: str) -> None:
        look = QTextCharFormat()
        if text.startswith("- "):
            look.setForeground(QColor(Tone.MUTED.value[self._dark]))
        elif text.startswith("+ "):
            look.setForeground(QColor(Tone.WARNING.value[self._dark]))
            look.setFontWeight(QFont.Weight.Bold)
        self.setFormat(0, len(text), look)
