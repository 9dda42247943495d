"""A question on its way, without windows: from the server to whoever asks the person, and back."""

from __future__ import annotations

import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from queue import SimpleQueue

from bridge.api import Bridge, Home, Status, accept
from tests.bench import rig
from tests.bench.hosts import StdioHost

QUESTIONS = 200


def report() -> None:
    print(f"asking: {QUESTIONS} questions", file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="deskbell-bench-") as home:
        told = "port = 0\n[desktop]\nquestions_per_minute = 0\n" + rig.stdio_server("asking", rig.ASKING)
        Path(home, "config.toml").write_text(told)
        asked, resumed = _ask(home)
    rows = [
        ["server asks → Status has the question, p50", f"{statistics.median(asked):.2f} ms"],
        ["answer → server has it, p50", f"{statistics.median(resumed):.2f} ms"],
        ["both, p95", f"{statistics.quantiles(map(sum, zip(asked, resumed, strict=True)), n=20)[-1]:.2f} ms"],
    ]
    rig.table((f"a question, {QUESTIONS} times", ""), rows)


def _ask(home: str) -> tuple[list[float], list[float]]:
    """Milliseconds: until it could be seen, and from its answer until its server went on."""
    asked: list[float] = []
    answers: list[float] = []
    seen: set[str] = set()
    waiting: SimpleQueue[str] = SimpleQueue()

    def look(status: Status) -> None:
        now = time.monotonic()
        for question in status.waiting:
            if question.id not in seen:
                seen.add(question.id)
                asked.append((now - float(question.message.rsplit(" ", 1)[1])) * 1000)
                waiting.put(question.id)

    bridge = Bridge(Home(Path(home)), on_status=look)
    bridge.start()

    def person() -> None:
        for _ in range(QUESTIONS):
            question = waiting.get(timeout=30)
            answers.append(time.monotonic())
            bridge.questions.answer(question, accept({"name": "Ada"}))

    thread = threading.Thread(target=person)
    thread.start()
    host = StdioHost([*rig.SHIM, "stdio", "--server", "asking"], {"DESKBELL_HOME": home})
    host.open()
    heard = [float(host.request("tools/call", {"name": "ask", "arguments": {}})["content"][0]["text"])
             for _ in range(QUESTIONS)]  # fmt: skip
    thread.join()
    host.close()
    bridge.stop()
    return asked, [(later - sooner) * 1000 for sooner, later in zip(answers, heard, strict=True)]
