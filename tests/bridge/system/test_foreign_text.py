"""Every surface that shows foreign text hides or names the same deceptive characters."""

from __future__ import annotations

import pytest

from bridge.core.policy.tool_diff import visible
from bridge.core.policy.url_safety import UrlRefusal, check_url
from bridge.presenters import tty
from bridge.system.foreign_text import has_unseen, mark_deceptive, strip_deceptive
from bridge.tools.bluesky.text import quoting

DECEPTIVE = {
    "escape": "\x1b",
    "C1 control": "\x9b",
    "lone surrogate": "\ud800",
    "soft hyphen": "\u00ad",
    "Arabic letter mark": "\u061c",
    "Hangul choseong filler": "\u115f",
    "Hangul filler": "\u3164",
    "zero-width space": "\u200b",
    "right-to-left mark": "\u200f",
    "right-to-left override": "\u202e",
    "word joiner": "\u2060",
    "isolate": "\u2066",
    "byte order mark": "\ufeff",
    "tag letter": "\U000e0041",
}
NEEDED = {
    "family emoji": "👩\u200d👧",
    "heart emoji": "❤\ufe0f",
    "flag of Wales": "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f",
    "ideograph of a name": "葛\U000e0100",
    "Persian non-joiner": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
}


@pytest.mark.parametrize("character", DECEPTIVE.values(), ids=DECEPTIVE)
def test_no_surface_shows_a_deceptive_character(character: str) -> None:
    text = f"pay{character}pal"
    assert mark_deceptive(text) == "pay\ufffdpal"
    assert strip_deceptive(text) == "paypal"
    assert quoting.clean(text) == "paypal"
    assert character not in tty.plain(text)
    assert visible(text) == f"pay⟨U+{ord(character):04X}⟩pal"
    assert check_url(f"https://{text}.example/").refusal is UrlRefusal.MALFORMED


@pytest.mark.parametrize("text", NEEDED.values(), ids=NEEDED)
def test_emoji_and_scripts_keep_the_joiners_they_need(text: str) -> None:
    assert mark_deceptive(text) == strip_deceptive(text) == quoting.clean(text) == tty.plain(text) == text
    assert has_unseen(text)


def test_a_run_of_variation_selectors_carries_no_hidden_text() -> None:
    assert strip_deceptive("a\ufe01\ufe02\U000e0101b") == "a\ufe01b"


def test_tags_after_anything_but_a_flag_are_removed() -> None:
    assert strip_deceptive("ok\U000e0069\U000e0067\U000e006e\U000e006f\U000e0072\U000e0065") == "ok"


def test_line_feeds_tabs_and_letters_of_every_script_stay() -> None:
    text = "Grüße\t名前\n\u0645\u0631\u062d\u0628\u0627 👋"
    assert mark_deceptive(text) == strip_deceptive(text) == text
    assert not has_unseen(text)
