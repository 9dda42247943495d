"""Every application × kind of question × habit × thinking time, and the tables of docs/hosts.md."""

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
KEPT, NOT_RUN = "✓", "not run"
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


# --- the tables ------------------------------------------------------------------------------------------


def is_kept(outcome: Outcome) -> bool:
    """True if the question reached the person, once, and the answer the model."""
    return outcome.reached and outcome.asked == 1


Marks = Mapping[Cell, str]  # what became of each cell, in the words of the tables


def tables(marks: Marks) -> str:
    """Return the tables of docs/hosts.md: one for each habit, a row for each application."""
    parts = [_table(marks, habit) for habit in HABITS]
    run = [mark for mark in marks.values() if mark != NOT_RUN]
    kept = [mark for mark in run if mark.startswith(KEPT)]
    total = (
        f"{len(kept)} of the {len(run)} cells that were run passed; {len(cells()) - len(run)} were not run."
    )
    return "\n\n".join([*parts, total])


def _table(marks: Marks, habit: str) -> str:
    lines = [f"| {_heading(habit)} | {' | '.join(map(_time, TIMES))} |", "|---" * (len(TIMES) + 1) + "|"]
    for name in dict.fromkeys(cell.name for cell in marks):
        row = [
            _summary({kind: marks.get(Cell(name, kind, time, habit), NOT_RUN) for kind in KINDS})
            for time in TIMES
        ]
        lines.append(f"| {_versioned(name)} | {' | '.join(row)} |")
    return "\n".join(lines)


def _heading(habit: str) -> str:
    return "application" if habit == HABITS[0] else f"it {habit}"


def _versioned(name: str) -> str:
    return f"{name} {PROGRAMS[name].package.rpartition('@')[2].rpartition('==')[2]}"


def _time(thinks: float) -> str:
    return f"{thinks / 60:g} min" if thinks >= 120 else f"{thinks:g} s"


def _summary(kinds: Mapping[str, str]) -> str:
    """Return what became of the kinds of question: what most came to, then those that differ."""
    ((usual, _),) = Counter(kinds.values()).most_common(1)
    return "; ".join([usual, *(f"{kind} {mark}" for kind, mark in kinds.items() if mark != usual)])


def mark(outcome: Outcome) -> str:
    if not is_kept(outcome):
        return "**not asked**" if not outcome.asked else "**answer lost**"
    if outcome.runs > 1:
        return f"{KEPT} when run again"
    return KEPT if len(outcome.results) == 1 else f"{KEPT} in {len(outcome.results)} calls"


def published(text: str) -> dict[Cell, str]:
    """Return what the tables say, of the versions of applications that are run here."""
    found: dict[Cell, str] = {}
    habit = HABITS[0]
    habits, names = (
        {_heading(habit): habit for habit in HABITS},
        {_versioned(name): name for name in PROGRAMS},
    )
    for line in text.partition(BEGIN)[2].partition(END)[0].splitlines():
        first, *fields = line.strip("| ").split(" | ")
        habit = habits.get(first, habit)
        for thinks, field in zip(TIMES, fields if first in names else (), strict=False):
            usual, *others = field.split("; ")
            kinds = dict.fromkeys(KINDS, usual) | dict(other.split(" ", 1) for other in others)
            found |= {Cell(names[first], kind, thinks, habit): kinds[kind] for kind in KINDS}
    return found


def write(outcomes: Mapping[Cell, Outcome]) -> None:
    """Write the outcomes into docs/hosts.md; cells without one stay as they are."""
    text = DOCS.read_text()
    marks = published(text) | {cell: mark(outcome) for cell, outcome in outcomes.items()}
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    in_order = {cell: marks[cell] for cell in cells() if cell in marks}
    DOCS.write_text(f"{before}{BEGIN}\n{tables(in_order)}\n{END}{after}")
