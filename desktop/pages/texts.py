"""Texts for servers, tool hints, rules and verdicts."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from bridge.api import ServerStatus
from desktop.widgets.labels import Tone
from desktop.widgets.safe_text import one_line
from desktop.widgets.time_text import format_time

translate = QCoreApplication.translate
VERDICTS = ("allow", "confirm", "deny")


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


def verdict_of(verdict: str) -> str:
    return {
        "allow": translate("approvals", "Allow"),
        "confirm": translate("approvals", "Ask me first"),
        "deny": translate("approvals", "Deny"),
    }.get(verdict, verdict)


def host_of(host: str) -> str:
    """Return the name of the AI app a rule is for."""
    return one_line(host, 60) if host not in ("", "*") else translate("approvals", "Every AI app")


def hints_of(hints: tuple[str, ...]) -> str:
    """Return a tool's annotations as text. They are the server's own claims."""
    denied = {
        "!readOnly": translate("approvals", "changes things"),
        "!destructive": translate("approvals", "destroys nothing"),
        "!openWorld": translate("approvals", "stays inside"),
    }
    words = [denied.get(hint, "") if hint.startswith("!") else hint_of(f"{hint}Hint") for hint in hints]
    return ", ".join(filter(None, words))
