"""What the documentation promises exists, and what exists is documented."""

from __future__ import annotations

import argparse
import html
import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.accounts.service import AccountService
from bridge.cli import parser as cli_parser
from bridge.core.policy.rules import QuestionPlace, Verdict
from bridge.core.questions.interruption import RaiseWindow
from bridge.hosts.recipe import Recipe
from bridge.hosts.recipes import RECIPES
from bridge.settings import Bluesky, load
from bridge.settings.keys import (
    BLUESKY_KEYS,
    DESKTOP_KEYS,
    HISTORY_KEYS,
    HOST_KEYS,
    MODEL_KEYS,
    SAMPLING_KEYS,
    SERVER_KEYS,
    TOP_KEYS,
    UPDATES_KEYS,
)
from bridge.tools import bluesky, discovery
from tests.bridge.accounts.accounts_rig import Browser
from tests.fixtures.account_owner import book_in

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
SETTINGS = (ROOT / "docs" / "settings.md").read_text("utf-8")
COMMANDS = (ROOT / "docs" / "cli.md").read_text("utf-8")
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


def verbs(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices


def test_the_readme_is_short():
    assert len(README.splitlines()) < 120


VERBS = list(verbs(cli_parser.build_parser()))


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_is_documented(verb: str) -> None:
    assert f"## deskbell {verb}\n" in COMMANDS


def shown_commands() -> list[tuple[str, str]]:
    """Return the commands in backquotes and in blocks for a shell on all pages, as (page, words)."""
    found = []
    for page in PAGES:
        text = page.read_text("utf-8")
        for block in re.findall(r"^```(?:sh|console)[^\n]*\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
            found += [
                (page.name, words) for words in re.findall(r"^(?:\$ )?deskbell (.*)", block, re.MULTILINE)
            ]
        text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
        found += [(page.name, words) for words in re.findall(r"`deskbell ([a-z][^`]*)`", text)]
    return found


@pytest.mark.parametrize(("page", "words"), sorted(set(shown_commands())))
def test_every_command_that_a_page_names_exists_with_its_options(page: str, words: str) -> None:
    verb, *rest = words.split(maxsplit=1)
    assert verb in VERBS, page
    known = COMMANDS.partition(f"## deskbell {verb}\n")[2].partition("\n## deskbell")[0]
    part = re.match(r"[a-z-]+ ([a-z][a-z-]*)\b", words)
    assert not part or f"\n### {verb} " not in known or f"\n### {verb} {part[1]}\n" in known, (page, words)
    for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", " ".join(rest).partition(" -- ")[0]):
        assert option in known, (page, words)


SETTING_KEYS = (
    *TOP_KEYS,
    *SERVER_KEYS,
    *HOST_KEYS,
    *DESKTOP_KEYS,
    *HISTORY_KEYS,
    *BLUESKY_KEYS,
    *UPDATES_KEYS,
    *MODEL_KEYS,
    *SAMPLING_KEYS,
)


@pytest.mark.parametrize("key", [*SETTING_KEYS, *QuestionPlace, *RaiseWindow, *Verdict])
def test_every_setting_is_documented(key: str) -> None:
    assert f"`{key}`" in SETTINGS or f"[{key}" in SETTINGS


def variables() -> set[str]:
    """Return the names of Deskbell's variables that the program's texts contain."""
    sources = (
        path.read_text("utf-8") for top in ("bridge", "desktop") for path in (ROOT / top).rglob("*.py")
    )
    return {name for text in sources for name in re.findall(r"\bDESKBELL_[A-Z_]*[A-Z]\b", text)}


@pytest.mark.parametrize("name", sorted(variables()))
def test_every_environment_variable_is_documented(name: str) -> None:
    assert f"`{name}`" in SETTINGS


@pytest.mark.parametrize("tool", [tool for box in discovery.OWN for tool in box.tools])
def test_every_built_in_tool_is_documented(tool: str) -> None:
    assert f"`{tool}`" in (ROOT / "docs" / "tools.md").read_text()


async def test_every_bluesky_tool_and_parameter_is_documented(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "bluesky.md").read_text()
    office = AccountService(book_in(tmp_path, Bluesky()), tmp_path, Browser().open, lambda: None)
    for name, tool in bluesky.toolbox(office, tmp_path).tools.items():
        (listed,) = re.findall(rf"^\| `{name}` \| (.*?) \|", page, re.MULTILINE)
        if name != "accounts":  # the old name of login
            assert set(listed.split(", ")) == set(tool.input_schema["properties"]) - {"format"}, name


def examples(kind: str) -> list[tuple[str, str]]:
    fence = re.compile(rf"^```{kind}\n(.*?)^```", re.DOTALL | re.MULTILINE)
    return [(page.name, text) for page in PAGES for text in fence.findall(page.read_text("utf-8"))]


@pytest.mark.parametrize(("page", "text"), examples("toml"))
def test_every_example_of_settings_can_be_used_as_it_is(page: str, text: str, tmp_path: Path) -> None:
    if "[project.entry-points" in text:
        pytest.skip("this one is for pyproject.toml")
    (tmp_path / "config.toml").write_text(text, "utf-8")
    assert load(tmp_path / "config.toml", {}).notes == ()


@pytest.mark.parametrize(("page", "text"), examples("json"))
def test_every_example_of_json_is_json(page: str, text: str) -> None:
    json.loads(text)


def slug(heading: str) -> str:
    """Return the anchor that GitHub and the site give a heading."""
    text = unicodedata.normalize("NFC", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)).lower()
    return re.sub(r"[^\w\- ]", "", text).strip().replace(" ", "-")


def anchors(page: Path) -> set[str]:
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    return {slug(heading) for heading in re.findall(r"^#+ (.*)", text, re.MULTILINE)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_the_pages_lead_somewhere(page: Path) -> None:
    text = page.read_text("utf-8")
    linked = re.findall(r"\]\((?!https?:|mailto:)([^)\s]+)\)", text) + re.findall(
        r'(?:src|srcset)="([^"]+)"', text
    )
    for target in linked:
        name, _, anchor = target.partition("#")
        file = (page.parent / name) if name else page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), target


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.id)
def test_every_ai_application_is_documented(recipe: Recipe) -> None:
    page = (ROOT / "docs" / "hosts.md").read_text()
    (row,) = re.findall(rf"^\| `{recipe.id}` \|(.*)", page, re.MULTILINE)
    for said in (recipe.name, f"`{recipe.names[0]}`", recipe.files[-1].rpartition("/")[2].partition(".")[0]):
        assert said in row


def window_texts() -> set[str]:
    """Return the texts of the windows, without the marks of mnemonics."""
    found = (ROOT / "resources" / "translations" / "deskbell_de.ts").read_text("utf-8")
    return {
        html.unescape(text).replace("&", "")
        for text in re.findall(r"<source>(.*?)</source>", found, re.DOTALL)
    }


def test_every_button_with_dots_that_a_page_names_is_in_a_window() -> None:
    known = window_texts()
    for page in PAGES:
        text = re.sub(r"`[^`]*`", "", page.read_text("utf-8"))
        for label in re.findall(r"(?<!\*)\*{1,2}([A-Z][^*\n]*[^ *]…)\*{1,2}(?!\*)", text):
            assert label in known, (page.name, label)


def test_every_file_that_contributing_names_exists() -> None:
    words = re.findall(r"`([^`\s]+)`", (ROOT / "CONTRIBUTING.md").read_text())
    inside = ("bridge/", "desktop/", "docs/", "tests/", "packaging/", "resources/")
    named = {
        word.partition("<")[0].rpartition("/")[0] if "<" in word else word
        for word in words
        if word.startswith(inside)
    }
    assert named
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


def test_every_name_that_contributing_places_in_a_file_is_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    placed = re.findall(r"`(\w+)` (?:in|of) `((?:bridge|desktop|packaging|tests)/[\w/]+\.py)`", text)
    assert len(placed) > 15
    assert [(name, file) for name, file in placed if name not in (ROOT / file).read_text()] == []


@pytest.mark.parametrize("page", ["security.md", "reliability.md"])
def test_every_test_that_a_promise_names_exists(page: str) -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", (ROOT / "docs" / page).read_text())
    assert named
    for file, test in named:
        assert f"def {test}" in (ROOT / file).read_text(), f"{file} has no {test}"
