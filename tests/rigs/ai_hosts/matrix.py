"""Every application × kind of question × habit × thinking time, and the table of docs/hosts.md."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from threading import Lock
from typing import NamedTuple

from tests.rigs.ai_hosts.programs import FOLDER, PROGRAMS, ROOT
from tests.rigs.ai_hosts.session import HABITS, KINDS, Outcome, run

DOCS = ROOT / "docs" / "hosts.md"
SEEN = FOLDER / "outcomes.jsonl"  # a line for each run, oldest first: the last one of a cell counts
BEGIN, END = "<!-- matrix -->", "<!-- end of matrix -->"
AT_ONCE = 3  # applications that work
WAITING_AT_ONCE = 44  # applications that wait for the person most of the time
TIMES = (2.0, 90.0, 600.0)
_SAVING = Lock()


class Cell(NamedTuple):
    name: str
    kind: str
    thinks: float = 2.0
    habit: str = HABITS[0]

    def __str__(self) -> str:
        return f"{self.name}, {self.kind}, {self.habit}, {self.thinks:g} s"


def cells(names: Iterable[str] = PROGRAMS) -> list[Cell]:
    """Return the cells: each kind of question with each habit at each thinking time."""
    return [
        Cell(name, kind, thinks, habit)
        for name in names
        for habit in HABITS
        for thinks in TIMES
        for kind in KINDS
    ]


def run_all(wanted: Sequence[Cell]) -> dict[Cell, Outcome]:
    """Run the cells, several at once; print and save each when it is done. Return their outcomes."""
    longest_first = sorted(wanted, key=lambda cell: -cell.thinks)
    with ThreadPoolExecutor(WAITING_AT_ONCE) as waiting:
        done = [*waiting.map(_run, [cell for cell in longest_first if cell.thinks > TIMES[0]])]
    with ThreadPoolExecutor(AT_ONCE) as working:
        done += working.map(_run, [cell for cell in longest_first if cell.thinks <= TIMES[0]])
    return dict(done)


def _run(cell: Cell) -> tuple[Cell, Outcome]:
    outcome = run(cell.name, cell.kind, cell.thinks, cell.habit)
    print(f"{cell}: {outcome}", flush=True)
    with _SAVING, SEEN.open("a") as file:
        file.write(json.dumps([cell, asdict(outcome)]) + "\n")
    return cell, outcome


def seen() -> dict[Cell, Outcome]:
    """Return the outcomes of earlier runs, as far as these cells still exist."""
    lines = SEEN.read_text().splitlines() if SEEN.exists() else []
    outcomes = {Cell(*cell): Outcome(**outcome) for cell, outcome in map(json.loads, lines)}
    return {cell: outcomes[cell] for cell in cells() if cell in outcomes}


# --- the table -------------------------------------------------------------------------------------------


def is_kept(outcome: Outcome) -> bool:
    """True if the question reached the person, once, and the answer the model."""
    return outcome.reached and outcome.asked == 1


def table(outcomes: Mapping[Cell, Outcome]) -> str:
    """Return the table of docs/hosts.md: a row for each application, failures in words."""
    columns = [[(thinks, HABITS[0])] for thinks in TIMES]
    columns += [[(thinks, habit) for thinks in TIMES] for habit in HABITS[1:]]
    head = [*map(_time, TIMES), *(f"it {habit}" for habit in HABITS[1:])]
    lines = [f"| application | {' | '.join(head)} |", "|---" * (len(head) + 1) + "|"]
    for name in dict.fromkeys(cell.name for cell in outcomes):
        row = [_summary(name, column, outcomes) for column in columns]
        version = PROGRAMS[name].package.rpartition("@")[2].rpartition("==")[2]
        lines.append(f"| {name} {version} | {' | '.join(row)} |")
    kept = sum(map(is_kept, outcomes.values()))
    return "\n".join([*lines, "", f"{kept} of {len(outcomes)} cells."])


def _time(thinks: float) -> str:
    return f"{thinks / 60:g} min" if thinks >= 120 else f"{thinks:g} s"


def _summary(name: str, column: list[tuple[float, str]], outcomes: Mapping[Cell, Outcome]) -> str:
    """Return what most of a field's cells came to, then those that differ, by kind and time."""
    marks = {
        (kind, thinks): _mark(outcomes.get(Cell(name, kind, thinks, habit)))
        for thinks, habit in column
        for kind in KINDS
    }
    ((usual, _),) = Counter(marks.values()).most_common(1)
    others: dict[str, list[str]] = {}
    for (kind, thinks), mark in marks.items():
        if mark != usual:
            where = kind if len(column) == 1 else f"{kind} {_time(thinks)}"
            others.setdefault(mark, []).append(where)
    return "; ".join([usual, *(f"{', '.join(cells)} {mark}" for mark, cells in others.items())])


def _mark(outcome: Outcome | None) -> str:
    if outcome is None:
        return "not run"
    if not is_kept(outcome):
        return "**not asked**" if not outcome.asked else "**answer lost**"
    if outcome.runs > 1:
        return "✓ when run again"
    return "✓" if len(outcome.results) == 1 else f"✓ in {len(outcome.results)} calls"


def write(outcomes: Mapping[Cell, Outcome]) -> None:
    text = DOCS.read_text()
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    DOCS.write_text(f"{before}{BEGIN}\n{table(outcomes)}\n{END}{after}")
