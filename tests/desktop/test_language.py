"""Windows in another language: the words are there, fit their places, and are said."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTranslator
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from bridge.api import Words
from bridge.core.words import say
from desktop.language import LANGUAGES, speak, spoken
from desktop.questions.form import FormWindow
from tests.desktop import samples

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "resources" / "translations").glob("*.ts"))


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    assert speak(qapp, "de") == "de"
    yield
    for translator in qapp.findChildren(QTranslator):
        qapp.removeTranslator(translator)
        translator.deleteLater()


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
    assert {"&Senden", "&Abbrechen"} <= buttons
    window.findChildren(QPushButton, "send")[0].click()
    field = window.findChildren(QLineEdit, "field:name")[0]
    assert "Bitte füllen Sie das aus." in field.accessibleDescription()


def test_what_is_said_of_a_value_is_said_in_german_all_through(german: None) -> None:
    words = say("Please enter at least {count}; this has {length}.", count=say("1 character"), length=0)

    assert isinstance(words, Words)
    assert spoken(words) == "Bitte geben Sie mindestens 1 Zeichen ein; es sind 0."
    assert spoken("A server's own words") == "A server's own words"


def test_an_unknown_language_and_english_change_nothing(qapp: QApplication) -> None:
    assert speak(qapp, "en") == "en"
    assert speak(qapp, "tlh") == "en"
    assert qapp.findChildren(QTranslator) == []
