"""Parse config.toml into Settings. Every error names line, column and what is expected.

An unknown key is noted and ignored: a newer Deskbell may have written it.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bridge.core.policy.rules import HostRule, QuestionPlace, Verdict
from bridge.core.policy.url_safety import check_url
from bridge.core.ports import BUILT_IN, ServerSpec
from bridge.core.protocol.revisions import Era
from bridge.core.questions.flood_control import LIMIT
from bridge.core.questions.interruption import PLAIN, AlertSettings, RaiseWindow
from bridge.core.sampling.budget import USUAL as USUAL_LIMITS
from bridge.core.sampling.budget import Limits
from bridge.core.sampling.model_choice import PROVIDERS, SLOTS, ModelSpec
from bridge.errors import SettingsError
from bridge.i18n import Words, say
from bridge.settings.toml_positions import dotted, find_key

SERVER_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")  # attributes only since Python 3.14
_AT_END = " (at end of document)"
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
class Bluesky:
    """Addresses of Bluesky's services."""

    enabled: bool = True  # offer its tools to AI applications
    service: str = "https://bsky.social"  # where to sign in when no handle is given
    plc: str = "https://plc.directory"
    resolver: str = ""  # queried first for handles; "": DNS and the handle's own site first


@dataclass(frozen=True, slots=True)
class Updates:
    """Whether to check for updates, and where."""

    check: bool = False
    url: str = ""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How servers may use models."""

    allow: tuple[str, ...] = ()  # servers that are not asked about
    background: tuple[str, ...] = ()  # servers that may ask outside any call
    limits: Limits = USUAL_LIMITS


@dataclass(frozen=True, slots=True)
class Settings:
    port: int = 8765
    servers: Mapping[str, ServerSpec] = field(default_factory=dict)
    hosts: Mapping[str, HostRule] = field(default_factory=dict)  # by clientInfo.name; "*" is everyone
    policy: tuple[tuple[str, Verdict], ...] = ()
    question_timeout: float = 300.0
    presenter: str = ""  # "": by the machine
    history_days: float = 30.0  # 0: no history
    contents_days: float = 1.0  # days to keep contents of calls; 0: never
    questions_per_minute: int = LIMIT
    wishes: AlertSettings = PLAIN  # how loudly Questions may come
    vault: str = "auto"  # which store keeps secrets
    bluesky: Bluesky = Bluesky()
    language: str = ""  # of the windows; "": the system's
    theme: str = "system"  # of the windows: one of THEMES
    icon: str = "colour"  # of the tray: one of ICONS
    updates: Updates = Updates()
    models: Mapping[str, ModelSpec] = field(default_factory=dict)
    sampling: Sampling = Sampling()
    refusal: str = ""  # why all calls are denied; "": the policy decides
    notes: tuple[str, ...] = field(default=(), compare=False)  # ignored keys, for users


NOTHING_KNOWN = Settings(
    policy=(("*", Verdict.DENY),),
    history_days=36500.0,  # keep everything: the user's choice is unknown
    refusal="Deskbell allows no calls: its config.toml is broken. `deskbell doctor` says where.",
)


def load(path: Path, env: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings in this file; the defaults if it does not exist. Raises SettingsError."""
    return read(text_of(path), path.name, env)


def read(text: str, name: str, env: Mapping[str, str]) -> Settings:
    """Parse the text of a settings file; errors name it `name`. Raises SettingsError."""
    return _Reader(text, name, env).settings()


@dataclass(frozen=True, slots=True)
class _Rule:
    """Which values a key accepts, and their description."""

    accepts: Callable[[Any], bool]
    expected: Words


def _one_of(*values: str) -> Words:
    *others, last = (f'"{value}"' for value in values)
    return say("{others} or {last}", others=", ".join(others), last=last)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < float("inf")


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_text_table(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(item, str) for item in value.values())


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_language(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[a-z]{2,3}([_-]\w+)*|", value) is not None


def _is_port(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 65535


def _is_oauth(value: object) -> bool:
    return _is_text_table(value) and isinstance(value, dict) and set(value) <= set(OAUTH_KEYS)


_TEXT = _Rule(lambda value: isinstance(value, str), say("text in quotes"))
_TEXTS = _Rule(_is_texts, say("a list of texts, such as {example}", example='["-y", "name"]'))
_TEXT_TABLE = _Rule(_is_text_table, say("a table of texts, such as {example}", example='{ NAME = "value" }'))
_SECONDS = _Rule(_is_number, say("a number of seconds above 0"))
_DAYS = _Rule(lambda value: value == 0 or _is_number(value), say("a number of days, or 0 for no history"))
_YES_NO = _Rule(lambda value: isinstance(value, bool), say("true or false"))
_TABLE = _Rule(lambda value: isinstance(value, dict), say("a table"))
_PORT = _Rule(_is_port, say("a port number from 0 to 65535"))
_URL = _Rule(
    lambda value: isinstance(value, str) and re.match(r"https?://[^/\s]", value) is not None,
    say("an address that begins with http:// or https://"),
)
THEMES = ("system", "light", "dark")
ICONS = ("colour", "mono", "mono-light", "mono-dark")
ERAS = tuple(era.value for era in Era)
LASTING_VAULTS = ("keyring", "file")  # their secrets survive a restart
VAULTS = ("auto", *LASTING_VAULTS, "memory", "refuse")
TOP_KEYS = {
    "port": _PORT,
    "question_timeout": _SECONDS,
    "presenter": _TEXT,
    "vault": _Rule(lambda value: value in VAULTS, _one_of(*VAULTS)),
    "servers": _TABLE,
    "hosts": _TABLE,
    "policy": _TABLE,
    "desktop": _TABLE,
    "history": _TABLE,
    "bluesky": _TABLE,
    "updates": _TABLE,
    "models": _TABLE,
    "sampling": _TABLE,
}
SERVER_KEYS = {
    "command": _TEXT,
    "args": _TEXTS,
    "env": _TEXT_TABLE,
    "cwd": _TEXT,
    "url": _URL,
    "headers": _TEXT_TABLE,
    "oauth": _Rule(_is_oauth, say("a table of texts named {names}", names=", ".join(OAUTH_KEYS))),
    "timeout": _SECONDS,
    "shared": _YES_NO,
    "era": _Rule(lambda value: value in ERAS, _one_of(*ERAS)),
    "enabled": _YES_NO,
}
HOST_KEYS = {
    "questions": _Rule(lambda value: value in list(QuestionPlace), _one_of(*QuestionPlace)),
    "servers": _TEXTS,
    "tools": _Rule(
        _is_texts, say("a list of patterns, such as {example}", example='["github_*", "!github_delete_*"]')
    ),
    "policy": _TABLE,
}
DESKTOP_KEYS = {
    "windows": _YES_NO,
    "raise": _Rule(lambda value: value in list(RaiseWindow), _one_of(*RaiseWindow)),
    "notifications": _YES_NO,
    "sound": _YES_NO,
    "do_not_disturb": _YES_NO,
    "questions_per_minute": _Rule(_is_count, say("a whole number, or 0 for no limit")),
    "language": _Rule(_is_language, say('a language, such as "de"')),
    "theme": _Rule(lambda value: value in THEMES, _one_of(*THEMES)),
    "icon": _Rule(lambda value: value in ICONS, _one_of(*ICONS)),
}
HISTORY_KEYS = {
    "days": _DAYS,
    "contents": _Rule(lambda value: value == 0 or _is_number(value), say("a number of days, or 0 for never")),
}
_SECURE = _Rule(
    lambda value: isinstance(value, str) and check_url(value).refusal is None,
    say("an address that begins with https:// (http:// on this computer only)"),
)
BLUESKY_KEYS = {"enabled": _YES_NO, "service": _SECURE, "plc": _SECURE, "resolver": _SECURE}
UPDATES_KEYS = {
    "check": _YES_NO,
    "url": _Rule(lambda value: value == "" or _SECURE.accepts(value), _SECURE.expected),
}
_COUNT = _Rule(_is_count, say("a whole number, or 0 for no limit"))
_PRICE = _Rule(lambda value: value == 0 or _is_number(value), say("a price of a million tokens"))
MODEL_KEYS = {
    "kind": _Rule(lambda value: value in PROVIDERS, _one_of(*PROVIDERS)),
    "url": _SECURE,
    "model": _TEXT,
    "key": _TEXT,
    "slots": _Rule(
        lambda value: _is_texts(value) and set(value) <= set(SLOTS),
        say("a list of {names}", names=", ".join(SLOTS)),
    ),
    "servers": _TEXTS,
    "tools": _YES_NO,
    "max_tokens": _COUNT,
    "price_in": _PRICE,
    "price_out": _PRICE,
    "timeout": _SECONDS,
}
SAMPLING_KEYS = {
    "allow": _TEXTS,
    "background": _TEXTS,
    "requests_per_call": _COUNT,
    "requests_per_hour": _COUNT,
    "tokens_per_day": _COUNT,
}
PREFERENCES = {  # settings that windows may change; "": top-level keys
    "": {key: TOP_KEYS[key] for key in ("port", "question_timeout")},
    "desktop": DESKTOP_KEYS,
    "history": HISTORY_KEYS,
    "updates": UPDATES_KEYS,
}
_VERDICT = _Rule(lambda value: value in list(Verdict), _one_of(*Verdict))


class _Reader:
    """Parses one file."""

    def __init__(self, text: str, name: str, env: Mapping[str, str]) -> None:
        self._text = text
        self._name = name
        self._env = env
        self._notes: list[str] = []

    def settings(self) -> Settings:
        top = self._table((), self._parsed(), TOP_KEYS)
        desktop = self._table(("desktop",), top.get("desktop", {}), DESKTOP_KEYS)
        history = self._table(("history",), top.get("history", {}), HISTORY_KEYS)
        return Settings(
            port=self._port(top.get("port", 8765)),
            servers={name: self._server(name, raw) for name, raw in top.get("servers", {}).items()},
            hosts={name: self._host(name, raw) for name, raw in top.get("hosts", {}).items()},
            policy=tuple(self._policy(("policy",), top.get("policy", {}))),
            question_timeout=float(top.get("question_timeout", 300)),
            presenter=top.get("presenter", ""),
            history_days=float(history.get("days", 30)),
            contents_days=float(history.get("contents", 1)),
            questions_per_minute=desktop.pop("questions_per_minute", LIMIT),
            language=desktop.pop("language", ""),
            theme=desktop.pop("theme", "system"),
            icon=desktop.pop("icon", "colour"),
            wishes=AlertSettings(front=RaiseWindow(desktop.pop("raise", RaiseWindow.NEVER)), **desktop),
            vault=top.get("vault", "auto"),
            bluesky=Bluesky(**self._table(("bluesky",), top.get("bluesky", {}), BLUESKY_KEYS)),
            models={name: self._model(name, raw) for name, raw in top.get("models", {}).items()},
            sampling=self._sampling(top.get("sampling", {})),
            updates=Updates(**self._table(("updates",), top.get("updates", {}), UPDATES_KEYS)),
            notes=tuple(self._notes),
        )

    def _parsed(self) -> dict[str, Any]:
        try:
            return tomllib.loads(self._text)
        except tomllib.TOMLDecodeError as error:
            found = _PLACE.search(str(error))
            words = str(error).removesuffix(found[0] if found else _AT_END)
            line, column = (int(found[1]), int(found[2])) if found else _end_of(self._text)
            raise self._error(line, column, f"{words}.") from error

    def _table(self, path: tuple[str, ...], raw: object, rules: Mapping[str, _Rule]) -> dict[str, Any]:
        """Return the known keys of a table, with their values checked; note unknown keys."""
        self._must(path, raw, _TABLE)
        table: dict[str, Any] = raw  # type: ignore[assignment]
        for key in table:
            if key in rules:
                self._must((*path, key), table[key], rules[key])
            else:
                place = (*path, key)
                self._note(place, say("{key} is not a setting; it is ignored.", key=dotted(place)))
        return {key: value for key, value in table.items() if key in rules}

    def _must(self, path: tuple[str, ...], value: object, rule: _Rule) -> None:
        if not rule.accepts(value):
            raise self._refusal(path, say("{key} must be {what}.", key=dotted(path), what=rule.expected))

    def _port(self, kept: int) -> int:
        wanted = self._env.get("DESKBELL_PORT", "")
        if not wanted:
            return kept
        if not wanted.isascii() or not wanted.isdigit() or not _is_port(int(wanted)):
            hint = say("It must be {what}, not {value}.", what=_PORT.expected, value=repr(wanted))
            raise SettingsError(say("DESKBELL_PORT cannot be used"), hint)
        return int(wanted)

    def _server(self, name: str, raw: object) -> ServerSpec:
        path = ("servers", name)
        key = dotted(path)
        known = self._table(path, raw, SERVER_KEYS)
        if SERVER_NAME.fullmatch(name) is None:
            words = say("{key} must have a name of letters, digits, - and _, at most 64.", key=key)
            raise self._refusal(path, words)
        if name in BUILT_IN:
            words = say("{key} must have another name: this is a built-in server's.", key=key)
            raise self._refusal(path, words)
        if any("${vault:" in word for word in (*known.get("args", ()), known.get("url", ""))):
            words = say(
                "{key} uses {reference} where it is not filled in: only env and headers are secret.",
                key=key,
                reference="${vault:…}",
            )
            self._note(path, words)
        if bool(known.get("command")) == bool(known.get("url")):
            raise self._refusal(path, say("{key} must have either a command or a url.", key=key))
        known["args"] = tuple(known.get("args", ()))
        known["timeout"] = float(known.get("timeout", 120))
        return ServerSpec(name, **known)

    def _model(self, name: str, raw: object) -> ModelSpec:
        path = ("models", name)
        known = self._table(path, raw, MODEL_KEYS)
        missing = [key for key in ("kind", "url", "model") if not known.get(key)]
        if missing:
            words = say("{key} must have {names}.", key=dotted(path), names=", ".join(missing))
            raise self._refusal(path, words)
        for key in ("slots", "servers"):
            if key in known:
                known[key] = tuple(known[key])
        known["limit"] = known.pop("max_tokens", 0)
        return ModelSpec(name, **known)

    def _sampling(self, raw: object) -> Sampling:
        known = self._table(("sampling",), raw, SAMPLING_KEYS)
        usual = USUAL_LIMITS
        limits = Limits(
            known.get("requests_per_call", usual.per_call),
            known.get("requests_per_hour", usual.per_hour),
            known.get("tokens_per_day", usual.tokens_per_day),
        )
        return Sampling(tuple(known.get("allow", ())), tuple(known.get("background", ())), limits)

    def _host(self, name: str, raw: object) -> HostRule:
        known = self._table(("hosts", name), raw, HOST_KEYS)
        servers, tools = (tuple(known[key]) if key in known else None for key in ("servers", "tools"))
        rules = tuple(self._policy(("hosts", name, "policy"), known.get("policy", {})))
        return HostRule(QuestionPlace(known.get("questions", "auto")), servers, tools, rules)

    def _policy(self, path: tuple[str, ...], table: dict[str, Any]) -> Iterator[tuple[str, Verdict]]:
        for pattern, verdict in table.items():
            self._must((*path, pattern), verdict, _VERDICT)
            yield pattern, Verdict(verdict)

    def _note(self, path: tuple[str, ...], words: Words) -> None:
        line = find_key(self._text, path).line
        self._notes.append(say("{file}, line {line}: {what}", file=self._name, line=line, what=words))

    def _refusal(self, path: tuple[str, ...], words: Words) -> SettingsError:
        place = find_key(self._text, path)
        return self._error(place.line, place.column, words)

    def _error(self, line: int, column: int, words: str) -> SettingsError:
        title = say("{file}, line {line}, column {column}", file=self._name, line=line, column=column)
        return SettingsError(title, words, line=line, column=column)


def _end_of(text: str) -> tuple[int, int]:
    return text.count("\n") + 1, len(text) - text.rfind("\n")


def text_of(path: Path) -> str:
    return decoded(path, bytes_of(path) or b"")


def bytes_of(path: Path) -> bytes | None:
    """Return the file's contents; None if it does not exist. Raises SettingsError."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SettingsError(say("{path} cannot be read", path=path), f"{error}.") from error


def decoded(path: Path, raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SettingsError(say("{path} cannot be read", path=path), f"{error}.") from error
