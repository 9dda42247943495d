"""The promise in real AI applications: every question reaches a person, every answer the model."""

from __future__ import annotations

import pytest

from tests.rigs.ai_hosts.matrix import TIMES, cells, is_kept, run_all
from tests.rigs.ai_hosts.programs import PROGRAMS
from tests.rigs.ai_hosts.session import PERMISSIONS, run

INSTALLED = [name for name, program in PROGRAMS.items() if program.installed]


@pytest.mark.skipif(not INSTALLED, reason="python -m tests.rigs.ai_hosts install")
@pytest.mark.timeout(3 * 3600)
@pytest.mark.parametrize("thinks", TIMES)
def test_every_question_reaches_a_person_and_every_answer_the_model(thinks: float) -> None:
    wanted = [cell for cell in cells(INSTALLED) if cell.thinks == thinks]
    outcomes = run_all(wanted)
    lost = [f"{cell}: {outcomes[cell]}" for cell in wanted if not is_kept(outcomes[cell])]
    assert len(outcomes) == len(wanted)
    assert not lost, "\n".join(lost)


@pytest.mark.parametrize("name", [name for name in PERMISSIONS if name in INSTALLED])
def test_an_unattended_application_asks_for_permission_here(name: str) -> None:
    """`hosts connect NAME --approvals`, and the application wants to run a command."""
    outcome = run(name, "permission")
    assert (outcome.asked, outcome.reached) == (1, True), str(outcome)
