"""deskbell-mcp.exe by Wine: it introduces itself as bridge/shim does, copies both ways, and leaves all else
to the program beside it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from zlib import crc32

import pytest

from bridge.shim import hello
from tests.live.test_windows_setup import ROOT, Windows, pytestmark  # noqa: F401 - it needs the same tools

COMPILER = "x86_64-w64-mingw32-gcc"
# Takes one link: writes what comes into got.txt, replies to the second line, closes.
APP = r"""
#include <stdio.h>
#include <windows.h>
int main(int count, char **words) {
    char bytes[65536];
    DWORD got, lines = 0;
    HANDLE pipe = CreateNamedPipeA(words[1], PIPE_ACCESS_DUPLEX, 0, 1, 65536, 65536, 0, NULL);
    FILE *file = fopen("got.txt", "wb");
    STARTUPINFOA start = {sizeof start};
    PROCESS_INFORMATION host;
    char line[32768] = "";
    for (int i = 2; i < count; i++) strcat(strcat(line, i > 2 ? " " : ""), words[i]);
    CreateProcessA(NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &host);
    ConnectNamedPipe(pipe, NULL);
    while (lines < 2 && ReadFile(pipe, bytes, sizeof bytes, &got, NULL)) {
        fwrite(bytes, 1, got, file);
        for (DWORD i = 0; i < got; i++) lines += bytes[i] == '\n';
    }
    fclose(file);
    WriteFile(pipe, "pong\n", 5, &got, NULL);
    FlushFileBuffers(pipe);
    CloseHandle(pipe);
    WaitForSingleObject(host.hProcess, INFINITE);
    GetExitCodeProcess(host.hProcess, &got);
    return (int)got;
}
"""
PROGRAM = r"""
#include <stdio.h>
int main(int count, char **words) {
    for (int i = 1; i < count; i++) printf("[%s]", words[i]);
    for (int letter; (letter = getchar()) != EOF;) putchar(letter);
    return 7;
}
"""


class Bundle:
    """The launcher beside a console program, in a Windows of its own."""

    def __init__(self, folder: Path) -> None:
        self._windows = Windows(folder)
        self.folder = folder / "bundle"
        self.folder.mkdir()
        for name, source in (("app", APP), ("deskbell-console", PROGRAM)):
            (folder / f"{name}.c").write_text(source)
            subprocess.run((COMPILER, "-o", self.folder / f"{name}.exe", folder / f"{name}.c"), check=True)
        code = "import pathlib, sys; from launcher.compiler import compile_windows_launcher as make; "
        subprocess.run(
            (sys.executable, "-c", f"{code} make(pathlib.Path(sys.argv[1]))", self.launcher),
            env={**os.environ, "PYTHONPATH": "packaging"},
            cwd=ROOT,
            check=True,
        )

    @property
    def launcher(self) -> Path:
        return self.folder / "deskbell-mcp.exe"

    def start(self, *words: str, **variables: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            ("wine", *words),
            env={**self._windows.env, **variables},
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def run(self, *words: str, **variables: str) -> tuple[int, bytes]:
        with self.start(*words, **variables) as program:
            said, _ = program.communicate(b"ping\n", timeout=120)
        return program.returncode, said

    def link(self, *words: str, **variables: str) -> bytes:
        """Return what the launcher sends to the app before the first message."""
        home = variables.get("DESKBELL_HOME", r"C:\here").lower()
        pipe = rf"\\.\pipe\deskbell-{crc32(home.encode()):08x}"
        variables = {"DESKBELL_HOME": home, **variables}
        with self.start("app.exe", pipe, "deskbell-mcp.exe", *words, **variables) as app:
            assert app.stdin is not None
            assert app.stdout is not None
            app.stdin.write(b"ping\n")
            app.stdin.flush()
            assert app.stdout.readline() == b"pong\n"
            assert app.wait(120) == 0  # because the app closed, not the host
        first, message = (self.folder / "got.txt").read_bytes().splitlines(keepends=True)
        assert message == b"ping\n"
        return first


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return Bundle(tmp_path_factory.mktemp("wine"))


def test_it_introduces_itself_as_the_shim_does_to_the_byte(bundle: Bundle) -> None:
    for words in (["stdio"], ["stdio", "--server", "github", "--host-name=Häst"]):
        assert bundle.link(*words, DESKBELL_HOST_TOKEN="t-1") == hello(words[:], {}, 1, "t-1")


def test_a_wrapped_server_comes_with_folder_and_environment(bundle: Bundle) -> None:
    said = json.loads(
        bundle.link("wrap", "--name=x", "--", "npx", "-y", "some", Odd='a"b\\ü', DESKBELL_HOST_TOKEN="t")
    )
    assert (said["verb"], said["name"], said["command"], said["args"]) == ("wrap", "x", "npx", ["-y", "some"])
    assert said["cwd"].endswith("\\bundle")
    assert said["env"]["ODD"] == 'a"b\\ü'
    assert "DESKBELL_HOST_TOKEN" not in said["env"]
    assert said["token"] == "t"


def test_all_else_goes_to_the_program_beside_it_with_its_exit_code(bundle: Bundle) -> None:
    for words in (["hosts", 'a "quoted" b'], ["stdio", "--wrong"], ["stdio", "--help"], ["wrap"]):
        said = "".join(f"[{word}]" for word in words)
        assert bundle.run("deskbell-mcp.exe", *words) == (7, f"{said}ping\r\n".encode())


def test_without_an_app_it_leaves_the_start_to_the_program(bundle: Bundle) -> None:
    assert bundle.run("deskbell-mcp.exe", "stdio", DESKBELL_HOME=r"C:\nobody") == (7, b"[stdio]ping\r\n")
