"""Read the servers in an AI application's config file (JSON with comments, TOML or YAML).

An entry that cannot be imported is returned with the reason.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath, PureWindowsPath
from typing import Any

from bridge.core.ports import ServerSpec
from bridge.errors import NotFoundError, SettingsError
from bridge.hosts.locations import KEYS
from bridge.i18n import say
from bridge.system.command_name import extract_env, is_runner
from bridge.system.secret_names import is_secret_name

LARGEST = 32 * 1024 * 1024
_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*(?:"|\Z))|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_COMMA = re.compile(r'("(?:[^"\\]|\\.)*(?:"|\Z))|,(?=\s*[}\]])', re.DOTALL)
_KEY_OPTION = re.compile(r"--?(?:[a-z-]+-)?(?:api-?key|token|password|secret)", re.IGNORECASE)
_KEY = re.compile(
    r"\b(?:sk-|gh[pousr]_|github_pat_|glpat-|xox[abp]-|AKIA)\w{8}|(?:key|token|secret)=[^&\s$]{8}"
    r"|\w://[^/\s:@]+:[^@/\s$]+@",
    re.IGNORECASE,
)
NAME = "deskbell"  # name of our entry
_ADDRESS = re.compile(r"https?://[^/\s]")
_INSIDE = ("builtin", "platform", "frontend", "inline_python")  # kinds of Goose extensions
_OWN_NAME = re.compile(r"deskbell(-mcp)?(\.exe)?|deskbell[\w.-]*\.appimage", re.IGNORECASE)
_OWN_SCRIPT = re.compile(r"[/\\]bridge[/\\]__main__\.py\Z")
_OWN_ADDRESS = re.compile(r"http://(?:127\.0\.0\.1|localhost):(\d+)/mcp(?:/|\Z)")


@dataclass(frozen=True, slots=True)
class FoundServer:
    """An entry of a file: a server, or why it cannot be imported."""

    name: str
    spec: ServerSpec | None = None
    reason: str = ""
    same: str = ""  # the configured server it is identical to
    remarks: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()  # env or headers that look like plain-text keys


def read(path: Path, keys: tuple[str, ...] = KEYS, port: int = 0) -> list[FoundServer]:
    """Return the servers in this file. `port`: of our own endpoint, which is not imported."""
    document = _document(path)
    return [found_in(name, entry, port) for key in keys for name, entry in entries(document.get(key))]


def entries(table: object) -> list[tuple[str, object]]:
    """Return names and entries of a table, or of a list whose entries have a `name` (Continue)."""
    if isinstance(table, dict):
        return [(str(name), entry) for name, entry in table.items()]
    listed = [entry for entry in table if isinstance(entry, dict)] if isinstance(table, list) else []
    return [(str(entry.get("name", "")), entry) for entry in listed]


def _document(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > LARGEST:
            raise SettingsError(
                say("{path} is too large", path=path),
                say("Files larger than {most} bytes are not read.", most=LARGEST),
            )
        text = path.read_text("utf-8-sig")
        document = _PARSERS.get(path.suffix, load_jsonc)(text)
    except FileNotFoundError as error:
        raise NotFoundError(say("There is no file {path}", path=path)) from error
    except OSError as error:
        raise SettingsError(say("{path} cannot be read", path=path), f"{error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise SettingsError(say("{path} makes no sense", path=path), f"{error}.") from error
    if not isinstance(document, dict):
        raise SettingsError(say("{path} makes no sense", path=path), say("It is not an object."))
    return document


def load_jsonc(text: str) -> Any:
    """Parse JSON with comments and trailing commas."""

    def kept(found: re.Match[str]) -> str:
        return found[1] or " "

    return json.loads(_COMMA.sub(kept, _COMMENT.sub(kept, text)).strip() or "{}")


def load_yaml(text: str) -> Any:
    """Parse YAML safely: plain values only."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        return YAML(typ="safe", pure=True).load(text) or {}
    except YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from error


_PARSERS: dict[str, Callable[[str], Any]] = {".toml": tomllib.loads, ".yaml": load_yaml, ".yml": load_yaml}


# --- one entry -------------------------------------------------------------------------------------------


def found_in(name: str, entry: object, port: int) -> FoundServer:
    if not isinstance(entry, dict):
        return FoundServer(name, reason=say("it is not an object"))
    if entry.get("type") in _INSIDE:
        return FoundServer(name, reason=say("it is a part of that application, not a server"))
    address = address_in(entry)
    if address is not None:
        return _remote(name, entry, address, port)
    command = entry.get("command", entry.get("cmd"))  # Goose
    if isinstance(command, dict):  # Zed, once
        entry, command = {**entry, **command}, command.get("path")
    elif isinstance(command, list) and command:  # opencode
        entry, command = {**entry, "args": command[1:]}, command[0]
    return _local(name, {**entry, "command": command})


def address_in(entry: Mapping[str, Any]) -> object:
    """Return the value under a key for URLs; None if there is none."""
    return next((entry[key] for key in ("url", "serverUrl", "httpUrl", "uri") if key in entry), None)


def _remote(name: str, entry: Mapping[str, Any], address: object, port: int) -> FoundServer:
    if not isinstance(address, str) or not _ADDRESS.match(address):
        return FoundServer(name, reason=say("its address does not begin with http:// or https://"))
    if is_own_address(address, port) or (name == NAME and _OWN_ADDRESS.match(address)):  # of a port before
        return FoundServer(name, reason=say("it is Deskbell itself"))
    if entry.get("type") == "sse" or entry.get("transport") == "sse":
        return FoundServer(name, reason=say("it speaks the old HTTP+SSE, which Deskbell does not"))
    options = entry.get("requestOptions")  # Continue
    inner = options.get("headers") if isinstance(options, dict) else None
    headers = _texts(entry.get("headers") or entry.get("http_headers") or inner)
    spec = ServerSpec(name, url=address, headers=headers, enabled=_enabled(entry))
    remarks = _remarks(spec, headers)
    elsewhere = {"Authorization": entry.get("bearer_token_env_var"), **_texts(entry.get("env_http_headers"))}
    for header, variable in elsewhere.items():  # Codex
        if variable and header not in headers:
            said = say(
                "Its {header} comes from the variable {variable}: please give it.",
                header=header,
                variable=variable,
            )
            remarks = (*remarks, said)
    return FoundServer(name, spec, remarks=remarks, secrets=secret_keys(headers))


def is_own_address(address: str, port: int) -> bool:
    own = _OWN_ADDRESS.match(address)
    return own is not None and int(own[1]) == port


def _local(name: str, entry: Mapping[str, Any]) -> FoundServer:
    command, args = entry.get("command"), entry.get("args") or []
    if (
        isinstance(command, str) and not args and is_runner(command.split(" ")[0])
    ):  # Cursor takes a whole line
        command, *args = command.split()
    if not isinstance(command, str) or not command.strip() or not isinstance(args, list):
        return FoundServer(name, reason=say("it has neither a command nor an address"))
    words = unwrapped([command, *map(str, args)])
    if words is None:
        return FoundServer(name, reason=say("it is Deskbell itself"))
    words, lifted_env = extract_env(words, _is_key)
    env = {**lifted_env, **_texts(entry.get("env") or entry.get("envs") or entry.get("environment"))}
    cwd = entry.get("cwd")
    spec = ServerSpec(
        name,
        command=words[0],
        args=tuple(words[1:]),
        env=env,
        cwd=cwd if isinstance(cwd, str) else "",
        enabled=_enabled(entry),
    )
    elsewhere = entry.get("env_keys")  # Goose keeps these values in the system's keyring
    missing = [key for key in elsewhere if key not in env] if isinstance(elsewhere, list) else []
    remarks = tuple(
        say("{key} is kept by that application: please set it in env.", key=key) for key in missing
    )
    return FoundServer(name, spec, remarks=_remarks(spec, env) + remarks, secrets=secret_keys(env))


def unwrapped(words: list[str]) -> list[str] | None:
    """Return X of `deskbell wrap -- X`; None if the command is Deskbell itself."""
    rest = after_deskbell(words)
    if rest is None:
        return words
    inner = rest[rest.index("--") + 1 :] if rest[:1] == ["wrap"] and "--" in rest else []
    return unwrapped(inner) if inner else None


def after_deskbell(words: list[str]) -> list[str] | None:
    """Return the arguments of a `deskbell` command in any form; None for another program."""
    program = PureWindowsPath(words[0]) if "\\" in words[0] else PurePath(words[0])
    if _OWN_NAME.fullmatch(program.name):
        return words[1:]
    if words[1:3] == ["-m", "bridge"]:
        return words[3:]
    script = next((place for place, word in enumerate(words[1:4], 1) if _OWN_SCRIPT.search(word)), None)
    return words[script + 1 :] if script is not None else None


def _enabled(entry: Mapping[str, Any]) -> bool:
    return entry.get("disabled") is not True and entry.get("enabled") is not False


def _texts(table: object) -> dict[str, str]:
    return {str(key): str(value) for key, value in table.items()} if isinstance(table, dict) else {}


def _remarks(spec: ServerSpec, values: Mapping[str, str]) -> tuple[str, ...]:
    """Return remarks for the user about an imported server."""
    words = (spec.command, *spec.args, spec.cwd, spec.url, *values.values())
    said = []
    if any("${" in word for word in words):
        said.append(say("It uses {sign}, which means nothing to Deskbell: please fill it in.", sign="${…}"))
    if _holds_key(spec):
        said.append(
            say(
                "Its command or address seems to contain a key, where others can see it. If it takes the "
                "key from a variable or a header, give it there: the vault can keep it then."
            )
        )
    if not spec.enabled:
        said.append(say("It is disabled there, so it will be disabled here too."))
    return tuple(said)


def _holds_key(spec: ServerSpec) -> bool:
    after = zip(spec.args, spec.args[1:], strict=False)
    by_name = any(_KEY_OPTION.fullmatch(one) and not two.startswith("-") for one, two in after)
    return by_name or any(_KEY.search(word) for word in (*spec.args, spec.url))


def secret_keys(values: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names whose values look like plain-text keys."""
    return tuple(key for key, value in values.items() if _is_key(key, value))


def _is_key(name: str, value: str) -> bool:
    return bool(is_secret_name(name) and value) and "${" not in value
