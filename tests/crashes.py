"""End the run at the first worker that crashes or hangs, and name the worker and its test.

pytest-xdist would start another worker, or let the others work off their files. pytest-timeout works only
where Python code runs: not in a C function that never returns, nor in the fixtures of a test that has failed.
"""

from __future__ import annotations

import faulthandler
from collections.abc import Generator
from typing import Any

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key  # the real stderr: a test's is captured

_GRACE = 15.0  # seconds after pytest-timeout, which tells more
_COLLECTING = 900.0  # seconds until every test is imported, the first time and on a busy machine too
_CRASHED = "???"  # the phase in which pytest-xdist reports a test whose worker is gone


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    _end_after(_COLLECTING, session.config)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    _bound(item)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


@pytest.hookimpl(trylast=True)
def pytest_exception_interact(node: pytest.Item | pytest.Collector) -> None:
    """Bound what is left of a failed test, its fixtures: pytest has just lifted every bound."""
    if isinstance(node, pytest.Item):
        _bound(node)


@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """End the run by what a worker, or pytest-xdist for a worker that is gone, tells of a test."""
    worker = getattr(report, "node", None)
    hung = report.failed and "from pytest-timeout" in report.longreprtext
    if worker and (hung or report.when == _CRASHED):
        pytest.exit(f"{worker.gateway.id} {'hung' if hung else 'crashed'} in {report.nodeid}", returncode=1)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """End the run by a worker that crashed outside of tests; otherwise the test's report comes first."""
    if error:
        plugin = node.config.pluginmanager.get_plugin("dsession")
        plugin.shouldstop = f"{node.gateway.id} crashed before or after its tests"


def _bound(item: pytest.Item) -> None:
    mark = item.get_closest_marker("timeout")
    _end_after(float(mark.args[0] if mark else item.config.getini("timeout")) + _GRACE, item.config)


def _end_after(seconds: float, config: pytest.Config) -> None:
    """End this process, with the stacks of all its threads: faulthandler waits for no Python code."""
    faulthandler.dump_traceback_later(seconds, exit=True, file=config.stash[fault_handler_stderr_fd_key])
