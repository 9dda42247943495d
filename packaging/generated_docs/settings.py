"""The keys of config.toml, made from the rules that check them and the defaults that hold without them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bridge.settings import keys
from bridge.settings.parser import Settings, read

_TABLES: Mapping[str, Mapping[str, keys.KeyRule]] = {  # as written in config.toml → its keys
    "": keys.TOP_KEYS,
    "[servers.NAME]": keys.SERVER_KEYS,
    '[hosts."NAME"]': keys.HOST_KEYS,
    "[desktop]": keys.DESKTOP_KEYS,
    "[history]": keys.HISTORY_KEYS,
    "[models.NAME]": keys.MODEL_KEYS,
    "[sampling]": keys.SAMPLING_KEYS,
    "[bluesky]": keys.BLUESKY_KEYS,
    "[updates]": keys.UPDATES_KEYS,
}
_SAMPLE = """
[servers.x]
command = "x"
[hosts.x]
[models.x]
kind = "openai"
url = "http://127.0.0.1"
model = "x"
"""
_REQUIRED = {"[models.NAME]": ("kind", "url", "model"), "[servers.NAME]": ("command", "url")}
_ELSEWHERE = {  # key → where Settings keeps it, unless it has the key's own name
    "raise": "front",
    "days": "history_days",
    "contents": "contents_days",
    "max_tokens": "limit",
    "requests_per_call": "per_call",
    "requests_per_hour": "per_hour",
}


def table() -> str:
    """Return one row for each key: its table, what it accepts, its default."""
    settings = read(_SAMPLE, "", {})
    lines = ["| table | key | value | default |", "|---|---|---|---|"]
    for name, rules in _TABLES.items():
        for key, rule in rules.items():
            if rule is not keys.TABLE:
                default = _default(name, key, settings)
                lines.append(f"| {_code(name)} | `{key}` | {_cell(str(rule.expected))} | {default} |")
    lines.append(f"| `[policy]` | a pattern | {_cell(str(keys.VERDICT.expected))} | |")
    lines.append(f"| `[approvals]` | a server | {_cell(str(keys.PRESET.expected))} | |")
    return "\n".join(lines)


def _default(name: str, key: str, settings: Settings) -> str:
    if key in _REQUIRED.get(name, ()):
        return "required" if name == "[models.NAME]" else "one of them"
    for holder in _holders(name, settings):
        for attribute in (_ELSEWHERE.get(key, key), key):
            if hasattr(holder, attribute):
                return _shown(getattr(holder, attribute))
    raise LookupError(f"no default of {name} {key}")


def _holders(name: str, settings: Settings) -> Iterator[Any]:
    yield from {
        "": (settings,),
        "[servers.NAME]": (settings.servers["x"],),
        '[hosts."NAME"]': (settings.hosts["x"],),
        "[desktop]": (settings.wishes, settings),
        "[history]": (settings,),
        "[models.NAME]": (settings.models["x"],),
        "[sampling]": (settings.sampling, settings.sampling.limits),
        "[bluesky]": (settings.bluesky,),
        "[updates]": (settings.updates,),
    }[name]


def _shown(value: object) -> str:
    """Return a default as it would be written in config.toml; nothing for none."""
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, int | float):
        return f"`{value:g}`"
    if isinstance(value, str):
        return f'`"{value}"`' if value else ""
    if isinstance(value, tuple) and value:
        return f"`[{', '.join(f'{chr(34)}{one}{chr(34)}' for one in value)}]`"
    return ""


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
