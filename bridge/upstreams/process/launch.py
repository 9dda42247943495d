"""Turn a ServerSpec into what the system runs: program, arguments, environment, directory.

Finds the program and says in words why it cannot. Starts nothing, and never goes through a shell.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bridge.core.ports import ServerSpec
from bridge.errors import DeskbellError, UpstreamError
from bridge.i18n import failure_text, say, together
from bridge.shim.allowed_environment import for_servers
from bridge.upstreams import FillSecrets, unchanged
from bridge.upstreams.process.login_path import LoginPath, joined

# What cmd.exe would interpret even inside quotes (CVE-2024-24576 and its kin).
_CMD_SPECIAL = frozenset('&|<>^%!"\r\n')


@dataclass(frozen=True, slots=True)
class Launch:
    argv: tuple[str, ...]
    env: Mapping[str, str]
    cwd: str


async def prepare(spec: ServerSpec, fill: FillSecrets = unchanged, login: LoginPath | None = None) -> Launch:
    """Raises UpstreamError where the person has to do something. Waits for the login shell only if the
    program is found neither on our PATH nor on the one that this shell had at the last start."""
    cwd = _directory(spec)
    try:
        spec = await fill(spec)
    except DeskbellError as error:
        raise _cannot_start(spec, failure_text(error)) from error
    env = environment(spec)
    program = _find(spec.command, cwd, env)
    if not program and login is not None and _is_name(spec.command):
        program = await _find_by_login(spec, cwd, env, login)
    if not program:
        why = say("`{command}` was not found.", command=spec.command)
        advice = say("Install it or edit the command.")
        raise _cannot_start(spec, together(why, _late(spec, login), advice))
    if sys.platform == "win32" and program.lower().endswith((".cmd", ".bat")):
        refuse_what_cmd_would_interpret(spec)
    return Launch((program, *spec.args), env, cwd)


async def look_ahead(specs: Iterable[ServerSpec], login: LoginPath) -> None:
    """Ask the login shell in advance if one of these servers needs its PATH, so that no call waits for it."""
    wanted = [spec for spec in specs if spec.enabled and spec.command and _is_name(spec.command)]
    if wanted and not login.asked and await asyncio.to_thread(_is_one_missing, wanted):
        login.ask()


def _is_one_missing(specs: Iterable[ServerSpec]) -> bool:
    return not all(_find(spec.command, "", environment(spec)) for spec in specs)


async def _find_by_login(spec: ServerSpec, cwd: str, env: dict[str, str], login: LoginPath) -> str | None:
    """Return the program that is found with the login shell's PATH behind ours, and leave both in `env`."""
    login.ask()
    own = env.get("PATH", os.defpath)
    env["PATH"] = joined(own, login.known)
    program = _find(spec.command, cwd, env)
    if not program and not login.answered:
        env["PATH"] = joined(own, await login.answer())
        program = _find(spec.command, cwd, env)
    return program


def environment(spec: ServerSpec) -> dict[str, str]:
    """Return the environment: what every server inherits of ours, or all of a wrapped one's own host; never
    Deskbell's own variables."""
    base = for_servers(os.environ) if spec.base_env is None else spec.base_env
    env = {**{name: value for name, value in base.items() if not name.startswith("DESKBELL_")}, **spec.env}
    if sys.platform == "win32":  # where `Path` and `PATH` are one
        return {name.upper(): value for name, value in env.items()}
    return env


def refuse_what_cmd_would_interpret(spec: ServerSpec) -> None:
    """Raise for a .cmd or .bat file whose arguments cmd.exe would interpret as commands."""
    for arg in spec.args:
        if found := _CMD_SPECIAL & set(arg):
            why = say(
                "`{command}` is a batch file, and the argument {argument} contains {found}, which "
                "Windows would run as a command. Leave it out, or name the program itself (an .exe).",
                command=spec.command,
                argument=repr(arg),
                found=repr(min(found)),
            )
            raise _cannot_start(spec, why)


def _directory(spec: ServerSpec) -> str:
    cwd = os.path.expanduser(spec.cwd or "~")
    if spec.cwd and not os.path.isdir(cwd):
        why = say("its folder {path} does not exist. Edit the server's folder.", path=cwd)
        raise _cannot_start(spec, why)
    return cwd if os.path.isdir(cwd) else os.path.abspath(os.sep)


def _is_name(command: str) -> bool:
    """True if the command is looked for on PATH."""
    return not os.path.dirname(command)


def _find(command: str, cwd: str, env: Mapping[str, str]) -> str | None:
    command = os.path.expanduser(command)
    if not _is_name(command):
        return shutil.which(os.path.join(cwd, command))
    return shutil.which(command, path=env.get("PATH", os.defpath))


def _late(spec: ServerSpec, login: LoginPath | None) -> str:
    if login is None or login.answered or not _is_name(spec.command):
        return ""
    return say("The PATH of your login shell is not known yet: try again in a minute.")


def _cannot_start(spec: ServerSpec, why: str) -> UpstreamError:
    return UpstreamError(say("Could not start {server}", server=spec.name), why)
