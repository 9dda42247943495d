"""Name a server after its command line: the package or script behind npx, docker, python and the like."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

# Programs that run another one: their subcommands, and the options that take a value.
_PACKAGES = "-p --package -c --call --from --with --spec --python --index --index-url --directory --project"
_SCRIPTS = "-c -e -r -W -X --require --import --loader --env-file --eval"
_CONTAINER_PROGRAMS = "docker podman nerdctl"
_CONTAINERS = (
    "-e --env --env-file -v --volume --mount -p --publish --name --network --net -u --user -w --workdir"
    " -l --label --platform --entrypoint --add-host --pull --memory -m --cpus --gpus --device --cap-add"
    " --cap-drop --security-opt --tmpfs --dns -h --hostname --restart --ulimit --shm-size --secret"
)
_RUNNERS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    program: (frozenset(between.split()), frozenset(options.split()))
    for programs, between, options in (
        ("npx bunx uvx", "", _PACKAGES),
        ("npm pnpm yarn bun pipx uv deno", "exec x dlx tool run", _PACKAGES),
        (_CONTAINER_PROGRAMS, "container run", _CONTAINERS),
        ("node python py ruby php perl bash sh zsh tsx ts-node java go dotnet", "run", _SCRIPTS),
        ("env sudo cmd", "/c /C /d /s", "-u -S"),
    )
    for program in programs.split()
}
_TAIL = re.compile(r"(?<=.)[@\[=<>~!:;#?,].*")  # version, tag or extras
_SUFFIX = re.compile(r"\.(?:py|pyz|[cm]?[jt]s|jar|dll|exe|cmd|bat|ps1|sh|rb|php|pl|go|git)$", re.IGNORECASE)
_TELLS_NOTHING = re.compile(r"index|main|__main__|cli|mcp|dist|build|src|lib|bin|out|\.\.?", re.IGNORECASE)


def program_name(command: str, args: Sequence[str]) -> str:
    """Return a name for a server: its package or script, not the program that runs it."""
    words = [command, *args]
    while (runner := _runner(words[0])) is not None:
        target = _target(words[1:], *runner)
        if not target:
            break
        words = target
    return _name(words[0])


def is_runner(program: str) -> bool:
    return _runner(program) is not None


def _runner(program: str) -> tuple[frozenset[str], frozenset[str]] | None:
    return _RUNNERS.get(re.sub(r"[\d.]+$", "", _plain(program)).lower())


def _target(words: list[str], between: frozenset[str], options: frozenset[str]) -> list[str]:
    """Return the command that a runner runs, with its arguments."""
    while words and (words[0].startswith("-") or words[0] in between or re.match(r"\w+=", words[0])):
        words = words[2 if words[0] in options else 1 :]
    return words


def _name(word: str) -> str:
    parts = [_plain(part) for part in re.split(r"[/\\]", word) if part]
    telling = (part for part in reversed(parts) if not _TELLS_NOTHING.fullmatch(part))
    name = next(telling, parts[-1] if parts else "")
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "server"


def _plain(word: str) -> str:
    """Return the last part of a path, without version and suffix."""
    last = re.split(r"[/\\]", word.rstrip("/\\"))[-1]
    return _SUFFIX.sub("", _TAIL.sub("", last)).lstrip("@")


# ---- variables that a container's command sets -----------------------------------------------------


def extract_env(words: Sequence[str], wanted: Callable[[str, str], bool]) -> tuple[list[str], dict[str, str]]:
    """Split `docker run -e NAME=value image` into the command with `-e NAME` and {NAME: value}, for the
    values that `wanted` accepts. docker then takes the value from its own environment, which other users
    cannot see."""
    command, env, place = list(words), dict[str, str](), 1
    if _plain(command[0]).lower() not in _CONTAINER_PROGRAMS.split():
        return command, env
    between, options = _RUNNERS["docker"]
    while place < len(command) and (command[place].startswith("-") or command[place] in between):
        prefix = "--env=" if command[place].startswith("--env=") else ""
        sets = prefix or command[place] in ("-e", "--env")
        place += command[place] in options  # skip the option's value
        name, mark, value = "".join(command[place : place + 1]).removeprefix(prefix).partition("=")
        if sets and mark and wanted(name, value):
            command[place] = prefix + name
            env[name] = value
        place += 1
    return command, env
