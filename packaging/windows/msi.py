"""The package for Windows administrators, by wixl: for all users of a machine, to be rolled out by policy.

PYTHONPATH=packaging python -m windows.msi [BUNDLE]    BUNDLE: made by freeze.py on Windows, else by wine.py
"""

from __future__ import annotations

import os
import re
import uuid
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from xml.sax.saxutils import quoteattr

from pictures.icon_files import write_icon
from release import BUILD, DIST, Release, release, run
from windows.template import filled, main, need_bundle

# Constant, so that Windows replaces an older version by a newer one.
_NAMESPACE = uuid.UUID("7f2a4c8e-3a55-4d1b-9d53-6f0f0ee1c0de")
# Right after InstallInitialize: an older version is ended and removed before the new files are written.
# wixl puts it at the end, where files of the running program would be in use, and knows no other place.
_REMOVE_OLDER_FIRST = (
    "UPDATE `InstallExecuteSequence` SET `Sequence`=1501 WHERE `Action`='RemoveExistingProducts'"
)


def source(one: Release, bundle: Path, icon: Path) -> str:
    """Return the description of the package for wixl."""
    components: list[str] = []
    files = "\n".join(_folder(bundle, bundle, count(1), components))
    [command] = re.findall(rf'<File Id="(f\d+)" Source="[^"]*/{one.name}-mcp.exe"', files)
    return filled(
        "package.wxs",
        one,
        ICON=_from_build(icon),
        UPGRADE=_guid("upgrade"),
        SHORTCUTGUID=_guid("shortcut"),
        LINKSGUID=_guid("links"),
        FILES=files,
        COMMAND=command,
        REFERENCES="\n".join(f'<ComponentRef Id="{name}"/>' for name in components),
    )


def _folder(folder: Path, top: Path, numbers: Iterator[int], components: list[str]) -> Iterator[str]:
    for path in sorted(folder.iterdir()):
        number = next(numbers)
        if path.is_dir():
            yield f'<Directory Id="d{number}" Name={quoteattr(path.name)}>'
            yield from _folder(path, top, numbers, components)
            yield "</Directory>"
            continue
        components.append(f"c{number}")
        guid = _guid(path.relative_to(top).as_posix())
        file = f'<File Id="f{number}" Source={quoteattr(_from_build(path))} KeyPath="yes"/>'
        yield f'<Component Id="c{number}" Guid="{guid}" Win64="yes">{file}</Component>'


def _from_build(path: Path) -> str:
    """Return a path as wixl finds it: relative to its working folder. It takes no absolute ones."""
    return os.path.relpath(path, BUILD)


def _guid(name: str) -> str:
    return str(uuid.uuid5(_NAMESPACE, name)).upper()


def build(bundle: Path) -> Path:
    one = release()
    need_bundle(bundle, one)
    target, written = DIST / f"{one.title}-{one.version}.msi", BUILD / "package.wxs"
    written.write_text(source(one, bundle, write_icon(BUILD / f"{one.name}.ico")), "utf-8")
    run("wixl", "--arch", "x64", "--output", target, written, cwd=BUILD, log=BUILD / "wixl.log")
    run("msibuild", target, "-q", _REMOVE_OLDER_FIRST)
    return target


if __name__ == "__main__":
    main(build)
