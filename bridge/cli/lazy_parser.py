"""An argparse parser that adds arguments when they are parsed; and the arguments of `serve`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Any


class LazyParser(argparse.ArgumentParser):
    """`fill` adds the arguments when they are parsed, so that a verb does not import the modules of others.
    Usage errors exit with 1."""

    def __init__(
        self, *given: Any, fill: Callable[[argparse.ArgumentParser], None] | None = None, **named: Any
    ) -> None:
        super().__init__(*given, **named)
        self._fill = fill

    def filled(self) -> LazyParser:
        fill, self._fill = self._fill, None
        if fill is not None:
            fill(self)
        return self

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        self.filled()
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> None:  # type: ignore[override]
        self.print_usage(sys.stderr)
        self.exit(1, f"deskbell: {message}\n")


def serve_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port", type=port, metavar="N", help="port on 127.0.0.1 (default: config.toml's, or 8765; 0: any)"
    )
    parser.add_argument(
        "--presenter",
        metavar="P",
        help="who asks: terminal, silent, command:PROG (default: terminal if there is one)",
    )


def port(word: str) -> int:
    """Parse --port. argparse uses this function's name in its error message."""
    number = int(word)
    if not 0 <= number <= 65535:
        raise ValueError(word)
    return number
