"""Shell completion for verbs, options, tools and their arguments.

The shell scripts only pass the text before the cursor. Deskbell is never started for this: while it does not
run, tools are not completed.
"""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Sequence
from typing import Any

from bridge.cli.parser import LazyParser, build_parser
from bridge.errors import DeskbellError
from bridge.hosts.recipes import BY_ID
from bridge.settings import Home, SettingsFile
from bridge.transports import control_client

SHELLS = ("bash", "zsh", "fish")
CANDIDATES = "candidates"

_BASH = """\
_deskbell() {
    local word
    COMPREPLY=()
    while IFS= read -r word; do
        COMPREPLY+=("$word")
    done < <("${COMP_WORDS[0]}" completion candidates bash "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
    [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2>/dev/null
}
complete -F _deskbell deskbell
"""
_ZSH = """\
#compdef deskbell
_deskbell() {
    local -a found
    found=("${(@f)$("${words[1]}" completion candidates zsh "$LBUFFER" 2>/dev/null)}")
    found=(${found:#})
    (( ${#found} )) || return 1
    compadd -Q -S '' -- ${(M)found:#*=}
    compadd -Q -- ${found:#*=}
}
if [[ ${funcstack[1]-} == _deskbell ]]; then _deskbell "$@"; else compdef _deskbell deskbell; fi
"""
_FISH = """\
function __deskbell_candidates
    command deskbell completion candidates fish (commandline -cp) 2>/dev/null
end
complete -c deskbell -f -a '(__deskbell_candidates)'
"""
SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}
_SPECIAL = re.compile(r"[^\w.,:/@%+=-]")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", type=_shell, metavar="|".join(SHELLS))
    parser.add_argument("typed", nargs="*", default=[], help=argparse.SUPPRESS)
    parser.set_defaults(run=completion)


def _shell(word: str) -> str:
    if word not in (*SHELLS, CANDIDATES):  # internal, used by the scripts
        raise argparse.ArgumentTypeError(f"choose {', '.join(SHELLS)}, not {word!r}")
    return word


def completion(arguments: argparse.Namespace, home: Home) -> int:
    if arguments.shell != CANDIDATES:
        print(SCRIPTS[arguments.shell], end="")
        return 0
    shell, line = [*arguments.typed, "", ""][:2]
    words = split(line)
    found = Candidates(home).after(words[1:]) if len(words) > 1 else []
    for one in found:
        if one.isprintable() and one.startswith(words[-1]):
            print(_written(one, words[-1], shell))
    return 0


def split(line: str) -> list[str]:
    """Split the line; the last word is being typed and may be empty or have an open quote."""
    for closing in ("", "'", '"'):
        try:
            words = shlex.split(line + closing)
        except ValueError:
            continue
        return [*words, ""] if not line or (not closing and line[-1].isspace()) else words
    return line.split()


def _written(word: str, begun: str, shell: str) -> str:
    if shell == "bash" and "=" in begun:  # bash treats = as a word break
        word = word[word.index("=") + 1 :]
    return word if shell == "fish" else _SPECIAL.sub(r"\\\g<0>", word)  # fish escapes by itself


class Candidates:
    def __init__(self, home: Home) -> None:
        self._home = home

    def after(self, words: Sequence[str]) -> list[str]:
        """Return all candidates for the last word."""
        parser, path = build_parser(), []
        *before, now = words
        for word in before:
            below = _verbs(parser).get(word)
            if below is not None:
                parser = below.filled()
                path.append(word)
        if before and before[-1].startswith("--"):
            return self._value(parser, before[-1])
        if path == ["call"]:
            return self._call(before[1:], now, parser)
        if path == ["servers", "remove"]:
            return self._servers()
        if path[:1] == ["hosts"] and path[1:] and path[1:] != ["list"] and before[-1] == path[1]:
            return [*BY_ID, *_options(parser, now)]
        return [*_verbs(parser), *_options(parser, now)]

    def _call(self, before: Sequence[str], now: str, parser: argparse.ArgumentParser) -> list[str]:
        plain = [word for word in before if not word.startswith("-")]
        if not plain:
            return [*self._tools(), *_options(parser, now)]
        name, equals, begun = now.partition("=")
        if equals:
            asked = {"what": "complete", "name": plain[0], "argument": name, "begun": begun}
            return [f"{name}={one}" for one in self._asked(asked, "values")]
        given = {word.partition("=")[0] for word in plain[1:]}
        tool: Any = self._asked({"what": "tool", "name": plain[0]}, "tool") or {}
        known = tool.get("inputSchema", {}).get("properties", {})
        free = [f"{one}=" for one in known if one not in given or known[one].get("type") == "array"]
        return [*free, *_options(parser, now)]

    def _value(self, parser: argparse.ArgumentParser, option: str) -> list[str]:
        if option == "--server":
            return self._servers()
        found = [action for action in parser._actions if option in action.option_strings]
        return [str(one) for action in found for one in action.choices or ()]

    def _tools(self) -> list[str]:
        return [str(tool["name"]) for tool in self._asked({"what": "tools"}, "tools")]

    def _servers(self) -> list[str]:
        settings = SettingsFile(self._home.config)
        settings.reload()
        return [*settings.current.servers, "desk"]

    def _asked(self, asked: dict[str, Any], what: str) -> Any:
        try:
            return control_client.request_functions(self._home, asked, start=False).get(what) or []
        except DeskbellError:
            return []


def _verbs(parser: argparse.ArgumentParser) -> dict[str, LazyParser]:
    below = [action.choices for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    return below[0] if below else {}


def _options(parser: argparse.ArgumentParser, now: str) -> list[str]:
    """Return the options, once a dash is typed: before, they would hide the names."""
    shown = [action for action in parser._actions if action.help != argparse.SUPPRESS]
    names = [name for action in shown for name in action.option_strings if name.startswith("--")]
    return names if now.startswith("-") else []
