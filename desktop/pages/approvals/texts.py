"""Texts for rules, verdicts and tool hints."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop.pages.servers.texts import hint_of
from desktop.widgets.safe_text import one_line

translate = QCoreApplication.translate
VERDICTS = ("allow", "confirm", "deny")


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
