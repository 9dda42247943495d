"""The list of everything inside a bundle, as CycloneDX 1.6: `dist/deskbell-VERSION.cdx.json`.

Run by the Python of the release environment, whose packages are what the bundle holds:

    build/release-venv/bin/python packaging/sbom.py BUNDLE
"""

from __future__ import annotations

import hashlib
import json
import platform
import re
import sys
import time
import uuid
from collections.abc import Iterator
from importlib.metadata import Distribution, version
from pathlib import Path
from typing import Any

from bundled import licence, packages, system_packages
from release import DIST, release, source_date

Component = dict[str, Any]


def document(bundle: Path) -> dict[str, Any]:
    one = release()
    components = [*_python(), *(_package(each) for each in packages()), *_of_system(bundle / "_internal")]
    digest = hashlib.sha256(json.dumps(components, sort_keys=True).encode()).hexdigest()
    moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(source_date()))
    product = {"type": "application", "bom-ref": one.name, "name": one.name, "version": one.version}
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, digest)}",
        "version": 1,
        "metadata": {"timestamp": moment, "component": {**product, "licenses": _licences(one.licence)}},
        "components": sorted(components, key=lambda each: each["bom-ref"]),
    }


def _package(one: Distribution) -> Component:
    name = re.sub(r"[-_.]+", "-", one.name).lower()
    purl = f"pkg:pypi/{name}@{one.version}"
    about = {"name": name, "version": one.version, "licenses": _licences(*licence(one))}
    return {"type": "library", "bom-ref": purl, "purl": purl, **about}


def _python() -> Iterator[Component]:
    here = platform.python_version()
    yield _named("python", here, f"pkg:generic/python@{here}", "PSF-2.0")
    qt = version("PySide6-Essentials")
    yield _named("qt", qt, f"pkg:generic/qt@{qt}", "LGPL-3.0-only")


def _of_system(internal: Path) -> Iterator[Component]:
    if sys.platform.startswith("linux"):
        for name, number, _ in system_packages(sorted(internal.glob("*.so*"))):
            yield _named(name, number, f"pkg:deb/debian/{name}@{number}", "")


def _named(name: str, number: str, purl: str, words: str) -> Component:
    found = {"licenses": _licences(words)} if words else {}
    return {"type": "library", "bom-ref": purl, "purl": purl, "name": name, "version": number, **found}


def _licences(expression: str, words: str = "") -> list[dict[str, Any]]:
    """Give an SPDX expression as such, other words as a name."""
    return [{"expression": expression}] if expression else [{"license": {"name": words}}]


def write(bundle: Path) -> Path:
    DIST.mkdir(exist_ok=True)
    target = DIST / f"{release().name}-{release().version}.cdx.json"
    target.write_text(json.dumps(document(bundle), indent=1) + "\n", "utf-8")
    return target


if __name__ == "__main__":
    print(write(Path(sys.argv[1])))
