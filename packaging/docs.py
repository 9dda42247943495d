"""Bring the generated parts of the documentation up to date: `make docs`, which then builds the site.

A generated part stands between `<!-- generated: NAME -->` and `<!-- end of NAME -->`; the rest is written by
hand. With --check nothing is written, and an outdated part ends it with 1: `make check`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from ruamel.yaml import YAML

from generated_docs import api, commands, errors, hosts, settings, source_tree
from release import ROOT

DOCS = ROOT / "docs"
_PART = re.compile(r"(<!-- generated: ([\w-]+) -->\n)(.*?)(<!-- end of \2 -->)", re.DOTALL)


def index() -> str:
    """Return the sections of the site's menu, each page with its first sentence."""
    return "\n\n".join(
        f"## {title}\n\n" + "\n".join(f"- [{name}]({page}): {_first_sentence(page)}" for name, page in pages)
        for title, pages in sections()
    )


def sections() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield the sections of mkdocs.yml: a title, and (name, file) of each page."""
    for entry in YAML(typ="safe").load((ROOT / "mkdocs.yml").read_text("utf-8"))["nav"]:
        ((title, below),) = entry.items()
        if isinstance(below, list):
            yield title, [pair for page in below for pair in page.items()]


def _first_sentence(page: str) -> str:
    text = (DOCS / page).read_text("utf-8")
    paragraph = next(part for part in text.split("\n\n") if not part.startswith(("#", "<!--", "![", "<")))
    sentence = re.split(r"(?<=[.:])\s", " ".join(paragraph.split()))[0].rstrip(":.")
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", sentence) + "."


PARTS: Mapping[str, Callable[[], str]] = {
    "index": index,
    "commands": commands.page,
    "settings": settings.table,
    "errors": errors.page,
    "tool-api": api.page,
    "tree": source_tree.tree,
    "hosts": hosts.table,
}


def outdated() -> dict[Path, str]:
    """Return the pages whose generated parts differ from what they should be, with their new text."""
    found = {}
    for page in (ROOT / "README.md", *sorted(DOCS.glob("*.md"))):
        text = page.read_text("utf-8")
        made = _PART.sub(lambda part: f"{part[1]}{PARTS[part[2]]()}\n{part[4]}", text)
        if made != text:
            found[page] = made
    return found


def main(arguments: list[str]) -> int:
    found = outdated()
    if "--check" in arguments:
        for page in found:
            print(f"{page.relative_to(ROOT)} is outdated: run `make docs`, and look at the difference")
        return bool(found)
    for page, text in found.items():
        page.write_text(text, "utf-8")
        print(f"{page.relative_to(ROOT)} was brought up to date")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
