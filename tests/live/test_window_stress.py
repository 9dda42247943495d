"""Windows come and go for a minute while ten hosts call: the application ends well, not by a crash in Qt."""

from __future__ import annotations

import pytest

from tests.live.window_stress import run


@pytest.mark.timeout(240)
def test_windows_that_come_and_go_while_ten_hosts_call_crash_nothing() -> None:
    code, done = run(60)
    assert code == 0, done
