"""Options for showing a question window."""

from __future__ import annotations

from typing import NamedTuple


class ShowOptions(NamedTuple):
    """How to show a window. `asked_for`: even while snoozed. `sudden`: the user may be typing elsewhere."""

    activate: bool = False
    asked_for: bool = False
    sudden: bool = False

    def merged(self, other: ShowOptions) -> ShowOptions:
        return ShowOptions(*(mine or theirs for mine, theirs in zip(self, other, strict=True)))
