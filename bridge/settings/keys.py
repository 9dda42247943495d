"""The keys of config.toml: which values each accepts, and how an error describes them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bridge.core.policy.presets import Preset
from bridge.core.policy.rules import QuestionPlace, Verdict
from bridge.core.policy.url_safety import check_url
from bridge.core.protocol.revisions import Era
from bridge.core.questions.interruption import RaiseWindow
from bridge.core.sampling.model_choice import PROVIDERS, SLOTS
from bridge.core.sampling.rules import ANSWERERS
from bridge.i18n import Words, say

OAUTH_KEYS = (
    "scope",
    "client_id",
    "client_secret",
    "client_metadata_url",
    "auth_method",
    "grant",
    "private_key",
    "signing_algorithm",
)


@dataclass(frozen=True, slots=True)
class KeyRule:
    """Which values a key accepts, and their description."""

    accepts: Callable[[Any], bool]
    expected: Words


def _choice(*values: str) -> KeyRule:
    *others, last = (f'"{value}"' for value in values)
    expected = say("{others} or {last}", others=", ".join(others), last=last)
    return KeyRule(lambda value: value in values, expected)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < float("inf")


def _is_number_or_0(value: object) -> bool:
    return value == 0 or _is_number(value)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_text_table(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(item, str) for item in value.values())


def _is_folders(value: object) -> bool:
    """True for a table of folders; those of one Toolbox must have different names."""
    if not isinstance(value, dict):
        return False
    lists = [[one] if isinstance(one, str) else one for one in value.values()]
    return all(_is_texts(one) and len({_last_part(path) for path in one}) == len(one) for one in lists)


def _last_part(folder: str) -> str:
    return re.split(r"[/\\]", folder.removesuffix(":rw").rstrip("/\\"))[-1]


_TEXT = KeyRule(lambda value: isinstance(value, str), say("text in quotes"))
_ARGUMENTS, _NAMES = (
    KeyRule(_is_texts, say("a list of texts, such as {example}", example=example))
    for example in ('["-y", "name"]', '["github", "notes"]')
)
_TEXT_TABLE = KeyRule(
    _is_text_table, say("a table of texts, such as {example}", example='{ NAME = "value" }')
)
_SECONDS = KeyRule(_is_number, say("a number of seconds above 0"))
_DAYS = KeyRule(_is_number_or_0, say("a number of days, or 0 for no history"))
_COUNT = KeyRule(_is_count, say("a whole number, or 0 for no limit"))
_YES_NO = KeyRule(lambda value: isinstance(value, bool), say("true or false"))
TABLE = KeyRule(lambda value: isinstance(value, dict), say("a table"))
PORT = KeyRule(lambda value: _is_count(value) and value <= 65535, say("a port number from 0 to 65535"))
_URL = KeyRule(
    lambda value: isinstance(value, str) and re.match(r"https?://[^/\s]", value) is not None,
    say("an address that begins with http:// or https://"),
)
THEMES = ("system", "light", "dark")
ICONS = ("colour", "mono", "mono-light", "mono-dark")
ERAS = tuple(era.value for era in Era)
LASTING_VAULTS = ("keyring", "file")  # their secrets survive a restart
VAULTS = ("auto", *LASTING_VAULTS, "memory", "refuse")
TOP_KEYS = {
    "port": PORT,
    "question_timeout": _SECONDS,
    "presenter": _TEXT,
    "vault": _choice(*VAULTS),
    "servers": TABLE,
    "hosts": TABLE,
    "policy": TABLE,
    "approvals": TABLE,
    "desktop": TABLE,
    "history": TABLE,
    "bluesky": TABLE,
    "updates": TABLE,
    "models": TABLE,
    "files": KeyRule(
        _is_folders,
        say("a folder or a list of folders, such as {example}", example='["~/tea", "~/notes:rw"]'),
    ),
    "sampling": TABLE,
}
SERVER_KEYS = {
    "command": _TEXT,
    "args": _ARGUMENTS,
    "env": _TEXT_TABLE,
    "cwd": _TEXT,
    "url": _URL,
    "headers": _TEXT_TABLE,
    "oauth": KeyRule(
        lambda value: _is_text_table(value) and set(value) <= set(OAUTH_KEYS),
        say("a table of texts named {names}", names=", ".join(OAUTH_KEYS)),
    ),
    "timeout": _SECONDS,
    "shared": _YES_NO,
    "era": _choice(*ERAS),
    "sampling": _choice(*ANSWERERS),
    "models": _YES_NO,
    "enabled": _YES_NO,
}
HOST_KEYS = {
    "questions": _choice(*QuestionPlace),
    "servers": _NAMES,
    "tools": KeyRule(
        _is_texts, say("a list of patterns, such as {example}", example='["github_*", "!github_delete_*"]')
    ),
    "policy": TABLE,
    "patience": KeyRule(
        lambda value: _is_number(value) or value in ("auto", "none"),
        say('a number of seconds above 0, "auto" or "none"'),
    ),
}
DESKTOP_KEYS = {
    "windows": _YES_NO,
    "raise": _choice(*RaiseWindow),
    "notifications": _YES_NO,
    "sound": _YES_NO,
    "do_not_disturb": _YES_NO,
    "questions_per_minute": _COUNT,
    "language": KeyRule(
        lambda value: isinstance(value, str) and re.fullmatch(r"[a-z]{2,3}([_-]\w+)*|", value) is not None,
        say('a language, such as "de"'),
    ),
    "theme": _choice(*THEMES),
    "icon": _choice(*ICONS),
    "shortcut": KeyRule(
        lambda value: isinstance(value, str) and re.fullmatch(r"(\w+\+)*\w+|", value) is not None,
        say('keys, such as "Meta+Alt+A", or "none"'),
    ),
}
HISTORY_KEYS = {
    "days": _DAYS,
    "contents": KeyRule(_is_number_or_0, say("a number of days, or 0 for never")),
}
_SECURE = KeyRule(
    lambda value: isinstance(value, str) and check_url(value).refusal is None,
    say("an address that begins with https:// (http:// on this computer only)"),
)
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}")
BLUESKY_KEYS = {
    "enabled": _YES_NO,
    "service": _SECURE,
    "plc": _SECURE,
    "appview": _SECURE,
    "resolver": _SECURE,
    "langs": KeyRule(
        lambda value: _is_texts(value) and len(value) <= 3 and all(_LANGUAGE.fullmatch(one) for one in value),
        say("a list of up to three languages, such as {example}", example='["en", "pt-BR"]'),
    ),
}
_MINISIGN = re.compile(r"RW[A-Za-z0-9+/]{54}")
UPDATES_KEYS = {
    "check": _YES_NO,
    "url": KeyRule(lambda value: value == "" or _SECURE.accepts(value), _SECURE.expected),
    "key": KeyRule(
        lambda value: isinstance(value, str) and (not value or _MINISIGN.fullmatch(value) is not None),
        say("a public key of minisign, 56 letters that begin with RW"),
    ),
    "install": _YES_NO,
}
_PRICE = KeyRule(_is_number_or_0, say("a price of a million tokens"))
MODEL_KEYS = {
    "kind": _choice(*PROVIDERS),
    "url": _SECURE,
    "model": _TEXT,
    "key": _TEXT,
    "slots": KeyRule(
        lambda value: _is_texts(value) and set(value) <= set(SLOTS),
        say("a list of {names}", names=", ".join(SLOTS)),
    ),
    "servers": _NAMES,
    "tools": _YES_NO,
    "max_tokens": _COUNT,
    "price_in": _PRICE,
    "price_out": _PRICE,
    "timeout": _SECONDS,
}
SAMPLING_KEYS = {
    "allow": _NAMES,
    "background": _NAMES,
    "person": _YES_NO,
    "check_answers": _YES_NO,
    "requests_per_call": _COUNT,
    "requests_per_hour": _COUNT,
    "tokens_per_day": _COUNT,
}
PREFERENCES = {  # settings that windows may change; "": top-level keys
    "": {key: TOP_KEYS[key] for key in ("port", "question_timeout")},
    "desktop": DESKTOP_KEYS,
    "history": HISTORY_KEYS,
    "updates": UPDATES_KEYS,
    "bluesky": {"enabled": BLUESKY_KEYS["enabled"]},
}
VERDICT = _choice(*Verdict)
PRESET = _choice(*Preset)
