"""Turn pasted text and servers found on this machine into Proposals, and ServerForms into ServerSpecs. Pure.

A ServerForm is a server as a window shows it: secrets that config.toml has in plain text are hidden.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from bridge.core.ports import BUILT_IN, ServerSpec
from bridge.core.status.servers import HIDDEN, Proposal, ServerForm
from bridge.errors import UsageError
from bridge.hosts import snippets
from bridge.hosts.import_servers import FoundServer, found_in, name_servers, secret_keys, valid_name
from bridge.i18n import say
from bridge.servers.command_line import joined, parted, split, whole_address
from bridge.settings.parser import SERVER_KEYS

_ADDRESS = re.compile(r"https?://\S+")
_OTHER_ADDRESS = re.compile(r"[A-Za-z][\w+.-]*://\S*")
_DOLLAR = re.compile(r"^[$>%]\s+")  # of a shell, as READMEs show it
_CONTINUED = re.compile(r"[\\^`]\r?\n\s*")
_FENCED = re.compile(r"```[^\n`]*\n(.*?)```|\A`([^`\n]+)`\Z", re.DOTALL)  # of Markdown
_LOOKS_WRITTEN = re.compile(
    r'^\s*[{\[]|^\s*"[^"\n]*"\s*:|^\s*[\w."-]+\s*=\s*[\["{\']|^\s*[\w."-]+:(?:\s|$)|^\s*//', re.MULTILINE
)


def read(text: str, port: int = 0) -> list[FoundServer]:
    """Read a command line, an address, or settings of any AI application. Raises DeskbellError."""
    given = text.strip().removeprefix("\ufeff").strip()
    if fenced := _FENCED.search(given):
        given = (fenced[1] or fenced[2]).strip()
    if not given:
        return []
    if (behind := snippets.entry_behind(given)) is not None:
        return [found_in(str(behind.get("name") or snippets.guessed(behind)), behind, port)]
    given = whole_address(given)
    if _ADDRESS.fullmatch(given):
        return [found_in(snippets.named_after(ServerSpec("", url=given)), {"url": given}, port)]
    if _OTHER_ADDRESS.fullmatch(given):
        raise _no_address()
    line = _CONTINUED.sub(" ", _DOLLAR.sub("", given))
    try:
        if _LOOKS_WRITTEN.search(given) and not line.startswith(("claude ", "code ")):
            return snippets.read(given, port)
        return _from_line(line, port)
    except ValueError as error:
        why = error.args[0] if isinstance(error, snippets.UnreadableSnippet) else str(error)
        raise UsageError(say("This cannot be read as settings"), why) from error


def _no_address() -> UsageError:
    return UsageError(say("This is not the address of a server"), say("It begins with http:// or https://"))


def _from_line(line: str, port: int) -> list[FoundServer]:
    if "\n" in line:
        hint = say("Give one command, one address, or settings as an AI app has them.")
        raise UsageError(say("These are several lines"), hint)
    words = split(line)
    if (added := snippets.from_words(words, port)) is not None:
        return added
    env, rest = parted(words)
    if not rest:
        raise UsageError(say("There is no program in this line"), say("It begins with what is started."))
    spec = ServerSpec("", command=rest[0], args=tuple(rest[1:]))
    return [found_in(snippets.named_after(spec), {"command": rest[0], "args": rest[1:], "env": env}, port)]


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
        raise UsageError(say("The time limit cannot be that"), say("It is a number of seconds above 0."))
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
