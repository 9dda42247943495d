"""The commands of `deskbell`, read from its parser, and the page docs/cli.md made of them.

argparse prints help differently in each version of Python; what is made here is the same in all of them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from bridge.cli.parser import LazyParser, build_parser
from bridge.shim import HELP


@dataclass(frozen=True)
class Command:
    """One verb, or a verb with what follows it: `servers add`."""

    name: str
    usage: str
    text: str
    arguments: tuple[tuple[str, str], ...]  # as typed, what it means


def commands() -> Iterator[Command]:
    """Yield every command that has a parser; `stdio` and `wrap` have HELP instead."""
    verbs = _below(build_parser())
    assert verbs is not None  # noqa: S101 - the parser has verbs
    for verb, text in _described(verbs):
        yield from _of(verb, text, verbs.choices[verb])


def _of(name: str, text: str, parser: LazyParser) -> Iterator[Command]:
    parser.filled()
    actions = [
        action for action in parser._actions if action.help != argparse.SUPPRESS and action.dest != "help"
    ]
    below = _below(parser)
    if below is None or len(actions) > 1:
        plain = [action for action in actions if action is not below]
        words = " ".join(("deskbell", name, *map(_usage, plain)))
        arguments = tuple((_typed(action), _meaning(action)) for action in plain)
        yield Command(name, words, text, arguments)
    if below is not None:
        for what, said in _described(below):
            yield from _of(f"{name} {what}", said, below.choices[what])


def _described(action: argparse._SubParsersAction[LazyParser]) -> Iterator[tuple[str, str]]:
    for choice in action._choices_actions:
        yield choice.dest, choice.help or ""


def _below(parser: argparse.ArgumentParser) -> argparse._SubParsersAction[LazyParser] | None:
    found = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return next(found, None)


def _value(action: argparse.Action) -> str:
    if isinstance(action.metavar, str):
        return action.metavar
    return "|".join(map(str, action.choices)) if action.choices else action.dest.upper().replace("_", "-")


def _usage(action: argparse.Action) -> str:
    if not action.option_strings:
        value = _value(action)
        return {"?": f"[{value}]", "*": f"[{value}…]", "+": f"{value}…", "...": f"{value}…"}.get(
            str(action.nargs), value
        )
    words = action.option_strings[-1] + ("" if action.nargs == 0 else f" {_value(action)}")
    return words if action.required else f"[{words}]"


def _typed(action: argparse.Action) -> str:
    value = "" if action.nargs == 0 else _value(action)
    return " ".join((", ".join(action.option_strings), value)).strip()


def _meaning(action: argparse.Action) -> str:
    return (action.help or "").replace("%%", "%").replace("%(default)s", str(action.default))


# --- the page --------------------------------------------------------------------------------------------


def page() -> str:
    """Return the reference of all commands, in Markdown."""
    made = list(commands())
    verbs = list(dict.fromkeys(command.name.split()[0] for command in made))
    parts = [" · ".join(f"[{verb}](#deskbell-{verb})" for verb in verbs)]
    for verb in verbs:
        parts.append(f"## deskbell {verb}")
        of_verb = (one for one in made if one.name.split()[0] == verb)
        parts += [_shim(verb)] if verb in HELP else map(_section, of_verb)
    return "\n\n".join(parts)


def _section(command: Command) -> str:
    head = [f"### {command.name}", ""] if " " in command.name else []
    text = command.text[:1].upper() + command.text[1:]
    lines = [*head, f"`{command.usage}`", "", f"{text.rstrip('.')}."]
    known = [(typed, meaning) for typed, meaning in command.arguments if meaning]
    if known:
        lines += ["", "| argument | meaning |", "|---|---|"]
        lines += [f"| `{_cell(typed)}` | {_cell(meaning)} |" for typed, meaning in known]
    return "\n".join(lines)


def _shim(verb: str) -> str:
    return f"```text\n{HELP[verb].rstrip()}\n```"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
