"""No picture of a window changes unnoticed: dark, at 200 %, small, in other languages, from right to left."""

from __future__ import annotations

import pytest

from tests.desktop import pictures
from tests.desktop.test_pictures import check


@pytest.mark.timeout(900)
@pytest.mark.parametrize("look", [look for look in pictures.LOOKS if look != "light"])
def test_every_window_looks_in_this_look_as_it_did_when_somebody_last_looked(look: str) -> None:
    check(look)
