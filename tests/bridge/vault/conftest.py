"""Passphrases that cost little to try: only the test that is about their cost pays it."""

from __future__ import annotations

import pytest

from bridge.vault import file


@pytest.fixture(autouse=True)
def _cheap_passphrases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file, "_ROUNDS", 1)
    monkeypatch.setattr(file, "_MEMORY", 32)  # the least that four lanes can have
