"""Stands for the engine's services in tests of windows: writes down what a window calls."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from pytestqt.qtbot import QtBot

from bridge.api import Arguments, Services


@dataclass
class Call:
    name: str  # service.method
    args: list[Any] = field(default_factory=list)  # positional ones, then those by name


class ServiceCalls:
    def __init__(self, qtbot: QtBot) -> None:
        self._qtbot = qtbot
        self._all: list[Call] = []
        self.services = Services(self._note)

    def _note(self, service: str, method: str, arguments: Arguments) -> None:
        positional, named = arguments
        self._all.append(Call(f"{service}.{method}", [*positional, *named.values()]))

    def of(self, name: str) -> list[list[Any]]:
        """The arguments of every call of this method, the first call first."""
        return [call.args for call in self._all if call.name == name]

    @contextmanager
    def expected(self, name: str) -> Iterator[Call]:
        """Wait until the method has been called; yields its last call, to be read after the block."""
        before, call = len(self.of(name)), Call(name)
        yield call
        self._qtbot.waitUntil(lambda: len(self.of(name)) > before)
        call.args = self.of(name)[-1]

    @contextmanager
    def forbidden(self, name: str) -> Iterator[None]:
        before = len(self.of(name))
        yield
        assert len(self.of(name)) == before, f"{name} was called"
