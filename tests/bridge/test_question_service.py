"""What a person does with a waiting question is in the next Status: windows follow nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.api import CANCEL
from tests.bridge.running_app import House, house


@pytest.fixture
def deskbell(tmp_path: Path) -> Iterator[House]:
    with house(tmp_path) as built:
        yield built


@pytest.fixture
def question(deskbell: House) -> Iterator[str]:
    """The id of a question that waits."""
    connection = deskbell.connect()
    headers = {"Authorization": f"Bearer {deskbell.home.read_token()}"}
    connection.request("POST", "/functions/elicit_confirm", json.dumps({"message": "Sure?"}), headers)
    deskbell.until(lambda: deskbell.asked)
    yield deskbell.asked[0].id
    connection.close()


def test_a_refusal_can_be_undone_and_windows_learn_both_at_once(deskbell: House, question: str) -> None:
    service = deskbell.bridge.questions
    service.answer(question, CANCEL, 3600.0)
    deskbell.until(lambda: [one.question.id for one in deskbell.bridge.status.undoable] == [question])
    assert deskbell.bridge.status.waiting == ()
    service.undo(question)
    deskbell.until(lambda: [one.id for one in deskbell.bridge.status.waiting] == [question])
    assert deskbell.bridge.status.undoable == ()


def test_windows_learn_that_a_clock_stands_still_goes_on_or_has_more_time(
    deskbell: House, question: str
) -> None:
    service = deskbell.bridge.questions

    def deadline() -> float:
        return deskbell.bridge.status.waiting[0].deadline

    before = deadline()
    service.add_time(question, 300.0)
    deskbell.until(lambda: deadline() > before + 200)
    service.working_on(question, True)
    deskbell.until(lambda: not deadline())
    service.working_on(question, False)
    deskbell.until(deadline)
    service.set_presence(False)
    deskbell.until(lambda: not deadline())
    service.set_presence(True)
    deskbell.until(deadline)
