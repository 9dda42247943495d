"""Sentences for the person, which a window may say in another language. Pure.

A Words is its English text, and remembers what it was made of. packaging/translations.py finds the templates
wherever `say` is called with a literal.
"""

from __future__ import annotations

from collections.abc import Mapping


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
