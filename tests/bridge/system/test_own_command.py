"""The command by which Deskbell starts itself again."""

from __future__ import annotations

import subprocess
import sys

from bridge.system.process.own_command import running_command


def test_the_running_command_runs_this_very_code_again():
    done = subprocess.run([*running_command(), "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("deskbell "), done
    assert running_command()[0] == sys.executable
