"""A private desktop for a test: X server, window manager, session bus, tray, notifications, AT-SPI.

Nothing of the desktop it is started from leaks in, and nothing of it is left behind. Linux only; the packages
it needs are installed by tests/rigs/install.sh (`make live` runs it).
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

NEEDS = (
    "Xvfb",
    "dbus-daemon",
    "gdbus",
    "openbox",
    "xprop",
    "xdotool",
    "import",
    "trayer",
    "xfce4-panel",
    "dunst",
)
MISSING = ", ".join(name for name in NEEDS if shutil.which(name) is None)
WAIT = 15.0  # seconds; everything is up in half of one
_PLAIN = ("PATH", "HOME", "SHELL", "USER", "TMPDIR", "VIRTUAL_ENV")

# A panel with one plugin, the tray: xfce4-panel is a StatusNotifier host and watcher.
_PANEL = """<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=8;x=0;y=0"/>
      <property name="length" type="uint" value="100"/>
      <property name="size" type="uint" value="32"/>
      <property name="plugin-ids" type="array"><value type="int" value="1"/></property>
    </property>
  </property>
  <property name="plugins" type="empty"><property name="plugin-1" type="string" value="systray"/></property>
</channel>
"""
_GRIP = 20  # pixels from the panel's edge to its first icon
_DUNST = "[global]\norigin = top-right\nidle_threshold = 0\n"


class Desktop:
    """What runs on it gets `env`. `tray`: "sni" (as KDE, XFCE, GNOME by extension), "xembed" or "none"."""

    def __init__(
        self, *, tray: str = "sni", notify: bool = True, dark: bool = False, size: str = "1280x800"
    ) -> None:
        self._parts: list[subprocess.Popen[bytes]] = []
        self._panel = ""  # the class of its window; "": none
        self._folder = Path(tempfile.mkdtemp(prefix="deskbell-desktop-"))
        self.env = self._environment()
        try:
            self._start(tray, notify, dark, size)
        except BaseException:
            self.close()
            raise

    def screenshot(self, file: Path) -> None:
        """A picture of the screen once nothing moves on it any more (a countdown may)."""
        file.parent.mkdir(parents=True, exist_ok=True)
        before = b""
        for _ in range(20):
            self.run("import", "-window", "root", str(file))
            if before == (before := self.run("identify", "-format", "%#", str(file)).encode()):
                return

    def mapped(self, title: str) -> tuple[int, int]:
        """Width and height of the window whose title has this, once the X server shows it."""
        end = time.monotonic() + WAIT
        while time.monotonic() < end:
            with contextlib.suppress(subprocess.CalledProcessError):  # none yet, or one that has just gone
                found = self.run("xdotool", "search", "--onlyvisible", "--name", title).split()[-1]
                said = self.run("xdotool", "getwindowgeometry", "--shell", found).split("\n")
                lines = dict(line.split("=") for line in said)
                return int(lines["WIDTH"]), int(lines["HEIGHT"])
            time.sleep(0.05)
        raise AssertionError(f"no window called {title} within {WAIT:g} s")

    def run(self, *command: str) -> str:
        """A command on this desktop; what it printed."""
        return subprocess.run(
            command, env=self.env, check=True, capture_output=True, text=True, timeout=WAIT
        ).stdout.strip()

    def keys(self, *names: str) -> None:
        """Press keys, as at a real keyboard: in whichever window has the focus."""
        self.run("xdotool", "key", "--clearmodifiers", "--delay", "30", *names)

    def activate(self, title: str) -> None:
        """Give the keyboard to the window of this title."""
        self.run("xdotool", "search", "--onlyvisible", "--name", f"^{title}$", "windowactivate", "--sync")

    def type(self, text: str) -> None:
        self.run("xdotool", "type", "--delay", "15", text)

    def await_bell(self) -> None:
        """Until the icon is in the tray; a picture of it may still be on its way."""
        if self._panel == "trayer":
            until(
                lambda: self._found("xdotool", "search", "--onlyvisible", "--class", "deskbell"), "the bell"
            )
            return
        watcher = ("org.kde.StatusNotifierWatcher", "-o", "/StatusNotifierWatcher")
        get = ("-m", "org.freedesktop.DBus.Properties.Get", watcher[0], "RegisteredStatusNotifierItems")
        until(lambda: "/" in self.run("gdbus", "call", "--session", "-d", *watcher, *get), "the bell")

    def click_bell(self, button: int = 1, times: int = 1) -> None:
        """The only icon of the tray: trayer is as wide as it, xfce4-panel begins with it, after a grip."""
        seek = ("xdotool", "search", "--onlyvisible", "--class", self._panel)
        until(lambda: self._found(*seek), "the panel")
        found = self.run(*seek).split()[-1]
        said = self.run("xdotool", "getwindowgeometry", "--shell", found).split("\n")
        place = {name: int(value) for name, value in (line.split("=") for line in said)}
        x = place["X"] + (place["WIDTH"] // 2 if self._panel == "trayer" else _GRIP)
        move = ("mousemove", str(x), str(place["Y"] + place["HEIGHT"] // 2))
        self.run("xdotool", *move, "click", "--repeat", str(times), "--delay", "60", str(button))

    def close(self) -> None:
        for part in reversed(self._parts):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(part.pid, signal.SIGTERM)
        for part in self._parts:
            with contextlib.suppress(subprocess.TimeoutExpired):
                part.wait(2)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(part.pid, signal.SIGKILL)
            part.wait(2)
        shutil.rmtree(self._folder, ignore_errors=True)

    # --- parts -----------------------------------------------------------------------------------------

    def _environment(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in _PLAIN if name in os.environ}
        places = {f"XDG_{name}_HOME": self._folder / name.lower() for name in ("CONFIG", "DATA", "CACHE")}
        places["XDG_RUNTIME_DIR"] = self._folder / "run"
        for place in places.values():
            place.mkdir(mode=0o700)
        return {
            **kept,
            **{name: str(place) for name, place in places.items()},
            "XDG_SESSION_TYPE": "x11",
            "XDG_CURRENT_DESKTOP": "XFCE",
            "GDK_BACKEND": "x11",
            "QT_QPA_PLATFORM": "xcb",
            "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
            "LC_ALL": "C.UTF-8",
        }

    def _start(self, tray: str, notify: bool, dark: bool, size: str) -> None:
        self.env["DISPLAY"] = self._display(size)
        bus = f"unix:path={self._folder}/run/bus"
        self._part("dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address={bus}")
        until(lambda: Path(self._folder, "run/bus").exists(), "the session bus")
        self.env["DBUS_SESSION_BUS_ADDRESS"] = bus
        if dark:
            self.run("gsettings", "set", "org.gnome.desktop.interface", "color-scheme", "prefer-dark")
        self._part("openbox", "--sm-disable")
        until(lambda: "#" in self.run("xprop", "-root", "_NET_SUPPORTING_WM_CHECK"), "the window manager")
        if notify:
            (self._folder / "dunstrc").write_text(_DUNST)
            self._part("dunst", "-conf", str(self._folder / "dunstrc"))
            until(lambda: self._owned("org.freedesktop.Notifications"), "notifications")
        if tray != "none":
            self.bring_tray(tray)

    def _display(self, size: str) -> str:
        read, write = os.pipe()
        command = (
            "Xvfb",
            "-displayfd",
            str(write),
            "-screen",
            "0",
            f"{size}x24",
            "-dpi",
            "96",
            "-nolisten",
            "tcp",
        )
        self._part(*command, pass_fds=(write,))
        os.close(write)
        with open(read) as said:
            return f":{said.readline().strip()}"

    def bring_tray(self, kind: str) -> None:
        self._panel = "trayer" if kind == "xembed" else "xfce4-panel"
        if kind == "xembed":
            self._part(
                "trayer", "--edge", "bottom", "--align", "right", "--widthtype", "request", "--height", "32"
            )
            until(lambda: self._found("xdotool", "search", "--class", "trayer"), "the tray")
            return
        panel = self._folder / "config" / "xfce4" / "xfconf" / "xfce-perchannel-xml" / "xfce4-panel.xml"
        panel.parent.mkdir(parents=True)
        panel.write_text(_PANEL)
        self._part("xfce4-panel", "--disable-wm-check")
        until(lambda: self._owned("org.kde.StatusNotifierWatcher"), "the tray")

    def _owned(self, name: str) -> bool:
        asked = (
            "--session",
            "-d",
            "org.freedesktop.DBus",
            "-o",
            "/",
            "-m",
            "org.freedesktop.DBus.NameHasOwner",
        )
        return "true" in self.run("gdbus", "call", *asked, name)

    def _found(self, *command: str) -> bool:
        with contextlib.suppress(subprocess.CalledProcessError):
            return bool(self.run(*command))
        return False

    def _part(self, *command: str, pass_fds: tuple[int, ...] = ()) -> None:
        null = subprocess.DEVNULL
        started = subprocess.Popen(
            command,
            env=self.env,
            stdin=null,
            stdout=null,
            stderr=null,
            start_new_session=True,
            pass_fds=pass_fds,
        )
        self._parts.append(started)


@contextlib.contextmanager
def desktop(**kind: object) -> Iterator[Desktop]:
    made = Desktop(**kind)  # type: ignore[arg-type]
    try:
        yield made
    finally:
        made.close()


def until(look: Callable[[], object], what: str, within: float = WAIT) -> None:
    end = time.monotonic() + within
    while not look():
        assert time.monotonic() < end, f"no {what} within {within:g} s"
        time.sleep(0.03)


def with_home(env: Mapping[str, str], home: Path, **more: str) -> dict[str, str]:
    """The environment of a Deskbell that lives on this desktop."""
    return {**env, "DESKBELL_HOME": str(home), "DESKBELL_PORT": "0", **more}
