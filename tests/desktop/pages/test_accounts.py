"""The accounts window draws Status; what the person wants leaves as a signal, once they are sure."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QMessageBox
from pytestqt.qtbot import QtBot

from bridge.api import AccountsStatus, Status, VaultStatus
from desktop.pages.accounts import AccountsPage
from desktop.tray.tray import Tray
from desktop.widgets.avatar import Avatar
from tests.desktop import samples
from tests.desktop.samples import ACCOUNTS, ALICE, BOB
from tests.desktop.service_calls import ServiceCalls


@pytest.fixture
def window(qtbot: QtBot, calls: ServiceCalls) -> AccountsPage:
    made = AccountsPage(calls.services)
    qtbot.addWidget(made)
    made.show()
    return made


def words(window: AccountsPage) -> str:
    QCoreApplication.processEvents()  # a layout shows what was added to it when control returns to the loop
    return "\n".join(label.accessibleName() for label in window.findChildren(QLabel) if label.isVisible())


def button(window: AccountsPage, name: str) -> QAbstractButton:
    QCoreApplication.processEvents()
    return next(one for one in window.findChildren(QAbstractButton, name) if one.isVisible())


def line(window: AccountsPage, name: str) -> QLineEdit:
    return window.findChildren(QLineEdit, name)[0]


def test_who_is_signed_in_how_where_and_since_when(window: AccountsPage) -> None:
    assert "No accounts yet" in words(window)
    window.draw(ACCOUNTS)
    shown = words(window)
    for expected in (
        "@alice.bsky.social · default",
        "signed in by browser · morel.us-east.host.bsky.network · last used",
        "@bob.example.org",
        "app password · pds.example.org",
        "not used yet",
        "Please sign in again. The app password no longer works.",
        "Sign-ins are stored in your keychain.",
    ):
        assert expected in shown
    assert "did:" not in shown


@pytest.mark.parametrize(
    ("store", "told"),
    [("keyring", "in your keychain"), ("file", "in an encrypted file"), ("memory", "when Deskbell quits")],
)
def test_it_says_where_sign_ins_are_stored(window: AccountsPage, store: str, told: str) -> None:
    window.draw(replace(ACCOUNTS, vault=replace(ACCOUNTS.vault, store=store)))
    assert told in words(window)


def test_one_click_signs_in_and_there_is_progress_to_be_cancelled(
    window: AccountsPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    with calls.expected("accounts.sign_in") as wanted:
        button(window, "signIn").click()
    assert wanted.args == []
    window.draw(samples.signing_in())
    assert "Waiting for you to sign in with your browser…" in words(window)
    assert not [one for one in window.findChildren(QAbstractButton, "signIn") if one.isVisible()]
    button(window, "copyAddress").click()
    assert QGuiApplication.clipboard().text() == "https://bsky.social/oauth/authorize"
    with calls.expected("accounts.cancel"):
        button(window, "cancel").click()
    window.draw(replace(ACCOUNTS, bluesky=AccountsStatus(problem="Not signed in: You said no.")))
    assert "Not signed in: You said no." in words(window)


def test_an_app_password_is_masked_sent_once_and_forgotten(
    window: AccountsPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    window.draw(ACCOUNTS)
    button(window, "otherWays").click()
    assert "never use your main password" in words(window)
    password = line(window, "password")
    assert password.echoMode() is QLineEdit.EchoMode.Password
    password.setText("abcd-efgh-ijkl-mnop")
    with calls.forbidden("accounts.sign_in"):
        button(window, "signInWith").click()
    assert "enter your handle" in words(window)
    line(window, "handle").setText(" bob.example.org ")
    password.setText("abcd-efgh-ijkl-mnop")
    with calls.expected("accounts.sign_in") as wanted:
        qtbot.keyClick(password, Qt.Key.Key_Return)
    assert wanted.args == ["bob.example.org", "abcd-efgh-ijkl-mnop"]
    assert password.text() == ""


def test_a_keyring_that_asks_is_told_beside_the_progress_and_can_be_cancelled(window: AccountsPage) -> None:
    window.draw(replace(samples.signing_in(), vault=VaultStatus("keyring", "asking")))
    assert "Unlock your keychain" in words(window)
    assert button(window, "cancel").isVisible()


@pytest.mark.parametrize("sure", [True, False])
def test_an_account_is_deleted_only_by_someone_who_is_sure(
    window: AccountsPage, calls: ServiceCalls, sure: bool
) -> None:
    window.draw(ACCOUNTS)
    button(window, f"delete:{BOB.did}").click()
    box = window.findChildren(QMessageBox, "sure")[0]
    assert "@bob.example.org" in box.text()
    agree, keep = box.buttons()
    assert box.defaultButton() is keep
    (agree if sure else keep).click()
    assert calls.of("accounts.delete") == ([[BOB.did]] if sure else [])


def test_another_default_and_signing_in_again(
    window: AccountsPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    window.draw(ACCOUNTS)
    with calls.expected("accounts.make_default") as chosen:
        button(window, f"default:{BOB.did}").click()
    with calls.expected("accounts.sign_in") as again:
        button(window, f"again:{BOB.did}").click()
    assert (chosen.args, again.args) == ([BOB.did], [BOB.did])


def test_without_accounts_it_says_what_signing_in_brings(window: AccountsPage) -> None:
    window.draw(replace(ACCOUNTS, bluesky=AccountsStatus()))
    assert "No accounts yet" in words(window)
    window.draw(ACCOUNTS)
    assert "No accounts yet" not in words(window)


def test_everything_that_can_be_pressed_has_a_name(window: AccountsPage) -> None:
    window.draw(ACCOUNTS)
    button(window, "otherWays").click()
    for one in window.findChildren(QAbstractButton):
        assert one.accessibleName() or one.text(), one.objectName()
    assert button(window, f"delete:{BOB.did}").accessibleName() == "Sign out of @bob.example.org"
    assert line(window, "handle").accessibleName() == "Handle"


def test_pictures_are_looked_for_when_the_page_is_turned_to(qtbot: QtBot, calls: ServiceCalls) -> None:
    page = AccountsPage(calls.services)
    qtbot.addWidget(page)
    with calls.expected("accounts.look_for_pictures"):
        page.show()


def test_a_picture_is_shown_and_a_broken_one_is_a_letter(qtbot: QtBot, tmp_path: Path) -> None:
    red = QImage(300, 200, QImage.Format.Format_RGB32)
    red.fill(QColor("#ff0000"))
    red.save(str(tmp_path / "red.png"))
    (tmp_path / "broken").write_bytes(b"\x89PNG\r\n\x1a\nnonsense")
    colours = {}
    for name in ("red.png", "broken", "missing"):
        portrait = Avatar("@alice.test", size=44, path=str(tmp_path / name), round_=True, key="did:plc:x")
        qtbot.addWidget(portrait)
        colours[name] = portrait.pixmap().toImage().pixelColor(22, 3).name()
    assert colours["red.png"] == "#ff0000"
    assert colours["broken"] == colours["missing"] != "#ff0000"


def test_a_finished_sign_in_is_announced_by_the_tray_once(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    tray, said = Tray(), []
    monkeypatch.setattr(tray._icon, "isVisible", lambda: True)
    monkeypatch.setattr(tray._icon, "showMessage", lambda title, text, icon: said.append(text))
    done = Status(bluesky=AccountsStatus(done="✓ Logged in as @alice.test"))
    for status in (done, done, replace(done, version="1")):
        tray.draw(status)
    assert said == ["✓ Logged in as @alice.test"]


def test_a_sign_in_that_has_ended_is_announced_by_the_tray_once(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    tray, said = Tray(), []
    monkeypatch.setattr(tray._icon, "isVisible", lambda: True)
    monkeypatch.setattr(tray._icon, "showMessage", lambda title, text, icon: said.append(text))
    good = replace(ALICE, problem="")
    for account in (good, replace(good, problem="It has ended."), replace(good, problem="It has ended.")):
        tray.draw(Status(bluesky=AccountsStatus(accounts=(account,))))
    assert said == [f"Please sign in to Bluesky again as @{ALICE.handle}."]
