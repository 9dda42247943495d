"""What is written for Linux desktops: entries, metainfo, manual page, units, control files."""

import configparser
import gzip
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bridge.cli.parser import build_parser
from tests.bridge.test_docs import verbs

MOMENT = 1_790_000_000


@pytest.fixture
def one(recipe):
    return recipe("release").release()


def parsed(text: str) -> configparser.ConfigParser:
    found = configparser.ConfigParser(interpolation=None, strict=True)
    found.optionxform = str  # type: ignore[assignment, method-assign]
    found.read_string(text)
    return found


def test_the_desktop_entry_opens_links_of_our_scheme(recipe, one):
    entry = parsed(recipe("linux.desktop_entry").desktop_entry(one, "/usr/bin/deskbell"))["Desktop Entry"]
    assert entry["Exec"] == "/usr/bin/deskbell %u"
    assert entry["MimeType"] == "x-scheme-handler/deskbell;"
    assert (entry["Name"], entry["Icon"]) == ("Deskbell", "deskbell")


def test_the_metainfo_names_version_pictures_and_what_changed(recipe, one):
    component = ElementTree.fromstring(recipe("linux.desktop_entry").metainfo(one, MOMENT))  # noqa: S314 - ours
    release = component.find("releases/release")
    assert release is not None
    assert (release.get("version"), release.get("date")) == (one.version, "2026-09-21")
    assert component.findtext("launchable") == "deskbell.desktop"
    assert len(component.findall("screenshots/screenshot/image")) == len(one.screenshots)
    assert component.findall("releases/release/description/ul/li")


def test_notes_lose_their_marks_line_breaks_and_headings(recipe):
    notes = recipe("linux.desktop_entry").plain_notes(
        "Intro.\n\n- **Bold** and `code`,\n  [a link](x.md).\n\n### More\n\n- *Two*.\n"
    )
    assert notes == ["Bold and code, a link.", "Two."]


@pytest.mark.skipif(shutil.which("desktop-file-validate") is None, reason="needs desktop-file-utils")
def test_the_desktop_entry_is_valid(recipe, one, tmp_path):
    file = tmp_path / "deskbell.desktop"
    file.write_text(recipe("linux.desktop_entry").desktop_entry(one, "/usr/bin/deskbell"))
    done = subprocess.run(("desktop-file-validate", str(file)), capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.skipif(shutil.which("appstreamcli") is None, reason="needs appstream")
def test_the_metainfo_is_valid(recipe, one, tmp_path):
    file = tmp_path / f"{one.id}.metainfo.xml"
    file.write_text(recipe("linux.desktop_entry").metainfo(one, MOMENT))
    done = subprocess.run(("appstreamcli", "validate", "--no-net", str(file)), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_manual_page_has_every_verb_and_no_control_line_by_accident(recipe, one):
    page = recipe("linux.man_page").man_page(one, MOMENT)
    for verb in verbs(build_parser()):
        assert f".SS {verb.replace('-', chr(92) + '-')}" in page
    assert "...." not in page
    requests = {line.split()[0] for line in page.splitlines() if line.startswith((".", "'"))}
    assert requests == {".TH", ".SH", ".SS", ".TP", ".B", ".I", ".PP", ".nf", ".fi"}


def test_the_socket_is_for_its_owner_and_where_the_shim_looks(recipe, one):
    units = recipe("linux.systemd_units")
    socket = parsed(units.socket_unit(one))["Socket"]
    assert socket["ListenStream"] == "%h/.local/share/deskbell/deskbell.sock"
    assert (socket["SocketMode"], socket["DirectoryMode"]) == ("0600", "0700")
    assert (
        parsed(units.service_unit(one, "/usr/bin/deskbell"))["Service"]["ExecStart"]
        == "/usr/bin/deskbell serve"
    )


def test_a_debian_package_needs_each_library_once_and_wraps_its_description(recipe, one):
    control = recipe("linux.deb").control_file(one, "amd64", 5 << 20)
    fields = dict(line.partition(": ")[::2] for line in control.splitlines() if not line.startswith(" "))
    needs = fields["Depends"].split(", ")
    assert len(needs) == len(set(needs))
    assert {"libegl1", "libglib2.0-0 | libglib2.0-0t64"} <= set(needs)
    assert (fields["Version"], fields["Installed-Size"]) == (one.version, "5120")
    assert max(map(len, control.partition("Description:")[2].splitlines())) <= 80


def test_an_rpm_requires_libraries_by_the_name_that_every_distribution_has(recipe, one):
    spec = recipe("linux.rpm").spec_file(one, Path("/tree"), "x86_64", MOMENT)
    assert "Requires: libEGL.so.1()(64bit)\n" in spec
    assert "%preun\n#!/bin/sh" in spec
    assert f"Version: {one.version}\n" in spec


def test_an_appimage_runtime_carries_the_magic_of_type_2(recipe):
    marked = recipe("linux.appimage").with_magic(b"\x7fELF" + bytes(60))
    assert (marked[8:11], len(marked)) == (b"AI\x02", 64)


def test_files_that_are_written_have_no_time_of_their_own(recipe, one):
    tree = recipe("linux.tree")
    files = tree.texts(one, tree.Layout(), MOMENT)
    assert files == tree.texts(one, tree.Layout(), MOMENT)
    assert gzip.decompress(files["share/man/man1/deskbell.1.gz"]).startswith(b".TH DESKBELL 1")
    assert b"_deskbell" in files["share/bash-completion/completions/deskbell"]
