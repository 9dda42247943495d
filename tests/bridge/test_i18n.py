"""Sentences that can be said in another language."""

from __future__ import annotations

import msgspec
import pytest

from bridge.core.forms.fields import Field, Invalid, Kind
from bridge.errors import DeskbellError
from bridge.i18n import (
    MOST,
    Phrases,
    StoredText,
    Words,
    altered,
    english,
    explained,
    failure_text,
    lines,
    restored,
    say,
    stored,
    together,
)


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


def test_a_failure_reads_like_the_error_on_a_terminal():
    assert failure_text(DeskbellError(say("{it} is gone", it="x"))) == "x is gone"
    words = failure_text(DeskbellError("No", say("Try again.")))
    assert isinstance(words, Words)
    assert words == "No: Try again." == str(DeskbellError("No", "Try again."))


def test_what_words_were_made_of_can_be_altered_and_the_sentence_stays():
    words = say("{server} said: {words}", server=say("{n} secrets", n=1), words="secret 1")

    changed = altered(words, lambda text: text.replace("secret", "•••"))

    assert isinstance(changed, Words)
    assert (changed, changed.template) == ("1 secrets said: ••• 1", "{server} said: {words}")
    assert altered("secret", str.upper) == "SECRET"


def test_a_text_keeps_its_template_in_a_json_file():
    text = say("It is over. {why}", why=say("{who} left after {count} days.", who="Ann", count=3))

    kept = msgspec.json.decode(msgspec.json.encode(stored(text)), type=str | StoredText)
    words = restored(kept)

    assert isinstance(words, Words)
    assert (words, words.template) == (text, "It is over. {why}")
    assert isinstance(why := words.values["why"], Words)
    assert why.values == {"who": "Ann", "count": "3"}
    assert restored(stored("A server's own words.")) == "A server's own words."


def test_what_was_said_of_late_is_found_by_its_english_text():
    phrases, words = Phrases(), say("{server} is gone.", server="files")
    phrases.learn(words)
    phrases.learn("A server's own words.")

    assert phrases.of("files is gone.") is words
    assert not isinstance(phrases.of("A server's own words."), Words)
    for number in range(MOST):
        phrases.learn(say("{number}", number=number))
    assert not isinstance(phrases.of("files is gone."), Words)


def test_lines_stand_below_each_other():
    assert lines("a", "", say("b")) == "a\nb"
    assert (lines(), lines("", "a")) == ("", "a")


def test_on_a_wire_words_are_the_english_they_are():
    assert msgspec.json.encode({"why": say("{n} is gone", n=1)}, enc_hook=english) == b'{"why":"1 is gone"}'
    with pytest.raises(TypeError, match="object is no JSON"):
        english(object())


def test_sentences_follow_each_other_and_empty_ones_do_not_count():
    assert together("", "a.", "", say("b."), "c.") == "a. b. c."
    assert (together(), together("", "a.")) == ("", "a.")
