"""Which programs outside config.toml may have which secret: the person is asked at the first use of each.

`X='${vault:github}' deskbell wrap -- PROGRAM` is enough to ask for any secret, so the name of one is no proof
that the person wants this program to have it. Servers of config.toml are the person's own word.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from hashlib import sha256
from pathlib import Path

import msgspec

from bridge.core.ports import ServerSpec
from bridge.errors import VaultError
from bridge.i18n import say
from bridge.system.atomic_file import OWNER_ONLY, write

AskUse = Callable[[ServerSpec, str], Awaitable[bool]]  # a program, the name of a secret → may it have it?
_Uses = dict[str, list[str]]  # name of a secret → programs


async def _nobody(spec: ServerSpec, name: str) -> bool:
    return False


class SecretUses:
    """`file`: where the person's yes is kept. A no holds until Deskbell is started again."""

    def __init__(self, file: Path, ask: AskUse = _nobody) -> None:
        self._file = file
        self._ask = ask
        self._refused: set[tuple[str, str]] = set()
        self._asking = asyncio.Lock()

    async def permit(self, spec: ServerSpec, name: str) -> None:
        """Return if this program may have this secret. Raises VaultError."""
        program = _program(spec)
        if program in await self._programs(name):  # without the lock, which is held while the person is asked
            return
        async with self._asking:
            uses = await asyncio.to_thread(self._load)
            if program in uses.get(name, ()):
                return
            if (name, program) not in self._refused and await self._ask(spec, name):
                uses.setdefault(name, []).append(program)
                await asyncio.to_thread(write, self._file, msgspec.json.encode(uses), OWNER_ONLY)
                return
            self._refused.add((name, program))
        raise VaultError(
            say("{program} may not have the secret {name}", program=spec.command, name=name),
            say("You were asked and did not allow it, or could not be asked. Add the server to config.toml."),
        )

    async def _programs(self, name: str) -> list[str]:
        return (await asyncio.to_thread(self._load)).get(name, [])

    def _load(self) -> _Uses:
        try:
            return msgspec.json.decode(self._file.read_bytes(), type=_Uses)
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return {}  # everything is asked again


def _program(spec: ServerSpec) -> str:
    """A digest of what is run: command, arguments, and the folder they are relative to."""
    folder = spec.cwd if os.path.dirname(spec.command) and not os.path.isabs(spec.command) else ""
    return sha256("\0".join((folder, spec.command, *spec.args)).encode(errors="replace")).hexdigest()[:24]
