"""Presenters by name: terminal, command, silent. The desktop's own is in desktop/questions."""

from __future__ import annotations

from bridge.core.ports import Presenter
from bridge.errors import UsageError

CHOICES = "silent, terminal, command:PROG"


def make(name: str) -> Presenter:
    """Return the Presenter of this name. Raises UsageError."""
    kind, _, program = name.partition(":")
    match kind:
        case "silent" if not program:
            from bridge.presenters.silent import SilentPresenter

            return SilentPresenter()
        case "terminal" if not program:
            from bridge.presenters.terminal import TerminalPresenter

            return TerminalPresenter()
        case "command" if program.strip():
            from bridge.presenters.command import CommandPresenter

            return CommandPresenter(program)
    raise UsageError(f"There is no presenter {name!r} here", f"Choose one of: {CHOICES}.")
