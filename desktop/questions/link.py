"""A Question that sends the person to a web page: shows exactly where, and opens it only after a click.

Nothing is fetched, shortened or opened by itself; the page opens in the person's own browser.
"""

from __future__ import annotations

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QStyle, QVBoxLayout, QWidget

from bridge.api import accept, links
from desktop.questions.window import QuestionWindow, Role
from desktop.widgets.labels import Label, Tone
from desktop.widgets.passage import Passage
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.text import readable


class LinkWindow(QuestionWindow):
    def fill_body(self) -> None:
        self._target = QUrl(self.question.url)
        self._address = self._judge()
        self.body.addWidget(FittingScroll(self._page(), name="scroll"), 1)
        self._problem = Label("", name="problem", tone=Tone.ERROR)
        self.body.addWidget(self._problem)

    def fill_buttons(self) -> None:
        if self._address.refusal is None:
            go = self.add_button("open", self.tr("&Open in browser"), Role.AcceptRole)
            go.clicked.connect(self._go)
        self.add_refusals()

    def _judge(self) -> links.Address:
        """Qt opens it, so Qt has to read it as we do."""
        address = links.judge(self.question.url)
        host = address.host.strip("[]").lower()
        read = self._target.host(QUrl.ComponentFormattingOption.FullyEncoded)
        same = self._target.isValid() and read in (host, bytes(QUrl.toAce(host).data()).decode())
        if address.refusal is None and not same:
            return links.Address(address.text, refusal=links.Refusal.MALFORMED)
        return address

    def _page(self) -> QWidget:
        """The address, whole, and what there is to say about it."""
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(Label(self.tr("It wants you to visit this page:"), name="intro"))
        url = Passage(readable(self.question.url), name="url", lines=10, least=10, fixed=True)
        url.setAccessibleName(self.tr("Address"))
        url.embolden(self._address.start, self._address.end)
        column.addWidget(url)
        if self._address.host:
            site = self.tr("The site is {host}").format(host=self._address.host)
            column.addWidget(Label(site, name="site", bold=True))
        if self._address.refusal is not None:
            column.addWidget(self._remark("refusal", self._why_not(self._address.refusal), Tone.ERROR))
        for doubt in self._address.doubts:
            column.addWidget(self._remark(doubt.name.lower(), self._warning(doubt), Tone.WARNING))
        column.addStretch(1)
        return page

    def _remark(self, name: str, text: str, tone: Tone) -> QFrame:
        """A sentence with a warning sign before it."""
        frame = QFrame()
        row = QHBoxLayout(frame)
        row.setContentsMargins(0, 0, 0, 0)
        sign = QLabel()
        sign.setAccessibleName(self.tr("Warning"))
        size = self.fontMetrics().height()
        sign.setPixmap(
            self.style().standardIcon(QStyle.StandardPixmap.SP_MessageBoxWarning).pixmap(size, size)
        )
        side = QVBoxLayout()
        side.addWidget(sign)
        side.addStretch(1)
        row.addLayout(side)
        row.addWidget(Label(text, name=name, tone=tone), 1)
        return frame

    def _go(self) -> None:
        if self.over:
            return
        if QDesktopServices.openUrl(self._target):
            self.answer(accept())
        else:
            self._problem.say(
                self.tr("No browser could be opened. You can copy the address and open it yourself.")
            )
            self.fit()

    def _why_not(self, refusal: links.Refusal) -> str:
        return {
            links.Refusal.SCHEME: self.tr(
                "This is not a web page, so Deskbell will not open it. You can decline."
            ),
            links.Refusal.MALFORMED: self.tr(
                "This address is malformed, so Deskbell will not open it. You can decline."
            ),
            links.Refusal.NOT_ENCRYPTED: self.tr(
                "The connection would not be encrypted, so Deskbell will not open it. You can decline."
            ),
        }[refusal]

    def _warning(self, doubt: links.Doubt) -> str:
        return {
            links.Doubt.USERINFO: self.tr(
                "The address starts with a user name. This is often done to hide the real site."
            ),
            links.Doubt.BARE_ADDRESS: self.tr(
                "The site has no name, only a number. Real services rarely do that."
            ),
            links.Doubt.INTERNATIONAL: self.tr(
                "The site's name has international letters, which can look like other letters."
            ),
            links.Doubt.MIXED_SCRIPT: self.tr(
                "The site's name mixes several scripts. This is often done to look like another site."
            ),
            links.Doubt.LOOKALIKE: self.tr("The site's name can be taken for that of another site."),
            links.Doubt.ODD_PORT: self.tr("The address names an unusual port."),
        }[doubt]
