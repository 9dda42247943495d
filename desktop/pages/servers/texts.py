"""Texts for the state and kind of servers, and for tool hints."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from bridge.api import ServerStatus
from desktop.widgets.labels import Tone
from desktop.widgets.time_text import format_time

translate = QCoreApplication.translate
TROUBLED = ("failed", "resting", "secret", "sign-in")


def state_of(server: ServerStatus) -> str:
    if server.sign_in == "under way":
        return translate("servers", "Signing in…")
    if server.state == "resting":
        return translate("servers", "Paused until {time} after failures").format(
            time=format_time(server.rests_until)
        )
    return {
        "idle": translate("servers", "Idle"),
        "starting": translate("servers", "Starting…"),
        "ready": translate("servers", "Running"),
        "failed": translate("servers", "Failed"),
        "sign-in": translate("servers", "Sign-in needed"),
        "secret": translate("servers", "Needs a key"),
        "disabled": translate("servers", "Switched off"),
    }.get(server.state, server.state)


def tone_of(server: ServerStatus) -> Tone:
    if server.state in ("failed", "resting"):
        return Tone.ERROR
    return Tone.WARNING if server.state in ("secret", "sign-in") else Tone.MUTED


def kind_of(kind: str) -> str:
    return {
        "stdio": translate("servers", "program"),
        "http": translate("servers", "web"),
        "built-in": translate("servers", "built in"),
    }.get(kind, kind)


def hint_of(hint: str) -> str:
    """Return a tool annotation as text. It is the server's own claim."""
    return {
        "readOnlyHint": translate("servers", "only reads"),
        "destructiveHint": translate("servers", "may destroy"),
        "idempotentHint": translate("servers", "can be repeated"),
        "openWorldHint": translate("servers", "reaches outside"),
    }.get(hint, hint)
