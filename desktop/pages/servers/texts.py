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
        return translate("servers", "signing in…")
    if server.state == "resting":
        return translate("servers", "left alone until {time}").format(time=format_time(server.rests_until))
    return {
        "idle": translate("servers", "starts when it is needed"),
        "starting": translate("servers", "starting…"),
        "ready": translate("servers", "runs"),
        "failed": translate("servers", "does not work"),
        "sign-in": translate("servers", "sign-in needed"),
        "secret": translate("servers", "a secret is missing"),
        "disabled": translate("servers", "switched off"),
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
