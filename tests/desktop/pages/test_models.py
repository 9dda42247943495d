"""Models are added, tried and removed; servers are allowed to use them, within limits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QMessageBox, QSpinBox
from pytestqt.qtbot import QtBot

from bridge.api import ModelStatus, ModelTrial, Status
from desktop.pages.models.model_dialog import ModelDialog
from desktop.pages.models.page import ModelsPage
from tests.desktop import samples
from tests.desktop.service_calls import ServiceCalls


@pytest.fixture
def page(qtbot: QtBot, calls: ServiceCalls) -> ModelsPage:
    made = ModelsPage(calls.services)
    qtbot.addWidget(made)
    made.resize(900, 900)
    made.draw(samples.MODELS)
    made.show()
    QCoreApplication.processEvents()
    return made


def words(page: ModelsPage) -> str:
    QCoreApplication.processEvents()
    return "\n".join(label.accessibleName() for label in page.findChildren(QLabel) if label.isVisible())


def press(page: ModelsPage, name: str) -> None:
    QCoreApplication.processEvents()
    next(one for one in page.findChildren(QAbstractButton, name) if one.isVisible()).click()


def dialog(page: ModelsPage) -> ModelDialog:
    return page.findChildren(ModelDialog)[-1]


def line(page: ModelsPage, name: str) -> QLineEdit:
    return dialog(page).findChildren(QLineEdit, name)[0]


def at(**changes: object) -> Status:
    return replace(samples.MODELS, models=replace(samples.MODELS.models, **changes))  # type: ignore[arg-type]


def test_models_are_shown_with_place_users_and_what_servers_used(page: ModelsPage) -> None:
    shown = words(page)
    for expected in (
        "qwen3 · OpenAI-compatible · on this computer",
        "claude-opus-4-5 · Anthropic · api.anthropic.com",
        "For every server",
        "For github",
        "It answered: “Hello there!”",
        "May use local, claude",
        "214 requests",
        "llama3.2:3b",
    ):
        assert expected in shown


def test_a_model_is_tried_and_its_failure_is_told_in_words(page: ModelsPage, calls: ServiceCalls) -> None:
    press(page, "try:claude")
    assert calls.of("models.try_model") == [["claude"]]
    page.draw(at(trial=ModelTrial("claude")))
    assert "Waiting for its answer…" in words(page)
    page.draw(at(trial=ModelTrial("claude", problem="The model claude is out of credit.")))
    assert "The model claude is out of credit." in words(page)


def test_this_computer_is_searched_on_a_click_only(page: ModelsPage, calls: ServiceCalls) -> None:
    assert calls.of("models.look") == []
    press(page, "lookForModels")
    assert calls.of("models.look") == [[]]
    page.draw(at(looking=True, found=()))
    assert "Looking…" in words(page)
    page.draw(at(found=()))
    assert "No further models found on this computer." in words(page)


def test_a_model_that_was_found_is_added_under_a_name_of_its_own(
    page: ModelsPage, calls: ServiceCalls
) -> None:
    press(page, "addFound:llama3.2:3b")
    assert line(page, "modelName").text() == "llama3-2-3b"
    press(page, "saveModel")
    (saved, new_key), *_ = calls.of("models.save")
    assert (saved.kind, saved.url, saved.servers) == ("ollama", "http://127.0.0.1:11434", ("*",))
    assert new_key is False


def test_a_model_is_added_by_hand_and_its_key_goes_to_the_vault(
    page: ModelsPage, calls: ServiceCalls
) -> None:
    press(page, "addModel")
    press(page, "saveModel")
    assert "Please give a name" in words(page)
    line(page, "modelName").setText("local")
    line(page, "modelId").setText("gpt")
    press(page, "saveModel")
    assert "already a model with this name" in words(page)
    line(page, "modelName").setText("far")
    kind = dialog(page).findChildren(QComboBox, "modelKind")[0]
    kind.setCurrentIndex(1)
    kind.activated.emit(1)
    line(page, "modelKey").setText("sk-1")
    line(page, "modelServers").setText("github, files")
    press(page, "saveModel")
    assert calls.of("servers.set_secret") == [["models/far", "sk-1"]]
    wanted = ModelStatus(
        "far", "anthropic", "https://api.anthropic.com", "gpt", servers=("github", "files"), tools=True
    )
    assert calls.of("models.save") == [[wanted, True]]


def test_a_model_that_is_edited_keeps_its_key(page: ModelsPage, calls: ServiceCalls) -> None:
    press(page, "edit:claude")
    assert line(page, "modelName").isReadOnly()
    line(page, "modelId").setText("claude-next")
    press(page, "saveModel")
    (saved, new_key), *_ = calls.of("models.save")
    assert (saved.model, saved.has_key, new_key, saved.price_out) == ("claude-next", True, False, 25.0)
    assert calls.of("servers.set_secret") == []


def test_a_model_is_removed_after_a_second_click(page: ModelsPage, calls: ServiceCalls, qtbot: QtBot) -> None:
    press(page, "remove:claude")
    box = page.findChildren(QMessageBox)[0]
    qtbot.waitUntil(box.isVisible)
    assert calls.of("models.remove") == []
    next(one for one in box.buttons() if "Remove" in one.text()).click()
    assert calls.of("models.remove") == [["claude"]]


def test_a_server_is_sent_without_asking_and_in_the_background_by_switches(
    page: ModelsPage, calls: ServiceCalls
) -> None:
    press(page, "allow:github")
    press(page, "background:linear")
    assert calls.of("models.set_server") == [["allow", "github", False], ["background", "linear", True]]


def test_limits_and_answers_are_settings(page: ModelsPage, calls: ServiceCalls) -> None:
    hours = page.findChildren(QSpinBox, "limit:requests_per_hour")[0]
    assert hours.value() == 100
    hours.setValue(7)
    hours.editingFinished.emit()
    press(page, "checkAnswers")
    press(page, "person")
    assert calls.of("models.change") == [["requests_per_hour", 7], ["check_answers", True], ["person", True]]


def test_what_could_not_be_saved_is_said(page: ModelsPage) -> None:
    page.draw(at(problem="url cannot be 'x'."))
    assert "url cannot be 'x'." in words(page)
