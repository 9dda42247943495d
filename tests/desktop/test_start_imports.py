"""The application is light until somebody opens a window: what it loads, seen in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest


@cache
def loaded(imports: str, expression: str = "sys.modules") -> frozenset[str]:
    """Return the names that `expression` has in a new process after these imports."""
    code = f"import json, linecache, sys\nimport {imports}\nprint(json.dumps(list({expression})))"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    return frozenset(json.loads(output))


NOT_AT_THE_START = (
    "desktop.main_window",
    "desktop.text_windows",
    "desktop.questions.form",
    "desktop.widgets.scroll",
    "uvicorn",
    "bridge.app",
    "html",
    "plistlib",
)


@pytest.mark.parametrize("module", NOT_AT_THE_START)
def test_what_is_not_seen_at_the_start_is_not_loaded_then(module: str) -> None:
    assert module not in loaded("desktop.app")


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe is Qt's there")
def test_qts_network_is_not_loaded_for_one_socket() -> None:
    assert "PySide6.QtNetwork" not in loaded("desktop.app")


@pytest.mark.parametrize(
    "module", ["uvicorn", "bridge.transports.http.server", "http.cookies", "email.utils"]
)
def test_what_comes_with_http_is_not_loaded_with_the_engine(module: str) -> None:
    assert module not in loaded("bridge.app")


def test_no_modules_source_is_read_and_kept() -> None:
    files = loaded("desktop.app, bridge.app", "linecache.cache")
    assert [name for name in files if {"bridge", "desktop"} & {*Path(name).parts}] == []
