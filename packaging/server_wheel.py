"""Make the wheel deskbell-server: deskbell without its windows, for machines that have no display.

python packaging/server_wheel.py dist/deskbell-*.whl      writes dist/deskbell_server-*.whl beside it

pip cannot leave out a dependency, so what desktop/ alone imports is taken out of the finished wheel. Both
have the same modules and the same command; only one of them can be installed in an environment.
"""

from __future__ import annotations

import base64
import hashlib
import re
import sys
import zipfile
from pathlib import Path

from check_dependencies import for_windows_only, plain

NAME = "deskbell-server"


def make(wheel: Path) -> Path:
    """Write the wheel without windows; return its path."""
    left_out = for_windows_only()
    target = wheel.with_name(re.sub(r"^deskbell-", "deskbell_server-", wheel.name))
    record: list[str] = []
    with zipfile.ZipFile(wheel) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as made:
        for info in source.infolist():
            name = re.sub(r"^deskbell-([^/]+\.dist-info/)", r"deskbell_server-\1", info.filename)
            data = _changed(name, source.read(info), left_out)
            if name.startswith("desktop/"):
                continue
            if name.endswith(".dist-info/RECORD"):
                data = "".join([*record, f"{name},,\n"]).encode()
            copy = zipfile.ZipInfo(name, info.date_time)
            copy.external_attr, copy.compress_type = info.external_attr, zipfile.ZIP_DEFLATED
            made.writestr(copy, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}\n")
    return target


def _changed(name: str, data: bytes, left_out: set[str]) -> bytes:
    if name.endswith(".dist-info/METADATA"):
        return _metadata(data.decode(), left_out).encode()
    if name.endswith(".dist-info/entry_points.txt"):
        return re.sub(rb"\[gui_scripts\]\n(?:[^\[\n]+\n)*\n?", b"", data)
    return data


def _metadata(text: str, left_out: set[str]) -> str:
    head, blank, body = text.partition("\n\n")
    lines = []
    for line in head.splitlines():
        key, _, value = line.partition(": ")
        if key == "Requires-Dist" and plain(re.split(r"[^\w.-]", value)[0]) in left_out:
            continue
        lines.append(f"Name: {NAME}" if key == "Name" else line)
    return "\n".join(lines) + blank + body


if __name__ == "__main__":
    for word in sys.argv[1:]:
        print(make(Path(word)))
