"""What is inside a release: pinned by digest, listed in an SBOM, with its licences."""

import re
import tomllib
from pathlib import Path

from desktop.licences import all_licences

ROOT = Path(__file__).parents[2]
RENEW = "run packaging/lock_dependencies.py"


def test_what_a_bundle_is_made_of_is_pinned_by_version_and_digest(recipe):
    check = recipe("check_dependencies")
    entries = re.split(r"\n(?=\S)", recipe("lock_dependencies").LOCK.read_text("utf-8").strip())
    pinned = {check.plain(entry.partition("==")[0]): entry for entry in entries}
    assert all("--hash=sha256:" in entry for entry in entries)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = project["dependencies"] + project["optional-dependencies"]["release"]
    assert check.declared(wanted) <= pinned.keys(), RENEW
    for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines():
        name, equals, version = line.partition("==")
        if equals and check.plain(name) in pinned:
            assert f"=={version.split(';')[0].strip()} " in pinned[check.plain(name)], RENEW


def test_the_sbom_names_every_package_once_and_nothing_that_only_tests_need(recipe, tmp_path):
    sbom = recipe("sbom")
    document = sbom.document(tmp_path)
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.6")
    purls = [one["purl"].partition("@")[0] for one in document["components"]]
    assert len(purls) == len(set(purls)) > 40
    assert {"pkg:pypi/cryptography", "pkg:pypi/mcp", "pkg:generic/qt", "pkg:generic/python"} <= set(purls)
    assert not {"pkg:pypi/pytest", "pkg:pypi/mypy", "pkg:pypi/pyinstaller"} & set(purls)
    assert document == sbom.document(tmp_path)


def test_about_has_the_licence_texts_of_what_is_inside():
    text = all_licences()
    assert re.search(r"^cryptography \S+: Apache-2.0 OR BSD-3-Clause$", text, re.MULTILINE)
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in text
    assert "Permission is hereby granted, free of charge" in text


def test_a_bundle_does_not_depend_on_the_folder_it_was_built_in(recipe, tmp_path):
    record = tmp_path / "_internal" / "idna-3.20.dist-info" / "RECORD"
    record.parent.mkdir(parents=True)
    record.write_text("../../../bin/idna,sha256=rpzC,236\nidna/__init__.py,sha256=abc,868\n")
    recipe("freeze").forget_commands(tmp_path)
    assert record.read_text() == "idna/__init__.py,sha256=abc,868\n"
