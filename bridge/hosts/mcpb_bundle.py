"""The bundle that Claude Desktop installs by a double click: from mcpb/, the same bytes each time."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

from bridge import __version__
from bridge.system.atomic_file import write

FILES = ("package.json", "server/index.js")
NAME = f"deskbell-{__version__}.mcpb"
_HERE = Path(__file__).resolve().parent / "mcpb"
_LICENCE = _HERE.parents[2] / "LICENSE"  # in a source tree
_THEN = (2026, 1, 1, 0, 0, 0)  # date of all members, so that equal contents give equal bytes


def save(path: Path, icon: bytes = b"") -> None:
    """Write the bundle. `icon`: the bell as PNG. Raises SettingsError."""
    write(path, build(icon))


def build(icon: bytes = b"") -> bytes:
    manifest = json.loads((_HERE / "manifest.json").read_text("utf-8"))
    manifest["version"] = __version__
    contents = {name: (_HERE / name).read_bytes() for name in FILES}
    if _LICENCE.is_file():
        contents["LICENSE"] = _LICENCE.read_bytes()
    if icon:
        contents["icon.png"] = icon
    else:
        del manifest["icon"]
    contents["manifest.json"] = json.dumps(manifest, indent=2, ensure_ascii=False).encode() + b"\n"
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name in sorted(contents):
            entry = zipfile.ZipInfo(name, _THEN)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            bundle.writestr(entry, contents[name])
    return made.getvalue()
