"""An approval: may this AI app call this tool with these arguments? Return alone never allows anything."""

from __future__ import annotations

from bridge.api import DECLINE, Action, Answer, accept
from desktop.questions.window import QuestionWindow, Role
from desktop.widgets.labels import Label
from desktop.widgets.passage import Passage
from desktop.widgets.text import one_line, pretty


class ConfirmWindow(QuestionWindow):
    def fill_body(self) -> None:
        self.message.hide()  # the request says it, and who wants it
        self.setAccessibleDescription(self._request())
        self.body.addWidget(Label(self._request(), name="request", scale=1.1))
        if self.question.arguments.strip() not in (b"", b"{}", b"null"):
            self.body.addWidget(Label(self.tr("With these arguments:"), name="withLabel"))
            arguments = Passage(pretty(self.question.arguments), name="arguments", lines=16, fixed=True)
            arguments.setAccessibleName(self.tr("Arguments"))
            self.body.addWidget(arguments, 1)
        self.body.addStretch()

    def fill_buttons(self) -> None:
        allow = self.add_button("allow", self.tr("&Allow"), Role.AcceptRole)
        allow.clicked.connect(lambda: self.answer(accept()))
        always = self.add_button("always", self.tr("Allow a&lways"), Role.AcceptRole)
        always.setToolTip(self.tr("Do not ask again for this tool of this server"))
        always.clicked.connect(lambda: self.answer(Answer(Action.ACCEPT, always=True)))
        deny = self.add_button("deny", self.tr("&Deny"), Role.DestructiveRole)
        deny.clicked.connect(lambda: self.answer(DECLINE))
        deny.setFocus()

    def _request(self) -> str:
        tool = one_line(self.question.tool, 120)
        host = one_line(self.question.host, 60) or self.tr("An AI app")
        return self.tr("{host} wants to use the tool {tool}.").format(host=host, tool=tool)
