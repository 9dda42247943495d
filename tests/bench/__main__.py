"""`make bench`: what Deskbell costs, as Markdown tables. `python -m tests.bench PART…`: only those parts.

Absolute times differ between machines and days, so that nothing here passes or fails; ratios to a direct
connection, measured in the same round, are what to look at.
"""

from __future__ import annotations

import sys

from bridge.system.fast import process_tuning
from tests.bench import asking, bluesky, growth, idle, paths, rivals, sampling, slow_server, waiting, windows

PARTS = {
    "paths": paths.report,
    "rivals": rivals.report,
    "slow-server": slow_server.report,
    "growth": growth.report,
    "asking": asking.report,
    "sampling": sampling.report,
    "idle": idle.report,
    "waiting": waiting.report,
    "windows": windows.report,
    "bluesky": bluesky.report,
}


def main(wanted: list[str]) -> None:
    unknown = [part for part in wanted if part not in PARTS]
    if unknown:
        sys.exit(f"There is no {' or '.join(unknown)} to measure. Choose among {', '.join(PARTS)}.")
    process_tuning.keep_freed_memory()  # a host should cost next to nothing, with large results too
    for part in wanted or PARTS:
        PARTS[part]()


if __name__ == "__main__":
    main(sys.argv[1:])
