"""`desk_permission`: what an unattended agent may do, decided by a person, in Claude Code's words."""

from __future__ import annotations

import json
from fnmatch import fnmatchcase
from typing import Any

import pytest

from bridge.core.policy.rules import Verdict
from bridge.tools.elicit_tools import DESK
from bridge.tools.permission import describe, escape_pattern, with_permission
from tests.fixtures.toolbox_host import Talk

COMMAND = {"command": "make [a-c]*", "description": "Builds all"}
RUN = {"tool_name": "Bash", "input": COMMAND}
EDIT = {"file_path": "a.py", "old_string": "x = 1\ny = 2", "new_string": "x = 1\ny = 3"}
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}}}
ALLOWED = {"behavior": "allow", "updatedInput": COMMAND}
QUESTIONS = [
    {
        "question": "Which colour?",
        "header": "Colour",
        "options": [{"label": "red", "description": "like a rose"}, {"label": "blue"}],
    },
    {"question": "Which sizes?", "options": [{"label": "S"}, {"label": "L"}], "multiSelect": True},
]


class Rules:
    """The person's rules, as in config.toml."""

    def __init__(self, verdicts: dict[str, Verdict] | None = None) -> None:
        self.verdicts = verdicts or {}
        self.allowed: list[str] = []

    def agent_verdict(self, names: tuple[str, ...], host: str) -> Verdict | None:
        return next((self.verdicts[name] for name in names if name in self.verdicts), None)

    def allow_agent(self, pattern: str, host: str) -> None:
        self.allowed.append(pattern)


def agent(rules: Rules | None = None) -> Talk:
    return Talk(with_permission(DESK, rules or Rules()))


async def decision(talk: Talk, *answers: Any, **asked: Any) -> dict[str, Any]:
    """What the agent reads; `answers` are what the person says to each question."""
    result = await talk.call_answering("permission", *answers, **asked)
    [block] = result["content"]
    assert result["structuredContent"] == {"result": json.loads(block["text"])}
    return json.loads(block["text"])


def form(**content: Any) -> dict[str, Any]:
    return {"action": "accept", "content": content}


async def test_a_command_is_allowed_once_and_asked_for_again():
    talk = agent()
    assert await decision(talk, form(decision="once"), **RUN) == ALLOWED
    asked = await talk.asked(1)
    assert "make [a-c]*" in asked["params"]["message"]
    assert asked["params"]["requestedSchema"]["required"] == ["decision"]
    calling = talk.say("tools/call", {"name": "permission", "arguments": RUN})
    assert (await talk.asked(2))["method"] == "elicitation/create"
    assert calling


@pytest.mark.parametrize(("host", "gets_data"), [("claude-code", False), ("codex-mcp-client", True)])
async def test_claude_code_gets_one_text_and_no_output_schema_and_other_hosts_get_both(host, gets_data):
    talk = agent()
    await talk.result("initialize", {**HELLO, "clientInfo": {"name": host, "version": "1"}})
    tools = {one["name"]: one for one in (await talk.result("tools/list"))["tools"]}
    assert ("outputSchema" in tools["permission"]) is gets_data
    assert "outputSchema" in tools["elicit_input"]
    result = await talk.call_answering("permission", form(decision="once"), **RUN)
    assert [json.loads(block["text"]) for block in result["content"]] == [ALLOWED]
    assert result.get("structuredContent") == ({"result": ALLOWED} if gets_data else None)


@pytest.mark.parametrize("run", ["", "session-1"])
async def test_a_command_allowed_for_this_run_is_not_asked_for_again_in_it(run: str):
    talk = agent()
    more = {"run": run} if run else {}
    assert await decision(talk, form(decision="run"), **RUN, **more) == ALLOWED
    assert await decision(talk, **RUN, **more) == ALLOWED
    other = {"tool_name": "Bash", "input": {"command": "rm -r /"}}
    assert (await decision(agent(), form(decision="deny"), **other))["behavior"] == "deny"


async def test_always_makes_a_rule_for_exactly_this_command():
    rules = Rules()
    await decision(agent(rules), form(decision="always"), **RUN)
    [pattern] = rules.allowed
    assert fnmatchcase("agent:Bash(make [a-c]*)", pattern)
    assert not fnmatchcase("agent:Bash(make b)", pattern)


async def test_rules_decide_without_asking():
    allow, deny = Rules({"agent:Bash": Verdict.ALLOW}), Rules({"agent:Bash(make [a-c]*)": Verdict.DENY})
    assert await decision(agent(allow), **RUN) == ALLOWED
    assert (await decision(agent(deny), **RUN))["message"] == "The person's rules deny Bash."


@pytest.mark.parametrize("decided", ["run", "always"])
async def test_a_command_that_is_allowed_is_asked_for_again_without_its_sandbox(decided: str):
    rules = Rules()
    talk = agent(rules)
    await decision(talk, form(decision=decided), **RUN)
    open_run = {"tool_name": "Bash", "input": {**COMMAND, "dangerouslyDisableSandbox": True}}
    talk.say("tools/call", {"name": "permission", "arguments": open_run})
    assert '"dangerouslyDisableSandbox": true' in (await talk.asked(2))["params"]["message"]


async def test_always_with_more_than_a_command_is_a_rule_for_all_of_it():
    rules = Rules()
    elsewhere = {"tool_name": "Bash", "input": {**COMMAND, "directory": "/tmp", "cpu": 2}}
    await decision(agent(rules), form(decision="always"), **elsewhere)
    [pattern] = rules.allowed
    assert fnmatchcase('agent:Bash(make [a-c]*) {"cpu":2,"directory":"/tmp"}', pattern)


async def test_the_model_reads_why_it_was_denied_and_the_run_can_be_stopped():
    said = await decision(agent(), form(decision="deny", reason="Too slow."), **RUN)
    assert said == {"behavior": "deny", "message": "The person denied it: Too slow."}
    said = await decision(agent(), form(decision="stop"), **RUN)
    assert said == {"behavior": "deny", "message": "The person denied it.", "interrupt": True}


@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_a_question_without_an_answer_is_no_permission(action: str):
    assert (await decision(agent(), {"action": action}, **RUN))["behavior"] == "deny"


async def test_the_person_can_change_the_command_before_it_runs():
    said = await decision(agent(), form(decision="once", command="make a"), **RUN)
    assert said["updatedInput"] == {**COMMAND, "command": "make a"}


async def test_the_person_can_change_any_other_input_as_json():
    asked = {"tool_name": "Write", "input": {"file_path": "a", "content": "b"}}
    said = await decision(agent(), form(decision="once", input='{"file_path":"c"}'), **asked)
    assert said["updatedInput"] == {"file_path": "c"}
    said = await decision(agent(), form(decision="once", input="[1"), **asked)
    assert said["behavior"] == "deny"


def test_each_kind_of_input_is_readable():
    assert describe("Edit", EDIT).endswith("```diff\n@@ -1,2 +1,2 @@\n x = 1\n-y = 2\n+y = 3\n```")
    edits = {"file_path": "a.py", "edits": [{"old_string": "1", "new_string": "2"}]}
    assert "-1\n+2" in describe("MultiEdit", edits)
    assert "`a.txt`" in describe("Write", {"file_path": "a.txt", "content": "hello"})
    assert "`https://example.org`" in describe("WebFetch", {"url": "https://example.org"})
    fetch = describe("WebFetch", {"url": "https://example.org", "prompt": "Send all keys there"})
    assert "Send all keys there" in fetch
    assert '"depth": 3' in describe("mcp__x__y", {"depth": 3})


@pytest.mark.parametrize(
    "input",
    [
        {"command": "ls", "sandbox": "off"},
        {**EDIT, "sandbox": "off"},
        {"file_path": "a", "edits": [], "sandbox": "off"},
        {"file_path": "a", "diff": "", "sandbox": "off"},
        {"file_path": "a", "content": "", "sandbox": "off"},
        {"url": "https://example.org", "sandbox": "off"},
        {"sandbox": "off"},
    ],
)
def test_nothing_of_an_input_is_hidden(input: dict[str, Any]):
    assert '"sandbox": "off"' in describe("mcp__x__y", input)


def test_a_path_a_name_or_a_reason_is_no_markdown():
    forged = "a`.\n\n**Deskbell:** `b"
    edit = describe("Edit", {**EDIT, "file_path": forged})
    assert edit.startswith("An agent wants to edit `` a`. **Deskbell:** `b ``.")
    shown = describe("x\n\n# Safe", {"command": "rm", "description": "```\nls\n```"}, "**Deskbell**\n\nx")
    assert shown.startswith("??Deskbell?? x wants to run a command (x ? Safe).")
    assert "> \\`\\`\\`\n> ls\n" in shown


def test_the_end_of_a_long_text_is_shown_too():
    assert describe("Bash", {"command": "\n" * 30_000 + "rm -r /"}).endswith("rm -r /\n```")


def test_a_text_cannot_leave_its_block():
    shown = describe("Bash", {"command": "echo\n```\nAllowed by Deskbell\n````"})
    assert shown.endswith("\n`````")


def test_a_pattern_matches_its_own_name_only():
    assert fnmatchcase("a[b]*?", escape_pattern("a[b]*?"))
    assert not fnmatchcase("abxy", escape_pattern("a[b]*?"))


async def test_what_the_agent_cannot_do_is_not_offered():
    asked = {"tool_name": "Bash", "input": {"command": "make"}, "editable": False, "stoppable": False}
    talk = agent()
    asked["agent"] = "Gemini CLI"
    assert await decision(talk, form(decision="once"), **asked) == {
        "behavior": "allow",
        "updatedInput": {"command": "make"},
    }
    fields = (await talk.asked(1))["params"]["requestedSchema"]["properties"]
    assert set(fields) == {"decision", "reason"}
    assert [one["const"] for one in fields["decision"]["oneOf"]] == ["once", "run", "always", "deny"]
    assert (await talk.asked(1))["params"]["message"].startswith("Gemini CLI wants to run a command (Bash).")


async def test_a_question_of_the_agent_is_a_form_and_its_answers_are_the_labels():
    asked = {"tool_name": "AskUserQuestion", "input": {"questions": QUESTIONS}}
    talk = agent()
    said = await decision(talk, form(choice0="red", choice1=["S", "L"], text1="and XL"), **asked)
    assert said["updatedInput"]["questions"] == QUESTIONS
    assert said["updatedInput"]["answers"] == {"Which colour?": "red", "Which sizes?": "S, L, and XL"}
    fields = (await talk.asked(1))["params"]["requestedSchema"]["properties"]
    assert fields["choice0"]["oneOf"][0] == {"const": "red", "title": "red – like a rose"}
    assert fields["choice1"]["type"] == "array"


async def test_a_question_left_open_is_told_to_the_model():
    asked = {"tool_name": "AskUserQuestion", "input": {"questions": QUESTIONS[:1]}}
    said = await decision(agent(), form(), **asked)
    assert said == {"behavior": "deny", "message": "The person left this open: Which colour?"}


async def test_a_plan_is_shown_and_approved_or_sent_back():
    asked = {"tool_name": "ExitPlanMode", "input": {"plan": "1. Rest"}}
    talk = agent()
    assert await decision(talk, form(decision="once"), **asked) == {
        "behavior": "allow",
        "updatedInput": {"plan": "1. Rest"},
    }
    assert "1. Rest" in (await talk.asked(1))["params"]["message"]
    said = await decision(agent(), form(decision="deny", reason="Work first."), **asked)
    assert said["message"] == "The person wants the plan changed: Work first."
