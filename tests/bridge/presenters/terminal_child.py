"""A process with a terminal of its own that asks Questions on it, for test_terminal.py.

Argument: the terminal's name. The first line it reads is a JSON list of Questions; then "ping" is answered
with "pong", and a number withdraws that Question. It prints one JSON line per Answer.
"""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import signal
import sys
import termios
from typing import Any

from bridge.core.questions.question import Mode, Question
from bridge.presenters import make


def question(told: dict[str, str]) -> Question:
    details: dict[str, Any] = {"id": "q", "server": "github", "host": "Claude", **told}
    details.update({key: told[key].encode() for key in ("schema", "arguments") if key in told})
    return Question(**{**details, "mode": Mode(told["mode"])})


async def main() -> None:
    presenter = make("terminal")
    questions = [question(told) for told in json.loads(sys.stdin.readline())]
    asking = [asyncio.create_task(presenter.ask(each)) for each in questions]

    def heard() -> None:
        line = sys.stdin.readline().strip()
        if line == "ping":
            print("pong", flush=True)
        elif line:
            number, _, host = line.strip().partition(" ")
            asking[int(number)].cancel(host)

    asyncio.get_running_loop().add_reader(sys.stdin, heard)
    for number, task in enumerate(asking):
        await asyncio.wait([task])
        if task.cancelled():
            print(json.dumps([number, "withdrawn"]), flush=True)
        else:
            answer = task.result()
            print(json.dumps([number, answer.action, answer.content.decode(), answer.always]), flush=True)
    await presenter.close()


signal.signal(signal.SIGHUP, signal.SIG_IGN)  # a terminal that goes away is the Console's to notice
if sys.argv[1]:
    fcntl.ioctl(os.open(sys.argv[1], os.O_RDWR), termios.TIOCSCTTY, 0)
asyncio.run(main())
