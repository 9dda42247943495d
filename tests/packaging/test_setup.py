"""packaging/setup.sh on systems where something is missing: one line that says what, and what to do."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SETUP = Path(__file__).parents[2] / "packaging" / "setup.sh"
TOOLS = ("sh", "dirname", "id", "date", "grep", "tail", "cat", "df", "awk", "mkdir", "cp", "chmod")
# A Python that can do what the variables of its environment allow.
PYTHON = """#!/bin/sh
case "$*" in
*--version) echo "Python $FOUND" ;;
*"import ensurepip"*) exit "$NO_VENV" ;;
*"-m venv --clear "*)
    [ -z "$VENV_FAILS" ] || { echo "$VENV_FAILS" >&2; exit 1; }
    for folder; do :; done
    mkdir -p "$folder/bin" && cp "$0" "$folder/bin/python" ;;
*"-m pip install"*) echo "$PIP_SAYS"; exit "$PIP_FAILS" ;;
*"sys.version_info <"*) exit "$UNSUITABLE" ;;
esac
"""
WORKS = {
    **{"FOUND": "3.12.1", "NO_VENV": "0", "VENV_FAILS": "", "UNSUITABLE": "0"},
    **{"PIP_SAYS": "WARNING: a wall of words", "PIP_FAILS": "0"},
}

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a shell script")


def set_up(folder: Path, **lacks: str) -> tuple[int, str]:
    """Run set-up with a PATH that has neither apt-get nor sudo; its exit code and what it prints."""
    programs = folder / "bin"
    programs.mkdir()
    for name in TOOLS:
        (programs / name).symlink_to(shutil.which(name) or name)
    (programs / "python3").write_text(PYTHON)
    (programs / "python3").chmod(0o755)
    done = subprocess.run(
        (programs / "sh", SETUP, folder / "venv"),
        env={**WORKS, **lacks, "PATH": str(programs)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout


def test_set_up_prints_a_line_with_its_time_for_each_step_and_no_warnings_of_pip(tmp_path):
    code, printed = set_up(tmp_path)
    assert code == 0
    making, installing = printed.splitlines()
    assert re.fullmatch(r"deskbell: making .* … \d+ s", making)
    assert re.fullmatch(r"deskbell: installing what Deskbell needs .* … \d+ s", installing)


@pytest.mark.parametrize(
    ("lacks", "said"),
    [
        ({"UNSUITABLE": "1", "FOUND": "3.9.2"}, "needs Python 3.11 or newer (found: Python 3.9.2)"),
        ({"NO_VENV": "1"}, "please install it with your package manager"),
        ({"VENV_FAILS": "Error: [Errno 13] Permission denied"}, "its own words are above"),
        (
            {"PIP_FAILS": "1", "PIP_SAYS": "NewConnectionError"},
            "Check the network (behind a proxy: set HTTPS_PROXY)",
        ),
        ({"PIP_FAILS": "1", "PIP_SAYS": "OSError: No space left on device"}, "Make room"),
        (
            {"PIP_FAILS": "1", "PIP_SAYS": "ERROR: No matching distribution"},
            "ERROR: No matching distribution",
        ),
    ],
)
def test_where_something_is_missing_set_up_says_what_to_do(tmp_path, lacks, said):
    code, printed = set_up(tmp_path, **lacks)
    assert code == 1
    assert said in printed
    assert len(printed.splitlines()) <= 5


def test_what_python_says_is_shown_where_it_cannot_make_the_environment(tmp_path):
    _, printed = set_up(tmp_path, VENV_FAILS="Error: [Errno 13] Permission denied")
    assert "\nError: [Errno 13] Permission denied\ndeskbell: Python could not make it" in printed
