"""Guess the language of a text that is posted, for the field `langs`. Pure.

A script that one language uses decides; else frequent words and alphabets. An undecided text has no
language: a wrong one would hide the post from its readers.
"""

from __future__ import annotations

import re
import string
import unicodedata

from bridge.tools.bluesky.text.language_data import LETTERS, UNUSED, WORDS

_SCRIPTS = (  # language, its letters, letters that only other languages of its script have
    ("ja", "\u3041-\u30ff\u4e00-\u9fff", ""),
    ("ko", "\uac00-\ud7a3", ""),
    ("zh", "\u4e00-\u9fff", "嘅咗喺唔冇啲嘢佢哋"),  # Cantonese
    ("th", "\u0e01-\u0e5b", ""),
    ("lo", "\u0e81-\u0edf", ""),
    ("km", "\u1780-\u17dd", ""),
    ("my", "\u1000-\u109f", "\u1028\u1033-\u1035\u1050-\u109f"),  # Mon, Shan, Karen
    ("el", "\u0370-\u03ff\u1f00-\u1fff", ""),
    ("he", "\u05d0-\u05ea", "\u05b7\u05b8\u05f0-\u05f2\ufb1f\ufb2e\ufb2f"),  # Yiddish
    ("hy", "\u0531-\u0587", ""),
    ("ka", "\u10a0-\u10ff", ""),
    ("bn", "\u0980-\u09ff", "\u09f0\u09f1"),  # Assamese
    ("pa", "\u0a01-\u0a75", ""),
    ("gu", "\u0a81-\u0af1", ""),
    ("ta", "\u0b82-\u0bfa", ""),
    ("te", "\u0c00-\u0c7f", ""),
    ("kn", "\u0c80-\u0cf2", ""),
    ("ml", "\u0d00-\u0d7f", ""),
    ("si", "\u0d82-\u0df4", ""),
)
_KANA = re.compile("[\u3041-\u30ff]")
_DENSE = ("ja", "zh", "ko")  # a letter says as much as three of an alphabet
_MIN_PART = 0.6  # of the letters, before a script counts
_MIN_WORDS = 3  # different frequent words
_MIN_COVERED = 0.2  # of the words
_MIN_LEAD = 0.12  # of the words, before the second language; and at least two words
_MAX_FOREIGN = 0.1  # of the words, with letters that the language does not have
_LAST_LATIN = "\u036f"
# Too similar to others to be recognised: Croatian, Bosnian and Serbian in Latin letters; Malay.
_UNSPECIFIC = ("sh", "ms")

_NO_WORDS = re.compile(r"https?://\S+|[@#$]\S+|(?:[\w-]+\.)+\w{2,}\S*")
_WORD = re.compile(r"[^\W\d_][\w\u0900-\u0963\u064b-\u0652\u200c]*")


def _word_lists() -> dict[str, frozenset[str]]:
    entries = re.findall(r"^(\w+): (.*(?:\n  .*)*)", WORDS, re.MULTILINE)
    return {language: frozenset(words.split()) for language, words in entries}


def _alphabet(language: str) -> frozenset[str]:
    letters = LETTERS[language]
    latin = "" if min(letters, default="a") > _LAST_LATIN else string.ascii_lowercase
    return frozenset(letters + latin) - frozenset(UNUSED.get(language, ""))


_LISTS = _word_lists()
_ALPHABETS = {language: _alphabet(language) for language in LETTERS}
_DEVANAGARI = frozenset(map(chr, range(0x0900, 0x0964)))


def guess(text: str) -> str:
    """Return the code of the language; "" if undecided."""
    text = _NO_WORDS.sub(" ", unicodedata.normalize("NFC", text).lower())
    return _by_script(text) or _by_words(_WORD.findall(text))


def _by_script(text: str) -> str:
    letters = sum(1 for letter in text if letter.isalpha())
    for language, script, others in _SCRIPTS:
        found = len(re.findall(f"[{script}]", text))
        weight = 3 if language in _DENSE else 1
        is_most = found and found * weight >= _MIN_PART * (letters + found * (weight - 1))
        if is_most and (language != "ja" or _KANA.search(text)):
            return "" if others and re.search(f"[{others}]", text) else language
    return ""


def _by_words(words: list[str]) -> str:
    """Return the language with the most frequent words, if its lead excludes similar languages."""
    ranked = sorted(((_score(words, language), language) for language in _LISTS), reverse=True)
    (best, language), (second, _) = ranked[:2]
    known = [word for word in words if word in _LISTS[language]]
    sure = (
        len(set(known)) >= _MIN_WORDS
        and len(known) >= _MIN_COVERED * len(words)
        and best - second >= max(2, _MIN_LEAD * len(words))
    )
    return language if sure and language not in _UNSPECIFIC else ""


def _score(words: list[str], language: str) -> int:
    """Count the frequent words, less those with letters that the language does not have."""
    alphabet = _ALPHABETS.get(language, _DEVANAGARI)
    foreign = sum(any(one.isalpha() and one not in alphabet for one in word) for word in words)
    if foreign > _MAX_FOREIGN * len(words):
        return 0
    return sum(1 for word in words if word in _LISTS[language]) - foreign
