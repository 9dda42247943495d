"""No picture of a window changes unnoticed, in any look."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from tests.desktop import pictures

AT_ONCE = 4  # looks; each waits for its windows most of the time


@pytest.fixture(scope="module")
def drawn() -> Iterator[dict[str, Future[dict[str, str]]]]:
    with ThreadPoolExecutor(AT_ONCE, "pictures") as threads:
        yield {look: threads.submit(pictures.digests, look) for look in pictures.LOOKS}


@pytest.mark.timeout(900)
@pytest.mark.skipif(sys.platform != "linux", reason="its only font is set by fontconfig")
@pytest.mark.parametrize("look", pictures.LOOKS)
def test_every_window_looks_as_it_did_when_somebody_last_looked(
    look: str, drawn: dict[str, Future[dict[str, str]]]
) -> None:
    now, before = drawn[look].result(), pictures.known()[look]
    changed = [
        f"{scene}: {what}"
        for scene in before.keys() | now.keys()
        for what, old, new in zip(
            ("layout", "colours"),
            before.get(scene, "- -").split(),
            now.get(scene, "- -").split(),
            strict=True,
        )
        if old != new
    ]
    hint = "If they look as they should: python -m tests.desktop.pictures"
    assert sorted(changed) == [], f"Look at them in {pictures.PICTURES}. {hint}"
