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


@pytest.mark.parametrize(
    "module", ["desktop.windows.home", "desktop.questions.form", "uvicorn", "bridge.engine"]
)
def test_what_is_not_seen_at_the_start_is_not_loaded_then(module: str) -> None:
    assert after("import desktop.app", f"{module!r} in sys.modules") == "False"


def test_no_modules_source_is_read_and_kept() -> None:
    kept = "[name for name in linecache.cache if 'bridge' in name or 'desktop' in name]"
    assert after("import desktop.app, bridge.engine", kept) == "[]"
