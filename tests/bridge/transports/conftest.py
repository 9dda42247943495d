"""The owner-only socket in a folder of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bridge.transports import host_socket
from tests.bridge.transports.socket_rig import Recorder, transport_at
from tests.fixtures.patience import NEVER


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_socket, "LINGER", NEVER)


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "home" / "deskbell.sock")


@pytest.fixture
async def front(path: str) -> AsyncIterator[Recorder]:
    front = Recorder()
    transport = transport_at(path, front)
    await transport.start()
    yield front
    await transport.stop()
