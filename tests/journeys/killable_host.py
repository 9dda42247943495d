"""A host in a process of its own, to be killed. killable_host.py idle|call|question COMMAND ARGS…

Spawns the command, gets into that situation, says so on stdout, and stays in it.
"""

from __future__ import annotations

import os
import signal
import sys

from tests.journeys.hosts import StdioHost


def main(moment: str, *command: str) -> None:
    host = StdioHost(command, os.environ, name="mortal")
    host.open()
    host.call("count")
    if moment == "call":
        host.begin_call("slow", hang=True)
        host.hears("notifications/progress")
    elif moment == "question":
        host.begin_call("ask")
    print(host.pid, flush=True)
    signal.pause()


if __name__ == "__main__":
    main(*sys.argv[1:])
