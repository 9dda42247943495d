"""Write the list that Deskbells update themselves by, `updates.json`, and sign it with minisign.

    python packaging/update_list.py [FOLDER]      FOLDER: with the files of one release; else dist/

DESKBELL_RELEASE_KEY names the file of the secret key (`minisign -G -W`); its public key belongs into
[updates] of release.toml before the release is built. Without it the list is written and not signed. Publish
the folder at the `url` there. The list counts for half a year: run this again for the same files before that.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from pathlib import Path

from release import DIST, NotBuilt, release, run

VALID = 183 * 86400  # seconds
_FILES = {
    "appimage-x86_64": "Deskbell-*-x86_64.AppImage",
    "tarball-x86_64": "deskbell-*-linux-x86_64.tar.xz",
    "nsis-x86_64": "Deskbell-*-setup.exe",
}


def write(folder: Path, key: str = "") -> Path:
    now, target = int(time.time()), folder / "updates.json"
    files = {kind: _entry(file) for kind, pattern in _FILES.items() for file in folder.glob(pattern)}
    if not files:
        raise NotBuilt(f"{folder} has no file that Deskbell updates itself by")
    content = {"serial": now, "expires": now + VALID, "version": release().version, "files": files}
    target.write_text(json.dumps(content, indent=1) + "\n", "utf-8")
    if key:
        comment = f"{release().title} {release().version}"
        run("minisign", "-S", "-s", key, "-m", target, "-t", comment)
    return target


def _entry(file: Path) -> dict[str, object]:
    with file.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    return {"name": file.name, "size": file.stat().st_size, "sha256": digest}


if __name__ == "__main__":
    try:
        print(write(Path(*sys.argv[1:2] or [str(DIST)]), os.environ.get("DESKBELL_RELEASE_KEY", "")))
    except NotBuilt as failed:
        sys.exit(f"deskbell: {failed}")
