"""Texts for AI apps: their state, what to do for a change to take effect, and where questions appear."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from bridge.api import AppNews, AppStatus, HostStatus, Status
from desktop.widgets.labels import Tone
from desktop.widgets.text.bidi import isolate
from desktop.widgets.text.safe_text import one_line
from desktop.widgets.text.time_text import format_time

translate = QCoreApplication.translate


def live_host(app: AppStatus, status: Status) -> HostStatus | None:
    return next((host for host in status.hosts if app.is_called(host.name)), None)


def tools_of(app: AppStatus, status: Status) -> int:
    """Return how many tools the app has through Deskbell now."""
    used = {name for host in status.hosts if app.is_called(host.name) for name in host.servers}
    return sum(1 for tool in status.tools if tool.server in used)


def app_state(app: AppStatus, status: Status) -> tuple[str, Tone]:
    """Return the state of an app in words, and its tone."""
    if app.problem:
        return translate("hosts", "Settings cannot be read"), Tone.ERROR
    if app.stale or (app.connected and not app.current):
        return translate("hosts", "Connected to a different Deskbell"), Tone.WARNING
    if app.connected and not app.proven:
        return translate("hosts", "Access removed"), Tone.WARNING
    if live_host(app, status) is not None:
        tools = tools_of(app, status)
        words = translate("hosts", "Connected · {count} tools") if tools else translate("hosts", "Connected")
        if tools == 1:
            words = translate("hosts", "Connected · 1 tool")
        return words.format(count=tools), Tone.SUCCESS
    if not app.is_on:
        return translate("hosts", "Off"), Tone.MUTED
    seen = status.at_hosts.last_seen(app)
    if seen:
        return translate("hosts", "On · last connected {time}").format(time=format_time(seen)), Tone.MUTED
    return translate("hosts", "On · not connected yet"), Tone.MUTED


def reload_hint(name: str, reload: str) -> str:
    return {
        "restart": translate("hosts", "Restart {name} for the change to take effect."),
        "conversation": translate("hosts", "It takes effect in {name}'s next conversation."),
        "refresh": translate("hosts", "Press Refresh in {name}'s list of servers."),
        "itself": translate("hosts", "No restart needed."),
    }.get(reload, "").format(name=name)  # fmt: skip


def news_text(news: AppNews) -> str:
    """Return what was done to an app, and what is to be done next."""
    name = isolate(one_line(news.name, 60))
    done = {
        "connect": translate("hosts", "{name} is set up."),
        "disconnect": translate("hosts", "{name} no longer uses Deskbell. Its settings are as before."),
        "wrap": translate("hosts", "Done. {name}'s servers now ask you through Deskbell."),
        "unwrap": translate("hosts", "{name}'s servers are as they were."),
        "undo": translate("hosts", "The last change in {name} is undone."),
    }[news.what].format(name=name)
    return f"{done} {reload_hint(name, news.reload)}".strip()


def place_options(name: str) -> tuple[tuple[str, str], ...]:
    """Return where an app's questions can appear, each with its value in the settings."""
    return (
        (translate("hosts", "In {name} when possible").format(name=name), "auto"),
        (translate("hosts", "Always in Deskbell"), "desktop"),
        (translate("hosts", "Always in {name}").format(name=name), "host"),
    )


def patience_text(host: HostStatus) -> str:
    """Return how long an app waits for an answer."""
    if not host.patience:
        return translate("hosts", "Waits for your answer as long as it takes")
    if host.patience >= 120:
        minutes = round(host.patience / 60)
        return translate("hosts", "Waits up to {count} minutes for an answer").format(count=minutes)
    return translate("hosts", "Waits up to {count} seconds for an answer").format(count=f"{host.patience:g}")
