"""Accounts in a real keyring on a real network, by the command line; and what autoreply has saved there."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journeys.app_under_test import DESKBELL, ROOT, App, environment
from tests.live.secret_service import MISSING, SecretService
from tests.rigs.atproto.network import Network, lack, network

pytestmark = [
    pytest.mark.skipif(bool(lack()), reason=f"no Bluesky network: {lack()}"),
    pytest.mark.skipif(bool(MISSING), reason=f"no Secret Service without {MISSING}"),
    pytest.mark.timeout(240),
]


@pytest.fixture(scope="module")
def net() -> Iterator[Network]:
    with network() as net:
        yield net


@pytest.fixture
def env(net: Network, tmp_path: Path) -> Iterator[dict[str, str]]:
    home = tmp_path / "home"
    home.mkdir()
    (home / "config.toml").write_text(f'vault = "keyring"\n{net.settings()}')
    service = SecretService(tmp_path)
    service.start()
    yield {
        **service.env,
        **environment(home),
        "DBUS_SESSION_BUS_ADDRESS": service.env["DBUS_SESSION_BUS_ADDRESS"],
    }
    service.stop()


def accounts(env: dict[str, str], *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    command = [*DESKBELL, "accounts", *words]
    return subprocess.run(
        command, env=env, cwd=ROOT, input=typed, text=True, capture_output=True, timeout=100, check=False
    )


def test_a_keyring_keeps_the_sign_in_when_the_app_is_killed(net: Network, env: dict[str, str]) -> None:
    app = App(Path(env["DESKBELL_HOME"]), env, "silent")
    done = accounts(env, "login", "bob.test", "--app-password", typed=net.bob.app_password)
    assert done.stdout == "✓ Logged in as @bob.test\n", done.stderr
    assert app.status["vault"]["store"] == "keyring"
    app.kill()
    app.ended()
    assert "@bob.test" in accounts(env, "list").stdout
    kept = (Path(env["DESKBELL_HOME"]) / "accounts.json").read_text()
    assert net.bob.app_password not in kept
    gone = accounts(env, "delete", "bob.test")  # needs the secret, to end the sign-in at the server
    assert (gone.stdout, gone.stderr) == ("✓ Deleted @bob.test\n", "")


def test_what_autoreply_has_saved_is_taken_over_but_no_main_password(
    net: Network, env: dict[str, str]
) -> None:
    saved = {
        net.bob.handle: {"identifier": net.bob.handle, "password": net.bob.app_password},
        net.alice.handle: {"identifier": net.alice.handle, "password": net.alice.password},
    }
    keep = "import sys, json, keyring\nfor name, item in json.load(sys.stdin).items():\n"
    keep += "    keyring.set_password('autoreply-bluesky', name, json.dumps(item))"
    entries = json.dumps({**saved, "account_list": list(saved)})
    subprocess.run([sys.executable, "-c", keep], env=env, input=entries, text=True, check=True)
    said = accounts(env, "login", "--from-autoreply").stdout
    assert "✓ Logged in as @bob.test" in said
    assert "alice.test: That is not an app password" in said
    assert net.alice.password not in said
    assert [one["handle"] for one in json.loads(accounts(env, "list", "--json").stdout)] == ["bob.test"]
