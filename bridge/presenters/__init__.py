"""Ways to put a Question to the person, by name. The desktop's own way is not here: it needs windows."""

from __future__ import annotations

from bridge.core.ports import Presenter
from bridge.errors import UsageError

CHOICES = "silent, terminal, command:PROG"


def make(name: str) -> Presenter:
    """The Presenter of this name; a UsageError names the choices."""
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
