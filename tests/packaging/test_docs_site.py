"""The documentation as a site: generated parts, the menu, the pictures."""

import re
from pathlib import Path

from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"
LIMIT = 1_500_000  # bytes of all pictures together: everybody who clones gets them


def test_every_generated_part_has_its_place_and_is_up_to_date(recipe):
    docs = recipe("docs")
    pages = "".join(page.read_text("utf-8") for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")))
    assert set(re.findall(r"<!-- generated: ([\w-]+) -->", pages)) == set(docs.PARTS)
    assert [page.name for page in docs.outdated()] == [], "run `make docs`"
    errors = pages.partition("<!-- generated: errors -->")[2].partition("<!-- end of errors -->")[0]
    assert errors.count("\n| ") > 100  # titles of errors, and what to do
    for title in (
        "That is not an app password",
        "*host* cannot be reached",
        "No question *wanted* is waiting",
    ):
        assert f"\n| {title} |" in errors, "a title by its name, by a function, by a condition"


def test_the_menu_has_every_page(recipe):
    listed = {page for _, pages in recipe("docs").sections() for _, page in pages} | {"index.md"}
    assert listed == {page.name for page in (ROOT / "docs").glob("*.md")}


def test_the_site_loads_nothing_from_the_network():
    site = YAML(typ="safe").load((ROOT / "mkdocs.yml").read_text("utf-8"))
    assert site["theme"]["font"] is False
    (polyfill,) = site["extra"]["polyfills"]  # without one, the offline plugin loads its own from unpkg.com
    assert "iframe-worker" in polyfill
    assert (ROOT / "docs" / polyfill).exists()


def test_the_site_reads_code_blocks_that_have_a_name_for_tests():
    """Python-Markdown takes ```sh deb for text, and what follows it too, up to the next block."""
    site = YAML(typ="safe").load((ROOT / "mkdocs.yml").read_text("utf-8"))
    (options,) = [one for one in site["markdown_extensions"] if "pymdownx.superfences" in one]
    assert options["pymdownx.superfences"]["relaxed_headers"] is True


def test_pictures_are_small_and_each_is_shown_somewhere(recipe):
    screenshots = recipe("pictures.screenshots")
    pages = "".join(page.read_text("utf-8") for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")))
    metainfo = (f"pictures/{name}.png" for name in recipe("release").release().screenshots)
    shown = {*re.findall(r"pictures/[\w-]+\.(?:png|svg)", pages), *metainfo}
    answering = screenshots.ANSWERING
    made = {f"{name}.png" for name in (*screenshots.SCENES, answering, f"{answering}-dark")}
    assert {file.name for file in PICTURES.iterdir()} == {*made, "bell.svg"}
    assert {f"pictures/{name}" for name in made} == shown - {"pictures/bell.svg"}
    assert sum(file.stat().st_size for file in PICTURES.iterdir()) < LIMIT
