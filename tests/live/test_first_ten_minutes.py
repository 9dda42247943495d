"""What a newcomer does first: a desktop, a real AI application, and a Bluesky network on this computer.

The model follows a script. All else is as at home: `deskbell accounts login`, `deskbell hosts connect`, the
application run by its own command, the question answered on the desktop. Another library reads the post back.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from bridge.api import Home, ask_running
from tests.journeys.app_under_test import DESKBELL, ROOT, until
from tests.live.test_bluesky import reader
from tests.live.test_desktop import PICTURES, House
from tests.rigs.ai_hosts.model import ScriptedModel
from tests.rigs.ai_hosts.programs import PROGRAMS, Room, node_path
from tests.rigs.atproto.network import Network, lack, network
from tests.rigs.desktop import MISSING, desktop

APP = PROGRAMS["qwen"]
REPLY = "Answered from a desktop 🔔"
pytestmark = [
    pytest.mark.skipif(bool(MISSING), reason=f"no private desktop without {MISSING}"),
    pytest.mark.skipif(bool(lack()), reason=f"no Bluesky network: {lack()}"),
    pytest.mark.skipif(not APP.installed, reason="no AI application: run `make rigs`"),
    pytest.mark.timeout(600),
]


def deskbell(house: House, *words: str, fed: str = "") -> str:
    done = subprocess.run(
        [*DESKBELL, *words], env=house.env, cwd=ROOT, input=fed, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def replies(net: Network) -> list[str]:
    found = reader(net, net.alice).app.bsky.feed.post.list(net.bob.did, limit=10)
    return [post.text for post in found.records.values() if post.reply is not None]


def waiting(home: Path) -> bool:
    return bool((ask_running(Home(home), "status") or {}).get("waiting"))


@contextmanager
def ai_app(house: House, person: Path, url: str) -> Iterator[subprocess.Popen[bytes]]:
    """Connect the application to Deskbell and run it, with its model at this address."""
    words, env = APP.launch(Room(person, url, (*DESKBELL, "stdio")))
    deskbell(house, "hosts", "connect", APP.recipe, "--create")
    plain = {name: value for name, value in house.env.items() if not name.startswith("XDG_")}
    env = {**plain, **env, "PATH": f"{node_path()}:{house.env['PATH']}"}
    command = [str(APP.path), *words]
    app = subprocess.Popen(command, env=env, cwd=person, stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        yield app
    finally:
        with suppress(ProcessLookupError):
            os.killpg(app.pid, signal.SIGKILL)
        app.wait()


def test_a_reply_is_posted_through_an_ai_application_after_a_yes_on_the_desktop(tmp_path: Path):
    person, home = tmp_path / "person", tmp_path / "home"
    person.mkdir()
    with network(appview=True) as net, desktop() as desk:
        first = reader(net, net.alice).send_post("Is anybody there?")
        house = House(desk, home, f'vault = "file"\n{net.settings()}')
        house.env["HOME"] = str(person)
        try:
            deskbell(house, "accounts", "login", "bob.test", "--app-password", fed=net.bob.app_password)
            script = ScriptedModel("bluesky_post", {"text": REPLY, "replyTo": first.uri})
            with script as model, ai_app(house, person, model.url) as app:
                until(lambda: app.poll() is not None or waiting(home), within=240)
                desk.mapped("new question")
                desk.screenshot(PICTURES / "reply-asked.png")
                assert replies(net) == []
                house.screen.window("Deskbell: new question").find("push button", "Yes").press()
                assert app.wait(120) == 0
                assert model.finished
            until(lambda: replies(net) == [REPLY])
        finally:
            house.close()
