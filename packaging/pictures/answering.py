"""The picture of the README: a terminal that asked, and the card of a real Deskbell with its answers."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from release import ROOT

if TYPE_CHECKING:
    from tests.rigs.desktop import Desktop

_SIZE = "920x400"
_COLOURS = {  # scheme → behind, terminal, its text
    "Light": ("#d3dce6", "#ffffff", "#16202c"),
    "Dark": ("#0d1117", "#20262f", "#edf1f6"),
}
_LINES = (
    "deskbell call elicit_choice",
    "message='Which environment should I deploy to?'",
    "options=Development options=Staging options=Production",
)
_CARD = "Deskbell: new question"
_ANSWER = (190, 96)  # of the card: in the middle of its second button
_POINTER = "M 0,0 L 0,17 L 4,13.5 L 6.6,19.3 L 9.2,18.1 L 6.7,12.4 L 12,12.2 Z"  # screenshots have none


def take(folder: Path, scheme: str) -> tuple[Path, tuple[str, ...]]:
    """Ask a question in a terminal and wait for the card; return the screenshot, and what to draw on it."""
    from tests.rigs.desktop import desktop, until, with_home

    behind, *terminal = _COLOURS[scheme]
    with desktop(tray="xembed", notify=False, size=_SIZE) as screen:
        paint = ("display", "-window", "root", "-size", _SIZE, f"xc:{behind}")
        subprocess.run(paint, env=screen.env, timeout=60)  # paints, and still ends with 1
        env = with_home(screen.env, folder, PATH=f"{Path(sys.executable).parent}:{screen.env['PATH']}")
        config = f'[desktop]\ntheme = "{scheme.lower()}"\nsound = false\nnotifications = false\n'
        (folder / "config.toml").write_text(config)
        (folder / "welcomed").touch()
        started = [subprocess.Popen((sys.executable, "-m", "bridge"), env=env, cwd=ROOT)]
        try:
            screen.await_bell()
            started.append(subprocess.Popen(_xterm(*terminal), env=env))
            until(lambda: _card_place(screen), "the card", 60)
            screen.run("sleep", "1")  # until it is complete
            place = _card_place(screen)
            left, top, width, height = (place[name] for name in ("X", "Y", "WIDTH", "HEIGHT"))
            x, y = left + _ANSWER[0], top + _ANSWER[1]
            screen.run("xdotool", "mousemove", str(x), str(y))
            screen.screenshot(folder / "screen.png")
        finally:
            for process in reversed(started):
                process.terminate()
                process.wait(20)
    corners = [(cx, cy) for cx in (left, left + width - 1) for cy in (top, top + height - 1)]
    clear = [f"color {cx},{cy} floodfill" for cx, cy in corners]  # black without a compositor
    pointer = ("-fill", "black", "-stroke", "white", "-draw", f"translate {x},{y} path '{_POINTER}'")
    return folder / "screen.png", ("-fill", behind, *(w for one in clear for w in ("-draw", one)), *pointer)


def _card_place(screen: Desktop) -> dict[str, int]:
    """Return where the card is; {} while it is not there: it is shown anew while it is built."""
    with contextlib.suppress(subprocess.CalledProcessError):
        found = screen.run("xdotool", "search", "--onlyvisible", "--name", _CARD).split()[-1]
        lines = screen.run("xdotool", "getwindowgeometry", "--shell", found).split("\n")
        return {name: int(value) for name, value in (line.split("=") for line in lines)}
    return {}


def _xterm(ground: str, text: str) -> tuple[str, ...]:
    typed = " \\\n   ".join(_LINES)
    script = f'echo; echo " $ $TYPED"; {" ".join(_LINES)}; sleep 60'
    look = ("-fa", "DejaVu Sans Mono", "-fs", "11", "-geometry", "66x9+16+16", "-bg", ground, "-fg", text)
    return ("env", f"TYPED={typed}", "xterm", *look, "-T", "Terminal", "-e", "bash", "-c", script)
