"""What the documentation promises exists, and what exists is documented."""

from __future__ import annotations

import argparse
import html
import json
import re
import shlex
import unicodedata
from collections.abc import Iterator, Set
from functools import cache
from pathlib import Path

from bridge.accounts.service import AccountService
from bridge.cli import parser as cli_parser
from bridge.core.policy.rules import QuestionPlace, Verdict
from bridge.core.questions.interruption import RaiseWindow
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


def test_every_verb_is_documented() -> None:
    assert VERBS
    assert [verb for verb in VERBS if f"## deskbell {verb}\n" not in COMMANDS] == []


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


def test_every_command_that_a_page_names_exists_with_its_options() -> None:
    found = set(shown_commands())
    assert len(found) > 100
    for page, words in found:
        verb, *rest = words.split(maxsplit=1)
        assert verb in VERBS, (page, words)
        known = COMMANDS.partition(f"## deskbell {verb}\n")[2].partition("\n## deskbell")[0]
        part = re.match(r"[a-z-]+ ([a-z][a-z-]*)\b", words)
        assert not part or f"\n### {verb} " not in known or f"\n### {verb} {part[1]}\n" in known, (
            page,
            words,
        )
        for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", " ".join(rest).partition(" -- ")[0]):
            assert option in known, (page, words)


def test_every_command_in_a_block_for_a_shell_is_one_that_the_command_line_takes() -> None:
    """Also those that no test runs, because they need the network or an account."""
    parser = cli_parser.build_parser()
    found = [
        words
        for page in PAGES
        for block in re.findall(
            r"^```(?:sh|console)[^\n]*\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE
        )
        for words in re.findall(r"^(?:\$ )?(?:[^\n]*[(|] ?)?deskbell ([a-z][^|&;)#\n]*)", block, re.MULTILINE)
    ]
    assert len(found) > 20
    for words in found:
        parser.parse_args(shlex.split(words))


def test_every_option_that_a_page_names_exists() -> None:
    others = {
        "--cli",
        "--yolo",
        "--allow-all",
        "--prefix",
        "--appimage-help",
    }  # of other programs, install.sh
    text = "".join(page.read_text("utf-8") for page in PAGES if page.name != "CONTRIBUTING.md")
    named = set(re.findall(r"`(--[a-z][a-z-]*)", text))
    assert others < named
    assert named - others <= set(re.findall(r"--[a-z][a-z-]*", COMMANDS))


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


def test_every_setting_is_explained_and_not_only_listed() -> None:
    keys = [*SETTING_KEYS, *QuestionPlace, *RaiseWindow, *Verdict]
    explained = SETTINGS.partition("<!-- generated: settings -->")[0]
    assert [key for key in keys if f"`{key}`" not in explained and f"[{key}" not in explained] == []


def variables() -> set[str]:
    """Return the names of Deskbell's variables that the program's texts contain."""
    sources = (
        path.read_text("utf-8") for top in ("bridge", "desktop") for path in (ROOT / top).rglob("*.py")
    )
    return {name for text in sources for name in re.findall(r"\bDESKBELL_[A-Z_]*[A-Z]\b", text)}


def test_every_environment_variable_is_documented() -> None:
    assert "DESKBELL_HOME" in variables()
    assert [name for name in variables() if f"`{name}`" not in SETTINGS] == []


def test_every_built_in_tool_is_documented() -> None:
    page = (ROOT / "docs" / "tools.md").read_text("utf-8")
    assert [tool for box in discovery.OWN for tool in box.tools if f"| `{tool}` |" not in page] == []


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


def test_every_example_of_settings_can_be_used_as_it_is(tmp_path: Path) -> None:
    found = [(page, text) for page, text in examples("toml") if "[project.entry-points" not in text]
    assert len(found) > 5  # those with entry points are for pyproject.toml
    for page, text in found:
        (tmp_path / "config.toml").write_text(text, "utf-8")
        assert load(tmp_path / "config.toml", {}).notes == (), page


def test_every_example_of_json_is_json() -> None:
    found = examples("json")
    assert found
    for _, text in found:
        json.loads(text)


def slug(heading: str) -> str:
    """Return the anchor that GitHub and the site give a heading."""
    text = unicodedata.normalize("NFC", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)).lower()
    return re.sub(r"[^\w\- ]", "", text).strip().replace(" ", "-")


@cache
def anchors(page: Path) -> set[str]:
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    return {slug(heading) for heading in re.findall(r"^#+ (.*)", text, re.MULTILINE)}


def test_links_between_the_pages_lead_somewhere() -> None:
    for page in PAGES:
        text = page.read_text("utf-8")
        linked = re.findall(r"\]\((?!https?:|mailto:)([^)\s]+)\)", text)
        for target in linked + re.findall(r'(?:src|srcset)="([^"]+)"', text):
            name, _, anchor = target.partition("#")
            file = (page.parent / name) if name else page
            assert file.exists(), (page.name, target)
            assert not anchor or anchor in anchors(file), (page.name, target)


def test_every_ai_application_is_documented() -> None:
    page = (ROOT / "docs" / "hosts.md").read_text("utf-8")
    for recipe in RECIPES:
        (row,) = re.findall(rf"^\| `{recipe.id}` \|(.*)", page, re.MULTILINE)
        file = recipe.files[-1].rpartition("/")[2].partition(".")[0]
        for part in (recipe.name, f"`{recipe.names[0]}`", file):
            assert part in row, recipe.id


def window_texts() -> set[str]:
    """Return the texts of the windows, without the marks of mnemonics."""
    found = (ROOT / "resources" / "translations" / "deskbell_de.ts").read_text("utf-8")
    return {
        html.unescape(text).replace("&", "")
        for text in re.findall(r"<source>(.*?)</source>", found, re.DOTALL)
    }


# Names of what is in no window of Deskbell: in systems, in tables of the page itself, sentences to type.
_ELSEWHERE = {
    *("Report a vulnerability", "Security"),  # GitHub
    *("Apps", "Applications", "Open Anyway", "System Settings", "Privacy & Security"),  # Windows, macOS
    *("In 2 calls", "In N calls", "When run again", "Shows itself"),  # hosts.md
    *("Install in VS Code", "Cursor", "Goose", "LM Studio"),  # links in READMEs of servers
    *("Added", "Bare relay", "Spawn → tools/list", "All servers"),  # performance.md
    *("Use the tool elicit_choice to ask me whether I want tea or coffee.", "Through Deskbell"),
    *("Answer Alice's last post with a thank-you.", "Trimmed JSON", "Exchange", "Staging"),
    *("Deskbell is not running", "Qt lacks system libraries", "Deskbell needs Python 3.11 or newer"),
    *("Making a release", "What not to report", "Deskbell", "Recipe", "Releases"),
}


def labels(page: Path) -> Iterator[str]:
    """Yield what a page sets in italics or bold with a capital; bold words that begin a line only with …."""
    code = r"^```[^`]*?\n.*?^```|(`+)(?!`).+?(?<!`)\1(?!`)"
    text = re.sub(code, "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^([-\d.]+ +|\| *)?\*\*[^*]*[^*…]\*\*", "", text, flags=re.DOTALL | re.MULTILINE)
    for label in re.findall(r"(?<![*\w])\*{1,2}([A-Z][^*]*[^*\s])\*{1,2}(?![*\w])", text):
        yield from " ".join(label.split()).split(": ")


def is_in_a_window(label: str, known: Set[str]) -> bool:
    """True for a whole text of a window, or a template like "Answered in {host}." by "Answered in …"."""
    if {label, f"{label}…", f"{label}:"} & known:
        return True
    wanted = re.escape(label).replace("…", ".+").replace(r"\ ", " ")
    return any("{" in text and re.fullmatch(rf"{wanted}\W?", text) for text in known)


def test_every_button_menu_and_page_that_the_docs_name_is_in_a_window() -> None:
    known = window_texts()
    named = {(page.name, label) for page in PAGES if page.name != "CHANGELOG.md" for label in labels(page)}
    assert len(named) > 80
    assert [
        one for one in sorted(named) if one[1] not in _ELSEWHERE and not is_in_a_window(one[1], known)
    ] == []


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


def test_every_test_that_a_promise_names_exists() -> None:
    for page in ("security.md", "reliability.md"):
        named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", (ROOT / "docs" / page).read_text("utf-8"))
        assert named
        for file, test in named:
            assert re.search(rf"def {test or 'test_.*'}\(", (ROOT / file).read_text("utf-8")), (
                f"{file}: {test}"
            )
