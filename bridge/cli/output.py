"""Print tables on the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bridge.presenters.tty import one_line


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table. Control characters are removed: names come from hosts and servers."""
    lines = [[one_line(cell) for cell in row] for row in rows]
    if not lines:
        return
    widths = [max(len(line[i]) for line in [head, *lines]) for i in range(len(head))]
    for line in [head, *lines]:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
