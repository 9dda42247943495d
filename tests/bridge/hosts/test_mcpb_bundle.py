"""The bundle for Claude Desktop: whole, the same each time, and its launcher carries bytes to Deskbell."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from bridge import __version__
from tests.fixtures.peers import MODULES, NODE, ROOT

RUNTIME = str(NODE) if NODE.exists() else shutil.which("node")
MCPB = MODULES / "@anthropic-ai" / "mcpb" / "dist" / "cli" / "cli.js"


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Unpacked, as Claude Desktop would."""
    folder = tmp_path_factory.mktemp("dist")
    built = [made(folder / name) for name in ("one", "two")]
    assert built[0].read_bytes() == built[1].read_bytes()
    with zipfile.ZipFile(built[0]) as packed:
        packed.extractall(folder / "unpacked")
    return folder / "unpacked"


def made(folder: Path) -> Path:
    command = [sys.executable, str(ROOT / "packaging" / "mcpb.py"), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=50)
    return Path(done.stdout.strip())


def test_its_manifest_names_what_is_in_it(bundle: Path) -> None:
    manifest = json.loads((bundle / "manifest.json").read_text())
    assert manifest["version"] == __version__
    assert (bundle / manifest["server"]["entry_point"]).is_file()
    assert (bundle / "LICENSE").is_file()
    assert (bundle / "icon.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.skipif(not (MCPB.exists() and RUNTIME), reason="no peers here: `make peers`")
def test_the_official_tool_finds_nothing_wrong(bundle: Path, tmp_path: Path) -> None:
    for words in (("validate", bundle / "manifest.json"), ("pack", bundle, tmp_path / "again.mcpb")):
        command = [str(RUNTIME), str(MCPB), *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=50)
        assert done.returncode == 0, done.stdout + done.stderr


needs_node = pytest.mark.skipif(RUNTIME is None, reason="no Node here")


def launched(bundle: Path, **env: str) -> subprocess.CompletedProcess[bytes]:
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    return subprocess.run(
        [str(RUNTIME), str(bundle / "server" / "index.js")],
        env={**kept, **env},
        input=b'{"some": "bytes"}\n',
        capture_output=True,
        timeout=50,
    )


@needs_node
def test_its_launcher_starts_what_was_chosen_or_found_and_ends_as_it_does(
    bundle: Path, tmp_path: Path
) -> None:
    program = tmp_path / "de sk; $(x)" / "deskbell"
    program.parent.mkdir()
    script = "import sys; print(sys.argv[1:], sys.stdin.read(), end=''); sys.stderr.write('!'); sys.exit(3)"
    program.write_text(f"#!{sys.executable}\n{script}\n")
    program.chmod(0o755)
    chosen = launched(bundle, DESKBELL_COMMAND=str(program), HOME=str(tmp_path))
    found = launched(
        bundle,
        DESKBELL_COMMAND="${user_config.command}",
        HOME=str(tmp_path),
        PATH=f"{program.parent}{os.pathsep}{os.environ['PATH']}",
    )
    for done in (chosen, found):
        assert done.stdout == b"""['stdio', '--host-name', 'claude-ai'] {"some": "bytes"}\n"""
        assert (done.stderr, done.returncode) == (b"!", 3)


@needs_node
def test_its_launcher_says_what_is_wrong(bundle: Path, tmp_path: Path) -> None:
    gone = launched(bundle, DESKBELL_COMMAND=str(tmp_path / "gone"), HOME=str(tmp_path))
    assert gone.returncode == 1
    assert b"could not be started" in gone.stderr
    nowhere = launched(bundle, DESKBELL_COMMAND="", HOME=str(tmp_path), PATH=str(tmp_path))
    if any(Path(folder, "deskbell").exists() for folder in ("/usr/bin", "/usr/local/bin")):
        pytest.skip("this machine has a Deskbell, and it was found")
    assert nowhere.returncode == 1
    assert b"not installed here" in nowhere.stderr


def test_the_command_writes_it_where_it_is_told_to(tmp_path: Path) -> None:
    env = {**os.environ, "DESKBELL_HOME": str(tmp_path / "home")}
    for where, name in ((tmp_path / "my.mcpb", "my.mcpb"), (tmp_path, f"deskbell-{__version__}.mcpb")):
        words = [sys.executable, "-m", "bridge", "hosts", "bundle", str(where)]
        said = subprocess.run(
            words, env=env, cwd=ROOT, capture_output=True, text=True, check=True, timeout=50
        )
        assert "Open it with Claude Desktop" in said.stdout
        with zipfile.ZipFile(tmp_path / name) as packed:
            assert "server/index.js" in packed.namelist()
