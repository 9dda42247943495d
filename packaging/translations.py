"""Brings resources/translations up to date with the sources, and compiles it: `make translations`.

Qt's lupdate reads what the windows say. The bridge knows no Qt: its sentences are the literals given to `say`
(bridge/i18n.py), and are handed to lupdate as one list.

    python packaging/translations.py [--check]      --check: change nothing, fail if something would change
"""

from __future__ import annotations

import ast
import filecmp
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "resources" / "translations"
LANGUAGES = ("de", "ja")
TOOLS = Path(sys.executable).parent


def main(words: list[str]) -> int:
    if "--check" not in words:
        bring_up_to_date(FOLDER)
        return 0
    with tempfile.TemporaryDirectory() as made:
        fresh = Path(made)
        for file in FOLDER.glob("*.ts"):
            shutil.copy(file, fresh)
        bring_up_to_date(fresh)
        stale = [file.name for file in fresh.iterdir() if not same(file, FOLDER / file.name)]
    if stale:
        print(f"Out of date: {', '.join(sorted(stale))}. Run `make translations`.", file=sys.stderr)
    return 1 if stale else 0


def same(one: Path, other: Path) -> bool:
    return other.exists() and filecmp.cmp(one, other, shallow=False)


def bring_up_to_date(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    sources = [str(path.relative_to(ROOT)) for path in sorted((ROOT / "desktop").rglob("*.py"))]
    with tempfile.TemporaryDirectory() as made:
        listed = Path(made) / "bridge_words.py"
        listed.write_text("".join(f"translate('bridge', {text!r})\n" for text in sorted(set(bridge_words()))))
        for language in LANGUAGES:
            ts = folder / f"deskbell_{language}.ts"
            options = ["-target-language", language, "-no-obsolete", "-locations", "none"]
            run("pyside6-lupdate", *sources, str(listed), "-ts", str(ts), *options)
            run("pyside6-lrelease", str(ts), "-qm", str(ts.with_suffix(".qm")))


def bridge_words() -> Iterator[str]:
    for path in (ROOT / "bridge").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and is_say(node.func) and isinstance(node.args[0], ast.Constant):
                yield str(node.args[0].value)


def is_say(function: ast.expr) -> bool:
    return getattr(function, "id", getattr(function, "attr", "")) == "say"


def run(tool: str, *arguments: str) -> None:
    subprocess.run([str(TOOLS / tool), *arguments], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
