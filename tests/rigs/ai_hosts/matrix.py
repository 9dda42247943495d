"""Every application × kind of question × habit × thinking time, and the table of docs/hosts.md."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from tests.rigs.ai_hosts.programs import PROGRAMS, ROOT
from tests.rigs.ai_hosts.session import HABITS, KINDS, Outcome, run

DOCS = ROOT / "docs" / "hosts.md"
BEGIN, END = "<!-- matrix -->", "<!-- end of matrix -->"
AT_ONCE = 3  # applications mostly wait
_ALONE = ("cline",)  # leaves a daemon on a fixed port that the next one would find


class Cell(NamedTuple):
    name: str
    kind: str
    thinks: float = 2.0
    habit: str = "as it is"

    def __str__(self) -> str:
        return f"{self.name}, {self.kind}, {self.habit}, {self.thinks:g} s"


def cells(names: Iterable[str] = PROGRAMS) -> list[Cell]:
    """Return the cells: each kind at 2 s; a form at 90 s and 10 min; each bad habit with a consequence."""
    found = []
    for name in names:
        found += [Cell(name, kind) for kind in KINDS]
        found += [Cell(name, "form", thinks) for thinks in (90.0, 600.0)]
        found += [Cell(name, kind, 2.0, habit) for habit in HABITS[1:] for kind in ("form", "confirmation")]
    return found


def run_all(wanted: Sequence[Cell]) -> dict[Cell, Outcome]:
    """Run the cells, several at once; print each when it is done."""
    outcomes: dict[Cell, Outcome] = {}

    def one(cell: Cell) -> None:
        outcomes[cell] = run(cell.name, cell.kind, cell.thinks, cell.habit)
        print(f"{cell}: {outcomes[cell]}", flush=True)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        longest_first = sorted(wanted, key=lambda cell: -cell.thinks)
        list(pool.map(one, [cell for cell in longest_first if cell.name not in _ALONE]))
    for cell in wanted:
        if cell.name in _ALONE:
            one(cell)
    return outcomes


def is_kept(outcome: Outcome) -> bool:
    """True if the question reached the person and the answer the model."""
    return outcome.reached and outcome.asked == 1


def table(outcomes: dict[Cell, Outcome]) -> str:
    """Return the table of docs/hosts.md: a row for each application, failures in words."""
    columns = list(dict.fromkeys((cell.kind, cell.thinks, cell.habit) for cell in outcomes))
    head = [_title(*column) for column in columns]
    lines = [f"| application | {' | '.join(head)} |", "|---" * (len(head) + 1) + "|"]
    for name in dict.fromkeys(cell.name for cell in outcomes):
        row = [_mark(Cell(name, *column), outcomes) for column in columns]
        version = PROGRAMS[name].package.rpartition("@")[2].rpartition("==")[2]
        lines.append(f"| {name} {version} | {' | '.join(row)} |")
    return "\n".join(lines)


def _title(kind: str, thinks: float, habit: str) -> str:
    time = f"{thinks / 60:g} min" if thinks >= 120 else f"{thinks:g} s"
    return f"{kind}, {time}" if habit == HABITS[0] else f"{kind}; it {habit}"


def _mark(cell: Cell, outcomes: dict[Cell, Outcome]) -> str:
    outcome = outcomes.get(cell)
    if outcome is None:
        return ""
    if is_kept(outcome):
        return "✓" if len(outcome.results) == 1 else f"✓ in {len(outcome.results)} calls"
    return "**not asked**" if not outcome.asked else "**answer lost**"


def write(outcomes: dict[Cell, Outcome]) -> None:
    text = DOCS.read_text()
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    DOCS.write_text(f"{before}{BEGIN}\n{table(outcomes)}\n{END}{after}")
