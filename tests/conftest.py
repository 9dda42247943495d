"""What every test stands on: Qt without a screen, garbage collected in the main thread only (see
desktop/system/garbage_collection.py), and property tests that no slow machine can fail."""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
import signal
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any, cast

import pytest
import pytestqt.plugin
from hypothesis import is_hypothesis_test, settings
from pytestqt.qtbot import QtBot

from tests.fixtures.patience import WITHIN

pytest_plugins = ["tests.crashes"]

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# No test runs the person's rc files: this login shell is never asked for its PATH, and bash gets no file to
# read before a script. A test that makes an environment from nothing passes SHELL on.
os.environ["SHELL"] = "/bin/false"
os.environ.pop("BASH_ENV", None)
# In memory, where fsync takes no time; not where programs cannot be run, nor where there is little room.
if sys.platform == "linux" and os.access("/dev/shm", os.W_OK):
    _memory = os.statvfs("/dev/shm")
    if not _memory.f_flag & os.ST_NOEXEC and _memory.f_bavail * _memory.f_frsize > 2 << 30:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", "/dev/shm")
# Compiled once, not again in each of the thousand processes that tests start; `make clean` removes it.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A shared machine may stall for a moment: pytest-timeout bounds the whole test, not Hypothesis each example.
# The same examples every time: a change fails by what it changed. HYPOTHESIS_PROFILE=searching goes further.
settings.register_profile("deskbell", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("searching", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "deskbell"))

gc.disable()

# `nohup`, and shells that start something in the background, have signals ignored. Children inherit that,
# and a test that sends them one would wait for ever.
for _name, _default in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
    _signal = getattr(signal, _name, None)
    if _signal is not None and signal.getsignal(_signal) is signal.SIG_IGN:
        signal.signal(_signal, _default)
# pytest-qt gives each wait five seconds, which a machine with much else to do may need.
for _wait in (QtBot.waitUntil, QtBot.waitSignal, QtBot.waitActive, QtBot.waitExposed):
    cast(dict[str, object], _wait.__kwdefaults__)["timeout"] = round(1000 * WITHIN)

_process_events = pytestqt.plugin._process_events
_modules = 0  # how many were imported when garbage was last collected
_CORE = Path(__file__).parent / "core"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Qt has its turn only around tests of windows: elsewhere other threads are at work, and what earlier
    windows left is nobody's business."""
    windows = "qapp" in getattr(item, "fixturenames", ())
    pytestqt.plugin._process_events = _process_events if windows else lambda: None


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Free a test's garbage at its end, in the main thread. What outlasts a file is not searched again, nor
    what modules bring that a test has imported."""
    global _modules
    gc.collect()
    if nextitem is None or nextitem.path != item.path or len(sys.modules) != _modules:
        gc.freeze()
        _modules = len(sys.modules)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Measure coverage while the core is imported, not while test files are: that takes twice as long."""
    coverage = _coverage(session.config)
    if coverage is not None and coverage.started:
        import bridge.core

        for module in pkgutil.walk_packages(bridge.core.__path__, "bridge.core."):
            importlib.import_module(module.name)
        coverage.pause()
    return (yield)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The core's stories first: what a module remembers of its first use must be covered by them. Then the
    file that mostly waits: at the end, everyone would wait for it."""
    items.sort(key=lambda item: (_is_elsewhere(item), item.path.parent != _CORE.parent))


def pytest_collection_finish() -> None:
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Function) -> None:
    """Measure coverage in the core's own stories alone: they must reach every branch without the others.
    Property tests, and tests marked no_cover for their thousands of steps, would take twice as long."""
    coverage = _coverage(item.config)
    is_story = not is_hypothesis_test(item.function) and item.get_closest_marker("no_cover") is None
    measured = is_story and not _is_elsewhere(item)
    if coverage is not None and coverage.started != measured:
        (coverage.resume if measured else coverage.pause)()


def _coverage(config: pytest.Config) -> Any:
    """The controller of pytest-cov, which can pause and resume; None without --cov."""
    return getattr(config.pluginmanager.get_plugin("_cov"), "cov_controller", None)


def _is_elsewhere(item: pytest.Item) -> bool:
    return not item.path.is_relative_to(_CORE)
