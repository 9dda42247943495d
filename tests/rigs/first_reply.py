"""A reply that a real AI app posts to a Bluesky network on this computer, after a yes on the desktop.

The model follows a script. All else is as at home: `deskbell accounts login`, `deskbell hosts connect`, the
app run by its own command, the question answered on the screen. Another library reads the post back.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.journeys.app_under_test import until
from tests.live.test_bluesky import reader
from tests.rigs.ai_hosts.model import ScriptedModel
from tests.rigs.ai_hosts.programs import PROGRAMS, Room, node_path
from tests.rigs.atproto.network import Network, lack
from tests.rigs.atspi import Screen, Thing

APP = PROGRAMS["qwen"]
REPLY = "Answered from a desktop 🔔"
LACK = lack() or ("" if APP.installed else "run `make rigs` first")  # why it cannot be walked; "": it can
At = Callable[[str], None]  # called after each step, with its name


def post_a_reply(
    net: Network,
    program: Sequence[str],
    env: Mapping[str, str],
    press: Callable[[Thing], None],
    at: At,
) -> None:
    """`program`: the command `deskbell`, which runs on the desktop of `env` with the settings of `net`."""
    first = reader(net, net.alice).send_post("Is anybody there?")
    _run((*program, "accounts", "login", "bob.test", "--app-password"), env, net.bob.app_password)
    at("deskbell accounts login")
    with ScriptedModel("bluesky_post", {"text": REPLY, "replyTo": first.uri}) as model:
        words, more = APP.launch(Room(Path(env["HOME"]), model.url, (*program, "stdio")))
        _run((*program, "hosts", "connect", APP.recipe, "--create"), env)
        at(f"deskbell hosts connect {APP.recipe}")
        with _ai_app([str(APP.path), *words], {**env, **more}) as app:
            screen = Screen(env)
            yes = screen.window("Deskbell: new question", within=240).find("push button", "Yes")
            at(f"{APP.name} asks: the card is on the screen")
            assert _replies(net) == [], "a reply was posted before the yes"
            press(yes)
            assert app.wait(120) == 0
            assert model.finished
            screen.close()
    until(lambda: _replies(net) == [REPLY])
    at("the reply is on the network")


def _run(command: Sequence[str], env: Mapping[str, str], fed: str = "") -> None:
    done = subprocess.run(command, env=env, input=fed, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


@contextmanager
def _ai_app(command: Sequence[str], env: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    plain = {name: value for name, value in env.items() if not name.startswith("XDG_")}
    plain["PATH"] = f"{node_path()}:{env['PATH']}"
    null = subprocess.DEVNULL
    app = subprocess.Popen(
        command, env=plain, cwd=env["HOME"], stdin=null, stdout=null, start_new_session=True
    )
    try:
        yield app
    finally:
        with suppress(ProcessLookupError):
            os.killpg(app.pid, signal.SIGKILL)
        app.wait()


def _replies(net: Network) -> list[str]:
    found = reader(net, net.alice).app.bsky.feed.post.list(net.bob.did, limit=10)
    return [post.text for post in found.records.values() if post.reply is not None]
