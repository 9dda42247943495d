"""The source can be found by its names: few files in a folder, no names that say nothing, none used twice."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = [path for folder in ("bridge", "desktop") for path in sorted((ROOT / folder).rglob("*.py"))]
MOST_IN_FOLDER = 25
MOST_LOOSE = 15  # files in bridge/ itself
LONG, LONGEST = 400, 500  # lines
FEW = 12  # files between the two

# Metaphors and bare participles: nobody would search for a feature by one of them.
_VAGUE = """
adopting allowed apart bell book chores counter diary dial door doubts ears family filling found
gathering glances hands helpdesk inquiries keeper kept knocking late leftovers listening loans
looking manners masked met mirrors misc narrowing nobody notes office others own packed parts past
picking pinned purse quiet reach recall records rests revivals shelf sleeps standing strangers
surroundings suspicion talk telling things turns underway unseen utils verbs visits wishes words
"""
VAGUE = frozenset(_VAGUE.split())


def test_no_folder_is_a_drawer():
    counts = Counter(path.parent.relative_to(ROOT).as_posix() for path in SOURCES)
    assert {folder: count for folder, count in counts.items() if count > MOST_IN_FOLDER} == {}
    assert counts["bridge"] <= MOST_LOOSE


def test_no_folder_of_packaging_is_a_drawer():
    files = [path for path in (ROOT / "packaging").rglob("*") if path.is_file() and path.suffix != ".pyc"]
    counts = Counter(path.parent.relative_to(ROOT).as_posix() for path in files)
    assert {folder: count for folder, count in counts.items() if count > MOST_IN_FOLDER} == {}


def test_a_module_is_called_by_what_it_implements():
    assert [path for path in SOURCES if path.stem in VAGUE] == []


def test_no_two_public_classes_of_the_product_have_one_name():
    places = defaultdict(list)
    for path in SOURCES:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(path.relative_to(ROOT).as_posix())
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_files_are_short():
    sizes = {path.relative_to(ROOT).as_posix(): len(path.read_text("utf-8").splitlines()) for path in SOURCES}
    assert {name: size for name, size in sizes.items() if size > LONGEST} == {}
    long = {name: size for name, size in sizes.items() if size > LONG}
    assert len(long) <= FEW, long
