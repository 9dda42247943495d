"""How long a search of one account's repository takes, and how much memory: 1,000 to 100,000 posts.

Each step is done in a process of its own, whose highest memory is told (on Linux), less what it had before:
`python -m tests.bench.searches fill|search FOLDER [QUERY]`.
"""

from __future__ import annotations

import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bridge.tools.bluesky.repo.search_index import SearchIndex
from bridge.tools.bluesky.text import search_query
from tests.fixtures import pds_repository

SIZES = (1_000, 10_000, 100_000)
TEXTS = (
    "Shipped! The new release is out, and it fixes the thing you all complained about.",
    "Reading about sea level rise this morning. The numbers are worse than I thought, the graphs clear.",
    "Does anybody know a good place for ramen near the station? Asking for a friend who is me.",
    "今日はいい天気ですね。散歩に行きましょう。",
    "A thread about how caches work, what we learned from last week's outage:\n\n1/ It was DNS.",
    "lol",
)


def report() -> None:
    print(
        "\n| posts | repository | cold: read and index | memory for that "
        "| warm: a rare word | one in six posts | a phrase | all, by date | memory for that |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            print(_row(size, folder), flush=True)


def _row(size: int, folder: str) -> str:
    texts: dict[str, Any] = {f"3k{n:08}": f"{TEXTS[n % len(TEXTS)]} rare{n}" for n in range(size)}
    whole = pds_repository.posts(texts).car()
    Path(folder, "car").write_bytes(whole)
    cold, filling = _apart("fill", folder)
    wanted = (f"rare{size // 2}", "ramen", '"sea level rise"', "after:2024")
    warm = [_apart("search", folder, query) for query in wanted]
    times = " | ".join(f"{seconds * 1000:.1f} ms" for seconds, _ in warm)
    most = max(memory for _, memory in warm)
    head = f"| {size:,} | {len(whole) / 1e6:.1f} MB | {cold:.2f} s | {filling:.0f} MB"
    return f"{head} | {times} | {most:.0f} MB |"


def _apart(*words: str) -> tuple[float, float]:
    command = [sys.executable, "-m", "tests.bench.searches", *words]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, cwd=Path(__file__).parents[2])
    seconds, memory = json.loads(done.stdout)
    return seconds, memory


def _highest() -> float:
    """In MB. Not by getrusage, which counts what the process was before it became this program."""
    found = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def fill(folder: str) -> float:
    index = SearchIndex(Path(folder, "x.db"))
    began = time.perf_counter()
    with open(Path(folder, "car"), "rb") as file:
        index.fill(file, "1", "now", lambda _: None)
    return time.perf_counter() - began


def search(folder: str, query: str) -> float:
    index, times = SearchIndex(Path(folder, "x.db")), []
    for _ in range(5):
        began = time.perf_counter()
        assert index.search(search_query.parse(query), 20).total
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def main(step: str, *words: str) -> None:
    before = _highest()
    taken = fill(*words) if step == "fill" else search(*words)
    print(json.dumps([taken, _highest() - before]))


if __name__ == "__main__":
    main(*sys.argv[1:])
