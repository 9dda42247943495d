"""Texts for servers, tool hints, rules and verdicts."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QCoreApplication

from bridge.api import ServerStatus, app_of
from desktop.widgets.labels import Tone
from desktop.widgets.text.safe_text import one_line
from desktop.widgets.text.time_text import format_time

translate = QCoreApplication.translate
VERDICTS = ("allow", "confirm", "deny")


def state_of(server: ServerStatus) -> str:
    if server.sign_in == "under way":
        return translate("servers", "Signing in…")
    if server.state == "back-off":
        return translate("servers", "Paused until {time} after failures").format(
            time=format_time(server.backoff_until)
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


def problem_of(server: ServerStatus) -> str:
    """Return what is wrong with a server, for a window that offers the remedy beside it."""
    told_by_state = bool(server.missing) or server.state in ("sign-in", "disabled")
    return "" if told_by_state else server.problem


def tone_of(server: ServerStatus) -> Tone:
    if server.state in ("failed", "back-off"):
        return Tone.ERROR
    if server.state == "ready":
        return Tone.SUCCESS
    return Tone.WARNING if server.state in ("secret", "sign-in") else Tone.MUTED


def kind_of(kind: str) -> str:
    return {
        "stdio": translate("servers", "program"),
        "http": translate("servers", "web"),
        "built-in": translate("servers", "built in"),
    }.get(kind, kind)


def verdict_of(verdict: str) -> str:
    return {
        "allow": translate("approvals", "Allow"),
        "confirm": translate("approvals", "Ask me first"),
        "deny": translate("approvals", "Deny"),
    }.get(verdict, verdict)


def host_of(host: str) -> str:
    """Return the name of the AI app a rule is for."""
    return (
        one_line(app_of(host).name, 60) if host not in ("", "*") else translate("approvals", "Every AI app")
    )


def risk_of(hints: Collection[str]) -> str:
    """Return what a tool may do by its annotations, with or without their suffix. Its server's own claim."""
    plain = {hint.removesuffix("Hint") for hint in hints}
    if "readOnly" in plain:
        return translate("approvals", "Read only")
    if "destructive" in plain:
        return translate("approvals", "Can delete")
    return translate("approvals", "Makes changes") if "!readOnly" in plain or plain else ""


PRESETS = ("allow", "ask-destructive", "ask-changes", "ask", "block")


def preset_of(preset: str) -> str:
    """Return the name of a choice of what is asked before a server's tools are used."""
    return {
        "allow": translate("approvals", "Allow all"),
        "ask-destructive": translate("approvals", "Ask before changes that cannot be undone"),
        "ask-changes": translate("approvals", "Ask before changes"),
        "ask": translate("approvals", "Always ask"),
        "block": translate("approvals", "Block"),
    }.get(preset, preset)
