"""A Status is a value: one look, which nobody can change."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from bridge.core.questions import Mode, Question
from bridge.core.status import HostStatus, ServerStatus, Status


def test_an_empty_status_shows_nothing():
    assert Status() == Status(waiting=(), hosts=(), servers=(), problems=())


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (Status(), "waiting"),
        (HostStatus("Claude", "1", "stdio", "2025-11-25", True, (), 0), "calls"),
        (ServerStatus("files", "stdio", "ready"), "state"),
        (Question("q1", Mode.FORM, "files", "Claude"), "message"),
    ],
)
def test_what_windows_see_cannot_be_changed(value, name):
    with pytest.raises(FrozenInstanceError):
        setattr(value, name, "changed")
