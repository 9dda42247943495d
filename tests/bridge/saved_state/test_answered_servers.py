"""Which servers were answered before is remembered from one run to the next, or done without."""

from __future__ import annotations

from pathlib import Path

from bridge.saved_state import answered_servers


def test_who_was_met_is_known_in_the_next_run(tmp_path: Path) -> None:
    assert answered_servers.load(tmp_path / "met") == set()
    answered_servers.add(tmp_path / "met", "a1")
    answered_servers.add(tmp_path / "met", "b2")
    assert answered_servers.load(tmp_path / "met") == {"a1", "b2"}


def test_a_file_that_cannot_be_used_is_no_reason_to_stop(tmp_path: Path) -> None:
    answered_servers.add(tmp_path, "a1")
    assert answered_servers.load(tmp_path) == set()
    (tmp_path / "met").write_bytes(b"\xff\xfe")
    assert answered_servers.load(tmp_path / "met") == set()
