"""The hello: the first line of a connection to the owner-only socket.

It is written by bridge/shim, about the host that started it, or by another `deskbell` command
(control_client.py), which names its verb.
"""

from __future__ import annotations

import json
from typing import Any, Literal

import msgspec

from bridge.core.ports import Caller, ServerSpec
from bridge.settings.host_tokens import Identify
from bridge.system.process.command_name import program_name

WITH_FDS = 2  # version of a hello whose shim offers its file descriptors (fd_passing.py)
SCRIPTED = "scripted"  # key of a command's hello, set by the app: no person at a terminal runs it


class BadHello(ValueError):
    """The first line is not a valid hello; the text gives the reason."""


class HostHello(msgspec.Struct, frozen=True):
    """The hello of a shim, about the host that started it."""

    server: str = ""
    name: str = ""
    command: str = ""
    args: tuple[str, ...] = ()
    cwd: str = ""
    env: dict[str, str] = {}
    host_name: str = ""
    token: str = ""
    era: Literal["", "legacy", "modern"] = ""


def read_hello(line: bytes) -> dict[str, Any]:
    try:
        hello = json.loads(line)  # msgspec refuses lone surrogates, which stand for odd bytes in `env`
    except (ValueError, RecursionError) as error:
        raise BadHello("The first line is not JSON.") from error
    if not isinstance(hello, dict) or not isinstance(hello.get("verb"), str):
        raise BadHello("The first line does not say what is wanted.")
    if hello.get("deskbell") not in (1, WITH_FDS):
        raise BadHello("The caller and the running Deskbell are of different versions; restart Deskbell.")
    return hello


def caller_of(hello: dict[str, Any], identify: Identify) -> Caller | None:
    """Return the caller of a host's hello; None for the hello of a command. Raises RevokedToken."""
    if hello["verb"] not in ("stdio", "wrap"):
        return None
    try:
        host = msgspec.convert(hello, HostHello)
    except msgspec.ValidationError as error:
        raise BadHello(f"The first line is wrong: {error}.") from error
    identity = identify(host.token)
    if hello["verb"] == "stdio":
        return Caller("stdio", server=host.server, host_name=host.host_name, identity=identity)
    if not host.command:
        raise BadHello("The first line names no command to wrap.")
    name = host.name or program_name(host.command, host.args)
    spec = ServerSpec(name, host.command, host.args, cwd=host.cwd, base_env=host.env, era=host.era)
    return Caller("stdio", wrap=spec, host_name=host.host_name, identity=identity)
