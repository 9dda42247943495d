"""The approval window: which AI app wants to do what with which server. Return alone never allows it.

Danger has a colour, a shape and words. If the tool changed since it was allowed, the difference is shown.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QAction, QFont, QSyntaxHighlighter, QTextCharFormat
from PySide6.QtWidgets import QMenu, QToolButton

from bridge.api import Action, Answer, Question, accept, is_destructive
from desktop.lazy.time_slices import Steps
from desktop.questions.asker import app_name
from desktop.questions.base_window import QuestionWindow, Role
from desktop.questions.byline import tool_name
from desktop.questions.readable_data import ReadableData, describe_json
from desktop.questions.refuse_button import SpokenButton, make_menu_button
from desktop.theme.painting import ButtonKind
from desktop.widgets.card import MARGINS, Card
from desktop.widgets.labels import Label, Tone, colour_of
from desktop.widgets.layouts import column, row
from desktop.widgets.message_bar import MessageBar
from desktop.widgets.text.bidi import isolate, strip_isolates
from desktop.widgets.text.paged_text import PagedText
from desktop.widgets.text.safe_text import full_json, one_line, readable

HOUR = 3600.0
_ABOUT = 600  # characters of a description
_NOTHING = (b"", b"{}", b"null")


def is_dangerous(question: Question) -> bool:
    """True if the tool may destroy something, by its annotations, else by its name."""
    return is_destructive(question.tool, question.hints)


class ConfirmWindow(QuestionWindow):
    def fill_body(self) -> Steps:
        self.message.hide()  # the request says the same
        self.setAccessibleDescription(strip_isolates(self.request()))
        self.body.addWidget(Label(self.request(), name="request", bold=True, scale=1.25))
        if is_dangerous(self.question):
            danger = self.tr("This can delete or overwrite things, and may not be undone.")
            self.body.addWidget(MessageBar("danger", danger, (), Tone.ERROR))
        elif self.question.hints:
            self.body.addWidget(Label(self._risk(), name="hints", tone=Tone.MUTED))
        yield None
        if self.question.change:
            self._show_change()
            yield None
        self._show_arguments()

    def fill_buttons(self) -> None:
        deny = self.tr("&Don't allow")
        refuse = self.add_refusals(deny)
        refuse.main.setAccessibleName(self.tr("Deny"))
        kind = ButtonKind.DANGER if is_dangerous(self.question) else ButtonKind.PRIMARY
        allow = self.add_button("allow", self.tr("&Allow once"), Role.AcceptRole, self._allow_once, kind)
        allow.setAccessibleName(self.tr("Allow"))
        spoken = SpokenButton("always", self.tr("Allow always"), partial(self._allow, always=True))
        spoken.setAccessibleDescription(strip_isolates(self._everywhere()))
        self._foot.addLayout(row(self._scopes(), spoken, spacing=0))
        refuse.main.setFocus()

    def request(self) -> str:
        """Return who wants to do what with which, as a sentence."""
        app = isolate(app_name(self.question)) or self.tr("An AI app")
        names = {"app": app, "tool": isolate(tool_name(self.question)), "server": isolate(self._server())}
        return self.tr("{app} wants to use “{tool}” of {server}").format(**names)

    def _server(self) -> str:
        return one_line(self.question.server, 60)

    def _risk(self) -> str:
        hints = self.question.hints
        if "readOnly" in hints:
            return self.tr("Read only: it changes nothing, says {server}.").format(
                server=isolate(self._server())
            )
        return self.tr("It makes changes, says {server}.").format(server=isolate(self._server()))

    def _show_arguments(self) -> None:
        card = Card("callCard", stripe="error" if is_dangerous(self.question) else "")
        parts: list[Label | ReadableData] = []
        if self.question.tool_about:
            about = one_line(readable(self.question.tool_about), _ABOUT)
            parts.append(Label(about, name="about", tone=Tone.MUTED))
        pairs = describe_json(self.question.arguments)
        whole = True
        if self.question.arguments.strip() not in _NOTHING:
            data = ReadableData(pairs, name="arguments")
            whole = bool(pairs) and data.is_whole
            if pairs:
                parts.append(data)
        if parts:
            card.setLayout(column(*parts, margins=MARGINS, spacing=8))
            self.body.addWidget(card)
        if not whole:  # an approval needs its arguments in sight
            raw = PagedText(
                full_json(self.question.arguments), name="rawData", title=self.tr("Raw data"), lines=8
            )
            self.body.addWidget(raw, 1)
        self.body.addStretch()

    def _scopes(self) -> QToolButton:
        """Return the arrow beside Allow once: for how long, and for whom."""
        menu = QMenu(self)
        app = app_name(self.question) or self.tr("this app")
        if not self.question.change:
            hour = self.tr("Allow {app} for an hour").format(app=app)
            menu.addAction(self._scope("allowHour", hour, partial(self._allow, seconds=HOUR)))
            own = self.tr("Always allow for {app}").format(app=app)
            menu.addAction(self._scope("allowApp", own, partial(self._allow, always=True, this_host=True)))
        if self.question.change or not self.question.scope:
            menu.addAction(self._scope("allowAll", self._everywhere(), partial(self._allow, always=True)))
        return make_menu_button("allowMenu", self.tr("Allow for longer"), menu)

    def _scope(self, name: str, text: str, act: object) -> QAction:
        action = QAction(strip_isolates(text), self)
        action.setObjectName(name)
        action.triggered.connect(act)
        return action

    def _everywhere(self) -> str:
        tool = isolate(tool_name(self.question))
        if self.question.change:
            return self.tr("Always allow “{tool}” as it is now").format(tool=tool)
        if self.question.scope:
            return self.tr("Always allow “{tool}” for {app}").format(
                tool=tool, app=isolate(one_line(self.question.scope, 60))
            )
        return self.tr("Always allow “{tool}” for every app").format(tool=tool)

    def _allow_once(self) -> None:
        self.answer(accept())

    def _allow(self, *_: object, always: bool = False, this_host: bool = False, seconds: float = 0.0) -> None:
        if self.settled:
            self.answer(Answer(Action.ACCEPT, always=always, this_host=this_host, seconds=seconds))

    def _show_change(self) -> None:
        words = self.tr("This tool has changed since you allowed it (- before, + now):")
        self.body.addWidget(Label(words, name="changeLabel", tone=Tone.WARNING, bold=True))
        change = PagedText(self.question.change, name="change", title=self.tr("What changed"), lines=14)
        self._marks = _Marks(change.text_box.document())
        self.body.addWidget(change, 1)


class _Marks(QSyntaxHighlighter):
    """Mutes removed lines and emphasises added ones; the marks in front of them say it too."""

    def highlightBlock(self, text: str) -> None:
        look = QTextCharFormat()
        if text.startswith("- "):
            look.setForeground(colour_of(Tone.MUTED))
        elif text.startswith("+ "):
            look.setForeground(colour_of(Tone.WARNING))
            look.setFontWeight(QFont.Weight.Bold)
        self.setFormat(0, len(text), look)
