"""Which program listens on a port."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import pytest

from bridge.system.process.port_owner import port_owner


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
@pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6])
def test_the_process_that_listens_is_named(family: socket.AddressFamily) -> None:
    try:
        listener = socket.create_server(("", 0), family=family)
    except OSError:
        pytest.skip("no such addresses here")
    with listener:
        owner = port_owner(listener.getsockname()[1])
    assert owner.endswith(f"({os.getpid()})")


def test_a_free_port_and_a_system_that_does_not_tell_have_no_owner(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        assert port_owner(port, tmp_path) == ""
    assert port_owner(port) == ""
