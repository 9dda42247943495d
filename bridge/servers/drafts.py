"""Turn pasted text and servers found on this machine into Proposals, and ServerForms into ServerSpecs. Pure.

A ServerForm is a server as a window shows it: secrets that config.toml has in plain text are hidden.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from bridge.core.policy.tool_diff import visible
from bridge.core.policy.url_safety import UrlRefusal, check_url, destination
from bridge.core.ports import BUILT_IN, ServerSpec
from bridge.core.status.servers import HIDDEN, Proposal, ServerForm
from bridge.errors import UsageError
from bridge.hosts import snippets
from bridge.hosts.import_servers import FoundServer, found_in, name_servers, secret_keys, valid_name
from bridge.i18n import say
from bridge.settings.keys import SERVER_KEYS

_ADDRESS = re.compile(r"https?://\S+")
_OTHER_ADDRESS = re.compile(r"[A-Za-z][\w+.-]*://\S*")
_MOST_ODD = 10  # characters that are listed
_DOLLAR = re.compile(r"^[$>%]\s+")  # of a shell, as READMEs show it
_CONTINUED = re.compile(r"[\\^`]\r?\n\s*")
_FENCED = re.compile(r"```[^\n`]*\n(.*?)```|\A`([^`\n]+)`\Z", re.DOTALL)  # of Markdown
_LOOKS_WRITTEN = re.compile(
    r'^\s*[{\[]|^\s*"[^"\n]*"\s*:|^\s*[\w."-]+\s*=\s*[\["{\']|^\s*[\w."-]+:(?:\s|$)|^\s*//', re.MULTILINE
)


_OPERATORS = frozenset({"|", "||", "&", "&&", ";", ">", ">>", "<", "<<", "2>", "2>&1"})
_ASSIGNED = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)
_NEARLY_ADDRESS = re.compile(
    r"(?:(localhost|127\.0\.0\.1|\[::1\])|[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,})(?::\d+)?/\S*"
)
_PLAIN = re.compile(r"[\w@%+=:,./\\~-]+", re.ASCII)


def read(text: str, port: int = 0) -> list[FoundServer]:
    """Read a command line, an address, or settings of any AI application. Raises DeskbellError."""
    pasted = text.strip().removeprefix("\ufeff").strip()
    if fenced := _FENCED.search(pasted):
        pasted = (fenced[1] or fenced[2]).strip()
    if not pasted:
        return []
    if (behind := snippets.entry_behind(pasted)) is not None:
        return [_of_link(found_in(str(behind.get("name") or snippets.guessed(behind)), behind, port))]
    if pasted.startswith(snippets.OWN_LINK):
        hint = say("It looks like {example}", example="deskbell:add-server?name=NAME&url=https://…")
        raise UsageError(say("This link names no server"), hint)
    pasted = whole_address(pasted)
    if _ADDRESS.fullmatch(pasted):
        return [found_in(snippets.named_after(ServerSpec("", url=pasted)), {"url": pasted}, port)]
    if _OTHER_ADDRESS.fullmatch(pasted):
        raise _no_address()
    line = _CONTINUED.sub(" ", _DOLLAR.sub("", pasted))
    try:
        if _LOOKS_WRITTEN.search(pasted) and not line.startswith(("claude ", "code ")):
            return snippets.read(pasted, port)
        return _from_line(line, port)
    except ValueError as error:
        why = error.args[0] if isinstance(error, snippets.UnreadableSnippet) else str(error)
        raise UsageError(say("This cannot be read as settings"), why) from error


def _of_link(found: FoundServer) -> FoundServer:
    """Judge what a web page proposes: refuse what wants a secret, and remark what deceives the eye."""
    spec = found.spec
    if spec is None:
        return found
    values = [*spec.env.items(), *spec.headers.items()]
    words = [spec.command, *spec.args, spec.cwd, spec.url, *(word for pair in values for word in pair)]
    if any("${vault:" in word for word in words):
        return FoundServer(found.name, reason=say("it wants one of your secrets"))
    remarks = []
    if spec.url:
        address = check_url(spec.url)
        if address.refusal is UrlRefusal.MALFORMED:
            return FoundServer(found.name, reason=say("its address cannot be read"))
        if address.refusal is not None or address.doubts:
            place = f"{spec.url.partition(':')[0]}://{destination(address.host)}"
            remarks.append(say("Look closely where its address leads: {address}", address=place))
    if odd := dict.fromkeys(letter for word in words for letter in word if not " " <= letter <= "~"):
        listed = ", ".join(f"{visible(letter)} U+{ord(letter):04X}" for letter in islice(odd, _MOST_ODD))
        remarks.append(say("It contains unusual characters: {characters}", characters=listed))
    return replace(found, remarks=(*found.remarks, *remarks))


def _no_address() -> UsageError:
    return UsageError(say("This is not the address of a server"), say("It begins with http:// or https://"))


def _from_line(line: str, port: int) -> list[FoundServer]:
    if "\n" in line:
        hint = say("Give one command, one address, or settings as an AI app has them.")
        raise UsageError(say("This is more than one line"), hint)
    words = split(line)
    if (added := snippets.from_words(words, port)) is not None:
        return added
    env, rest = parted(words)
    if not rest:
        raise UsageError(
            say("This line names no program"), say("A command begins with the program to start.")
        )
    spec = ServerSpec("", command=rest[0], args=tuple(rest[1:]))
    return [found_in(snippets.named_after(spec), {"command": rest[0], "args": rest[1:], "env": env}, port)]


# --- command lines: no shell runs, so its syntax is refused ----------------------------------------------


def split(line: str, platform: str = sys.platform) -> list[str]:
    """Split at spaces outside quotes. A backslash escapes the next character, except on Windows (paths)."""
    lexer = shlex.shlex(line, posix=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    if platform == "win32":
        lexer.escape = ""
    try:
        words = list(lexer)
    except ValueError as error:
        raise UsageError(
            say("A quote is not closed"), say("Close it, or put it into other quotes.")
        ) from error
    if found := _OPERATORS & set(words):
        hint = say("Put it in quotes to pass it to the program, or leave it out.")
        raise UsageError(
            say("Commands are started without a shell, so {mark} has no effect", mark=min(found)), hint
        )
    return words


def joined(words: Sequence[str], platform: str = sys.platform) -> str:
    """Return a line that `split` takes apart into these words."""
    return " ".join(_quoted(word, platform) for word in words)


def _quoted(word: str, platform: str) -> str:
    if _PLAIN.fullmatch(word) and (platform == "win32" or "\\" not in word):
        return word
    if platform != "win32":
        return shlex.quote(word)
    return f"'{word}'" if '"' in word else f'"{word}"'


def parted(words: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Separate leading `NAME=value` words (environment) from the program and its arguments."""
    rest, env = list(words), {}
    while rest and (found := _ASSIGNED.fullmatch(rest[0])):
        env[found[1]] = found[2]
        rest = rest[1:]
    return env, rest


def whole_address(text: str) -> str:
    """Add the missing http:// or https:// to an address; return any other text as it is."""
    nearly = _NEARLY_ADDRESS.fullmatch(text)
    return text if nearly is None else ("http://" if nearly[1] else "https://") + text


# --- proposals -----------------------------------------------------------------------------------


def proposed(
    found: Iterable[tuple[str, FoundServer]], known: Mapping[str, ServerSpec]
) -> Iterator[tuple[Proposal, FoundServer]]:
    """Propose each server under a valid, free name. `found`: pairs of application and server."""
    listed = list(found)
    adopted = name_servers([one for _, one in listed], known)
    for place, ((source, one), own) in enumerate(zip(listed, adopted, strict=True)):
        called = valid_name(one.name)
        yield (
            Proposal(
                place,
                one.name,
                plan_of(own.spec) if own.spec else None,
                clash=called if own.spec and (called in known or called in BUILT_IN) else "",
                source=source,
                reason=own.reason,
                same=own.same,
                remarks=own.remarks,
                secrets=own.secrets,
            ),
            own,
        )


# --- forms -----------------------------------------------------------------------------------


def plan_of(spec: ServerSpec) -> ServerForm:
    return ServerForm(
        spec.name,
        command=joined((spec.command, *spec.args)) if spec.command else "",
        url=spec.url,
        cwd=spec.cwd,
        env=_covered(spec.env),
        headers=_covered(spec.headers),
        timeout=spec.timeout,
        shared=spec.shared,
        enabled=spec.enabled,
    )


def _covered(values: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    secret = secret_keys(values)
    return tuple((key, HIDDEN if key in secret else value) for key, value in values.items())


def spec_of(plan: ServerForm, now: ServerSpec) -> ServerSpec:
    """Return `now` with the values of the form; hidden secrets stay. Raises DeskbellError."""
    words = split(plan.command)
    if bool(words) == bool(plan.url):
        raise UsageError(say("A server needs a command or an address"), say("Give one of them."))
    if plan.url and not SERVER_KEYS["url"].accepts(plan.url):
        raise _no_address()
    if not SERVER_KEYS["timeout"].accepts(plan.timeout):
        raise UsageError(say("This time limit is not valid"), say("Give a number of seconds above 0."))
    return replace(
        now,
        command=words[0] if words else "",
        args=tuple(words[1:]),
        url=plan.url,
        cwd=plan.cwd,
        env=_uncovered(plan.env, now.env),
        headers=_uncovered(plan.headers, now.headers),
        timeout=plan.timeout,
        shared=plan.shared,
        enabled=plan.enabled,
    )


def _uncovered(values: Iterable[tuple[str, str]], now: Mapping[str, str]) -> dict[str, str]:
    return {key: now.get(key, "") if value == HIDDEN else value for key, value in values}
