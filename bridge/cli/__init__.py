"""Dispatch the `deskbell` command; each verb imports only its own module."""

import io
import sys
from collections.abc import Sequence


def main(argv: Sequence[str]) -> int:
    for stream in (sys.stdout, sys.stderr):
        write_utf8(stream)
    if argv[:1] == ["token-refresh"]:
        from bridge.token_refresh.worker import main as run
    elif argv[:1] == ["permission-hook"]:
        from bridge.cli.permission_hook import main as run
    elif all(word in ("--for-host", "--at-login") or word.startswith("deskbell:") for word in argv):
        from bridge.cli.start import main as run
    else:
        from bridge.cli.parser import main as run
    return run(argv)


def write_utf8(stream: object) -> None:
    """Make a stream take every character. On Windows, and in the C locale, a pipe or a file takes few."""
    if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() != "utf-8":
        stream.reconfigure(encoding="utf-8", errors="replace")
