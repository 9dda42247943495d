"""The process that sends token refreshes and seals the replies: `deskbell token-refresh FILE`.

It takes the lock of FILE and prints `ready`. Then it reads requests, one JSON line each, until its stdin
ends; for each it seals a successful reply into FILE, and only then prints the RefreshOutcome. It never sees
the Vault.
"""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, cast

import msgspec

from bridge.errors import DeskbellError, VaultError
from bridge.http_client.client import HttpClient, HttpReply
from bridge.i18n import say
from bridge.shim.start_app import own_command
from bridge.system.file_lock import locked
from bridge.system.process.memory_protection import protect_memory
from bridge.system.process.process_group import DETACHED
from bridge.token_refresh.sealed import RefreshRequest, seal

VERB = "token-refresh"
_TIMEOUT = 30.0  # seconds for one reply
_MAX_BYTES = 1 << 20
_HEADERS = ("Content-Type", "DPoP-Nonce")  # of a reply; no other is needed


class RefreshOutcome(msgspec.Struct, frozen=True):
    """The server's reply, or why there is none."""

    reply: HttpReply | None = None
    title: str = ""
    message: str = ""


# Makes another request of a reply that used nothing up (RFC 9449: a newer nonce); None: that is the reply.
Again = Callable[[HttpReply], RefreshRequest | None]


# --- in Deskbell -----------------------------------------------------------------------------------------


def run_worker(path: Path, request: RefreshRequest, again: Again | None = None) -> RefreshOutcome:
    """Start a worker, pass the request on, and return what it prints. Blocks.

    The worker gets the request only once it holds the lock, so that one whose Deskbell died early does
    nothing.
    """
    argv, folder = own_command(VERB, str(path))
    try:
        with subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder or None,
            **DETACHED,
        ) as process:
            stdin, stdout = cast(IO[bytes], process.stdin), cast(IO[bytes], process.stdout)
            if stdout.readline() != b"ready\n":
                return RefreshOutcome()
            outcome = _exchange(stdin, stdout, request)
            following = again(outcome.reply) if again is not None and outcome.reply is not None else None
            return _exchange(stdin, stdout, following) if following is not None else outcome
    except OSError as error:
        return RefreshOutcome(title=say("The sign-in could not be renewed"), message=f"{error}.")


def _exchange(stdin: IO[bytes], stdout: IO[bytes], request: RefreshRequest) -> RefreshOutcome:
    stdin.write(msgspec.json.encode(request) + b"\n")
    stdin.flush()
    try:
        return msgspec.json.decode(stdout.readline(), type=RefreshOutcome)
    except msgspec.MsgspecError:
        return RefreshOutcome()


def is_free(lock: Path) -> bool:
    """True if no worker holds the lock. Blocks for ten seconds if one does."""
    try:
        with locked(lock):
            return True
    except VaultError:
        return False


# --- in the worker ---------------------------------------------------------------------------------------


def main(argv: Sequence[str]) -> int:
    protect_memory()
    path = Path(argv[1])
    with locked(path.with_suffix(".lock")):
        _print(b"ready")
        for line in sys.stdin.buffer:
            if line.endswith(b"\n"):  # else Deskbell died in the middle of it, and nothing has been sent yet
                request = msgspec.json.decode(line, type=RefreshRequest)
                _print(msgspec.json.encode(asyncio.run(_send(request, path))))
    return 0


async def _send(request: RefreshRequest, path: Path) -> RefreshOutcome:
    try:
        async with HttpClient() as http:
            reply = await http.request(
                "POST",
                request.url,
                headers=request.headers,
                content=request.body,
                max_bytes=_MAX_BYTES,
                timeout=_TIMEOUT,
            )
    except DeskbellError as error:
        return RefreshOutcome(title=str(error.title), message=str(error.message))
    headers = {name: reply.headers[name] for name in _HEADERS if name in reply.headers}
    reply = HttpReply(reply.url, reply.status, headers, reply.body)
    if reply.ok:
        with contextlib.suppress(VaultError):  # a full disk; Deskbell, if it lives, has the Vault to try
            seal(path, request, reply)
    return RefreshOutcome(reply)


def _print(line: bytes) -> None:
    """Write to stdout; to nobody, if Deskbell is gone."""
    with contextlib.suppress(OSError):
        sys.stdout.buffer.write(line + b"\n")
        sys.stdout.buffer.flush()
