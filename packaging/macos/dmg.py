"""The disk image for macOS, by hdiutil, from the application that freeze.py built. Runs on macOS only.

    PYTHONPATH=packaging python -m macos.dmg

Signed if DESKBELL_SIGNING_IDENTITY names a certificate of the keychain, and notarised if
DESKBELL_NOTARY_PROFILE names credentials that `xcrun notarytool store-credentials` has kept. Without them
macOS asks people to confirm the first start in its privacy settings.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from release import BUILD, DIST, NotBuilt, release, run


def build() -> Path:
    one = release()
    app = BUILD / "bundle" / f"{one.title}.app"
    if not app.is_dir():
        raise NotBuilt(f"{app} is not there; make it with packaging/freeze.py on macOS")
    identity, profile = os.environ.get("DESKBELL_SIGNING_IDENTITY"), os.environ.get("DESKBELL_NOTARY_PROFILE")
    if identity:
        run("codesign", "--force", "--deep", "--options", "runtime", "--timestamp", "--sign", identity, app)
    folder, target = BUILD / "dmg", DIST / f"{one.title}-{one.version}.dmg"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    DIST.mkdir(exist_ok=True)
    shutil.copytree(app, folder / app.name, symlinks=True)
    (folder / "Applications").symlink_to("/Applications")
    image = ("hdiutil", "create", "-ov", "-format", "UDZO", "-fs", "APFS")
    run(*image, "-volname", one.title, "-srcfolder", folder, target)
    if identity and profile:
        run("xcrun", "notarytool", "submit", target, "--keychain-profile", profile, "--wait")
        run("xcrun", "stapler", "staple", target)
    return target


if __name__ == "__main__":
    try:
        print(build())
    except NotBuilt as failed:
        sys.exit(f"deskbell: {failed}")
