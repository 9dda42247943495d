"""No picture of a window changes unnoticed. The other looks are among the live tests (tests/live)."""

from __future__ import annotations

import pytest

from tests.desktop import pictures


def check(look: str) -> None:
    """Fail with the windows that look otherwise than when somebody last looked at them."""
    if why := pictures.why_not_here():
        pytest.skip(why)
    now, before = pictures.digests(look), pictures.known()[look]
    changed = [
        f"{scene}: {what}"
        for scene in before.keys() | now.keys()
        for what in pictures.differs(before.get(scene, ""), now.get(scene, ""))
    ]
    hint = "If they look as they should: python -m tests.desktop.pictures"
    assert sorted(changed) == [], f"Look at them in {pictures.PICTURES / pictures.folder(look)}. {hint}"


@pytest.mark.timeout(600)
def test_every_window_looks_as_it_did_when_somebody_last_looked() -> None:
    check("light")
