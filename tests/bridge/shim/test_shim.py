"""What is typed to the shim, the line that it tells the app, and the way to it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import platformdirs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge import shim
from bridge.transports.hello import read_hello
from bridge.transports.host_socket import HostSocket
from tests.bridge.shim.shim_process import BY_PATH, PACKAGE, Process
from tests.bridge.transports.socket_rig import Recorder
from tests.fixtures.patience import WITHIN

ON_WINDOWS = """
import sys
sys.path.insert(0, %r)
import subprocess  # before it would take this for Windows
sys.platform = "win32"
for name in ("_winapi", "msvcrt"):
    sys.modules[name] = type(sys)(name)
from bridge.shim import socket_path, start_app
print(socket_path("C:/Users/Who"), socket_path("c:/users/who"))
print(*sorted(name for name in sys.modules if name.startswith("bridge")))
"""


# ---- words


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*BY_PATH, *words], capture_output=True, text=True, timeout=WITHIN, check=False)


@pytest.mark.parametrize("verb", ["stdio", "wrap"])
def test_help_is_the_reference(verb: str) -> None:
    done = run(verb, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"usage: deskbell {verb} ")
    assert "--host-name NAME" in done.stdout


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["stdio", "--nmae", "x"], "has no option --nmae"),
        (["stdio", "--server"], "needs a name after --server"),
        (["stdio", "github"], "does not know what to do with 'github'"),
        (["wrap"], "needs the command of a server"),
        (["wrap", "--name", "x", "--"], "needs the command of a server"),
        (["wrap", "--server", "x", "npx"], "has no option --server"),
        (["wrap", "--era", "old", "npx"], "knows the eras legacy and modern"),
    ],
)
def test_a_wrong_word_is_explained_in_one_line(words: list[str], problem: str) -> None:
    done = run(*words)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"deskbell: {words[0]} {problem}; see `deskbell {words[0]} --help`\n"


@pytest.mark.parametrize("words", [["--", "npx", "-y", "x"], ["npx", "-y", "x"]])
def test_wrap_takes_a_command_with_and_without_the_two_dashes(words: list[str]) -> None:
    hello = read_hello(shim.hello(["wrap", "--name=n", *words], {}))
    assert hello == {
        "deskbell": 1,
        "verb": "wrap",
        "name": "n",
        "era": "",
        "command": "npx",
        "args": ["-y", "x"],
        "cwd": os.getcwd(),
        "env": {},
        "host_name": "",
        "token": "",
    }


def test_a_token_goes_to_the_app_and_not_to_the_server(tmp_path: Path) -> None:
    hello = read_hello(shim.hello(["wrap", "npx"], {"A": "b"}, token="dbt-x"))
    assert (hello["token"], hello["env"]) == ("dbt-x", {"A": "b"})


@given(st.dictionaries(st.text(st.characters()), st.text(st.characters())))
def test_every_environment_survives_the_hello(env: dict[str, str]) -> None:
    line = shim.hello(["wrap", "npx"], env)
    assert line.isascii()
    assert line.count(b"\n") == 1
    assert json.loads(line)["env"] == env


# ---- the way to the app


def test_without_a_setting_the_home_is_where_platformdirs_has_it() -> None:
    env = {name: value for name, value in os.environ.items() if name != "DESKBELL_HOME"}
    assert shim.home(env) == platformdirs.user_data_dir("deskbell", appauthor=False)


@pytest.mark.skipif(sys.platform != "linux", reason="XDG")
@pytest.mark.parametrize(
    ("env", "home"),
    [
        ({"HOME": "/h"}, "/h/.local/share/deskbell"),
        ({"HOME": "/h", "XDG_DATA_HOME": "/d"}, "/d/deskbell"),
        ({"HOME": "/h", "XDG_DATA_HOME": "relative"}, "/h/.local/share/deskbell"),
        ({"HOME": "/h", "DESKBELL_HOME": "/x/"}, "/x"),
        ({"HOME": "/h", "DESKBELL_HOME": "~/x"}, "/h/x"),
        ({"HOME": "/h", "DESKBELL_HOME": "x"}, os.getcwd() + "/x"),
        ({}, os.path.expanduser("~root") + "/.local/share/deskbell" if os.getuid() == 0 else None),
    ],
)
def test_the_home_comes_from_the_environment(env: dict[str, str], home: str | None) -> None:
    assert home in (shim.home(env), None)


def test_a_path_too_long_for_a_socket_gets_a_short_one_of_its_own() -> None:
    short, long, other = "/h", "/h" + "ü" * 60, "/h" + "x" * 120
    assert shim.socket_path(short) == "/h/deskbell.sock"
    assert shim.socket_path(long) != shim.socket_path(other)
    for home in (long, other):
        path = shim.socket_path(home)
        assert path.startswith(f"/tmp/deskbell-{os.getuid()}/")
        assert len(path) < 100


async def test_app_and_shim_meet_at_a_short_path(tmp_path: Path) -> None:
    home = tmp_path / ("long" * 30)
    front = Recorder()
    transport = HostSocket(front, shim.socket_path(str(home)), front.control)
    await transport.start()
    host = await Process.spawn(home)
    await front.linked()
    await host.leave()
    await transport.stop()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can act as somebody else")
async def test_another_users_socket_is_told_nothing(tmp_path: Path) -> None:
    home = tmp_path / "home"
    os.mkdir(home)
    with socket.socket(socket.AF_UNIX) as trap:
        trap.bind(str(home / "deskbell.sock"))
        os.seteuid(65534)
        trap.listen()
        os.seteuid(0)
        host = await Process.spawn(home)
        code, _, err = await host.ended()
        assert code == 5
        assert "belongs to another user" in err
        assert trap.accept()[0].recv(100) == b""


def test_windows_gets_its_own_half_and_a_pipe_whose_name_knows_no_case() -> None:
    command = [sys.executable, "-I", "-S", "-c", ON_WINDOWS % str(PACKAGE.parent)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=WITHIN, check=True)
    paths, loaded = done.stdout.splitlines()
    one, same = paths.split()
    assert one == same
    assert one.startswith(r"\\.\pipe\deskbell-")
    rooms = ["bridge.shim.allowed_environment", "bridge.shim.start_app", "bridge.shim.windows"]
    assert loaded.split() == ["bridge", "bridge.shim", *rooms]
