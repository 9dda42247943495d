"""How loudly a Question may come: by the person's wishes, and by what they are doing. Pure.

| the person | window | to the front | notification | sound |
|---|---|---|---|---|
| snoozes | no | no | no | no |
| has locked the screen | no | no | no | no |
| wants not to be disturbed | no | no | no | no |
| is answering a Question | behind it | no | no | no |
| else | as they wish | as they wish | unless a window came to the front | as they wish |
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

IDLE = 30.0  # seconds without a key or a move of the mouse: nobody is typing elsewhere


class Raise(StrEnum):
    """When a question window comes to the front and takes the keyboard."""

    NEVER = "never"
    IDLE = "idle"  # when nobody is typing
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class Wishes:
    """[desktop] of config.toml."""

    windows: bool = True  # question windows open by themselves
    front: Raise = Raise.NEVER
    notifications: bool = True
    sound: bool = False
    do_not_disturb: bool = True  # heed the desktop's own


PLAIN = Wishes()


@dataclass(frozen=True, slots=True)
class Scene:
    """What the person is doing, as far as it can be known."""

    busy: bool = False  # the desktop is set to do not disturb, or something fills the screen
    idle: float | None = None  # seconds since they touched anything
    answering: bool = False  # a question window has the keyboard
    locked: bool = False  # nobody can see the screen, or the wrong ones can


@dataclass(frozen=True, slots=True)
class Manner:
    window: bool = False
    front: bool = False
    notification: bool = False
    sound: bool = False


SILENCE = Manner()


def manner(wishes: Wishes, scene: Scene, snoozed: bool) -> Manner:
    if snoozed or scene.locked or (scene.busy and wishes.do_not_disturb):
        return SILENCE
    if scene.answering:
        return Manner(window=True)
    idle = scene.idle is not None and scene.idle >= IDLE
    wanted = wishes.front is Raise.ALWAYS or (wishes.front is Raise.IDLE and idle)
    front = wishes.windows and wanted
    return Manner(wishes.windows, front, wishes.notifications and not front, wishes.sound)
