"""What the documentation promises exists, and what exists is documented."""

from __future__ import annotations

import argparse
import re
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
README = (ROOT / "README.md").read_text()
SETTINGS = (ROOT / "docs" / "settings.md").read_text()


def verbs(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices


@pytest.mark.parametrize("verb", list(verbs(cli_parser.build_parser())))
def test_every_verb_is_in_the_readme(verb: str) -> None:
    assert f"`deskbell {verb}" in README


@pytest.mark.parametrize("verb", re.findall(r"^\| `deskbell ([\w-]+)", README, re.MULTILINE))
def test_every_verb_of_the_readme_exists(verb: str) -> None:
    assert verb in list(verbs(cli_parser.build_parser()))


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


@pytest.mark.parametrize("name", ["DESKBELL_HOME", "DESKBELL_PORT", "DESKBELL_PRESENTER", "DESKBELL_LOG"])
def test_every_environment_variable_is_documented(name: str) -> None:
    assert f"`{name}`" in SETTINGS


@pytest.mark.parametrize("tool", [tool for box in discovery.OWN for tool in box.tools])
def test_every_built_in_tool_is_documented(tool: str) -> None:
    assert f"`{tool}`" in (ROOT / "docs" / "tools.md").read_text()


async def test_every_bluesky_tool_and_parameter_is_documented(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "bluesky.md").read_text()
    office = AccountService(book_in(tmp_path, Bluesky()), tmp_path, Browser().open, lambda: None)
    for name, tool in bluesky.toolbox(office, tmp_path).tools.items():
        (row,) = re.findall(rf"^\| `{name}` \|(.*)", page, re.MULTILINE)
        for parameter in set(tool.input_schema["properties"]) - {"format"} if name != "accounts" else ():
            assert parameter in row, (name, parameter)


def test_the_readmes_settings_can_be_used_as_they_are(tmp_path: Path) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)
    (tmp_path / "config.toml").write_text(example)
    settings = load(tmp_path / "config.toml", {})
    assert set(settings.servers) == {"everything", "linear"}
    assert settings.notes == ()


@pytest.mark.parametrize("page", [README, *(p.read_text() for p in (ROOT / "docs").glob("*.md"))])
def test_links_between_the_pages_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", page):
        assert (ROOT / target).exists() or (ROOT / "docs" / target).exists(), target


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.id)
def test_every_ai_application_is_documented(recipe: Recipe) -> None:
    page = (ROOT / "docs" / "hosts.md").read_text()
    (row,) = re.findall(rf"^\| `{recipe.id}` \|(.*)", page, re.MULTILINE)
    for said in (recipe.name, f"`{recipe.names[0]}`", recipe.files[-1].rpartition("/")[2].partition(".")[0]):
        assert said in row


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
