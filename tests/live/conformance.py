"""The official conformance suite: run against the everything-server, directly and through the bridge, and
against the bridge's upstream side. What it said becomes docs/conformance.md.

The suite comes with `make peers`, or from where DESKBELL_TEST_PEERS says.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from importlib.metadata import version
from pathlib import Path

from tests.fixtures.peers import MODULES, NODE, ROOT
from tests.live.forwarder import Forwarder

SUITE = MODULES / "@modelcontextprotocol" / "conformance"
EVERYTHING = ROOT / "tests" / "fixtures" / "everything.py"
PAGE = ROOT / "docs" / "conformance.md"
PROBE = ROOT / "tests" / "live" / "upstream_probe.py"
MISSING = "" if NODE.exists() and SUITE.exists() else f"no conformance suite in {MODULES}: `make peers`"

REVISIONS = ("2025-11-25", "2026-07-28")
WIRES = ("http", "stdio")
_FOLDER = re.compile(r"(?:server-)?(.+?)-\d{4}-\d\d-\d\dT[\d-]+Z")
_TROUBLE = ("FAILURE", "WARNING")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the suite said of one scenario."""

    passed: int
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        return not self.problems

    def __str__(self) -> str:
        return f"{self.passed} ✓" if self.ok else f"{self.passed} ✓ {len(self.problems)} ✗"


Verdicts = dict[str, Verdict]


def suite(*arguments: str, limit: float = 300.0) -> Verdicts:
    """Run the suite; what it says of each scenario. Its exit code says less than the files it leaves."""
    with tempfile.TemporaryDirectory() as folder:
        command = [str(NODE), str(SUITE / "dist" / "index.js"), *arguments, "--output-dir", folder]
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, cwd=folder)
        found = {path.parent: json.loads(path.read_text()) for path in Path(folder).rglob("checks.json")}
        if not found:
            raise RuntimeError(f"The suite said nothing: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        return dict(sorted((_name(path.relative_to(folder)), _verdict(found[path])) for path in found))


def _name(folder: Path) -> str:
    named = _FOLDER.fullmatch(str(folder))
    if named is None:
        raise RuntimeError(f"Which scenario is {folder}?")
    return named[1]


def _verdict(checks: list[dict[str, str]]) -> Verdict:
    kinds = Counter(check["status"] for check in checks)
    wrong = [check for check in checks if check["status"] in _TROUBLE]
    return Verdict(kinds["SUCCESS"], tuple(f"{each['id']}: {each.get('errorMessage')}" for each in wrong))


@contextmanager
def running(command: Sequence[object], announces: str, env: dict[str, str] | None = None) -> Iterator[str]:
    """A process, from the line that matches `announces` on; gives the match's first group."""
    said: list[str] = []
    pipe = subprocess.PIPE
    words = [str(word) for word in command]
    environment = {**os.environ, **(env or {})}
    process = subprocess.Popen(
        words, stdout=pipe, stderr=subprocess.STDOUT, text=True, env=environment, cwd=ROOT
    )
    try:
        for line in process.stdout or ():
            said.append(line)
            if match := re.search(announces, line):
                yield match[1]
                return
        raise RuntimeError(f"{words} ended: {''.join(said)}")
    finally:
        process.terminate()
        process.communicate(timeout=10)


@contextmanager
def everything() -> Iterator[str]:
    """The fixture over HTTP; its address."""
    with running([sys.executable, EVERYTHING, "--http", "0"], r"^(http://\S+)") as url:
        yield url


@contextmanager
def bridge(home: Path, config: str, presenter: str = "silent") -> Iterator[tuple[int, str]]:
    """A real bridge; its port and its token."""
    (home / "config.toml").write_text(config, "utf-8")
    command = [sys.executable, "-m", "bridge", "serve", "--port", "0", "--presenter", presenter]
    with running(command, r"listening on http://127\.0\.0\.1:(\d+)/", {"DESKBELL_HOME": str(home)}) as port:
        yield int(port), (home / "token").read_text("utf-8").strip()


@contextmanager
def bridged(wire: str, presenter: str = "silent", more: str = "") -> Iterator[str]:
    """The fixture behind a bridge, by this wire; the address where no token is needed. `more`: settings."""
    with everything() as url, tempfile.TemporaryDirectory() as folder:
        stdio = f"command = '{sys.executable}'\nargs = ['{EVERYTHING}', '--stdio']\n"
        config = "[servers.everything]\n" + (f"url = '{url}'\n" if wire == "http" else stdio) + more
        with bridge(Path(folder), config, presenter) as (port, token), Forwarder(port, token) as forwarder:
            yield f"http://127.0.0.1:{forwarder.port}/mcp/everything"


def direct(revision: str) -> Verdicts:
    with everything() as url:
        return suite("server", "--url", url, "--requirements", revision)


def through(revision: str, wire: str) -> Verdicts:
    with bridged(wire, more=_era(revision)) as url:
        return suite("server", "--url", url, "--requirements", revision)


def _era(revision: str) -> str:
    """The fixture's era: servers with the Python SDK 2 are met in the legacy one unless told otherwise."""
    return "era = 'modern'\n" if revision == REVISIONS[-1] else ""


SAMPLING = {  # scenarios in which a server asks for a model, or may
    "2025-11-25": ("tools-call-sampling",),
    "2026-07-28": (
        "input-required-result-basic-sampling",
        "input-required-result-capability-check",
        "input-required-result-multiple-input-requests",
        "input-required-result-multi-round",
    ),
}
_MODEL = "[models.local]\nkind = 'openai'\nurl = 'http://127.0.0.1:9/v1'\nmodel = 'none'\n"


def through_with_model(revision: str, wire: str) -> Verdicts:
    """The scenarios with sampling where a model could answer too: the host must come first."""
    found: Verdicts = {}
    with bridged(wire, more=f"{_era(revision)}{_MODEL}[sampling]\nallow = ['everything']\n") as url:
        for scenario in SAMPLING[revision]:
            found |= suite("server", "--url", url, "--spec-version", revision, "--scenario", scenario)
    return found


def as_client(revision: str) -> Verdicts:
    """The client suite against our upstream side; one scenario at a time: each starts a bridge."""
    command = f"{sys.executable} {PROBE}"
    fixed = ("client", "--command", command, "--spec-version", revision, "--force", "--timeout", "60000")
    found: Verdicts = {}
    for scenario in client_scenarios(revision):
        found |= suite(*fixed, "--scenario", scenario)
    return found


def client_scenarios(revision: str) -> list[str]:
    command = [str(NODE), str(SUITE / "dist" / "index.js"), "list", "--requirements", revision]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    required = listed.partition("Client scenarios")[2].partition("\n\n")[0]
    return re.findall(r"- (\S+)", required) + re.findall(r"- (\S+) \[client\]", listed)


# --- the page --------------------------------------------------------------------------------------------


def page(
    alone: dict[str, Verdicts], bridged: dict[tuple[str, str], Verdicts], client: dict[str, Verdicts]
) -> str:
    """docs/conformance.md."""
    package = json.loads((SUITE / "package.json").read_text("utf-8"))
    parts = [_INTRODUCTION.format(date=date.today(), suite=package["version"], sdk=version("mcp"))]
    for revision in REVISIONS:
        columns = {"directly": alone[revision]}
        columns |= {f"through, {wire} behind": bridged[revision, wire] for wire in WIRES}
        parts.append(f"## Servers, {revision}\n\n{_table(columns)}")
    for revision in REVISIONS:
        parts.append(f"## Deskbell as a client, {revision}\n\n{_table({'bridge': client[revision]})}")
    return "\n".join(parts)


def write(text: str) -> None:
    PAGE.write_text(text, "utf-8")


def _table(columns: dict[str, Verdicts]) -> str:
    """Checks passed, and failed where any did, by scenario."""
    names = sorted(set().union(*columns.values()))
    totals = [_total(list(column.values())) for column in columns.values()]
    rows = [
        ["scenario", *columns],
        ["---"] * (len(columns) + 1),
        *([name, *(str(column[name]) for column in columns.values())] for name in names),
        ["**total**", *(f"**{total}**" for total in totals)],
    ]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _total(verdicts: list[Verdict]) -> Verdict:
    return Verdict(
        sum(each.passed for each in verdicts), tuple(p for each in verdicts for p in each.problems)
    )


_INTRODUCTION = """# Conformance

Results of the official test suite (`@modelcontextprotocol/conformance` {suite}) on {date}. It tested
a server (tests/fixtures/everything.py, with the mcp SDK {sdk}) directly over HTTP, the same server through
Deskbell, and Deskbell as a client. The numbers are checks. Through Deskbell some checks do not apply,
because it answers with JSON where this server always opens an event stream.

`make live` runs the suite; `DESKBELL_WRITE_DOCS=1 make live` writes this page. Known failures and their
reasons are in tests/live/expected_failures.toml.
"""
