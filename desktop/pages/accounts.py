"""The Accounts page: Bluesky accounts, sign-in by one click, the default account, sign-out.

Drawn from Status; actions call AccountService. It never sees a token; an app password is passed on to the
bridge and not kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from urllib.parse import urlsplit

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFormLayout, QLayout, QLineEdit, QProgressBar, QPushButton, QWidget

from bridge.api import APP_PASSWORDS, AccountStatus, Services
from desktop.language import label_text
from desktop.pages.base_page import StatusPage
from desktop.theme.metrics import GRID
from desktop.theme.painting import ButtonKind
from desktop.widgets.avatar import Avatar
from desktop.widgets.controls import Disclosure, make_button, make_line
from desktop.widgets.dialogs import confirm
from desktop.widgets.empty_state import EmptyState
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import PAGE, align_labels, column, row, widget_with
from desktop.widgets.page_head import PageHead
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.section import Section
from desktop.widgets.text.bidi import isolate
from desktop.widgets.text.safe_text import one_line
from desktop.widgets.text.time_text import format_time


class AccountsPage(StatusPage):
    def __init__(self, services: Services) -> None:
        super().__init__("accounts")
        self._service = services.accounts
        self.shown.connect(services.accounts.look_for_pictures)
        self._list = Section("accountList", "", cards=True)
        self._list.grew.connect(self.grew)
        self._build()

    def _redraw(self) -> None:
        bluesky = self._status.bluesky
        accounts = bluesky.accounts
        self._list.draw({account.did: account for account in accounts}, self._account)
        self._store.show_text(self._where_secrets_are())
        busy = bool(bluesky.signing_in)
        self._progress.setVisible(busy)
        self._ways.setVisible(not busy)
        self._step.show_text(label_text(bluesky.signing_in))
        self._copy.setVisible(bool(bluesky.url))
        self._problem.show_text(label_text(bluesky.problem))
        self._done.show_text(label_text(bluesky.done))
        self._empty.setVisible(not accounts and not busy)

    def _where_secrets_are(self) -> str:
        vault = self._status.vault
        if vault.state == "asking":
            return self.tr("Unlock your keychain in the window it has opened.")
        if vault.problem:
            return self.tr("Sign-ins cannot be stored: {why}").format(why=isolate(label_text(vault.problem)))
        match vault.store:
            case "keyring":
                return self.tr("Sign-ins are stored in your keychain.")
            case "file":
                return self.tr("Sign-ins are stored in an encrypted file.")
            case "memory":
                return self.tr("Sign-ins are forgotten when Deskbell quits.")
        return ""

    # --- parts -----------------------------------------------------------------------------------------

    def _build(self) -> None:
        self._problem = Label("", name="problem", tone=Tone.ERROR, selectable=True)
        self._done = Label("", name="done", bold=True)
        self._store = Label("", name="store", tone=Tone.MUTED)
        self._progress, self._ways = self._make_progress(), self._make_ways()
        self._progress.hide()
        head = PageHead(
            self.tr("Bluesky"), self.tr("Accounts that AI apps may read and post with, once you allow it.")
        )
        words = self.tr(
            "Sign in, and AI apps can read, search and post for you. You see each post before it is sent."
        )
        self._empty = EmptyState("noAccounts", "at-sign", self.tr("No accounts yet"), words)
        parts = (self._empty, self._list, self._problem, self._done, self._progress, self._ways, self._store)
        content = widget_with(column(*parts, 1, spacing=2 * GRID))
        scroll = FittingScroll(content, name="scroll")
        self.setLayout(column(head, (scroll, 1), margins=PAGE, spacing=2 * GRID))

    def _make_progress(self) -> QWidget:
        self._step = Label("", name="step")
        bar = QProgressBar()
        bar.setObjectName("bar")
        bar.setRange(0, 0)
        bar.setTextVisible(False)
        bar.setAccessibleName(self.tr("Signing in"))
        self._copy = make_button("copyAddress", self.tr("C&opy address"), self._copy_address)
        self._copy.setToolTip(self.tr("The page to sign in on, if your browser did not open it"))
        cancel = make_button("cancel", self.tr("&Cancel"), self._service.cancel)
        return widget_with(column(self._step, row((bar, 1), self._copy, cancel)))

    def _make_ways(self) -> QWidget:
        """Return the sign-in button, with the other ways folded below it."""
        about = self.tr("Opens your server's own page. Deskbell never sees a password.")
        sign_in = make_button(
            "signIn",
            self.tr("&Sign in with your browser"),
            self._service.sign_in,
            about=about,
            kind=ButtonKind.PRIMARY,
        )
        hint = Label(self.tr("Recommended. Deskbell never sees your password."), tone=Tone.MUTED)
        more = Disclosure(self.tr("Other &ways"), "", name="otherWays")
        others = self._make_other_ways()
        others.hide()
        more.toggled.connect(others.setVisible)
        return widget_with(column(row(sign_in, (hint, 1)), more, others, spacing=10))

    def _make_other_ways(self) -> QWidget:
        hint = self.tr(
            "Enter your handle. An app password is optional – never use your main password. Create one at "
            "{address}"
        )
        form = QFormLayout()
        form.setHorizontalSpacing(12)
        self._handle = make_line("handle", self.tr("Handle"), placeholder="alice.bsky.social")
        self._password = make_line("password", self.tr("App password"), placeholder="xxxx-xxxx-xxxx-xxxx")
        self._password.setEchoMode(QLineEdit.EchoMode.Password)
        form.addRow(self.tr("&Handle"), self._handle)
        form.addRow(self.tr("&App password"), self._password)
        align_labels(form)
        for line in (self._handle, self._password):
            line.returnPressed.connect(self._sign_in_with)
        sign_in = make_button("signInWith", self.tr("Sign &in"), self._sign_in_with)
        label = Label(hint.format(address=APP_PASSWORDS), tone=Tone.MUTED, selectable=True)
        return widget_with(column(label, form, row(sign_in, 1)))

    def _account(self, account: AccountStatus) -> QLayout:
        handle = f"@{one_line(account.handle, 60)}"
        mark = self.tr("{handle} · default").format(handle=isolate(handle)) if account.default else handle
        text = [
            Label(mark, name=f"name:{account.did}", bold=True),
            Label(self._facts(account), name=f"facts:{account.did}", tone=Tone.MUTED),
        ]
        if account.problem:
            again = self.tr("Please sign in again. {why}").format(why=isolate(label_text(account.problem)))
            text.append(Label(again, name=f"problem:{account.did}", tone=Tone.WARNING))
        avatar = Avatar(handle, size=44, path=account.avatar, round_=True, key=account.did)
        picture = avatar, 0, Qt.AlignmentFlag.AlignTop
        buttons = column(*self._buttons(account, handle), 1)
        return row(picture, (column(*text, 1, spacing=1), 1), buttons, spacing=12)

    def _facts(self, account: AccountStatus) -> str:
        method = self.tr("signed in by browser") if account.method == "oauth" else self.tr("app password")
        used = self.tr("not used yet")
        if account.used:
            used = self.tr("last used {when}").format(when=format_time(account.used))
        server = one_line(urlsplit(account.pds).netloc, 60)
        return " · ".join(part for part in (method, isolate(server), used) if part)

    def _buttons(self, account: AccountStatus, handle: str) -> Iterator[QPushButton]:
        did = account.did
        if account.problem:
            spoken = self.tr("Sign in again as {name}").format(name=handle)
            again = partial(self._service.sign_in, did)
            yield make_button(f"again:{did}", self.tr("Sign in again"), again, spoken=spoken)
        if not account.default:
            spoken = self.tr("Make {name} the default").format(name=handle)
            choose = partial(self._service.make_default, did)
            yield make_button(f"default:{did}", self.tr("Make default"), choose, spoken=spoken)
        spoken = self.tr("Sign out of {name}").format(name=handle)
        delete = partial(self._ask_to_delete, did, handle)
        yield make_button(f"delete:{did}", self.tr("Sign out…"), delete, spoken=spoken)

    # --- what the person wants ---------------------------------------------------------------------------

    def _sign_in_with(self) -> None:
        handle, password = self._handle.text().strip(), self._password.text()
        self._password.clear()
        if password and not handle:
            self._handle.setFocus()
            self._problem.show_text(self.tr("Please enter your handle, too."))
            return
        self._service.sign_in(handle, password=password)

    def _copy_address(self) -> None:
        QGuiApplication.clipboard().setText(self._status.bluesky.url)

    def _ask_to_delete(self, did: str, handle: str) -> None:
        title = self.tr("Sign out of {name}?").format(name=handle)
        text = self.tr(
            "Deskbell signs out and forgets the account. Your posts and the account itself stay as they are."
        )
        confirm(self, title, text, self.tr("&Sign out"), lambda: self._service.delete(did))
