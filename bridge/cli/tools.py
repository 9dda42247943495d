"""`deskbell tools` and `deskbell call`: list tools, and call one."""

from __future__ import annotations

import argparse
import difflib
import os
import shutil
import stat
import sys
from typing import Any

import msgspec

from bridge.errors import DeskbellError, NotFoundError, TimeoutError_, UsageError, error_with_code
from bridge.presenters.tty import one_line, plain
from bridge.settings import Home
from bridge.transports import control_client

_BAR = 24  # characters
_ERRORS: dict[int, type[DeskbellError]] = {400: UsageError, 404: NotFoundError, 504: TimeoutError_}
_NO_FUNCTION = 404


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--server", metavar="NAME", default="", help="only the tools of this server")
    parser.add_argument("--json", action="store_true", help="one JSON list, with their schemas")
    parser.set_defaults(run=tools)


def call_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tool", metavar="TOOL", help="a name from `deskbell tools`")
    parser.add_argument(
        "words",
        metavar="key=value",
        nargs="*",
        default=[],
        help="an argument; repeat it for a list",
    )
    parser.add_argument("--json", metavar="JSON", help="all arguments as one JSON object; -: from stdin")
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="json: the same result as REST"
    )
    parser.add_argument("--debug", action="store_true", help="print the traceback if a built-in tool fails")
    parser.set_defaults(run=call)


# --- tools -----------------------------------------------------------------------------------------------


def tools(arguments: argparse.Namespace, home: Home) -> int:
    reply = control_client.request_functions(home, {"what": "tools", "server": arguments.server})
    if not reply.get("known", True):
        raise NotFoundError(
            f"There is no server called {arguments.server}", "See `deskbell servers list`; desk is built in."
        )
    listed: list[dict[str, Any]] = reply["tools"]
    if arguments.json:
        print(msgspec.json.encode(listed).decode())
    else:
        _print_tools(listed)
    missing: dict[str, tuple[int, str]] = reply.get("missing", {})
    if not listed and not missing and not arguments.json:
        print("No server offers a tool just now.", file=sys.stderr)
    return _complain(missing)


def _complain(missing: dict[str, tuple[int, str]]) -> int:
    """Print which servers are missing from the list, and why; return the exit code."""
    sys.stdout.flush()
    for name, (_, why) in missing.items():
        print(f"deskbell: The tools of {name} are missing. {one_line(why)}", file=sys.stderr)
    kinds = {_ERRORS.get(status, DeskbellError) for status, _ in missing.values()}
    return max((kind.exit_code for kind in kinds), default=0)


def _print_tools(listed: list[dict[str, Any]]) -> None:
    room = max(40, shutil.get_terminal_size().columns) if sys.stdout.isatty() else 0
    width = max((len(str(tool["name"])) for tool in listed), default=0)
    for tool in listed:
        about = one_line(str(tool.get("description") or tool.get("title") or ""))
        line = f"{one_line(str(tool['name'])).ljust(width)}  {about}".rstrip()
        print(f"{line[: room - 1]}…" if room and len(line) > room else line)


# --- call ------------------------------------------------------------------------------------------------


def call(arguments: argparse.Namespace, home: Home) -> int:
    asked = {"what": "call", "name": arguments.tool, "debug": arguments.debug, **_given(arguments, home)}
    bar = ProgressLine() if sys.stderr is not None and sys.stderr.isatty() else None
    try:
        reply = control_client.request_functions(home, asked, on_note=bar.noted if bar else None)
    finally:
        if bar:
            bar.clear()
    if "error" in reply:
        raise DeskbellError(str(reply["error"]))
    for traceback in reply.get("tracebacks", ()):
        print(plain(traceback), file=sys.stderr)
    if arguments.format == "json":
        print(reply["body"])
    elif reply["status"] == 200 and reply["text"]:
        print(plain(reply["text"]) if sys.stdout.isatty() else reply["text"])
    if reply["status"] == 200:
        return 0
    text = one_line(reply["text"])
    is_unknown = reply["status"] == _NO_FUNCTION
    raise error_with_code(
        reply["exit_code"], f"{text}. {_like(home, arguments.tool)}" if is_unknown else text
    )


def _given(arguments: argparse.Namespace, home: Home) -> dict[str, Any]:
    if arguments.json is not None:
        if arguments.words:
            raise UsageError("Give the arguments as key=value or by --json, not both")
        return {"arguments": _stdin() if arguments.json == "-" else arguments.json}
    if not arguments.words and _is_fed() and _wants(home, arguments.tool):
        return {"arguments": _stdin()}
    words = [word.partition("=") for word in arguments.words]
    for name, equals, _ in words:
        if not equals or not name:
            raise UsageError(f"{name!r} is not an argument", "Write key=value, or --json '{…}'.")
    return {"words": [(name, value) for name, _, value in words]}


def _stdin() -> str:
    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError as error:
        raise UsageError("The arguments on stdin are not UTF-8", str(error)) from error


def _is_fed() -> bool:
    """True if stdin is a pipe or a file, not a terminal or /dev/null."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (AttributeError, OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode)


def _wants(home: Home, name: str) -> bool:
    """True if the tool requires arguments; else an open stdin would block the call."""
    reply = control_client.request_functions(home, {"what": "tool", "name": name})
    return bool((reply.get("tool") or {}).get("inputSchema", {}).get("required"))


def _like(home: Home, name: str) -> str:
    known = [tool["name"] for tool in control_client.request_functions(home, {"what": "tools"})["tools"]]
    near = difflib.get_close_matches(name, known, 1) or [one for one in known if one.endswith(f"_{name}")]
    return f"Did you mean {near[0]}?" if near else "See `deskbell tools` for what there is."


class ProgressLine:
    """Shows the progress of a call on one terminal line."""

    def __init__(self) -> None:
        self._drawn = False

    def noted(self, method: str, params: Any) -> None:
        match method:
            case "notifications/progress":
                self._draw(_progress(params or {}))
            case "notifications/message":
                self.clear()
                message = params or {}
                print(
                    f"{message.get('level', '')}: {one_line(str(message.get('data', '')))}", file=sys.stderr
                )
            case "quiet":
                self._draw("Waiting for the answer. There may be a question on your desktop.")

    def clear(self) -> None:
        if self._drawn:
            self._drawn = False
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _draw(self, text: str) -> None:
        self._drawn = True
        room = shutil.get_terminal_size().columns - 1
        print(f"\r\x1b[K{text[:room]}", end="", file=sys.stderr, flush=True)


def _progress(params: dict[str, Any]) -> str:
    done, total = params.get("progress"), params.get("total")
    message = one_line(str(params.get("message") or ""))
    if not isinstance(done, int | float) or not isinstance(total, int | float) or total <= 0:
        return f"{done} {message}".strip()
    part = min(max(done / total, 0.0), 1.0)
    full = round(part * _BAR)
    return f"[{'#' * full}{'-' * (_BAR - full)}] {part:4.0%} {message}".rstrip()
