"""An application's file: JSON, JSONC, TOML or YAML, changed so that nothing but our entry differs.

Comments, order, indentation, line endings, byte order mark and the last newline stay. Every edit is read back
by a parser of its own and refused unless the file then says what it should. Pure: bytes in, bytes out.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bridge.errors import SettingsError
from bridge.hosts import import_servers
from bridge.hosts.formats import edits, jsonc
from bridge.hosts.formats.edits import Change, Drop, NoTable, Put, Unreadable
from bridge.i18n import say

_BY_HAND = say("Please change it by hand.")


@dataclass(frozen=True, slots=True)
class Format:
    """`second`: another parser, which must agree."""

    load: Callable[[str], Any]
    edit: Callable[[str, Put | Drop, str], str]
    span: Callable[[str, edits.Path], tuple[int, int] | None]
    second: Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class Document:
    """A file that was read; `data` is what it says. `named`: the key of a listed entry's name."""

    path: Path
    raw: bytes
    bom: bytes
    text: str
    data: dict[str, Any]
    named: str = ""

    @property
    def newline(self) -> str:
        """What most of its lines end with."""
        ends = self.text.count("\r\n")
        return "\r\n" if ends * 2 > self.text.count("\n") else "\n"

    def raw_entry(self, path: edits.Path) -> str:
        """The very text of a value; "" if it has none of its own."""
        found = format_of(self.path).span(self.text, path)
        return self.text[found[0] : found[1]] if found else ""


def format_of(path: Path) -> Format:
    """The parsers of TOML and YAML are loaded only for a file in that language."""
    if path.suffix == ".toml":
        from bridge.hosts.formats import toml

        return Format(toml.load, toml.edit, toml.span, toml.load)
    if path.suffix in (".yaml", ".yml"):
        from bridge.hosts.formats import yaml

        return Format(yaml.load, yaml.edit, yaml.span, import_servers.load_yaml)
    return Format(jsonc.load, jsonc.edit, jsonc.span, import_servers.load_jsonc)


def read(path: Path, raw: bytes, named: str = "") -> Document:
    """Raises SettingsError with line and column for a file that makes no sense."""
    if len(raw) > import_servers.LARGEST:
        raise SettingsError(
            say("{path} is too large", path=path),
            say("Files larger than {most} bytes are not read.", most=import_servers.LARGEST),
        )
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
    except Unreadable as error:
        line, column = error.place
        title = say(
            "{path} makes no sense at line {line}, column {column}", path=path, line=line, column=column
        )
        message = say("{what}. Mend it, then try again.", what=error.words)
        raise SettingsError(title, message, line=line, column=column) from error
    except (ValueError, RecursionError) as error:
        raise SettingsError(say("{path} makes no sense", path=path), f"{error}.") from error
    if data is not None and not isinstance(data, dict):
        raise SettingsError(say("{path} makes no sense", path=path), say("It is not a table of settings."))
    return Document(path, raw, bom, text, data or {}, named)


def edited(document: Document, wanted: Sequence[Change]) -> bytes:
    """The file with these changes, and no other difference."""
    way = format_of(document.path)
    text = document.text
    try:
        expected = edits.applied(document.data, wanted, document.named)
        for change in wanted:
            text = way.edit(text, change, document.newline)
        expected = edits.without_empty(expected, wanted, document.named)
        loads = (way.load, way.second)
        said = [edits.without_empty(load(text) or {}, wanted, document.named) for load in loads]
    except NoTable as error:
        title = say("{path} has no table of servers where it should be", path=document.path)
        message = say("Something else stands there. {remedy}", remedy=_BY_HAND)
        raise SettingsError(title, message) from error
    except Exception as error:  # whatever a parser stumbles over: the file is left alone
        raise _refused(document.path) from error
    if said != [expected, expected]:
        raise _refused(document.path)
    return document.bom + text.encode("utf-8")


def respelled(document: Document, path: edits.Path, raw: str, wanted: Sequence[Change]) -> bytes | None:
    """The file with the text `raw` for the value at `path`; None unless that is what the changes mean."""
    way = format_of(document.path)
    expected = edits.applied(document.data, wanted, document.named)
    found = way.span(document.text, path)
    if found is None:
        return None
    text = document.text[: found[0]] + raw + document.text[found[1] :]
    try:
        said = way.load(text)
    except ValueError:
        return None
    fits = _essence(said, wanted, document.named) == _essence(expected, wanted, document.named)
    return document.bom + text.encode("utf-8") if fits else None


def _essence(said: Any, wanted: Sequence[Change], named: str) -> Any:
    """An empty list of words is as good as none."""
    for change in wanted:
        if isinstance(change, Put) and change.value == []:
            said = edits.applied(said, [Drop(change.path)], named)
    return edits.without_empty(said, wanted, named)


def _refused(path: Path) -> SettingsError:
    return SettingsError(
        say("{path} cannot be changed by Deskbell without touching more than its own entry", path=path),
        _BY_HAND,
    )
