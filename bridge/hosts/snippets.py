"""Read servers from pasted text: config snippets, `claude mcp add …` commands, "Install in …" links. Pure.

Snippets are JSON with comments, TOML or YAML: a whole file, a table, an entry, or an entry without the
braces around it. In links, VS Code has the entry as JSON, in the query or as `config`; Cursor and LM Studio
have `config` in base64; Goose has a parameter for each word.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from bridge.core.ports import ServerSpec
from bridge.hosts.formats import jsonc
from bridge.hosts.import_servers import FoundServer, entries, flat, found_in
from bridge.hosts.locations import KEYS
from bridge.i18n import say
from bridge.system.process.command_name import program_name

LARGEST = 1 << 20  # characters
_TARGETS = ("command", "cmd", "url", "serverUrl", "httpUrl", "uri")  # keys that mark an entry
_INNER = ("servers", "config", "mcpServers")
_DEEPEST = 4
_NOISE = re.compile(
    r"^(?:mcp[-_.])?(?:server|mcp)[-_.]|[-_.](?:mcp|server)(?:[-_.](?:mcp|server))?$", re.IGNORECASE
)
_DULL = frozenset(
    {"www", "mcp", "api", "app", "com", "org", "net", "dev", "io", "ai", "co", "sse", "http", "https"}
)


class UnreadableSnippet(ValueError):
    """No servers can be read from this text."""


def read(text: str, port: int = 0) -> list[FoundServer]:
    """Return the servers in a snippet. Raises UnreadableSnippet."""
    document = _parsed(text.strip().removeprefix("\ufeff"))
    found = [found_in(name or guessed(entry), entry, port) for name, entry in _servers(document, 0)]
    if not found:
        raise UnreadableSnippet(say("There is no server in this text."))
    return found


def _parsed(text: str) -> object:
    if len(text) > LARGEST:
        raise UnreadableSnippet(say("This text is too long."))
    problem = ""
    for parse in _parsers(text):
        try:
            document = parse(text)
        except (ValueError, RecursionError) as error:  # tomllib's and json's errors are ValueErrors
            problem = problem or _misspelt(error)
            continue
        if isinstance(document, dict | list):
            return document
    raise UnreadableSnippet(problem or say("This is neither JSON, TOML nor YAML."))


def _misspelt(error: Exception) -> str:
    """Return where a text cannot be read, without the parser's own words."""
    line = re.search(r"\bline (\d+)", str(error))
    if line is None:
        return say("Something is missing or misspelt in this text.")
    return say("Something is missing or misspelt in line {line}.", line=line[1])


def _parsers(text: str) -> list[Callable[[str], Any]]:
    """Return parsers for the text, the likeliest first: its error is reported."""
    if text[:1] in ("{", "/"):
        return [jsonc.load, _braced]
    if text[:1] == '"':
        return [_braced, tomllib.loads]
    if text[:1] == "[" and not re.match(r"\[\s*[{\"\]]", text):
        return [tomllib.loads, _yaml]
    return [jsonc.load, tomllib.loads, _yaml] if text[:1] == "[" else [tomllib.loads, _yaml]


def _yaml(text: str) -> Any:
    from bridge.hosts.formats import yaml  # ruamel loads slowly

    return yaml.load(text)


def _braced(text: str) -> Any:
    return jsonc.load("{" + text.strip().rstrip(",") + "}")


def _servers(node: object, depth: int) -> Iterator[tuple[str, object]]:
    """Yield names and entries anywhere in the document."""
    if depth > _DEEPEST:
        return
    if isinstance(node, list):
        if node and all(isinstance(word, str) for word in node):  # a command, word by word
            yield "", {"command": node}
        yield from entries(node)
        return
    if not isinstance(node, dict):
        return
    if is_entry(node):
        yield _text(node.get("name")), node
        return
    inner = node.get("config")
    if isinstance(inner, dict) and is_entry(inner):  # {"name": …, "config": {…}}
        yield _text(node.get("name")), inner
        return
    known = [key for key in (*KEYS, *_INNER) if isinstance(node.get(key), dict | list)]
    for key in dict.fromkeys(known):
        table = node[key]
        nested = isinstance(table, dict) and any(isinstance(table.get(one), dict) for one in _INNER)
        yield from _servers(table, depth + 1) if nested else entries(table)
    if not known:
        for name, entry in node.items():
            if isinstance(entry, dict) and is_entry(entry):
                yield str(name), entry
            else:
                yield from _servers(entry, depth + 1)


def is_entry(node: Mapping[str, Any]) -> bool:
    node = flat(node)
    return any(isinstance(node.get(key), str | list) for key in _TARGETS) or isinstance(
        node.get("command"), dict
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


# --- names -----------------------------------------------------------------------------------------------


def guessed(entry: object) -> str:
    """Return a name for an entry without one."""
    spec = found_in("", entry, port=0).spec
    return named_after(spec) if spec else "server"


def named_after(spec: ServerSpec) -> str:
    """Return a name for a server: its package, program or site."""
    if spec.url:
        labels = [label for label in (urlsplit(spec.url).hostname or "").split(".") if label not in _DULL]
        return labels[-1] if labels else "server"
    name = program_name(spec.command, spec.args)
    return _NOISE.sub("", name) or name


# --- `claude mcp add` ------------------------------------------------------------------------------------

_SHORT = {"-t": "transport", "-s": "scope", "-e": "env", "-H": "header"}
_VALUED = _SHORT | {f"--{name}": name for name in _SHORT.values()}


def from_words(words: Sequence[str], port: int = 0) -> list[FoundServer] | None:
    """Return what `claude mcp add …` or a similar command would add; None for another command."""
    if len(words) == 3 and words[1] == "--add-mcp":  # VS Code
        entry = jsonc.load(words[2])
        return [found_in(_text(entry.get("name")) or guessed(entry), entry, port)]
    if len(words) < 4 or words[1:3] not in (["mcp", "add"], ["mcp", "add-json"]):
        return None
    if words[2] == "add-json":
        names = [word for word in words[3:] if not word.startswith("-")]
        return [found_in(names[0], jsonc.load(names[-1]), port)] if len(names) > 1 else None
    options: dict[str, list[str]] = {}
    plain: list[str] = []
    rest = list(words[3:])
    while rest:
        word = rest.pop(0)
        if word == "--":
            plain += rest
            break
        if word in _VALUED and rest and (len(plain) < 2 or "://" in plain[1]):
            options.setdefault(_VALUED[word], []).append(rest.pop(0))
        else:
            plain.append(word)
    return [found_in(plain[0], _entry(plain[1:], options), port)] if plain else None


def _entry(target: Sequence[str], options: Mapping[str, list[str]]) -> dict[str, Any]:
    if target and "://" in target[0]:
        headers = dict(_pair(one, ":") for one in options.get("header", []))
        return {"url": target[0], "headers": headers, "type": "".join(options.get("transport", [])[:1])}
    env = dict(_pair(one, "=") for one in options.get("env", []))
    return {"command": target[0] if target else "", "args": list(target[1:]), "env": env}


def _pair(text: str, mark: str) -> tuple[str, str]:
    name, _, value = text.partition(mark)
    return name.strip(), value.strip() if mark == ":" else value


_LINK = re.compile(
    r"(?:vscode(?:-insiders)?:/{0,2}mcp/install|cursor://anysphere\.cursor-deeplink/mcp/install|lmstudio://add_mcp"
    r"|goose://extension|deskbell:/{0,2}add-server|https://(?:[a-z-]+\.)*(?:vscode\.dev|cursor\.com)/[\w/-]+)\?\S+"
)
OWN_LINK = "deskbell:"  # …add-server?name=NAME and url=ADDRESS, or cmd=PROGRAM&arg=WORD…, or config=JSON
_REDIRECTED = ("url", "link")  # parameters that hold another such link


def entry_behind(link: str) -> dict[str, Any] | None:
    """Return the entry, with its `name`, in an "Install in …" link; None for another link."""
    if not _LINK.fullmatch(link):
        return None
    query = urlsplit(link).query
    whole = _read(unquote(query))
    if whole is not None:
        return whole
    values = parse_qs(query.replace("+", "%2B"))  # base64 has pluses, and no link here has spaces
    for name in _REDIRECTED:
        if name in values and (found := entry_behind(values[name][0])):
            return found
    if "cmd" in values:
        found = {"command": values["cmd"][0], "args": values.get("arg", [])}
    elif link.startswith(OWN_LINK) and "url" in values:
        found = {"url": values["url"][0]}
    else:
        found = _read("".join(values.get("config", [])[:1])) or {}
    return {"name": "".join(values.get("name", values.get("id", []))[:1]), **found} if found else None


def _read(text: str) -> dict[str, Any] | None:
    """Parse a JSON object, plain or in base64; None if it is neither."""
    try:
        decoded = (
            text if text.startswith("{") else base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
        )
        found = json.loads(decoded)
    except (ValueError, binascii.Error, RecursionError):
        return None
    return found if isinstance(found, dict) and found else None
