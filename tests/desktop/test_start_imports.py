"""The application is light until somebody opens a window: what it loads, seen in a process of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest


def after(imports: str, expression: str) -> str:
    code = f"import linecache, sys\n{imports}\nprint({expression})"
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


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
    assert after("import desktop.app", f"{module!r} in sys.modules") == "False"


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe is Qt's there")
def test_qts_network_is_not_loaded_for_one_socket() -> None:
    assert after("import desktop.app", "'PySide6.QtNetwork' in sys.modules") == "False"


@pytest.mark.parametrize(
    "module", ["uvicorn", "bridge.transports.http.server", "http.cookies", "email.utils"]
)
def test_what_comes_with_http_is_not_loaded_with_the_engine(module: str) -> None:
    assert after("import bridge.app", f"{module!r} in sys.modules") == "False"


def test_no_modules_source_is_read_and_kept() -> None:
    kept = "[name for name in linecache.cache if {'bridge', 'desktop'} & {*Path(name).parts}]"
    assert after("from pathlib import Path; import desktop.app, bridge.app", kept) == "[]"
