"""Presenters by name."""

from __future__ import annotations

import pytest

from bridge.core.questions.question import NOBODY, Mode, Question
from bridge.errors import UsageError
from bridge.presenters import SilentPresenter, make
from bridge.presenters.command import CommandPresenter
from bridge.presenters.terminal import TerminalPresenter


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("silent", SilentPresenter),
        ("terminal", TerminalPresenter),
        ("command:zenity --forms", CommandPresenter),
    ],
)
async def test_each_name_makes_its_presenter(name: str, kind: type) -> None:
    made = make(name)
    assert type(made) is kind
    await made.close()


@pytest.mark.parametrize(
    "name", ["", "desktop", "Silent", "silent:x", "terminal:x", "command", "command:", "command: "]
)
def test_any_other_name_is_told_the_choices(name: str) -> None:
    with pytest.raises(UsageError, match="silent, terminal, command:PROG"):
        make(name)


@pytest.mark.parametrize("mode", list(Mode))
async def test_silence_is_cancel(mode: Mode) -> None:
    assert await make("silent").ask(Question("q", mode, "github", "Claude")) == NOBODY
