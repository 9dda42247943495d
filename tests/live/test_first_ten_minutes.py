"""What a newcomer does first: a desktop, a real AI app, and a Bluesky network on this computer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.journeys.app_under_test import DESKBELL
from tests.live.test_desktop import PICTURES, House
from tests.rigs import first_reply
from tests.rigs.atproto.network import network
from tests.rigs.desktop import MISSING, desktop

pytestmark = [
    pytest.mark.skipif(bool(MISSING), reason=f"no private desktop without {MISSING}"),
    pytest.mark.skipif(bool(first_reply.LACK), reason=first_reply.LACK),
    pytest.mark.timeout(600),
]


def test_a_reply_is_posted_through_an_ai_application_after_a_yes_on_the_desktop(tmp_path: Path):
    person, home = tmp_path / "person", tmp_path / "home"
    person.mkdir()
    with network(appview=True) as net, desktop() as desk:
        house = House(desk, home, f'vault = "file"\n{net.settings()}')
        house.env["HOME"] = str(person)

        def seen(step: str) -> None:
            if "asks" in step:
                desk.mapped("new question")
                desk.screenshot(PICTURES / "reply-asked.png")

        try:
            first_reply.post_a_reply(net, DESKBELL, house.env, lambda yes: yes.press(), seen)
        finally:
            house.close()
