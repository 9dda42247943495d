"""Guess the language of a text that is posted, for the field `langs`. Pure.

Scripts that one language uses decide; in Latin letters, the frequent little words do. A text that does not
tell has no language: a wrong one would hide the post from its readers.
"""

from __future__ import annotations

import re

_SCRIPTS = (  # in this order: Japanese also uses the letters of Chinese
    ("ja", re.compile("[\u3041-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7a3]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("th", re.compile("[\u0e01-\u0e5b]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("he", re.compile("[\u05d0-\u05ea]")),
    ("hi", re.compile("[\u0904-\u0939]")),
    ("uk", re.compile("[іїєґ]")),
)
_WORDS = {
    "en": "the and is of to in it that you for with this are was not my have on we i what",
    "de": "der die das und ist ich nicht ein eine mit zu auf für wir es sich auch von dem den",
    "fr": "le la les et est je ne pas un une des pour dans que vous avec sur il nous ce",
    "es": "el la los y es no un una que de en por con para se lo mi muy las del",
    "pt": "o a os e é não um uma que de em por com para se do da eu muito mais",
    "it": "il la e è non un una che di in per con si lo mi gli del sono anche questo",
    "nl": "de het en is ik niet een van dat op te zijn met voor we ook maar naar er aan",
}
_LISTS = {language: frozenset(words.split()) for language, words in _WORDS.items()}
_WORD = re.compile(r"(?<![@#/.\w])[^\W\d_]+(?![\w/@]|\.\w)")
_MIN_WORDS = 2  # of a list, before it counts
_MIN_PART = 0.2  # of the letters, before a script counts


def guess(text: str) -> str:
    """Return the code of the language; "" if the text does not tell."""
    letters = sum(1 for letter in text if letter.isalpha())
    for language, script in _SCRIPTS:
        if letters and len(script.findall(text.lower())) >= letters * _MIN_PART:
            return language
        if language == "uk" and script.search(text.lower()):
            return language
    words = [word.lower() for word in _WORD.findall(text)]
    ranked = sorted(
        ((sum(word in known for word in words), name) for name, known in _LISTS.items()), reverse=True
    )
    (best, language), (second, _) = ranked[:2]
    return language if best >= _MIN_WORDS and best > second else ""
