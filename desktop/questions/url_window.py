"""A Question that asks the user to visit a web page (URL elicitation): shows the whole address.

Nothing is fetched, shortened or opened without a click; the page opens in the user's browser. Opening it is
consent and is answered at once. The window then waits until the server reports completion, the call ends or
the user is done.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QLabel, QWidget

from bridge.api import CANCEL, Answer, Question, Status, accept, check_url, url_safety
from desktop.lazy.time_slices import Steps
from desktop.questions.base_window import QuestionWindow, Role
from desktop.theme.colours import current
from desktop.theme.painting import ButtonKind
from desktop.theme.symbols import symbol_pixmap
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import column, row, widget_with
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.text.bidi import isolate
from desktop.widgets.text.safe_text import readable
from desktop.widgets.text.text_box import TextBox


class UrlWindow(QuestionWindow):
    def fill_body(self) -> Steps:
        self._target = QUrl(self.question.url)
        self._address = self._judge()
        self._follow_up = False  # whether this window now shows the Question that follows the first
        yield None
        self.body.addWidget(FittingScroll(self._page(), name="scroll"), 1)
        self._problem = Label("", name="problem", tone=Tone.ERROR)
        self.body.addWidget(self._problem)

    def fill_buttons(self) -> None:
        if self._address.refusal is None:
            kind = ButtonKind.PLAIN if self._address.doubts else ButtonKind.PRIMARY
            self.add_button("open", self.tr("&Open in browser"), Role.AcceptRole, self._go, kind)
        self._add_copy()
        self.add_refusals()

    # called by the presenter

    def follow_status(self, status: Status) -> None:
        """Close when the visit is over."""
        if self.lingers and not self._follow_up and self.question.id not in status.visits:
            self.done(0)

    def take_follow_up(self, question: Question) -> None:
        """Take the Question whether the visit is done, for servers that do not report completion."""
        self.question = question
        self._follow_up, self.over, self.lingers = True, False, False

    def reject(self) -> None:
        """Handle Esc and closing: while waiting, keep the consent."""
        if self.lingers:
            self._leave(accept())
        else:
            super().reject()

    # consent

    def _go(self) -> None:
        if self.over:
            return
        if QDesktopServices.openUrl(self._target):
            self._wait()
            return
        self._problem.show_text(
            self.tr("No browser could be opened. You can copy the address and open it yourself.")
        )
        if not self.findChildren(QWidget, "opened"):
            self.add_button("opened", self.tr("I opened it &myself"), Role.AcceptRole, self._wait)
        self.fit()

    def _wait(self) -> None:
        """Send consent and wait until the visit is over."""
        if self.over:
            return
        self.over = self.lingers = True
        self._problem.show_text("")
        self.stop_clock()
        self._intro.show_text(self.tr("The page is open in your browser. Come back here when you are done."))
        self._drop_buttons()
        self.hide_refusals()
        done = self.add_button("done", self.tr("&Done"), Role.AcceptRole, self._leave_done)
        again = partial(QDesktopServices.openUrl, self._target)
        self.add_button("again", self.tr("&Open again"), Role.ActionRole, again)
        self._add_copy()
        cancel = partial(self._leave, CANCEL)
        button = self.add_button("cancel", self.tr("&Cancel"), Role.RejectRole, cancel)
        button.setToolTip(self.tr("Stop the task"))
        done.setFocus()
        self.fit()
        self.answered.emit(self.question.id, accept())

    def _leave_done(self) -> None:
        self._leave(accept({}) if self._follow_up else accept())

    def _leave(self, answer: Answer) -> None:
        """End the wait."""
        if self._follow_up:
            self.answer(answer)
        else:
            self.answered.emit(self.question.id, answer)
            self.lingers = False
            self.done(0)

    # the page

    def _judge(self) -> url_safety.CheckedUrl:
        """Judge the address; refuse it if Qt, which opens it, reads another host."""
        address = check_url(self.question.url)
        host = address.host.strip("[]").lower()
        read = self._target.host(QUrl.ComponentFormattingOption.FullyEncoded)
        same = self._target.isValid() and read in (host, bytes(QUrl.toAce(host).data()).decode())
        if address.refusal is None and not same:
            return url_safety.CheckedUrl(address.text, refusal=url_safety.UrlRefusal.MALFORMED)
        return address

    def _page(self) -> QWidget:
        """Return the address and the remarks about it."""
        self._intro = Label(self._wish(), name="intro", bold=True)
        url = TextBox(readable(self.question.url), name="url", lines=10, least=10)
        url.setAccessibleName(self.tr("Address"))
        address = self._address
        url.set_bold(address.end - len(address.site), address.end)
        remarks: list[QWidget] = []
        if address.refusal is not None:
            remarks.append(self._remark("refusal", self._why_not(address.refusal), Tone.ERROR))
        for doubt in _essential(address.doubts):
            remarks.append(self._remark(doubt.name.lower(), self._warning(doubt), Tone.WARNING))
        return widget_with(column(self._intro, url, *remarks, 1))

    def _wish(self) -> str:
        if not self._address.site:
            return self.tr("Wants to open this address:")
        return self.tr("Wants to open {site}").format(site=isolate(_with_punycode(self._address.site)))

    def _remark(self, name: str, text: str, tone: Tone) -> QWidget:
        """Return a sentence with a warning icon."""
        sign = QLabel()
        sign.setAccessibleName(self.tr("Warning"))
        size = self.fontMetrics().height()
        colour = current().error if tone is Tone.ERROR else current().warning
        sign.setPixmap(symbol_pixmap("triangle-alert", colour, size))
        return widget_with(row(column(sign, 1), (Label(text, name=name, tone=tone), 1)))

    def _add_copy(self) -> None:
        copy = partial(QGuiApplication.clipboard().setText, self._address.text)
        self.add_button("copy", self.tr("Co&py address"), Role.ActionRole, copy)

    def _why_not(self, refusal: url_safety.UrlRefusal) -> str:
        return {
            url_safety.UrlRefusal.SCHEME: self.tr("This is not a web page, so Deskbell will not open it."),
            url_safety.UrlRefusal.MALFORMED: self.tr(
                "This address is malformed, so Deskbell will not open it."
            ),
            url_safety.UrlRefusal.NOT_ENCRYPTED: self.tr(
                "The connection would not be encrypted, so Deskbell will not open it."
            ),
        }[refusal]

    def _warning(self, doubt: url_safety.UrlWarning) -> str:
        spelled, scripts = readable(self._address.spelled), ", ".join(self._address.scripts)
        if scripts:
            spelled = f"{spelled} ({scripts})"
        return {
            url_safety.UrlWarning.USERINFO: self.tr(
                "The address starts with a user name. This is often done to hide the real site."
            ),
            url_safety.UrlWarning.BARE_ADDRESS: self.tr(
                "The site has no name, only a number. Real services rarely do that."
            ),
            url_safety.UrlWarning.INTERNATIONAL: self.tr(
                "Careful: this address uses letters that look like others: {name}"
            ).format(name=isolate(spelled)),
            url_safety.UrlWarning.MIXED_SCRIPT: self.tr(
                "The site's name mixes several scripts. This is often done to look like another site."
            ),
            url_safety.UrlWarning.LOOKALIKE: self.tr(
                "Careful: this address uses look-alike letters: {name}. It is not {other}."
            ).format(name=isolate(spelled), other=isolate(self._address.resembles)),
            url_safety.UrlWarning.ODD_PORT: self.tr("This address uses an unusual port."),
        }[doubt]


def _essential(doubts: Iterable[url_safety.UrlWarning]) -> list[url_safety.UrlWarning]:
    """Leave out what the warning of a look-alike says too."""
    warnings = list(doubts)
    same = (url_safety.UrlWarning.INTERNATIONAL, url_safety.UrlWarning.MIXED_SCRIPT)
    if url_safety.UrlWarning.LOOKALIKE not in warnings:
        return warnings
    return [one for one in warnings if one not in same]


def _with_punycode(site: str) -> str:
    """Return the site with its Punycode if it is not ASCII: no look-alike has the same."""
    return site if site.isascii() else f"{site} ({url_safety.destination(site)})"
