"""When AI applications were connected last."""

from __future__ import annotations

from bridge.core.status.hosts import AppStatus, HostsStatus
from bridge.hosts.last_seen import MOST, LastSeen


def test_one_that_left_is_known_with_the_time_and_saved_when_somebody_comes_or_leaves() -> None:
    saved: list[dict[str, float]] = []
    seen = LastSeen({"Zed": 5.0}, saved.append)
    seen.note(["cursor-vscode"], 10.0)
    seen.note(["cursor-vscode"], 20.0)
    assert seen.times == (("Zed", 5.0),)
    seen.note([], 30.0)
    assert dict(seen.times) == {"Zed": 5.0, "cursor-vscode": 30.0}
    assert saved == [{"Zed": 5.0, "cursor-vscode": 10.0}, {"Zed": 5.0, "cursor-vscode": 30.0}]
    cursor = AppStatus("cursor", "Cursor", "", names=("cursor-*",))
    assert HostsStatus(seen=seen.times).last_seen(cursor) == 30.0
    assert HostsStatus().last_seen(cursor) == 0.0


def test_only_the_latest_names_are_kept() -> None:
    seen = LastSeen({})
    for number in range(MOST + 5):
        seen.note([f"a{number}"], float(number))
    seen.note([], 999.0)
    assert len(seen.times) == MOST
    assert seen.times[-1] == (f"a{MOST + 4}", 999.0)
