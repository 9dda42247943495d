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
        f"{scene} ({what})"
        for scene in before.keys() | now.keys()
        for what in pictures.differs(before.get(scene, ""), now.get(scene, ""))
    ]
    if changed:
        place = pictures.PICTURES / pictures.folder(look)
        pytest.fail(
            f"Windows that do not look as when somebody last looked: {', '.join(sorted(changed))}.\n"
            f"Look at them in {place}. If they look as they should, run `python -m tests.desktop.pictures` "
            "and commit pictures.txt.",
            pytrace=False,
        )


@pytest.mark.timeout(900)
def test_every_window_looks_as_it_did_when_somebody_last_looked() -> None:
    check("light")
