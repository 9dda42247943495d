"""Sentences for the person, which a window may say in another language. Pure.

A Words is its English text, and remembers what it was made of. packaging/translations.py finds the templates
wherever `say` is called with a literal.
"""

from __future__ import annotations

from collections.abc import Mapping

from bridge.errors import DeskbellError


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


def together(*parts: str) -> str:
    """Sentences one after the other; those that are empty do not count."""
    first, *rest = [part for part in parts if part] or [""]
    return say("{problem} {remedy}", problem=first, remedy=together(*rest)) if rest else first


def explained(error: DeskbellError) -> Words:
    """A failure in words that a window can say in its language."""
    if not error.message:
        return say("{title}.", title=error.title)
    return say("{title}. {message}", title=error.title, message=error.message)
