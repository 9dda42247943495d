"""The small program that AI applications start in a bundle does as bridge/shim does: the same tests hold."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.bridge.shim.shim_process import BY_PATH, Process
from tests.bridge.shim.test_relay import (  # noqa: F401 - they run again, with the launcher
    _patience,
    answer,
    front,
    home,
    stuck,
    test_a_host_that_does_not_read_is_still_heard,
    test_a_refusal_of_the_app_still_reaches_the_host,
    test_a_wrapped_server_comes_with_folder_and_environment_to_the_byte,
    test_an_app_that_breaks_off_ends_it_without_a_word,
    test_killing_it_closes_the_link,
    test_long_lines_pass_both_ways_at_once,
    test_pipes_that_do_not_get_through_are_copied,
    test_the_shim_ends_when_nobody_reads_stdout_any_more,
    test_the_shim_ends_when_the_app_hangs_up_and_says_the_rest_first,
    test_the_shim_ends_when_the_host_closes_stdin_even_if_the_app_does_not,
    test_the_shim_ends_when_the_host_leaves_a_clogged_pipe_behind,
    test_the_shim_leaves_a_shared_stdout_as_it_was,
    test_the_shim_rests_while_a_slow_host_has_not_read_the_end,
)

SCRIPT = '#!/bin/sh\nexec {command} "$@"\n'
pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("cc") is None, reason="needs a C compiler"
)


@pytest.fixture(scope="session")
def compiled(tmp_path_factory) -> Path:
    """The launcher alone."""
    folder = Path(__file__).parents[2] / "packaging"
    target = tmp_path_factory.mktemp("launcher") / "deskbell-mcp"
    code = f"import sys; sys.path.insert(0, {str(folder)!r}); import pathlib; "
    code += f"from launcher.compiler import compile_launcher; compile_launcher(pathlib.Path({str(target)!r}))"
    subprocess.run((sys.executable, "-c", code), check=True)
    return target


@pytest.fixture(autouse=True)
def launcher(compiled, tmp_path, monkeypatch) -> Path:
    """The launcher beside a program that runs bridge/shim, as in a bundle."""
    beside = tmp_path / "bundle" / "deskbell"
    beside.parent.mkdir()
    beside.write_text(SCRIPT.format(command=" ".join(BY_PATH)))
    beside.chmod(0o755)
    placed = Path(shutil.copy(compiled, beside.with_name("deskbell-mcp")))
    monkeypatch.setattr(Process, "usual", [str(placed)])
    return placed


def hello_of(command: list[str], socket_path: Path, words: list[str], env: dict[str, str]) -> bytes:
    """The first line that a shim sends to the app."""
    socket_path.parent.mkdir(parents=True, exist_ok=True)
    with socket.socket(socket.AF_UNIX) as app:
        app.bind(str(socket_path))
        app.listen()
        app.settimeout(30)
        shim = subprocess.Popen(
            [*command, *words], env=env, cwd="/", stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        link, _ = app.accept()
        with link, link.makefile("rb") as lines:
            line = lines.readline()
        shim.communicate()
    socket_path.unlink()
    return line


@pytest.mark.parametrize(
    "words",
    [
        ["stdio"],
        ["stdio", "--server", "gïthub", "--host-name=Häst"],
        ["stdio", "--host-name", 'a "quoted" \\ name', "--"],
        ["wrap", "--", "npx", "-y", "some-server", "🛎"],
        ["wrap", "--name=x", "--era", "modern", "--host-name", "", "run", "--flag", os.fsdecode(b"\xff\xfe")],
        ["wrap", "cmd"],
    ],
)
def test_the_launcher_introduces_itself_as_the_shim_does_to_the_byte(tmp_path, launcher, words):
    env = {"DESKBELL_HOME": str(tmp_path / "h"), "DESKBELL_HOST_TOKEN": "t-1", "PATH": os.environ["PATH"]}
    env |= {
        "ODD": os.fsdecode(b"\xed\xa0\x80 \xc0\xaf \xf4\x90\x80\x80"),
        "TAB": "a\tb\x7f",
        "EMPTY": "",
        "LC_ALL": "C.UTF-8",
    }
    path = tmp_path / "h" / "deskbell.sock"
    assert hello_of([str(launcher)], path, words, env) == hello_of(BY_PATH, path, words, env)


@pytest.mark.parametrize(
    ("variables", "place"),
    [
        ({}, ".local/share/deskbell"),
        ({"XDG_DATA_HOME": "{person}/data"}, "data/deskbell"),
        ({"XDG_DATA_HOME": "data"}, ".local/share/deskbell"),
        ({"DESKBELL_HOME": "~/a/b//"}, "a/b"),
        ({"DESKBELL_HOME": "{person}/c"}, "c"),
    ],
)
def test_the_launcher_finds_the_home_where_the_shim_finds_it(launcher, variables, place):
    with tempfile.TemporaryDirectory() as person:  # a short path: a socket's has 100 bytes
        env = {"HOME": person, "PATH": os.environ["PATH"]}
        env |= {name: value.format(person=person) for name, value in variables.items()}
        path = Path(person) / place / "deskbell.sock"
        assert hello_of([str(launcher)], path, ["stdio"], env) == hello_of(BY_PATH, path, ["stdio"], env)


def test_a_path_too_long_for_a_socket_is_the_shims_short_one(tmp_path, launcher):
    env = {"DESKBELL_HOME": str(tmp_path / ("long" * 30)), "PATH": os.environ["PATH"]}
    from bridge.shim import socket_path

    path = Path(socket_path(env["DESKBELL_HOME"]))
    assert hello_of([str(launcher)], path, ["stdio"], env) == hello_of(BY_PATH, path, ["stdio"], env)


@pytest.mark.parametrize(
    "words", [["stdio", "--help"], ["stdio", "--wrong"], ["wrap"], ["wrap", "--era=x", "a"]]
)
def test_help_and_mistakes_are_explained_by_the_program_beside_it(launcher, words):
    def run(command):
        done = subprocess.run([*command, *words], input=b"", capture_output=True)
        return done.returncode, done.stdout, done.stderr

    assert run([str(launcher)]) == run(BY_PATH)


def test_other_verbs_go_to_the_program_beside_it(launcher):
    launcher.with_name("deskbell").write_text('#!/bin/sh\necho "$@"\n')
    done = subprocess.run([str(launcher), "hosts", "list"], capture_output=True, text=True)
    assert done.stdout == "hosts list\n"


class TestAlone:
    """Copied out of an AppImage, with a record of where that one is."""

    @pytest.fixture
    def alone(self, compiled, tmp_path) -> Path:
        image = tmp_path / "Downloads" / "Deskbell-1.AppImage"
        image.parent.mkdir()
        image.write_text('#!/bin/sh\necho "$0" "$@"\n')
        image.chmod(0o755)
        folder = tmp_path / "home-of-deskbell" / "bin"
        folder.mkdir(parents=True)
        info = image.stat()
        (folder / "appimage").write_text(f"{image}\n{info.st_dev} {info.st_ino}\n")
        return Path(shutil.copy(compiled, folder))

    def started(self, launcher: Path, person: Path) -> subprocess.CompletedProcess[str]:
        env = {"HOME": str(person), "PATH": os.environ["PATH"], "DESKBELL_HOME": str(person / "none")}
        return subprocess.run([str(launcher), "stdio"], env=env, capture_output=True, text=True, input="")

    def test_the_launcher_starts_the_appimage(self, alone, tmp_path):
        assert self.started(alone, tmp_path).stdout == f"{tmp_path}/Downloads/Deskbell-1.AppImage stdio\n"

    @pytest.mark.parametrize(
        "place", ["Downloads/renamed.AppImage", "Applications/deskbell", ".local/bin/bell"]
    )
    def test_the_launcher_finds_one_that_was_renamed_or_moved(self, alone, tmp_path, place):
        target = tmp_path / place
        target.parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "Downloads/Deskbell-1.AppImage").rename(target)
        assert self.started(alone, tmp_path).stdout == f"{target} stdio\n"

    def test_an_appimage_that_is_gone_is_reported_in_words(self, alone, tmp_path):
        (tmp_path / "Downloads/Deskbell-1.AppImage").unlink()
        done = self.started(alone, tmp_path)
        assert (done.returncode, done.stdout) == (5, "")
        assert "Start Deskbell once where it is now" in done.stderr
