"""`deskbell uninstall`, and a Deskbell that systemd starts."""

import json
import os
import socket
import subprocess
import sys

from bridge.settings import Home
from bridge.shim import socket_path
from bridge.transports.control_client import ask_running
from tests.journeys.app_under_test import DESKBELL, ROOT, environment, until
from tests.journeys.conftest import Start

AS_SYSTEMD = """import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
os.execv(sys.argv[2], sys.argv[2:])"""


def run(env, *words):
    return subprocess.run((*DESKBELL, *words), env=env, cwd=ROOT, capture_output=True, text=True)


def test_ai_apps_are_as_they_were_and_nothing_runs_or_starts_at_log_in(start: Start, tmp_path):
    app = start("silent")
    env = {**environment(app.home.root), "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    cursor = tmp_path / ".cursor" / "mcp.json"
    cursor.parent.mkdir()
    cursor.write_text('{"mcpServers": {"mine": {"command": "mine"}}}\n')
    before = cursor.read_bytes()
    login = tmp_path / "config" / "autostart" / "deskbell.desktop"
    login.parent.mkdir(parents=True)
    login.write_text("[Desktop Entry]\nType=Application\nName=Deskbell\nExec=deskbell --at-login\n")
    assert run(env, "hosts", "connect", "cursor").returncode == 0
    assert "deskbell" in json.loads(cursor.read_text())["mcpServers"]
    done = run(env, "uninstall", "--yes")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Disconnected Cursor." in done.stdout
    assert cursor.read_bytes() == before
    assert not login.exists()
    assert app.process.wait(30) == 0
    assert app.home.root.exists()


def test_without_a_terminal_it_asks_for_the_word(tmp_path):
    done = run({**environment(tmp_path / "home"), "HOME": str(tmp_path)}, "uninstall")
    assert (done.returncode, done.stdout) == (1, "")
    assert "--yes" in done.stderr


def test_settings_and_history_go_only_if_one_says_so(start: Start, tmp_path):
    app = start("silent")
    env = {**environment(app.home.root), "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    assert run(env, "uninstall", "--yes", "--purge").returncode == 0
    assert not app.home.root.exists()


def test_systemd_hands_over_its_socket_and_keeps_it(tmp_path):
    home = tmp_path / "h"
    home.mkdir(mode=0o700)
    path = socket_path(str(home))
    with socket.socket(socket.AF_UNIX) as listening:
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        listening.bind(path)
        listening.listen()
        fd, serve = listening.fileno(), ("serve", "--port", "0", "--presenter", "silent")
        command = (sys.executable, "-c", AS_SYSTEMD, str(fd), *DESKBELL, *serve)
        with subprocess.Popen(command, env=environment(home), cwd=ROOT, pass_fds=(fd,)) as app:
            until(lambda: ask_running(Home(home), "status", timeout=30))
            ask_running(Home(home), "yield", force=True, lingering=False)
            assert app.wait(30) == 0
        assert os.path.exists(path)
    os.unlink(path)


def test_the_application_with_windows_ends_too(tmp_path):
    home = Home(tmp_path / "h")
    env = {**environment(home.root), "HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}
    with subprocess.Popen((*DESKBELL, "--for-host"), env=env, cwd=ROOT) as app:
        until(lambda: ask_running(home, "status", timeout=30))
        assert run(env, "uninstall", "--yes").returncode == 0
        assert app.wait(30) == 0
