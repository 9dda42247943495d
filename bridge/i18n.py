"""Sentences for the person, which a window may say in another language. Pure.

A Words is its English text, and remembers what it was made of. packaging/translations.py finds the templates
wherever `say` is called with a literal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from bridge.errors import DeskbellError

MOST = 200  # sentences that Phrases remember


class Words(str):
    """`template` with `values` in its braces; as a str, both together in English."""

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, object]


def say(template: str, /, **values: object) -> Words:
    words = Words(template.format(**values))
    words.template = template
    words.values = values
    return words


def english(value: object) -> str:
    """For an encoder that does not know Words: on a wire they are the English they are."""
    if isinstance(value, Words):
        return str(value)
    raise TypeError(f"{type(value).__name__} is no JSON")


def together(*parts: str) -> str:
    """Sentences one after the other; those that are empty do not count."""
    first, *rest = [part for part in parts if part] or [""]
    return say("{problem} {remedy}", problem=first, remedy=together(*rest)) if rest else first


def lines(*parts: str) -> str:
    """The same, each on a line of its own."""
    first, *rest = [part for part in parts if part] or [""]
    return say("{first}\n{rest}", first=first, rest=lines(*rest)) if rest else first


def recognised(text: str, *templates: str) -> str:
    """What was kept in English, as the Words that it was made of, if that was by one of these."""
    for template in templates:
        pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>.*)", re.escape(template))
        if found := re.fullmatch(pattern, text, re.DOTALL):
            parts = {name: recognised(part, *templates) for name, part in found.groupdict().items()}
            return say(template, **parts)
    return text


def altered(text: str, alter: Callable[[str], str]) -> str:
    """A text after `alter`. Of Words, what they were made of is altered: the sentence itself is ours."""
    if not isinstance(text, Words):
        return alter(text)
    parts = {name: part if isinstance(part, str) else str(part) for name, part in text.values.items()}
    return say(text.template, **{name: altered(part, alter) for name, part in parts.items()})


class Phrases:
    """What was said of late, by its English text: a window of ours that hears it as a host does, in English,
    can say it in its language all the same."""

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


def told(error: DeskbellError) -> str:
    """A failure as a terminal says it, in words that a window can say in its language."""
    return (
        say("{title}: {message}", title=error.title, message=error.message) if error.message else error.title
    )


def explained(error: DeskbellError) -> Words:
    """The same as sentences."""
    if not error.message:
        return say("{title}.", title=error.title)
    return say("{title}. {message}", title=error.title, message=error.message)
