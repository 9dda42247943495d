"""The tool `desk_permission`: a person decides what an unattended agent may do.

Claude Code calls it for each of its tools that needs permission (`claude -p --permission-prompt-tool
mcp__deskbell__desk_permission`) with the tool's name and input, and reads one text block of JSON:
`{"behavior": "allow", "updatedInput": …}` or `{"behavior": "deny", "message": …, "interrupt": …}`. With
structuredContent beside the text it refuses the result ("Expected a single text block"), and with an output
schema it refuses one without: it gets neither, other hosts get both. Two of its tools are questions
themselves: AskUserQuestion is shown as a form, ExitPlanMode as a plan to approve.

Rules in config.toml decide without asking: `"agent:Bash(git status)" = "allow"`, `"agent:WebFetch" = "deny"`.
Only patterns that begin with `agent:` count, so that a rule for servers' tools permits no command.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, NotRequired, Protocol, TypedDict

import msgspec
from msgspec import Meta

from bridge.core.policy.rules import Verdict
from bridge.tools.base import NotAnswered
from bridge.tools.bluesky.text.quoting import verbatim
from bridge.tools.context import ToolContext
from bridge.tools.results import Report
from bridge.tools.toolbox import Toolbox

PREFIX = "agent:"  # no server can be called so
LONGEST = 20_000  # characters shown above the form; the field that can be edited has all of them
# Keys beside a command that do not change what it does.
_ABOUT_COMMAND = frozenset({"command", "description", "timeout", "run_in_background", "is_background"})
MOST_RUNS = 200  # runs whose permissions are remembered
_RUN = "permission"  # key of the connection's memory
_DECISIONS = {
    "once": "Allow once",
    "run": "Allow {scope} for this run",
    "always": "Allow {scope} always",
    "deny": "Deny",
    "stop": "Deny and stop the run",
}
Input = Mapping[str, Any]
Window = tuple[str, dict[str, Any]]  # message and schema


class Decision(TypedDict):
    """What Claude Code reads."""

    behavior: Literal["allow", "deny"]
    updatedInput: NotRequired[dict[str, Any]]
    message: NotRequired[str]
    interrupt: NotRequired[bool]


class AgentRules(Protocol):
    """The person's rules for agents."""

    def agent_verdict(self, names: tuple[str, ...], host: str) -> Verdict | None: ...
    def allow_agent(self, pattern: str, host: str) -> None: ...


def with_permission(desk: Toolbox, rules: AgentRules) -> Toolbox:
    """Return the Toolbox with the tool `permission` added."""
    box = Toolbox(desk.name, desk.title, desk.instructions, timeout=desk.timeout)
    for tool in desk.tools.values():
        box.add(tool)
    runs: dict[str, set[str]] = {}

    @box.tool(title="Ask for permission", read_only=True, open_world=False, text_only_for="claude-code*")
    async def permission(
        ctx: ToolContext,
        tool_name: Annotated[str, Meta(min_length=1)],
        input: dict[str, Any],
        tool_use_id: str = "",
        run: Annotated[str, Meta(description="Session of the agent, if it has several.")] = "",
        agent: Annotated[str, Meta(description="Name of the agent, for the person.")] = "An agent",
        editable: Annotated[bool, Meta(description="False: the agent takes no changed input.")] = True,
        stoppable: Annotated[bool, Meta(description="False: the agent cannot be stopped.")] = True,
    ) -> Report[Decision]:
        """For an agent's own permission prompts (Claude Code: --permission-prompt-tool); not for models."""
        allowed = _allowed_in_run(runs, ctx, run)
        form = approval_form(tool_name, input, editable=editable, stoppable=stoppable)
        description = describe(tool_name, input, agent)
        decision = await _decide(ctx, rules, allowed, tool_name, input, (description, form))
        return Report(msgspec.json.encode(decision).decode(), decision)

    return box


def _allowed_in_run(runs: dict[str, set[str]], ctx: ToolContext, run: str) -> set[str]:
    """Return the patterns allowed for a run: one session, or else one connection of a host."""
    if not run:
        allowed: set[str] = ctx.session.setdefault(_RUN, set())
        return allowed
    allowed = runs.pop(run, set())
    runs[run] = allowed
    while len(runs) > MOST_RUNS:
        del runs[next(iter(runs))]
    return allowed


async def _decide(
    ctx: ToolContext, rules: AgentRules, allowed: set[str], tool: str, input: Input, window: Window
) -> Decision:
    try:
        match tool:
            case "AskUserQuestion" if questions := _questions(input):
                return await _ask(ctx, input, questions)
            case "ExitPlanMode":
                return await _approve_plan(ctx, input)
        names = permission_names(tool, input)
        verdict = (
            Verdict.ALLOW if allowed & {names[0], names[-1]} else rules.agent_verdict(names, ctx.known_as)
        )
        if verdict is Verdict.ALLOW:
            return _allow(input)
        if verdict is Verdict.DENY:
            return _deny(f"The person's rules deny {tool}.")
        return await _approve(ctx, rules, allowed, tool, input, window)
    except NotAnswered as problem:
        return _deny(f"Not allowed: {problem}")


def _allow(input: Input) -> Decision:
    return {"behavior": "allow", "updatedInput": dict(input)}


def _deny(message: str, *, stop: bool = False) -> Decision:
    decision: Decision = {"behavior": "deny", "message": message}
    return {**decision, "interrupt": True} if stop else decision


def permission_names(tool: str, input: Input) -> tuple[str, ...]:
    """Return the names that rules are matched with, the most exact first.

    A command with all that changes what it does (another folder, no sandbox), the command, the tool."""
    whole, command = f"{PREFIX}{tool}", input.get("command")
    if not isinstance(command, str):
        return (whole,)
    exact = f"{whole}({command})"
    more = _without(input, *_ABOUT_COMMAND)
    return (f"{exact} {_json(more)}", exact, whole) if more else (exact, whole)


def _without(input: Input, *keys: str) -> dict[str, Any]:
    return {key: value for key, value in input.items() if key not in keys}


def _json(input: Input) -> str:
    return msgspec.json.encode(input, order="sorted").decode()


def escape_pattern(name: str) -> str:
    """Return the pattern that matches exactly this name: commands contain * and ?."""
    return re.sub(r"([*?\[])", r"[\1]", name)


# --- a tool ----------------------------------------------------------------------------------------------


async def _approve(
    ctx: ToolContext, rules: AgentRules, allowed: set[str], tool: str, input: Input, window: Window
) -> Decision:
    answer = await ctx.elicitor.form(*window, consent=True)
    decision, reason = answer["decision"], str(answer.get("reason", "")).strip()
    if decision in ("deny", "stop"):
        words = f"The person denied it: {reason}" if reason else "The person denied it."
        return _deny(words, stop=decision == "stop")
    changed = _changed(input, answer)
    if changed is None:
        return _deny("The person changed the input, but it is not a JSON object. Ask again.")
    name = permission_names(tool, changed)[0]
    if decision == "run":
        allowed.add(name)
    elif decision == "always":
        rules.allow_agent(escape_pattern(name), ctx.known_as)
    return _allow(changed)


def approval_form(
    tool: str, input: Input, *, editable: bool = True, stoppable: bool = True
) -> dict[str, Any]:
    command = input.get("command")
    scope = "this command" if isinstance(command, str) else tool
    decisions = [key for key in _DECISIONS if stoppable or key != "stop"]
    options = [{"const": key, "title": _DECISIONS[key].format(scope=scope)} for key in decisions]
    properties: dict[str, Any] = {"decision": {"type": "string", "title": "Your decision", "oneOf": options}}
    properties["reason"] = {
        "type": "string",
        "title": "Reason",
        "description": "If you deny: the model reads it.",
    }
    if editable and isinstance(command, str):
        properties["command"] = _editable("Command", command)
    elif editable:
        properties["input"] = _editable(
            "Input", msgspec.json.format(msgspec.json.encode(input), indent=2).decode()
        )
    return {"type": "object", "properties": properties, "required": ["decision"]}


def _editable(title: str, text: str) -> dict[str, Any]:
    return {
        "type": "string",
        "title": title,
        "default": text,
        "description": "You can change it before you allow it.",
    }


def _changed(input: Input, answer: Input) -> dict[str, Any] | None:
    """Return the input as the person left it; None if it is not a JSON object."""
    if "command" in answer:
        return {**input, "command": answer["command"]}
    if "input" not in answer:
        return dict(input)
    try:
        return msgspec.json.decode(answer["input"], type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError):
        return None


def describe(tool: str, input: Input, agent: str = "An agent") -> str:
    """Say what the tool would do, as Markdown for the person. Nothing of the input is left out."""
    who, name = _one_line(agent), _one_line(tool)
    why = "\n".join(verbatim(str(input.get("description") or "").strip()))
    shown: Collection[str]
    match input:
        case {"command": str(command)}:
            shown, head = _ABOUT_COMMAND, f"{who} wants to run a command ({name})."
            body = _block(command)
        case {"file_path": str(path), "old_string": str(old), "new_string": str(new)}:
            shown, head = {"file_path", "old_string", "new_string"}, f"{who} wants to edit {_code(path)}."
            body = _diff([(old, new)])
        case {"file_path": str(path), "edits": [*edits]}:
            shown, head = {"file_path", "edits"}, f"{who} wants to edit {_code(path)}."
            body = _diff(_pairs(edits))
        case {"file_path": str(path), "diff": str(diff)}:
            shown, head = {"file_path", "diff"}, f"{who} wants to edit {_code(path)}."
            body = _block(diff.strip("\n"), "diff")
        case {"file_path": str(path), "content": str(content)}:
            shown, head = {"file_path", "content"}, f"{who} wants to write {_code(path)}."
            body = _block(content)
        case {"url": str(url)}:
            shown, head = {"url", "prompt"}, f"{who} wants to open {_code(url)} ({name})."
            body = "\n".join(verbatim(str(input.get("prompt") or "")))
        case _:
            return _lines(f"{who} wants to use {name}.", _block(_indented(input)))
    more = _without(input, "description", *shown)
    return _lines(head, why, body, "With:" if more else "", _block(_indented(more)) if more else "")


def _indented(input: Input) -> str:
    return msgspec.json.format(msgspec.json.encode(input)).decode()


def _one_line(text: str) -> str:
    """Return a name on one line, without what Markdown reads."""
    return re.sub(r"[^\w .,:/@()-]", "?", " ".join(text.split()))[:200]


def _code(text: str) -> str:
    """Return a path or an address as code; its fence is longer than any inside."""
    line = " ".join(text.split())
    fence = _fence(line, 1)
    return f"{fence} {line} {fence}" if "`" in line else f"{fence}{line}{fence}"


def _lines(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))


def _block(text: str, language: str = "") -> str:
    """Return a fenced block; its fence is longer than any inside, so that the text cannot leave it."""
    if len(text) > LONGEST:
        half = LONGEST // 2
        text = f"{text[:half]}\n… {len(text) - 2 * half} characters left out …\n{text[-half:]}"
    fence = _fence(text, 3)
    return f"{fence}{language}\n{text}\n{fence}"


def _fence(text: str, least: int) -> str:
    return "`" * max(least, 1 + max(map(len, re.findall("`+", text)), default=0))


def _diff(changes: Iterable[tuple[str, str]]) -> str:
    lines = [
        line
        for old, new in changes
        for line in list(difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm=""))[2:]
    ]
    return _block("\n".join(lines), "diff")


def _pairs(edits: Sequence[object]) -> Iterable[tuple[str, str]]:
    for edit in edits:
        if isinstance(edit, dict):
            yield str(edit.get("old_string", "")), str(edit.get("new_string", ""))


# --- questions and plans ---------------------------------------------------------------------------------


class _Option(msgspec.Struct):
    label: str
    description: str = ""


class _AgentQuestion(msgspec.Struct, rename="camel"):
    question: str
    header: str = ""
    options: list[_Option] = []
    multi_select: bool = False


def _questions(input: Input) -> list[_AgentQuestion]:
    """Return the questions of AskUserQuestion; [] if they cannot be read."""
    try:
        return msgspec.convert(input.get("questions"), list[_AgentQuestion])
    except msgspec.ValidationError:
        return []


async def _ask(ctx: ToolContext, input: Input, questions: list[_AgentQuestion]) -> Decision:
    message = "\n\n".join(one.question for one in questions)
    answer = await ctx.elicitor.form(message, question_form(questions), consent=True)
    answers = {one.question: _answer_text(one, number, answer) for number, one in enumerate(questions)}
    missing = [question for question, text in answers.items() if not text]
    if missing:
        return _deny(f"The person left this open: {' '.join(missing)}")
    return _allow({**input, "answers": answers})


def question_form(questions: Sequence[_AgentQuestion]) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    for number, one in enumerate(questions):
        title = one.header or one.question
        options = [
            {"const": option.label, "title": _lines_joined(option.label, option.description)}
            for option in one.options
        ]
        if options and one.multi_select:
            properties[f"choice{number}"] = {"type": "array", "title": title, "items": {"anyOf": options}}
        elif options:
            properties[f"choice{number}"] = {"type": "string", "title": title, "oneOf": options}
        own = f"{title}: in your own words" if options else title
        properties[f"text{number}"] = {"type": "string", "title": own}
    return {"type": "object", "properties": properties}


def _lines_joined(label: str, description: str) -> str:
    return f"{label} – {description}" if description else label


def _answer_text(question: _AgentQuestion, number: int, answer: Input) -> str:
    chosen = answer.get(f"choice{number}") or []
    words = [chosen] if isinstance(chosen, str) else list(chosen)
    own = str(answer.get(f"text{number}") or "").strip()
    return ", ".join([*words, own] if own else words)


async def _approve_plan(ctx: ToolContext, input: Input) -> Decision:
    options = {"once": "Approve the plan", "deny": "Go on planning", "stop": "Stop the run"}
    schema = {
        "type": "object",
        "properties": {
            "decision": {
                "type": "string",
                "title": "Your decision",
                "oneOf": [{"const": key, "title": title} for key, title in options.items()],
            },
            "reason": {"type": "string", "title": "What to change", "description": "The model reads it."},
        },
        "required": ["decision"],
    }
    plan = str(input.get("plan") or "It has written no plan.")
    answer = await ctx.elicitor.form(f"An agent has a plan.\n\n{plan}", schema, consent=True)
    if answer["decision"] == "once":
        return _allow(input)
    reason = str(answer.get("reason", "")).strip()
    words = (
        f"The person wants the plan changed: {reason}" if reason else "The person does not approve the plan."
    )
    return _deny(words, stop=answer["decision"] == "stop")
