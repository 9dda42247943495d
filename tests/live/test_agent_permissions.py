"""`desk_permission` with real applications, run unattended: what the person decides is what happens.

`claude -p --permission-prompt-tool`, and the hooks of others, with a model that follows a script
(tests/rigs/ai_hosts).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.rigs.ai_hosts.programs import PROGRAMS
from tests.rigs.ai_hosts.session import KINDS, PERMISSIONS, Kind, Outcome, run_kind

pytestmark = pytest.mark.skipif(
    not all(PROGRAMS[name].installed for name in PERMISSIONS), reason="python -m tests.rigs.ai_hosts install"
)
TOUCH = {"command": "touch made && echo Ada", "description": "Makes a file"}
PROMPT = ("--permission-prompt-tool", "mcp__deskbell__desk_permission")
DRINKS = {
    "question": "What would you like?",
    "header": "Drink",
    "options": [{"label": "Tea", "description": "green"}, {"label": "Coffee", "description": "black"}],
    "multiSelect": False,
}


def decided(
    folder: Path, answer: Mapping[str, Any], tool: str = "Bash", arguments: Any = TOUCH, **more: Any
) -> Outcome:
    words = (*PROMPT, *more.pop("words", ()))
    kind = Kind(tool, dict(arguments), "Ada", words=words, answer=answer, **more)
    return run_kind("claude-code", kind, folder)


def made(folder: Path) -> bool:
    return (folder / "work" / "made").exists()


def test_allow_once_asks_again_the_next_time(tmp_path: Path) -> None:
    outcome = decided(tmp_path, {"decision": "once"}, times=2)
    assert (outcome.asked, outcome.results, made(tmp_path)) == (2, ["Ada", "Ada"], True)


def test_allow_for_this_run_asks_once_and_leaves_no_rule(tmp_path: Path) -> None:
    outcome = decided(tmp_path, {"decision": "run"}, times=2)
    assert (outcome.asked, outcome.results) == (1, ["Ada", "Ada"])
    assert "agent:" not in (tmp_path / "desk" / "config.toml").read_text()


def test_allow_always_leaves_a_rule_for_exactly_this_command(tmp_path: Path) -> None:
    outcome = decided(tmp_path, {"decision": "always"}, times=2)
    assert (outcome.asked, outcome.results) == (1, ["Ada", "Ada"])
    assert "agent:Bash(touch made && echo Ada)" in (tmp_path / "desk" / "config.toml").read_text()


def test_the_model_reads_why_it_was_denied(tmp_path: Path) -> None:
    outcome = decided(tmp_path, {"decision": "deny", "reason": "Not on a Sunday."})
    assert (outcome.asked, made(tmp_path)) == (1, False)
    assert "Not on a Sunday." in outcome.results[0]


def test_a_command_that_the_person_changed_is_the_one_that_runs(tmp_path: Path) -> None:
    outcome = decided(tmp_path, {"decision": "once", "command": "echo Bob"})
    assert (outcome.results, made(tmp_path)) == (["Bob"], False)


def test_stop_ends_the_run(tmp_path: Path) -> None:
    outcome = decided(tmp_path, {"decision": "stop"})
    assert (outcome.exit_code, made(tmp_path)) == (1, False)


def test_its_own_question_is_a_form_and_the_model_reads_the_answer(tmp_path: Path) -> None:
    answer = {"choice0": "Coffee", "text0": ""}
    outcome = decided(tmp_path, answer, "AskUserQuestion", {"questions": [DRINKS]})
    assert outcome.asked == 1
    assert "Coffee" in outcome.results[0]


def writes_plan(request: str) -> tuple[str, dict[str, str]]:
    """Return the call that writes the plan into the file that Claude Code reads it from."""
    file = re.search(r"/[^\s\"\\]+/plans/[^\s\"\\]+\.md", request)
    assert file
    return "Write", {"file_path": file[0], "content": "1. Make a file."}


def test_a_plan_is_shown_and_goes_back_with_what_to_change(tmp_path: Path) -> None:
    answer = {"decision": "deny", "reason": "Shorter, please."}
    words = ("--permission-mode", "plan")
    outcome = decided(tmp_path, answer, "ExitPlanMode", {}, words=words, first=writes_plan)
    assert outcome.asked == 1
    assert "Shorter, please." in outcome.results[1]
    assert "Make a file" in (tmp_path / "questions.jsonl").read_text()


# --- by a hook -------------------------------------------------------------------------------------------


def hooked(name: str, folder: Path, answer: Mapping[str, Any]) -> Outcome:
    return run_kind(name, replace(PERMISSIONS[name], answer=answer), folder)


@pytest.mark.parametrize("name", PERMISSIONS)
def test_a_model_behind_a_hook_reads_why_it_was_denied(name: str, tmp_path: Path) -> None:
    outcome = hooked(name, tmp_path, {"decision": "deny", "reason": "Not on a Sunday."})
    assert "Not on a Sunday." in outcome.results[0]
    assert not made(tmp_path)


@pytest.mark.parametrize("name", ["claude-code", "codex", "gemini"])
def test_a_command_changed_behind_a_hook_is_the_one_that_runs(name: str, tmp_path: Path) -> None:
    outcome = hooked(name, tmp_path, {"decision": "once", "command": "echo Bob"})
    assert "Bob" in outcome.results[0]
    assert not made(tmp_path)


@pytest.mark.parametrize("name", ["copilot", "gemini"])
def test_stop_behind_a_hook_ends_the_run(name: str, tmp_path: Path) -> None:
    outcome = hooked(name, tmp_path, {"decision": "stop"})
    assert outcome.results == []
    assert not made(tmp_path)


@pytest.mark.parametrize("name", ["codex", "copilot", "gemini", "qwen"])
def test_for_our_own_tools_no_permission_is_asked(name: str, tmp_path: Path) -> None:
    words = PERMISSIONS[name].words
    outcome = run_kind(name, replace(KINDS["form"], approvals=True, words=words), tmp_path)
    assert (outcome.asked, outcome.reached) == (1, True), str(outcome)
