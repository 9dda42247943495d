"""Requests for a model on a real desktop: seen, edited, sent, or answered by the person; by AT-SPI."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.desktop.samples import png
from tests.fixtures.model_server import ModelServer, model_server_in_thread, said
from tests.journeys.app_under_test import asking, server
from tests.journeys.hosts import result_of, said_in
from tests.live.test_desktop import PICTURES, House
from tests.rigs.atspi import Thing
from tests.rigs.desktop import MISSING, desktop

pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"no private desktop without {MISSING}")
SERVERS = server("quiz", asking("legacy")) + server("github", asking("modern"))
CITY = {"type": "object", "properties": {"city": {"type": "string", "title": "City"}}, "required": ["city"]}
SCHEMA = {"tools": [{"name": "__schema__", "inputSchema": CITY}], "toolChoice": {"mode": "required"}}
PICTURE = {"type": "image", "data": base64.b64encode(png(320, 200)).decode(), "mimeType": "image/png"}
SEEN = "The picture shows a chart."


def wanted(words: str, *more: Any, **others: Any) -> dict[str, Any]:
    blocks = [{"type": "text", "text": words}, *more]
    messages = [{"role": "user", "content": block} for block in blocks]
    return {"messages": messages, "maxTokens": 200, **others}


def opened(house: House, server: str) -> Thing:
    """Open what the card shows, and return its window."""
    house.screen.window("Deskbell: new question").find("push button", "Open").press()
    return house.screen.window(f"Question from {server}")


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with model_server_in_thread() as made:
        yield made


@pytest.fixture
def open_house(tmp_path: Path) -> Iterator[Any]:
    with desktop() as desk:
        houses: list[House] = []

        def open_house(config: str) -> House:
            houses.append(House(desk, tmp_path / "home", config + SERVERS))
            return houses[0]

        yield open_house
        for house in houses:
            house.close()


def test_several_requests_are_one_window_with_a_list(open_house: Any, model: ModelServer):
    model.script = [said(SEEN), said("Ten commits."), said("Yes.")]
    house = open_house(f'[models.local]\nkind = "openai"\nurl = "{model.url}/v1"\nmodel = "qwen3"\n')
    quiz, github = house.host("stdio", "--server", "quiz"), house.host("stdio", "--server", "github")
    first = quiz.begin_call("sample", **wanted("Describe this.", PICTURE, systemPrompt="Be careful."))
    house.screen.window("Question from quiz")
    second = github.begin_call("sample", **wanted("Sum up the commits."))
    house.screen.window("Deskbell: new question").find("push button", "Show the next question")
    window = opened(house, "quiz")

    window.find("list item", "quiz – Describe this.")
    window.find("list item", "github – Sum up the commits.")
    assert window.find("text", "System text").text == "Be careful."
    window.find("push button", "Edit").press()
    window.find("text", "User").enter("Describe this in five words.")
    window.find("check box", "Show me the answer before quiz gets it").press()
    house.desk.screenshot(PICTURES / "sampling-list.png")
    window.find("push button", "Send").press()

    window = house.screen.window("Question from github")
    window.find("list item", f"quiz – answer: {SEEN}")
    assert not first.done()
    window.find("push button", "Always for this server").press()
    assert said_in(result_of(second))["content"]["text"] == "Ten commits."

    window = house.screen.window("Question from quiz")
    window.find("text", "The model's answer").enter("A chart.")
    house.desk.screenshot(PICTURES / "sampling-answer.png")
    window.find("push button", "Use this answer").press()
    assert said_in(result_of(first))["content"]["text"] == "A chart."
    assert model.bodies[0]["messages"][1]["content"] == "Describe this in five words."
    third = github.begin_call("sample", **wanted("And now?"))
    assert said_in(result_of(third))["content"]["text"] == "Yes."  # without asking


def test_without_a_model_the_person_answers_in_words_and_by_the_form_of_a_schema(open_house: Any):
    house = open_house("")
    quiz = house.host("stdio", "--server", "quiz")
    call = quiz.begin_call("sample", **wanted("Which name is best?"))
    window = opened(house, "quiz")
    window.find("text", "Your answer").enter("Deskbell")
    house.desk.screenshot(PICTURES / "sampling-person.png")
    window.find("push button", "Send").press()
    answer = said_in(result_of(call))
    assert (answer["content"]["text"], answer["model"]) == ("Deskbell", "person")

    call = quiz.begin_call("sample", **wanted("Which city?", **SCHEMA))
    window = opened(house, "quiz")
    window.find("text", "City").enter("Rome")
    window.find("push button", "Send").press()
    answer = said_in(result_of(call))
    assert (answer["content"]["input"], answer["stopReason"]) == ({"city": "Rome"}, "toolUse")
