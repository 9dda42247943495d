"""How loudly a Question may appear: by the person's settings and by what they are doing. Pure.

| the person | window | to the front | notification | sound |
|---|---|---|---|---|
| snoozes | no | no | no | no |
| has locked the screen | no | no | no | no |
| wants not to be disturbed | no | no | no | no |
| is answering a Question | behind it | no | no | no |
| else | as set | as set | unless a window came to the front | as set |

An open Question alerts again, without a sound: at half of its time, and a minute before its end (`reminder`).
A person without input for AWAY seconds, or behind a locked screen, is not there (`is_present`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

IDLE = 30.0  # seconds without keyboard or mouse input: nobody is typing elsewhere
AWAY = 120.0  # seconds without input: the person has left
LAST_CALL = 60.0  # seconds before its end that a Question alerts for the last time


class RaiseWindow(StrEnum):
    """When a question window comes to the front and takes the keyboard."""

    NEVER = "never"
    IDLE = "idle"  # when nobody is typing
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class AlertSettings:
    """[desktop] of config.toml."""

    windows: bool = True  # question windows open by themselves
    front: RaiseWindow = RaiseWindow.NEVER
    notifications: bool = True
    sound: bool = True
    do_not_disturb: bool = True  # respect the desktop's own setting


PLAIN = AlertSettings()


@dataclass(frozen=True, slots=True)
class Activity:
    """What the person is doing, as far as the desktop tells."""

    busy: bool = False  # the desktop is set to do not disturb, or something fills the screen
    idle: float | None = None  # seconds since the last input; None: unknown
    answering: bool = False  # a question window has the keyboard
    locked: bool = False  # the screen is locked


@dataclass(frozen=True, slots=True)
class Alert:
    """What a Question may do to be noticed."""

    window: bool = False
    front: bool = False
    notification: bool = False
    sound: bool = False


SILENCE = Alert()


def reminder(left: float, limit: float) -> int:
    """Return how many of its reminders are due for a Question with so many seconds left of its limit."""
    times = {half for half in (limit / 2, LAST_CALL) if half < limit}
    return sum(left <= time for time in times)


def is_present(activity: Activity) -> bool:
    """True unless the person is known to be away."""
    return not activity.locked and (activity.idle is None or activity.idle < AWAY)


def alert_for(settings: AlertSettings, activity: Activity, snoozed: bool) -> Alert:
    """Return how a Question may appear now (the table above)."""
    if snoozed or activity.locked or (activity.busy and settings.do_not_disturb):
        return SILENCE
    if activity.answering:
        return Alert(window=True)
    idle = activity.idle is not None and activity.idle >= IDLE
    wanted = settings.front is RaiseWindow.ALWAYS or (settings.front is RaiseWindow.IDLE and idle)
    front = settings.windows and wanted
    return Alert(settings.windows, front, settings.notifications and not front, settings.sound)
