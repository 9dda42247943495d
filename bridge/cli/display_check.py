"""Check that a display can be opened, before Qt aborts the whole process for want of one. Linux only."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Mapping

_X = re.compile(r"(?P<host>.*):(?P<number>\d+)(\.\d+)?")
_PATIENCE = 2.0  # seconds for a display on another machine


def why_no_display(env: Mapping[str, str]) -> str:
    """Return why no display that `env` names can be opened; "" if one can."""
    wayland, x = env.get("WAYLAND_DISPLAY", ""), env.get("DISPLAY", "")
    if not wayland and not x:
        return "There is no display."
    if wayland and os.path.exists(os.path.join(env.get("XDG_RUNTIME_DIR", ""), wayland)):
        return ""
    if x and _answers(x):
        return ""
    return f"The display {x or wayland} cannot be opened."


def _answers(display: str) -> bool:
    found = _X.fullmatch(display)
    if found is None:
        return True  # an unknown notation, which Qt may support
    path = f"/tmp/.X11-unix/X{found['number']}"  # noqa: S108 - where X servers listen
    if found["host"] in ("", "unix"):
        return _connects(path) or _connects(f"\0{path}")
    try:
        socket.create_connection((found["host"], 6000 + int(found["number"])), _PATIENCE).close()
    except (OSError, OverflowError):
        return False
    return True


def _connects(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(path) == 0
