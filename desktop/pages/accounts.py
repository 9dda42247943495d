"""The Accounts page: Bluesky accounts, sign-in by one click, the default account, sign-out.

Drawn from Status; actions call AccountService. It never sees a token; an app password is passed on to the
bridge and not kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFormLayout,
    QHBoxLayout,
    QLayout,
    QLineEdit,
    QMessageBox,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from bridge.api import APP_PASSWORDS, AccountStatus
from desktop.language import label_text
from desktop.pages.base_page import Page
from desktop.widgets.avatar import Avatar
from desktop.widgets.bidi import isolate
from desktop.widgets.confirm_box import confirm
from desktop.widgets.disclosure import Disclosure
from desktop.widgets.labels import Label, Tone
from desktop.widgets.message_bar import make_button
from desktop.widgets.safe_text import one_line
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.section import Section
from desktop.widgets.time_text import format_time

if TYPE_CHECKING:
    from bridge.api import AccountService


class AccountsPage(Page):
    def __init__(self, accounts: AccountService, parent: QWidget | None = None) -> None:
        super().__init__("accounts", parent)
        self._service = accounts
        self.shown.connect(accounts.look_for_pictures)
        self._asking: QMessageBox | None = None
        empty = self.tr("No accounts yet. Sign in with your browser below.")
        self._list = Section("accountList", self.tr("Signed in to Bluesky"), empty)
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
        self._autoreply.setVisible(bluesky.autoreply)

    def _where_secrets_are(self) -> str:
        vault = self._status.vault
        if vault.state == "asking":
            return self.tr("Your keyring waits for you to unlock it, in a window of its own.")
        if vault.problem:
            return self.tr("Sign-ins cannot be kept: {why}").format(why=isolate(label_text(vault.problem)))
        if not vault.store:
            return ""
        kept = self.tr("Sign-ins are kept in the vault.") if vault.store != "refuse" else ""
        return f"{kept} {label_text(vault.limits)}".strip()

    # --- parts -----------------------------------------------------------------------------------------

    def _build(self) -> None:
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(20, 18, 20, 8)
        rows.setSpacing(16)
        self._problem = Label("", name="problem", tone=Tone.ERROR, selectable=True)
        self._done = Label("", name="done", bold=True)
        self._store = Label("", name="store", tone=Tone.MUTED)
        for part in (self._list, self._problem, self._done, self._progress_part(), self._ways_part()):
            rows.addWidget(part)
        rows.addWidget(self._store)
        rows.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(FittingScroll(content, name="scroll"), 1)

    def _progress_part(self) -> QWidget:
        self._progress = QWidget()
        column = QVBoxLayout(self._progress)
        column.setContentsMargins(0, 0, 0, 0)
        self._step = Label("", name="step")
        column.addWidget(self._step)
        bar = QProgressBar()
        bar.setObjectName("bar")
        bar.setRange(0, 0)
        bar.setTextVisible(False)
        bar.setAccessibleName(self.tr("Signing in"))
        row = QHBoxLayout()
        row.addWidget(bar, 1)
        self._copy = make_button("copyAddress", self.tr("C&opy address"), self._copy_address)
        self._copy.setToolTip(self.tr("The page to sign in on, if your browser did not open it"))
        row.addWidget(self._copy)
        row.addWidget(make_button("cancel", self.tr("&Cancel"), self._service.cancel))
        column.addLayout(row)
        self._progress.hide()
        return self._progress

    def _ways_part(self) -> QWidget:
        """Return the sign-in button, with the other ways folded below it."""
        self._ways = QWidget()
        column = QVBoxLayout(self._ways)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        sign_in = make_button("signIn", self.tr("&Sign in with your browser"), self._sign_in)
        sign_in.setAccessibleDescription(
            self.tr("Opens your server's own page. Deskbell never sees a password.")
        )
        row = QHBoxLayout()
        row.addWidget(sign_in)
        hint = self.tr("Recommended. Deskbell never sees your password.")
        row.addWidget(Label(hint, tone=Tone.MUTED), 1)
        column.addLayout(row)
        more = Disclosure(self.tr("Other &ways"), "", name="otherWays")
        column.addWidget(more)
        others = self._others()
        others.hide()
        column.addWidget(others)
        more.toggled.connect(others.setVisible)
        return self._ways

    def _others(self) -> QWidget:
        part = QWidget()
        column = QVBoxLayout(part)
        column.setContentsMargins(0, 0, 0, 0)
        said = self.tr(
            "With a server of your own, name your handle and leave the password empty. An app password is "
            "NOT your main password: create one at {address}"
        )
        column.addWidget(Label(said.format(address=APP_PASSWORDS), tone=Tone.MUTED, selectable=True))
        form = QFormLayout()
        form.setHorizontalSpacing(12)
        self._handle = self._line("handle", self.tr("Handle"), "alice.bsky.social")
        self._password = self._line("password", self.tr("App password"), "xxxx-xxxx-xxxx-xxxx")
        self._password.setEchoMode(QLineEdit.EchoMode.Password)
        form.addRow(self.tr("&Handle"), self._handle)
        form.addRow(self.tr("&App password"), self._password)
        column.addLayout(form)
        row = QHBoxLayout()
        row.addWidget(make_button("signInWith", self.tr("Sign &in"), self._sign_in_with))
        self._autoreply = make_button("autoreply", self.tr("From auto&reply…"), self._ask_for_autoreply)
        row.addWidget(self._autoreply)
        row.addStretch(1)
        column.addLayout(row)
        return part

    def _line(self, name: str, title: str, example: str) -> QLineEdit:
        line = QLineEdit()
        line.setObjectName(name)
        line.setAccessibleName(title)
        line.setPlaceholderText(example)
        line.returnPressed.connect(self._sign_in_with)
        return line

    def _account(self, account: AccountStatus) -> QLayout:
        handle = f"@{one_line(account.handle, 60)}"
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(Avatar(account.avatar, handle, account.did), 0, Qt.AlignmentFlag.AlignTop)
        text = QVBoxLayout()
        text.setSpacing(1)
        mark = self.tr("{handle} · default").format(handle=isolate(handle)) if account.default else handle
        text.addWidget(Label(mark, name=f"name:{account.did}", bold=True))
        text.addWidget(Label(one_line(account.did, 120), tone=Tone.MUTED, selectable=True))
        text.addWidget(Label(self._facts(account), name=f"facts:{account.did}", tone=Tone.MUTED))
        if account.problem:
            again = self.tr("Please sign in again. {why}").format(why=isolate(label_text(account.problem)))
            text.addWidget(Label(again, name=f"problem:{account.did}", tone=Tone.WARNING))
        text.addStretch(1)
        row.addLayout(text, 1)
        row.addLayout(self._buttons(account, handle))
        return row

    def _facts(self, account: AccountStatus) -> str:
        method = self.tr("OAuth") if account.method == "oauth" else self.tr("app password")
        used = self.tr("not used yet")
        if account.used:
            used = self.tr("last used {when}").format(when=format_time(account.used))
        server = one_line(urlsplit(account.pds).netloc, 60)
        return " · ".join(part for part in (method, isolate(server), used) if part)

    def _buttons(self, account: AccountStatus, handle: str) -> QLayout:
        did = account.did
        column = QVBoxLayout()
        if account.problem:
            again = make_button(f"again:{did}", self.tr("Sign in again"), lambda: self._service.sign_in(did))
            column.addWidget(self._named(again, self.tr("Sign in again as {name}"), handle))
        if not account.default:
            default = make_button(
                f"default:{did}", self.tr("Make default"), lambda: self._service.make_default(did)
            )
            column.addWidget(self._named(default, self.tr("Make {name} the default"), handle))
        delete = make_button(f"delete:{did}", self.tr("Sign out…"), lambda: self._ask_to_delete(did, handle))
        column.addWidget(self._named(delete, self.tr("Sign out of {name}"), handle))
        column.addStretch(1)
        return column

    def _named(self, button: QPushButton, words: str, handle: str) -> QPushButton:
        button.setAccessibleName(words.format(name=handle))
        return button

    # --- what the person wants ---------------------------------------------------------------------------

    def _sign_in(self) -> None:
        self._service.sign_in()

    def _sign_in_with(self) -> None:
        handle, password = self._handle.text().strip(), self._password.text()
        self._password.clear()
        if password and not handle:
            self._handle.setFocus()
            self._problem.show_text(self.tr("Please name your handle too."))
            return
        self._service.sign_in(handle, password=password)

    def _copy_address(self) -> None:
        QGuiApplication.clipboard().setText(self._status.bluesky.url)

    def _ask_to_delete(self, did: str, handle: str) -> None:
        title = self.tr("Sign out of {name}?").format(name=handle)
        text = self.tr(
            "Deskbell signs out and forgets the account. Your posts and the account itself stay as they are."
        )
        self._ask(title, text, self.tr("&Sign out"), lambda: self._service.delete(did))

    def _ask_for_autoreply(self) -> None:
        title = self.tr("Read the accounts that autoreply has saved?")
        text = self.tr(
            "Deskbell reads autoreply's entries in your system's keyring, once, and signs in with them. "
            "autoreply itself may ask you to sign in again."
        )
        self._ask(title, text, self.tr("&Read them"), self._service.read_autoreply)

    def _ask(self, title: str, text: str, yes: str, act: Callable[[], object]) -> None:
        self._asking = confirm(self, title, text, yes, act)
