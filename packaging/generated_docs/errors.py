"""Every error that Deskbell explains, read from the source: its title, and what to do about it.

A text that is made elsewhere, such as the words of a server, stands as … here.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from release import ROOT

_SUBJECTS = {  # first folder below bridge/ → heading; others: Deskbell itself
    "accounts": "Bluesky accounts",
    "hosts": "AI apps",
    "settings": "Settings",
    "vault": "Secrets",
    "servers": "Servers",
    "upstreams": "Servers",
    "http_client": "Network",
    "token_refresh": "Network",
}
_OTHER = "Deskbell itself and its commands"
_UNKNOWN = "…"
_ELSEWHERE = {
    "__name__",
    "error",
    "hint",
    "lack",
    "reason",
    "remedy",
    "said",
    "strerror",
    "why",
    "words",
}  # made where it fails
_TESTS_ITSELF = "round_trip.py"  # its failures are results of `deskbell self-test`, printed as they are


class Explained(NamedTuple):
    subject: str
    title: str
    remedy: str


def errors() -> list[Explained]:
    """Return each title once, with all remedies that the source has for it."""
    sources = {path: path.read_text("utf-8") for path in sorted((ROOT / "bridge").rglob("*.py"))}
    kinds = _kinds(sources.values())
    raises = re.compile(rf"\b({'|'.join(kinds)})\(")  # parsing takes time: only where one is made
    remedies: dict[tuple[str, str], set[str]] = defaultdict(set)
    for path, text in sources.items():
        if path.name != _TESTS_ITSELF and raises.search(text):
            named = path.with_name("texts.py")  # the package's own texts, used as `texts.NAME`
            texts = _texts(ast.parse(sources[named])) if named in sources else {}
            for title, remedy in _raised(ast.parse(text), kinds, texts):
                remedies[_subject(path), title].add("" if remedy == f"{title}." else remedy)
    return [
        Explained(
            subject,
            title,
            " / ".join(sorted({text.removeprefix("…. ") for text in found if re.search(r"\w", text)})),
        )
        for (subject, title), found in sorted(remedies.items())
    ]


def page() -> str:
    """Return a table for each subject."""
    parts: dict[str, list[str]] = defaultdict(list)
    for one in errors():
        parts[one.subject].append(f"| {_cell(one.title)} | {_cell(one.remedy)} |")
    head = "| error | what to do |\n|---|---|\n"
    return "\n\n".join(
        f"### {subject}\n\n{head}" + "\n".join(rows) for subject, rows in sorted(parts.items())
    )


def _subject(path: Path) -> str:
    return _SUBJECTS.get(path.relative_to(ROOT / "bridge").parts[0], _OTHER)


def _kinds(sources: Iterable[str]) -> set[str]:
    """Return the names of all classes below DeskbellError."""
    classes = [pair for text in sources for pair in re.findall(r"^class (\w+)\((\w+)\)", text, re.MULTILINE)]
    found = {"DeskbellError"}
    while more := {name for name, base in classes if base in found} - found:
        found |= more
    return found


def _raised(tree: ast.Module, kinds: set[str], given: dict[str, str]) -> Iterator[tuple[str, str]]:
    known = {**given, **_texts(tree)}
    for scope in ast.walk(tree):
        if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        nodes = list(ast.walk(scope))
        for call in nodes:
            if isinstance(call, ast.Call) and _name(call.func) in kinds and call.args:
                before = (node for node in nodes if getattr(node, "lineno", call.lineno) < call.lineno)
                texts = {**known, **_assigned(before)}
                title = _text(call.args[0], texts)
                remedy = _text(call.args[1], texts) if len(call.args) > 1 else ""
                if re.search(r"\w", re.sub(r"\*\w+\*", "", title)):
                    yield title, remedy


def _texts(tree: ast.Module) -> dict[str, str]:
    """Return the texts that a module gives names: its constants, and functions that only return one."""
    found = _assigned(tree.body)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and isinstance(last := node.body[-1], ast.Return) and last.value:
            found[f"{node.name}()"] = _text(last.value, found)
    return found


def _assigned(nodes: Iterable[ast.AST]) -> dict[str, str]:
    found: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = _text(node.value, found)
    return found


def _text(node: ast.expr, known: dict[str, str]) -> str:
    """Return the words of an expression; *name* for what is filled in, … for what is made elsewhere."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.Call) and _name(node.func) == "say":
        given = {word.arg: _text(word.value, known) for word in node.keywords if word.arg}
        template = _text(node.args[0], known)
        return re.sub(r"\{(\w+)[^}]*\}", lambda found: _filled(given, found[1]), template)
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part, known) for part in node.values)
    if isinstance(node, ast.FormattedValue):
        name = _name(node.value)
        text = _text(node.value, known)
        return text if text != _UNKNOWN else _filled({}, name) if name else _UNKNOWN
    if isinstance(node, ast.IfExp):
        return _text(node.body, known)
    if isinstance(node, ast.BoolOp):  # words made elsewhere, or else these
        return _text(node.values[-1], known)
    if isinstance(node, ast.Call):
        return known.get(f"{_name(node.func)}()", _UNKNOWN)
    return known.get(_name(node), _UNKNOWN)


def _filled(given: dict[str, str], name: str) -> str:
    text = given.get(name, _UNKNOWN)
    if text != _UNKNOWN:
        return text
    return _UNKNOWN if name in _ELSEWHERE else f"*{name}*"


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
