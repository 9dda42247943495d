"""release.toml: one description, one version, notes from the changelog."""

import re
import tomllib
from pathlib import Path

import pytest

from bridge import __version__
from bridge.cli.parser import build_parser
from bridge.hosts import mcpb_bundle

CHANGES = (
    "# Changelog\n\n## Unreleased\n\n- Later.\n\n## 1.2.0 – 2026-11-01\n\n- Now.\n\n## 1.1.0\n\n- Before.\n"
)


def test_every_recipe_gets_the_version_of_the_program_itself(recipe):
    assert recipe("release").release().version == __version__


def test_command_wheel_packages_and_metainfo_all_say_this_version(recipe, capsys):
    one = recipe("release").release()
    with pytest.raises(SystemExit):
        build_parser().parse_args(["--version"])
    assert capsys.readouterr().out == f"deskbell {__version__}\n"
    project = tomllib.loads((recipe("release").ROOT / "pyproject.toml").read_text("utf-8"))
    assert "version" in project["project"]["dynamic"]
    assert project["tool"]["hatch"]["version"] == {"path": "bridge/__init__.py"}
    assert project["project"]["urls"] == {"Homepage": one.homepage}
    windows = recipe("windows.template")
    said = {
        "deb": (recipe("linux.deb").control_file(one, "amd64", 1), "Version: {}\n"),
        "rpm": (recipe("linux.rpm").spec_file(one, Path("/tree"), "x86_64", 0), "Version: {}\n"),
        "metainfo": (recipe("linux.desktop_entry").metainfo(one, 0), '<release version="{}"'),
        "man": (recipe("linux.man_page").man_page(one, 0), '"Deskbell {}"'),
        "setup": (
            windows.filled("installer.nsi", one, BUNDLE="", ICON="", OUTPUT=""),
            '"DisplayVersion" "{}"',
        ),
        "mcpb": (mcpb_bundle.NAME, "deskbell-{}.mcpb"),
    }
    for name, (text, pattern) in said.items():
        assert pattern.format(__version__) in text, name


def test_notes_of_a_release_are_its_own_section_of_the_changelog(recipe):
    assert recipe("release").notes_in(CHANGES, "1.2.0") == "- Now."


def test_before_its_release_a_version_has_the_unreleased_notes(recipe):
    assert recipe("release").notes_in(CHANGES, "1.3.0") == "- Later."


def test_a_changelog_without_notes_stops_the_release(recipe):
    release = recipe("release")
    with pytest.raises(release.NotBuilt, match="CHANGELOG"):
        release.notes_in("# Changelog\n", "1.0")


@pytest.mark.parametrize(
    ("destination", "source"),
    [
        ("PySide6/Qt/plugins/platforms/libqxcb.so", "/v/site-packages/PySide6/x.so"),
        ("PySide6/plugins/platforms/qwindows.dll", "C:/v/site-packages/PySide6/x.dll"),
        ("PySide6/Qt/translations/qtbase_de.qm", "/v/site-packages/PySide6/x.qm"),
        ("PySide6/Qt/lib/libQt6Core.so.6", "/v/site-packages/PySide6/x.so"),
        ("libpython3.11.so.1.0", "/usr/lib/libpython3.11.so.1.0"),
        ("libxcb-cursor.so.0", "/usr/lib/libxcb-cursor.so.0"),
        ("_cffi_backend.cpython-311-x86_64-linux-gnu.so", "/v/site-packages/x.so"),
    ],
)
def test_the_bundle_has_what_windows_need(recipe, destination, source):
    assert recipe("bundle_contents").is_kept(destination, source, recipe("release").release())


@pytest.mark.parametrize(
    ("destination", "source"),
    [
        ("PySide6/Qt/plugins/platforms/libqvnc.so", "/v/site-packages/PySide6/x.so"),
        ("PySide6/Qt/plugins/imageformats/libqtiff.so", "/v/site-packages/PySide6/x.so"),
        ("PySide6/Qt/translations/qtbase_fr.qm", "/v/site-packages/PySide6/x.qm"),
        ("PySide6/Qt/translations/qt_de.qm", "/v/site-packages/PySide6/x.qm"),
        ("PySide6/Qt/lib/libQt6EglFSDeviceIntegration.so.6", "/v/site-packages/PySide6/x.so"),
        ("libgtk-3.so.0", "/usr/lib/x86_64-linux-gnu/libgtk-3.so.0"),
        ("libX11.so.6", "/usr/lib/x86_64-linux-gnu/libX11.so.6"),
    ],
)
def test_the_bundle_has_nothing_of_the_build_machine_and_no_unused_part_of_qt(recipe, destination, source):
    assert not recipe("bundle_contents").is_kept(destination, source, recipe("release").release())


def test_the_changelog_has_a_section_for_this_version_written_for_users(recipe):
    changes = (recipe("release").ROOT / "CHANGELOG.md").read_text("utf-8")
    assert f"\n## {__version__} – " in changes
    assert "\n## Unreleased\n" in changes
    assert not re.search(r"\b(helper|issue \d|TODO)\b", changes)
