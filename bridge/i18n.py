"""English texts that windows can translate. Pure.

A Words is a str in English that also knows its template and values. Hosts, terminals and the log get the
English text; a window looks the template up in its language, and fills in the values.
packaging/translations.py collects the templates from every `say` of a literal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from bridge.errors import DeskbellError

MOST = 200  # texts that Phrases keeps


class Words(str):
    """`template` with `values` in its braces. As a str, the English text."""

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, object]


def say(template: str, /, **values: object) -> Words:
    """Make a translatable text from an English template and its values."""
    words = Words(template.format(**values))
    words.template = template
    words.values = values
    return words


def english(value: object) -> str:
    """Encode a Words as its English text: an `enc_hook` for msgspec."""
    if isinstance(value, Words):
        return str(value)
    raise TypeError(f"{type(value).__name__} is no JSON")


def together(*parts: str) -> str:
    """Join sentences by spaces, without empty ones."""
    first, *rest = [part for part in parts if part] or [""]
    return say("{problem} {remedy}", problem=first, remedy=together(*rest)) if rest else first


def lines(*parts: str) -> str:
    """Join sentences by line breaks, without empty ones."""
    first, *rest = [part for part in parts if part] or [""]
    return say("{first}\n{rest}", first=first, rest=lines(*rest)) if rest else first


class StoredText(msgspec.Struct, frozen=True):
    """A translatable text as a JSON file keeps it."""

    template: str
    values: dict[str, str | StoredText] = {}


def stored(text: str) -> str | StoredText:
    """Return what a JSON file keeps of a text, so that `restored` finds its template again."""
    if not isinstance(text, Words):
        return text
    values = {
        name: stored(part if isinstance(part, str) else str(part)) for name, part in text.values.items()
    }
    return StoredText(text.template, values)


def restored(kept: str | StoredText) -> str:
    if isinstance(kept, str):
        return kept
    return say(kept.template, **{name: restored(part) for name, part in kept.values.items()})


def altered(text: str, alter: Callable[[str], str]) -> str:
    """Return `text` after `alter`; of a Words only the values are altered, never the template."""
    if not isinstance(text, Words):
        return alter(text)
    parts = {name: part if isinstance(part, str) else str(part) for name, part in text.values.items()}
    return say(text.template, **{name: altered(part, alter) for name, part in parts.items()})


class Phrases:
    """Recent texts by their exact English: JSON-RPC errors carry no template, but windows translate them."""

    def __init__(self) -> None:
        self._known: dict[str, Words] = {}

    def learn(self, text: str) -> None:
        if isinstance(text, Words):
            self._known.pop(text, None)
            self._known[str(text)] = text
        if len(self._known) > MOST:
            del self._known[next(iter(self._known))]

    def of(self, text: str) -> str:
        return self._known.get(text, text)


def failure_text(error: DeskbellError) -> str:
    """Return a failure as a terminal prints it (title: message)."""
    return (
        say("{title}: {message}", title=error.title, message=error.message) if error.message else error.title
    )


def explained(error: DeskbellError) -> Words:
    """Return a failure as sentences (Title. Message)."""
    if not error.message:
        return say("{title}.", title=error.title)
    return say("{title}. {message}", title=error.title, message=error.message)
