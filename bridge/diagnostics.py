"""Write a text for a bug report: versions, state, settings, recent failures, the end of the log.

No secrets, no arguments of calls, no answers, no words of servers: of a server its name, program and state,
of environment and headers the names, of an address the part before `?`. The home folder is written `~`. The
log may quote why a server ended; the text says so.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import os
import platform
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from bridge import __version__
from bridge.core.ports import ServerSpec
from bridge.core.status import Status
from bridge.errors import DeskbellError
from bridge.journal import History, JournalRow, redact
from bridge.settings import Home, Settings, SettingsFile
from bridge.system import log_file
from bridge.system.foreign_text import mark_deceptive
from bridge.system.masking import Mask
from bridge.vault.secret_references import plain_secrets

LOG = 30_000  # characters of the log
_LOG_TITLE = "End of the log (it may quote what a server wrote when it ended)"
ROWS = 40  # rows of history
_LIBRARIES = ("PySide6-Essentials", "qasync", "jeepney", "httptools", "uvicorn", "mcp", "keyring", "msgspec")
_TELLING = ("XDG_CURRENT_DESKTOP", "XDG_SESSION_TYPE", "LANG", "QT_QPA_PLATFORM", "QT_SCALE_FACTOR")


def report(home: Home, status: Status) -> str:
    """Return the text. Blocks: reads settings, history and log."""
    file = SettingsFile(home.config)
    file.reload()
    mask = _mask(home, file.current)
    parts = [
        ("Deskbell", _versions()),
        ("State", _state(status)),
        ("Settings", _settings(home, file.current)),
        ("Recent trouble", _trouble(home)),
        (_LOG_TITLE, log_file.read_tail(home.log, LOG).splitlines()),
    ]
    text = "\n".join(f"## {title}\n{_lines(lines)}\n" for title, lines in parts)
    return mark_deceptive(redact(mask.mask_text(text)).replace(str(Path.home()), "~"))


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(lines) or "(nothing)"


def _mask(home: Home, settings: Settings) -> Mask:
    """Mask every secret that files hold in plain text; those of the vault never reach this text."""
    mask = Mask()
    for spec in settings.servers.values():
        for texts in (spec.env, spec.headers, spec.oauth):
            mask.learn(plain_secrets(texts))
            mask.learn(text for text in texts.values() if not text.startswith("${vault:"))
    with contextlib.suppress(DeskbellError):  # then nobody can use it
        mask.learn([home.read_token()] if home.token.exists() else [])
    return mask


def _versions() -> Iterator[str]:
    yield f"Deskbell {__version__}, Python {platform.python_version()}, {platform.platform()}"
    yield f"Installed: {'frozen' if getattr(sys, 'frozen', False) else 'as a Python package'}"
    for name in _LIBRARIES:
        try:
            yield f"{name} {importlib.metadata.version(name)}"
        except importlib.metadata.PackageNotFoundError:
            continue
    for name in _TELLING:
        if value := os.environ.get(name):
            yield f"{name}={value}"


def _state(status: Status) -> Iterator[str]:
    if not status.version:
        yield "It does not run."
        return
    yield f"Address: {status.address or 'none'}; questions by: {status.presenter}"
    yield f"Waiting questions: {len(status.waiting)}; snoozed: {_yes(status.snoozed)}"
    yield f"Vault: {status.vault.store or 'none'}, {status.vault.state}. {status.vault.problem}".rstrip()
    yield f"Bluesky accounts: {len(status.bluesky.accounts)}"
    for problem in status.problems:
        yield f"Problem: {problem}"
    for notice in status.notices:
        yield f"Notice: {notice}"
    for host in status.hosts:
        yield f"AI app {host.name} {host.version} by {host.wire}, {host.revision}, {host.calls} calls"
    for server in status.servers:
        trouble = "; it has a problem, which its page shows" if server.problem else ""
        yield f"Server {server.name} ({server.kind}): {server.state}{trouble}"


def _settings(home: Home, now: Settings) -> Iterator[str]:
    yield f"Folder: {home.root}"
    presenter = now.presenter or "by itself"
    yield f"port {now.port}, question_timeout {now.question_timeout:g}, presenter {presenter}"
    yield f"vault {now.vault}, history {now.history_days:g} days, theme {now.theme}, icon {now.icon}"
    yield f"language {now.language or 'the system’s'}, updates {_yes(now.updates.check)}, {now.wishes}"
    yield f"policy: {len(now.policy)} rules; hosts: {', '.join(now.hosts) or 'none'}"
    for spec in now.servers.values():
        yield f"server {spec.name}: {_how(spec)}"


def _how(spec: ServerSpec) -> str:
    parts = [_place(spec.url)] if spec.url else [spec.command, f"{len(spec.args)} arguments"]
    parts += [f"env {', '.join(spec.env)}"] if spec.env else []
    parts += [f"headers {', '.join(spec.headers)}"] if spec.headers else []
    return "; ".join([*parts, "on" if spec.enabled else "off"])


def _place(url: str) -> str:
    try:
        split = urlsplit(url)
        return f"{split.scheme}://{split.hostname or '?'}{f':{split.port}' if split.port else ''}{split.path}"
    except ValueError:
        return "an address that cannot be read"


def _trouble(home: Home) -> list[str]:
    if not home.journal.exists():
        return []
    history = History(home.journal)
    rows = [row for kind in ("server", "notice") for row in history.search("", ROWS, kind=kind)]
    return [_row(row) for row in sorted(rows, key=lambda row: row.at)[-ROWS:]]


def _row(row: JournalRow) -> str:
    when = datetime.fromtimestamp(row.at, UTC).strftime("%Y-%m-%d %H:%M:%SZ")
    text = "" if row.kind == "server" else str(row.detail.get("text") or "")[:300]  # a server's own words
    return f"{when} {row.kind} {row.server or row.host} {row.outcome} {text}".rstrip()


def _yes(value: bool) -> str:
    return "yes" if value else "no"
