"""Sentences that can be said in another language."""

from __future__ import annotations

from bridge.core.fields import Field, Invalid, Kind
from bridge.core.words import Words, explained, say, together
from bridge.errors import DeskbellError


def test_words_are_their_english_text_and_remember_what_they_were_made_of():
    words = say("{server} has {count} tools.", server="{odd}", count=3)

    assert words == "{odd} has 3 tools."
    assert (words.template, words.values) == ("{server} has {count} tools.", {"server": "{odd}", "count": 3})


def test_what_is_wrong_with_an_entry_can_be_said_in_another_language():
    for field, entered in (
        (Field("n", Kind.INTEGER), "x"),
        (Field("n", Kind.NUMBER, minimum=3), "1"),
        (Field("t", Kind.TEXT, min_length=2), "a"),
        (Field("t", Kind.TEXT, format="email"), "a"),
        (Field("j", Kind.JSON), "{"),
        (Field("t", Kind.TEXT, required=True), ""),
    ):
        reading = field.read(entered)
        assert isinstance(reading, Invalid)
        assert isinstance(reading.reason, Words), reading


def test_a_failure_is_explained_in_words_that_can_be_translated():
    assert explained(DeskbellError("No", "Try again.")) == "No. Try again."
    assert explained(DeskbellError(say("{it} is gone", it="x"))).values == {"title": "x is gone"}


def test_sentences_follow_each_other_and_empty_ones_do_not_count():
    assert together("", "a.", "", say("b."), "c.") == "a. b. c."
    assert (together(), together("", "a.")) == ("", "a.")
