"""Parse config.toml into Settings. Every error names line, column and what is expected.

An unknown key is noted and ignored: a newer Deskbell may have written it.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from bridge.core.policy.presets import Preset
from bridge.core.policy.rules import HostRule, QuestionPlace, Verdict
from bridge.core.ports import BUILT_IN, DEFAULT_PORT, ServerSpec
from bridge.core.questions.flood_control import LIMIT
from bridge.core.questions.interruption import PLAIN, AlertSettings, RaiseWindow
from bridge.core.sampling.budget import USUAL, Limits
from bridge.core.sampling.model_choice import ModelSpec
from bridge.core.sampling.rules import USUAL_RULES, SamplingRules
from bridge.errors import SettingsError
from bridge.i18n import Words, say
from bridge.settings import keys

SERVER_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")  # attributes only since Python 3.14
_MOST_DOTS = 100  # in a key; taking it apart takes time in the square of their number
_AT_END = " (at end of document)"
_HEADER = re.compile(r"(\s*\[+)\s*(.*?)\s*\]+\s*(?:#.*)?")
_KEY = re.compile(r"""(\s*)((?:[^\s="'#\[\]{},]|"(?:[^"\\]|\\.)*"|'[^']*'|[ \t])+?)\s*=""")


@dataclass(frozen=True, slots=True)
class Bluesky:
    """Addresses of Bluesky's services."""

    enabled: bool = True  # offer its tools to AI applications
    service: str = "https://bsky.social"  # where to sign in when no handle is given
    plc: str = "https://plc.directory"
    appview: str = "https://public.api.bsky.app"  # where to read without an account
    langs: tuple[str, ...] = ()  # languages of what is posted; (): guessed from the text
    resolver: str = ""  # queried first for handles; "": DNS and the handle's own site first
    chosen: bool = False  # `enabled` is set in the file


@dataclass(frozen=True, slots=True)
class Updates:
    """Whether to check for updates, and where."""

    check: bool = False
    url: str = ""  # "": where releases of this kind are published
    key: str = ""  # public key of minisign, for `url`
    install: bool = False  # download them, and put them in place at the next start


@dataclass(frozen=True, slots=True)
class Settings:
    port: int = DEFAULT_PORT
    servers: Mapping[str, ServerSpec] = field(default_factory=dict)
    hosts: Mapping[str, HostRule] = field(default_factory=dict)  # by clientInfo.name; "*" is everyone
    policy: tuple[tuple[str, Verdict], ...] = ()
    approvals: Mapping[str, Preset] = field(default_factory=dict)  # by server; none: all is allowed
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
    shortcut: str = ""  # opens the oldest question; "": the default, "none": no shortcut
    updates: Updates = Updates()
    models: Mapping[str, ModelSpec] = field(default_factory=dict)
    sampling: SamplingRules = USUAL_RULES  # without the models
    files: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # Toolbox → folders for its tools
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


class _Reader:
    """Parses one file."""

    def __init__(self, text: str, name: str, env: Mapping[str, str]) -> None:
        self._text = text
        self._name = name
        self._env = env
        self._notes: list[str] = []

    def settings(self) -> Settings:
        top = self._table((), self._parsed(), keys.TOP_KEYS)
        desktop = self._table(("desktop",), top.get("desktop", {}), keys.DESKTOP_KEYS)
        history = self._table(("history",), top.get("history", {}), keys.HISTORY_KEYS)
        return Settings(
            port=self._port(top.get("port", DEFAULT_PORT)),
            servers={name: self._server(name, raw) for name, raw in top.get("servers", {}).items()},
            hosts={name: self._host(name, raw) for name, raw in top.get("hosts", {}).items()},
            policy=tuple(self._policy(("policy",), top.get("policy", {}))),
            approvals=self._approvals(top.get("approvals", {})),
            question_timeout=float(top.get("question_timeout", 300)),
            presenter=top.get("presenter", ""),
            history_days=float(history.get("days", 30)),
            contents_days=float(history.get("contents", 1)),
            questions_per_minute=desktop.pop("questions_per_minute", LIMIT),
            language=desktop.pop("language", ""),
            theme=desktop.pop("theme", "system"),
            icon=desktop.pop("icon", "colour"),
            shortcut=desktop.pop("shortcut", ""),
            wishes=AlertSettings(front=RaiseWindow(desktop.pop("raise", RaiseWindow.NEVER)), **desktop),
            vault=top.get("vault", "auto"),
            bluesky=self._bluesky(top.get("bluesky", {})),
            models={name: self._model(name, raw) for name, raw in top.get("models", {}).items()},
            files={
                name: (given,) if isinstance(given, str) else tuple(given)
                for name, given in top.get("files", {}).items()
            },
            sampling=self._sampling(top.get("sampling", {})),
            updates=Updates(**self._table(("updates",), top.get("updates", {}), keys.UPDATES_KEYS)),
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
        except RecursionError as error:
            raise self._error(*_end_of(self._text), "Brackets are nested too deeply.") from error

    def _table(self, path: tuple[str, ...], raw: object, rules: Mapping[str, keys.KeyRule]) -> dict[str, Any]:
        """Return the known keys of a table, with their values checked; note unknown keys."""
        self._must(path, raw, keys.TABLE)
        table: dict[str, Any] = raw  # type: ignore[assignment]
        for key in table:
            if key in rules:
                self._must((*path, key), table[key], rules[key])
            else:
                place = (*path, key)
                self._note(place, say("{key} is not a setting; it is ignored.", key=dotted(place)))
        return {key: value for key, value in table.items() if key in rules}

    def _must(self, path: tuple[str, ...], value: object, rule: keys.KeyRule) -> None:
        if not rule.accepts(value):
            raise self._refusal(path, say("{key} must be {what}.", key=dotted(path), what=rule.expected))

    def _port(self, kept: int) -> int:
        wanted = self._env.get("DESKBELL_PORT", "")
        if not wanted:
            return kept
        if not wanted.isascii() or not wanted.isdigit() or not keys.PORT.accepts(int(wanted)):
            hint = say("It must be {what}, not {value}.", what=keys.PORT.expected, value=repr(wanted))
            raise SettingsError(say("DESKBELL_PORT cannot be used"), hint)
        return int(wanted)

    def _server(self, name: str, raw: object) -> ServerSpec:
        path = ("servers", name)
        key = dotted(path)
        known = self._table(path, raw, keys.SERVER_KEYS)
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
        known = self._table(path, raw, keys.MODEL_KEYS)
        missing = [key for key in ("kind", "url", "model") if not known.get(key)]
        if missing:
            words = say("{key} must have {names}.", key=dotted(path), names=", ".join(missing))
            raise self._refusal(path, words)
        for key in ("slots", "servers"):
            if key in known:
                known[key] = tuple(known[key])
        known["limit"] = known.pop("max_tokens", 0)
        return ModelSpec(name, **known)

    def _sampling(self, raw: object) -> SamplingRules:
        known = self._table(("sampling",), raw, keys.SAMPLING_KEYS)
        limits = Limits(
            known.get("requests_per_call", USUAL.per_call),
            known.get("requests_per_hour", USUAL.per_hour),
            known.get("tokens_per_day", USUAL.tokens_per_day),
        )
        return SamplingRules(
            allow=tuple(known.get("allow", ())),
            background=tuple(known.get("background", ())),
            person=known.get("person", True),
            limits=limits,
            check_answers=known.get("check_answers", False),
        )

    def _host(self, name: str, raw: object) -> HostRule:
        known = self._table(("hosts", name), raw, keys.HOST_KEYS)
        servers, tools = (tuple(known[key]) if key in known else None for key in ("servers", "tools"))
        rules = tuple(self._policy(("hosts", name, "policy"), known.get("policy", {})))
        patience = {"auto": None, "none": inf}.get(known.get("patience", "auto"), known.get("patience"))
        asks = QuestionPlace(known.get("questions", "auto"))
        return HostRule(asks, servers, tools, rules, patience, only_rules=known.keys() == {"policy"})

    def _policy(self, path: tuple[str, ...], table: dict[str, Any]) -> Iterator[tuple[str, Verdict]]:
        for pattern, verdict in table.items():
            self._must((*path, pattern), verdict, keys.VERDICT)
            yield pattern, Verdict(verdict)

    def _bluesky(self, raw: object) -> Bluesky:
        known = self._table(("bluesky",), raw, keys.BLUESKY_KEYS)
        return Bluesky(**known, chosen=known.get("enabled", False))

    def _approvals(self, table: dict[str, Any]) -> dict[str, Preset]:
        for server, preset in table.items():
            self._must(("approvals", server), preset, keys.PRESET)
        return {server: Preset(preset) for server, preset in table.items()}

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


# --- positions of keys, which tomllib does not report ----------------------------------------------------
# A scan by lines: it may take a line of a multi-line string for a key. Callers that edit by it must parse the
# result and compare.


class KeyPosition(NamedTuple):
    """Line and column count from 1; `header` for a [table]'s own line."""

    line: int
    column: int
    path: tuple[str, ...]
    header: bool = False


def find_key(text: str, path: tuple[str, ...]) -> KeyPosition:
    """Return the position of a key, or of the nearest table around it."""
    best = KeyPosition(1, 1, ())
    for place in key_positions(text):
        if len(place.path) > len(best.path) and place.path == path[: len(place.path)]:
            best = place
    return best


def key_positions(text: str) -> Iterator[KeyPosition]:
    """Yield the position of every table and key."""
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), 1):
        header = _HEADER.fullmatch(line)
        found = header or _KEY.match(line)
        path = _path_of(found[2]) if found else ()
        if found and path:
            table = path if header else table
            yield KeyPosition(
                number, found.start(2) + 1, path if header else table + path, header is not None
            )


def dotted(path: tuple[str, ...]) -> str:
    """Return a path in TOML's dotted notation."""
    return ".".join(key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else f'"{key}"' for key in path)


def _path_of(key: str) -> tuple[str, ...]:
    """Return the parts of a dotted key; () if it is not a valid key, or has too many dots."""
    if key.count(".") > _MOST_DOTS:
        return ()
    try:
        node: Any = tomllib.loads(f"{key} = 0")
    except tomllib.TOMLDecodeError:
        return ()
    path: tuple[str, ...] = ()
    while isinstance(node, dict):
        ((part, node),) = node.items()
        path = (*path, part)
    return path
