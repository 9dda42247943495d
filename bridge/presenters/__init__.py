"""Presenters by name: terminal, command, silent. The desktop's own is in desktop/questions."""

from __future__ import annotations

from bridge.core.ports import Presenter
from bridge.core.questions.question import NOBODY, Answer, Question
from bridge.errors import UsageError

SILENT = "silent"
CHOICES = "silent, terminal, command:PROG"


class SilentPresenter:
    """Cancels every Question: nobody can be asked."""

    async def ask(self, question: Question) -> Answer:
        return NOBODY

    async def close(self) -> None:
        """No-op: nothing is open."""


def can_show(name: str) -> bool:
    """True if the Presenter of this name can show a Question to a person."""
    if name == "terminal":
        from bridge.presenters.tty import has_terminal

        return has_terminal()
    return name != SILENT


def make(name: str) -> Presenter:
    """Return the Presenter of this name. Raises UsageError."""
    kind, _, program = name.partition(":")
    match kind:
        case "silent" if not program:
            return SilentPresenter()
        case "terminal" if not program:
            from bridge.presenters.terminal import TerminalPresenter

            return TerminalPresenter()
        case "command" if program.strip():
            from bridge.presenters.command import CommandPresenter

            return CommandPresenter(program)
    raise UsageError(f"There is no presenter {name!r}", f"Choose one of: {CHOICES}.")
