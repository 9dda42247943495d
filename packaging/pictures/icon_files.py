"""The bell as .ico (Windows) and .icns (macOS): containers of PNG pictures."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path

from pictures.draw_icon import draw_icon
from release import ROOT

WINDOWS = (16, 20, 24, 32, 48, 64, 256)  # pixels
MACOS = {b"ic07": 128, b"ic08": 256, b"ic09": 512, b"ic10": 1024}
_BELL = ROOT / "resources" / "icons" / "deskbell.svg"


def write_icon(target: Path, svg: Path = _BELL) -> Path:
    """Write the icon in the format that the name of the file asks for."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.suffix == ".icns":
        target.write_bytes(icns({kind: draw_icon(svg, size) for kind, size in MACOS.items()}))
    else:
        target.write_bytes(ico({size: draw_icon(svg, size) for size in WINDOWS}))
    return target


def ico(pictures: Mapping[int, bytes]) -> bytes:
    """Return an .ico file of PNG pictures, by their sizes in pixels."""
    head = struct.pack("<HHH", 0, 1, len(pictures))
    offset = len(head) + 16 * len(pictures)
    entries = b""
    for size, data in pictures.items():
        side = size % 256  # 0 stands for 256
        entries += struct.pack("<BBBBHHII", side, side, 0, 0, 1, 32, len(data), offset)
        offset += len(data)
    return head + entries + b"".join(pictures.values())


def icns(pictures: Mapping[bytes, bytes]) -> bytes:
    """Return an .icns file of PNG pictures, by Apple's names of their sizes."""
    parts = b"".join(struct.pack(">4sI", kind, len(data) + 8) + data for kind, data in pictures.items())
    return struct.pack(">4sI", b"icns", len(parts) + 8) + parts
