"""Read an application's file (JSON, JSONC, TOML or YAML) and edit it so that nothing but our entry differs.

Comments, order, indentation, line endings, byte order mark and the last newline stay. Every edit is parsed
again and refused unless the file then has the expected contents. Pure, but for read_file.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bridge.errors import SettingsError
from bridge.hosts.formats import edits, jsonc
from bridge.hosts.formats.edits import Change, Drop, NoTable, Put, UnreadableText
from bridge.i18n import say

LARGEST = 32 * 1024 * 1024  # bytes
_BY_HAND = say("Please change it by hand.")


@dataclass(frozen=True, slots=True)
class Format:
    """`check`: a parser independent of `edit`, which verifies edited text."""

    load: Callable[[str], Any]
    edit: Callable[[str, Put | Drop, str], str]
    span: Callable[[str, edits.Path], tuple[int, int] | None]
    check: Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed file. `named`: the key that holds the name of an entry, where entries are a list."""

    path: Path
    raw: bytes
    bom: bytes
    text: str
    data: dict[str, Any]
    named: str = ""

    @property
    def newline(self) -> str:
        """Return the line ending of most lines."""
        ends = self.text.count("\r\n")
        return "\r\n" if ends * 2 > self.text.count("\n") else "\n"

    def raw_entry(self, path: edits.Path) -> str:
        """Return the text of the value at `path`; "" if no such text stands in one piece."""
        found = format_of(self.path).span(self.text, path)
        return self.text[found[0] : found[1]] if found else ""


def format_of(path: Path) -> Format:
    if path.suffix == ".toml":  # imported here: tomlkit and ruamel load slowly
        from bridge.hosts.formats import toml

        return Format(toml.load, toml.edit, toml.span, toml.load)
    if path.suffix in (".yaml", ".yml"):
        from bridge.hosts.formats import yaml

        return Format(yaml.load, yaml.edit, yaml.span, yaml.load)
    return Format(jsonc.load, jsonc.edit, jsonc.span, jsonc.load_by_json)


def read_file(path: Path) -> bytes | None:
    """Return a file's bytes; None if it does not exist. Raises SettingsError."""
    try:
        if path.stat().st_size > LARGEST:
            raise SettingsError(
                say("{path} is too large", path=path),
                say("Files larger than {most} bytes are not read.", most=LARGEST),
            )
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise SettingsError(say("{path} cannot be read", path=path), f"{error.strerror}.") from error


def read(path: Path, raw: bytes, named: str = "") -> Document:
    """Parse a file. Raises SettingsError with line and column of a syntax error."""
    bom = codecs.BOM_UTF8 if raw.startswith(codecs.BOM_UTF8) else b""
    try:
        text = raw[len(bom) :].decode("utf-8")
    except UnicodeDecodeError as error:
        raise SettingsError(
            say("{path} is not written in UTF-8", path=path),
            say("Byte {place} is wrong. {remedy}", place=error.start, remedy=_BY_HAND),
        ) from error
    try:
        data = format_of(path).load(text)
    except UnreadableText as error:
        line, column = error.place
        title = say(
            "{path} has a mistake at line {line}, column {column}", path=path, line=line, column=column
        )
        message = say("{what}. Fix it, then try again.", what=error.words)
        raise SettingsError(title, message, line=line, column=column) from error
    except (ValueError, RecursionError) as error:
        raise SettingsError(say("{path} is not valid", path=path), f"{error}.") from error
    if data is not None and not isinstance(data, dict):
        raise SettingsError(
            say("{path} is not valid", path=path), say("It does not contain a table of settings.")
        )
    return Document(path, raw, bom, text, data or {}, named)


def edited(document: Document, changes: Sequence[Change]) -> bytes:
    """Return the file with these changes, and no other difference. Raises SettingsError."""
    way = format_of(document.path)
    text = document.text
    try:
        expected = edits.applied(document.data, changes, document.named)
        for change in changes:
            text = way.edit(text, change, document.newline)
        expected = edits.without_empty(expected, changes, document.named)
        results = [
            edits.without_empty(load(text) or {}, changes, document.named) for load in (way.load, way.check)
        ]
    except NoTable as error:
        title = say("{path} has no table of servers where it should be", path=document.path)
        message = say("There is something else in its place. {remedy}", remedy=_BY_HAND)
        raise SettingsError(title, message) from error
    except Exception as error:  # parsers raise many kinds; the file is left alone after any of them
        raise _refused(document.path) from error
    if results != [expected, expected]:
        raise _refused(document.path)
    return document.bom + text.encode("utf-8")


def with_text(document: Document, path: edits.Path, raw: str, changes: Sequence[Change]) -> bytes | None:
    """Return the file with the text `raw` as the value at `path`; None unless it means these changes."""
    way = format_of(document.path)
    expected = edits.applied(document.data, changes, document.named)
    found = way.span(document.text, path)
    if found is None:
        return None
    text = document.text[: found[0]] + raw + document.text[found[1] :]
    try:
        result = way.load(text)
    except ValueError:
        return None
    fits = _without_blanks(result, changes, document.named) == _without_blanks(
        expected, changes, document.named
    )
    return document.bom + text.encode("utf-8") if fits else None


def _without_blanks(data: Any, changes: Sequence[Change], named: str) -> Any:
    """Return the data for comparison: an empty list of arguments equals a missing one."""
    for change in changes:
        if isinstance(change, Put) and change.value == []:
            data = edits.applied(data, [Drop(change.path)], named)
    return edits.without_empty(data, changes, named)


def _refused(path: Path) -> SettingsError:
    return SettingsError(
        say("{path} cannot be changed by Deskbell without touching more than its own entry", path=path),
        _BY_HAND,
    )
