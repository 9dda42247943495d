"""See the package's docstring."""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.rigs.ai_hosts import matrix, programs, session


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.rigs.ai_hosts")
    what = parser.add_subparsers(dest="what", required=True)
    one = what.add_parser("install", help="install the applications, all by default")
    one.add_argument("names", nargs="*", metavar="NAME")
    one = what.add_parser("try", help="run one application once")
    one.add_argument("name", choices=programs.PROGRAMS)
    one.add_argument("--kind", choices=(*session.KINDS, "permission"), default="form")
    one.add_argument("--habit", choices=session.HABITS, default="as it is")
    one.add_argument("--thinks", type=float, default=2.0, help="seconds until the person answers")
    one.add_argument("--keep", type=Path, help="keep all files of the run in this folder")
    one = what.add_parser("matrix", help="run all applications")
    one.add_argument("names", nargs="*", help="only these")
    one.add_argument("--longest", type=float, default=600.0, help="seconds of thinking, at most")
    one.add_argument("--shortest", type=float, default=0.0, help="seconds of thinking, at least")
    one.add_argument("--failed", action="store_true", help="only what failed or was never run")
    one.add_argument("--write", action="store_true", help="write the tables into docs/hosts.md")
    arguments = parser.parse_args()
    if arguments.what == "install":
        programs.install(arguments.names)
    elif arguments.what == "matrix":
        wanted = matrix.cells(arguments.names or programs.PROGRAMS)
        wanted = [cell for cell in wanted if arguments.shortest <= cell.thinks <= arguments.longest]
        known = matrix.seen() if arguments.failed else {}
        outcomes = matrix.run_all(
            [cell for cell in wanted if cell not in known or not matrix.is_kept(known[cell])]
        )
        print(matrix.tables({cell: matrix.mark(outcome) for cell, outcome in outcomes.items()}))
        if arguments.write:
            matrix.write(matrix.seen())
    else:
        print(session.run(arguments.name, arguments.kind, arguments.thinks, arguments.habit, arguments.keep))


main()
