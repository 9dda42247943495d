"""Windows in another language: the words are there, fit their places, and are said."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QDate, QLocale, QTranslator
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from bridge.api import (
    AccountsStatus,
    AccountStatus,
    ServerForm,
    ServersStatus,
    ServerStatus,
    ServerView,
    Status,
    Words,
)
from bridge.i18n import say
from desktop.language import LANGUAGES, install_translators, translated
from desktop.pages.accounts import AccountsPage
from desktop.pages.home import HomePage
from desktop.pages.servers.page import ServersPage
from desktop.questions.form import FormWindow
from tests.desktop import samples

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "resources" / "translations").glob("*.ts"))


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    assert install_translators(qapp, "de") == "de"
    yield
    for translator in qapp.findChildren(QTranslator):
        qapp.removeTranslator(translator)
        translator.deleteLater()
    QLocale.setDefault(QLocale.system())


def test_the_translations_are_up_to_date_with_the_sources() -> None:
    done = subprocess.run(
        [sys.executable, "packaging/translations.py", "--check"], cwd=ROOT, capture_output=True, text=True
    )

    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_sentence_is_translated_and_keeps_its_places(file: Path) -> None:
    for message in ElementTree.parse(file).iter("message"):  # noqa: S314 - our own file
        source, translation = message.findtext("source") or "", message.find("translation")
        assert translation is not None
        assert translation.get("type") != "unfinished", source
        said = translation.text or ""
        assert sorted(re.findall(r"{\w+}", said)) == sorted(re.findall(r"{\w+}", source)), source
        assert said.count("&") == source.count("&"), source


def test_every_language_of_the_settings_is_there() -> None:
    assert {file.stem.removeprefix("deskbell_") for file in FILES} | {"en"} == set(LANGUAGES)


def test_a_window_speaks_german_and_so_do_its_errors(german: None, qtbot: QtBot) -> None:
    window = FormWindow(samples.form({"name": {"type": "string", "maxLength": 9}}, "name"))
    qtbot.addWidget(window)
    window.show()
    buttons = {button.text() for button in window.findChildren(QPushButton)}
    assert {"&Senden", "Nicht ant&worten"} <= buttons
    window.findChildren(QPushButton, "send")[0].click()
    field = window.findChildren(QLineEdit, "field:name")[0]
    assert "Bitte füllen Sie das aus." in field.accessibleDescription()


def test_days_are_written_in_the_language_of_the_windows_not_of_the_system(german: None) -> None:
    assert QLocale.system().language() is not QLocale.Language.German
    assert QLocale().toString(QDate(2026, 11, 17), "dddd") == "Dienstag"


def test_what_is_said_of_a_value_is_said_in_german_all_through(german: None) -> None:
    words = say("Please enter at least {count}; this has {length}.", count=say("1 character"), length=0)

    assert isinstance(words, Words)
    assert translated(words) == "Bitte geben Sie mindestens 1 Zeichen ein; es sind 0."
    assert translated("A server's own words") == "A server's own words"


FAR = say(
    "Could not reach {server}: {why}",
    server="far",
    why=say("nothing listens at {host}. Is it running?", host="127.0.0.1:1"),
)
IN_GERMAN = "far ist nicht zu erreichen: An 127.0.0.1:1 lauscht nichts. Läuft der Server?"


def shown(window: QWidget) -> set[str]:
    """What its labels say, however it is broken into lines."""
    return {label.accessibleName() or label.text() for label in window.findChildren(QLabel)}


def test_a_server_that_does_not_work_says_so_in_german_wherever_it_is_shown(
    german: None, qtbot: QtBot
) -> None:
    server = ServerStatus("far", "http", "failed", problem=FAR)
    look = ServerView(ServerForm("far", url="http://127.0.0.1:1/mcp"), "http", problem=FAR)
    status = Status(version="1", servers=(server,), at_servers=ServersStatus(look))
    first, servers = HomePage(samples.Past(), samples.SERVICES), ServersPage(samples.SERVICES)
    for page in (first, servers):
        qtbot.addWidget(page)
        page.show()
        page.draw(status)
    assert any(IN_GERMAN in text for text in shown(first))
    first.close_history()
    assert IN_GERMAN in shown(servers)  # where its tools would be
    card = servers.findChildren(QLabel, "problem:far")[0]
    assert card.accessibleName() == IN_GERMAN
    servers.findChildren(QTabWidget, "serverTabs")[0].setCurrentIndex(1)
    assert IN_GERMAN in {label.text() for label in servers.findChildren(QLabel, "problem")}


def test_what_a_server_said_itself_stays_as_it_is(german: None) -> None:
    ended = say("{server} ended with code {code}", server="sick", code=3)
    words = say("{title}: {message}", title=ended, message="no API key")

    assert translated(words) == "sick endete mit Code 3: no API key"


def test_an_account_whose_sign_in_has_ended_says_so_in_german(german: None, qtbot: QtBot) -> None:
    why = say("The account has moved to {host}.", host="pds.example.org")
    account = AccountStatus("did:plc:1", "alice.test", "https://a.b", "oauth", problem=why)
    page = AccountsPage(samples.SERVICES)
    qtbot.addWidget(page)
    page.show()
    page.draw(Status(version="1", bluesky=AccountsStatus((account,))))
    said = "Bitte melden Sie sich neu an. Das Konto ist zu pds.example.org umgezogen."
    assert said in shown(page)


def test_deskbells_own_question_is_asked_in_german(german: None, qtbot: QtBot) -> None:
    asked = replace(
        samples.form({"passphrase": {"type": "string"}}), message=say("Your secrets are locked. Unlock them?")
    )
    window = FormWindow(asked)
    qtbot.addWidget(window)
    assert window.accessibleDescription() == "Ihre Geheimnisse sind gesperrt. Entsperren?"


def test_an_unknown_language_and_english_change_nothing(qapp: QApplication) -> None:
    assert install_translators(qapp, "en") == "en"
    assert install_translators(qapp, "tlh") == "en"
    assert qapp.findChildren(QTranslator) == []
