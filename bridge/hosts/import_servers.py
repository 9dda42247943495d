"""Read the servers in an AI application's config file (JSON with comments, TOML or YAML).

An entry that cannot be imported is returned with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePath, PureWindowsPath
from typing import Any

from bridge.core.ports import BUILT_IN, ServerSpec
from bridge.errors import NotFoundError
from bridge.hosts.formats import document as config_document
from bridge.hosts.formats.document import read_file
from bridge.hosts.locations import KEYS
from bridge.i18n import say
from bridge.system.process.command_name import extract_env, is_runner
from bridge.system.secret_names import is_secret_name

_KEY_OPTION = re.compile(r"--?(?:[a-z-]+-)?(?:api-?key|token|password|secret)", re.IGNORECASE)
_KEY = re.compile(
    r"\b(?:sk-|gh[pousr]_|github_pat_|glpat-|xox[abp]-|AKIA)\w{8}|(?:key|token|secret)=[^&\s$]{8}"
    r"|\w://[^/\s:@]+:[^@/\s$]+@",
    re.IGNORECASE,
)
_VAULT = re.compile(r"\$\{vault:([^}]*)\}")  # the one kind of ${…} that Deskbell fills in
_MISFIT = re.compile(r"[^A-Za-z0-9_-]+")
_SCHEME = re.compile(r"(?:Bearer|Basic|Token|ApiKey) +(?=\S)", re.IGNORECASE)
_LONGEST = 64

NAME = "deskbell"  # name of our entry
_ADDRESS = re.compile(r"https?://[^/\s]")
BUILT_INTO_HOST = ("builtin", "platform", "frontend", "inline_python")  # kinds of Goose extensions
_OWN_NAME = re.compile(r"deskbell(-mcp)?(\.exe)?|deskbell[\w.-]*\.appimage", re.IGNORECASE)
_OWN_SCRIPT = re.compile(r"[/\\]bridge[/\\]__main__\.py\Z")
URL_KEYS = ("url", "serverUrl", "httpUrl", "uri")
OWN_ADDRESS = re.compile(r"http://(?:127\.0\.0\.1|localhost):(\d+)/mcp(?:/|\Z)")


@dataclass(frozen=True, slots=True)
class FoundServer:
    """An entry of a file: a server, or why it cannot be imported."""

    name: str
    spec: ServerSpec | None = None
    reason: str = ""
    same: str = ""  # the configured server it is identical to
    remarks: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()  # env or headers that look like plain-text keys
    ours: bool = False  # the entry is Deskbell itself, or asks through Deskbell already


def read(path: Path, keys: tuple[str, ...] = KEYS, port: int = 0) -> list[FoundServer]:
    """Return the servers in this file. `port`: of our own endpoint, which is not imported."""
    raw = read_file(path)
    if raw is None:
        raise NotFoundError(say("There is no file {path}", path=path))
    data = config_document.read(path, raw).data
    found = [table for key in keys for _, table in tables(data, key)]
    return [found_in(name, entry, port) for table in found for name, entry in entries(table)]


def tables(data: Mapping[str, Any], key: str) -> Iterator[tuple[tuple[str, ...], object]]:
    """Yield the tables of servers and their paths: the file's own, and each project's (Claude Code)."""
    yield (key,), data.get(key)
    projects = data.get("projects")
    for folder, project in projects.items() if isinstance(projects, dict) else ():
        if isinstance(project, dict) and isinstance(project.get(key), dict):
            yield ("projects", str(folder), key), project[key]


def entries(table: object) -> list[tuple[str, object]]:
    """Return names and entries of a table, or of a list whose entries have a `name` (Continue)."""
    if isinstance(table, dict):
        return [(str(name), entry) for name, entry in table.items()]
    listed = [entry for entry in table if isinstance(entry, dict)] if isinstance(table, list) else []
    return [(str(entry.get("name", "")), entry) for entry in listed]


# --- one entry -------------------------------------------------------------------------------------------


def found_in(name: str, entry: object, port: int) -> FoundServer:
    if not isinstance(entry, dict):
        return FoundServer(name, reason=say("it is not an object"))
    if entry.get("type") in BUILT_INTO_HOST:
        return FoundServer(name, reason=say("it is a part of that application, not a server"))
    command = command_in(entry)[2]
    entry = flat(entry)
    address = address_in(entry)
    return _local(name, entry, command) if address is None else _remote(name, entry, address, port)


def flat(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an entry with the members of its `transport` table (Cline CLI) beside its own."""
    inner = entry.get("transport")
    return {**entry, **inner} if isinstance(inner, dict) else entry


def command_in(entry: Mapping[str, Any]) -> tuple[tuple[str, ...], str, list[str]]:
    """Return the keys of an entry's command, the key of its arguments ("": one list has both), and both."""
    at: tuple[str, ...] = ()
    if isinstance(entry.get("transport"), dict):
        at, entry = ("transport",), entry["transport"]
    key = "command" if "command" in entry else "cmd"  # Goose
    if isinstance(entry.get(key), dict):  # Zed, formerly
        at, entry, key = (*at, key), entry[key], "path"
    command, rest = entry.get(key), entry.get("args") or []
    if isinstance(command, list):  # opencode
        return (*at, key), "", [str(word) for word in command]
    valid = isinstance(command, str) and command.strip() and isinstance(rest, list)
    return (*at, key), "args", [str(command), *map(str, rest)] if valid else []


def address_in(entry: Mapping[str, Any]) -> object:
    """Return the value under a key for URLs; None if there is none."""
    return next((entry[key] for key in URL_KEYS if key in entry), None)


def _remote(name: str, entry: Mapping[str, Any], address: object, port: int) -> FoundServer:
    if not isinstance(address, str) or not _ADDRESS.match(address):
        return FoundServer(name, reason=say("its address does not begin with http:// or https://"))
    if is_own_address(address, port) or (name == NAME and OWN_ADDRESS.match(address)):  # of a port before
        return FoundServer(name, reason=say("it is Deskbell itself"), ours=True)
    if entry.get("type") == "sse" or entry.get("transport") == "sse":
        return FoundServer(name, reason=say("it uses HTTP+SSE, which is old and not supported"))
    options = entry.get("requestOptions")  # Continue
    inner = options.get("headers") if isinstance(options, dict) else None
    headers = _texts(entry.get("headers") or entry.get("http_headers") or inner)
    spec = ServerSpec(name, url=address, headers=headers, enabled=_enabled(entry))
    remarks = _remarks(spec, headers)
    elsewhere = {"Authorization": entry.get("bearer_token_env_var"), **_texts(entry.get("env_http_headers"))}
    for header, variable in elsewhere.items():  # Codex
        if variable and header not in headers:
            source = {"header": header, "variable": variable}
            remark = say("Its {header} comes from the variable {variable}: please give it.", **source)
            remarks = (*remarks, remark)
    return FoundServer(name, spec, remarks=remarks, secrets=secret_keys(headers))


def is_own_address(address: str, port: int) -> bool:
    own = OWN_ADDRESS.match(address)
    return own is not None and int(own[1]) == port


def _local(name: str, entry: Mapping[str, Any], command: list[str]) -> FoundServer:
    if len(command) == 1 and is_runner(command[0].split(" ")[0]):  # Cursor allows a command with arguments
        command = command[0].split()
    if not command:
        return FoundServer(name, reason=say("it has neither a command nor an address"))
    words = unwrapped(command)
    if words is None:
        return FoundServer(name, reason=say("it is Deskbell itself"), ours=True)
    wrapped = words is not command
    words, lifted_env = extract_env(words, _is_key)
    if isinstance(entry.get("command"), dict):  # Zed, formerly
        entry = {**entry, **entry["command"]}
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
    all_remarks, secrets = _remarks(spec, env) + remarks, secret_keys(env)
    return FoundServer(name, spec, remarks=all_remarks, secrets=secrets, ours=wrapped)


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
    all_remarks = []
    if secrets := dict.fromkeys(name for word in words for name in _VAULT.findall(word)):
        all_remarks.append(say("It would get your secrets: {names}", names=", ".join(secrets)))
    if any("${" in _VAULT.sub("", word) for word in words):
        all_remarks.append(
            say("It uses {sign}, which Deskbell cannot fill in. Please enter the value.", sign="${…}")
        )
    if _holds_key(spec):
        all_remarks.append(
            say(
                "Its command or address seems to contain a key, where others can see it. If the server "
                "can take the key from a variable or a header, enter it there: Deskbell can then store "
                "it in your keychain."
            )
        )
    if not spec.enabled:
        all_remarks.append(say("It is disabled there, so it will be disabled here too."))
    return tuple(all_remarks)


def _holds_key(spec: ServerSpec) -> bool:
    after = zip(spec.args, spec.args[1:], strict=False)
    by_name = any(_KEY_OPTION.fullmatch(one) and not two.startswith("-") for one, two in after)
    return by_name or any(_KEY.search(word) for word in (*spec.args, spec.url))


def secret_keys(values: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names whose values look like plain-text keys."""
    return tuple(key for key, value in values.items() if _is_key(key, value))


def _is_key(name: str, value: str) -> bool:
    return bool(is_secret_name(name) and value) and "${" not in value


# --- names and secrets of imported servers ---------------------------------------------------------------


def name_servers(found: Iterable[FoundServer], known: Mapping[str, ServerSpec]) -> Iterator[FoundServer]:
    """Yield each server with its new name, or with the reason why it is skipped."""
    taken = dict(known)
    for one in found:
        spec = one.spec
        if spec is None:
            yield one
            continue
        same = next((name for name, other in taken.items() if _is_same(other, spec, one.name)), "")
        if same:
            yield FoundServer(one.name, reason=say("it is there already, as {name}", name=same), same=same)
            continue
        name = free(valid_name(one.name), taken)
        taken[name] = named = replace(spec, name=name)
        yield replace(one, spec=named)


def valid_name(name: str) -> str:
    """Return the name with invalid characters replaced."""
    return _MISFIT.sub("-", name).strip("-_")[:_LONGEST] or "server"


def free(name: str, taken: Mapping[str, object]) -> str:
    number, free = 1, name
    while free in taken or free in BUILT_IN:
        number += 1
        mark = f"-{number}"
        free = name[: _LONGEST - len(mark)] + mark
    return free


def extract_secrets(spec: ServerSpec, keys: Iterable[str]) -> tuple[ServerSpec, dict[str, str]]:
    """Replace these env variables or headers by references; return the server and name → secret."""
    values: dict[str, str] = {}

    def reference(key: str, value: str) -> str:
        scheme = _SCHEME.match(value)
        prefix = scheme[0] if scheme else ""
        name = f"{spec.name}/{_MISFIT.sub('-', key)}"
        values[name] = value[len(prefix) :]
        return f"{prefix}${{vault:{name}}}"

    def lighter(table: Mapping[str, str]) -> dict[str, str]:
        return {key: reference(key, value) if key in keys else value for key, value in table.items()}

    keys = frozenset(keys)
    return replace(spec, env=lighter(spec.env), headers=lighter(spec.headers)), values


def _is_same(ours: ServerSpec, other: ServerSpec, called: str) -> bool:
    """True if both servers have the same command or URL and environment. Values in the vault cannot be
    compared: then the names must match, as one server may be used with two keys."""
    place = (ours.command, ours.args, ours.url) == (other.command, other.args, other.url)
    if not place or ours.env.keys() != other.env.keys():
        return False
    differing = [value for key, value in ours.env.items() if value != other.env[key]]
    named = re.fullmatch(re.escape(valid_name(called)) + r"(-\d+)?", ours.name) is not None
    return not differing or (named and all("${vault:" in value for value in differing))
