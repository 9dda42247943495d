"""A home folder with AI applications in it, and samples of their files."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml as pyyaml  # type: ignore[import-untyped]

from bridge.hosts.backups import ChangeKind
from bridge.hosts.formats import jsonc
from bridge.hosts.host_configs import ChangeRequest, HostConfigs
from bridge.hosts.plan import HostFilePlan
from bridge.hosts.recipes import BY_ID
from bridge.settings import Home, SettingsFile, load

DESKBELL = "/opt/deskbell/bin/deskbell"


class Room:
    """A person's home with applications in it, and a Deskbell."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = Home(root / "bell")
        self.env = {"HOME": str(root), "APPIMAGE": DESKBELL, "APPDIR": str(Path(sys.executable).parent)}
        self.book = HostConfigs(self.home, self.env, "linux")

    def path(self, host: str) -> Path:
        from bridge.hosts.locations import host_file

        return host_file(BY_ID[host], self.env, "linux").path

    def write(self, host: str, text: str) -> Path:
        path = self.path(host)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, newline="")
        return path

    def plan(self, host: str, what: ChangeKind, **more: Any) -> HostFilePlan:
        return self.book.plan(self.book.find(host), ChangeRequest(what, **more), load(self.home.config, {}))

    def do(self, host: str, what: ChangeKind, **more: Any) -> HostFilePlan:
        plan = self.plan(host, what, **more)
        self.book.carry_out(plan, SettingsFile(self.home.config))
        return plan

    def look(self, host: str) -> Any:
        looks = self.book.read_all(load(self.home.config, {}))
        return next(seen for seen, _ in looks if seen.spot.recipe.id == host)


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def said(path: Path) -> Any:
    """By parsers of others."""
    text = path.read_text("utf-8-sig")
    if path.suffix == ".toml":
        return tomllib.loads(text)
    return pyyaml.safe_load(text) if path.suffix == ".yaml" else jsonc.load_by_json(text)


SAMPLES = {
    ".json": '{{\n  "{key}": {{\n    "quiz": {entry}\n  }}\n}}\n',
    ".jsonc": '// mine\n{{\n  "{key}": {{\n    "quiz": {entry}, // a quiz\n  }},\n}}\n',
    ".toml": """\
# mine
[mcp_servers.quiz]
command = "npx"  # node
args = ["-y", "quiz"]

# last
[tui]
x = 1
""",
    ".yaml": """\
# mine
extensions:
  quiz:
    type: stdio
    cmd: npx  # node
    args:
    - -y
    - quiz
last: 1
""",
}
CONTINUE = "name: Mine\nmcpServers:\n  - name: quiz\n    command: npx\n    args: [-y, quiz]\n# end\n"
VIBE = """theme = "dark"  # mine

[[mcp_servers]]
name = "quiz"
transport = "stdio"
command = ["npx", "-y", "quiz"]

[mcp_servers.auth]
type = "static"

[tools.bash]
permission = "ask"
"""


def sample(host: str, path: Path) -> str:
    recipe = BY_ID[host]
    if host in ("continue", "mistral-vibe"):
        return CONTINUE if host == "continue" else VIBE
    entry: dict[str, Any] = {"command": "npx", "args": ["-y", "quiz"]}
    if not recipe.started.args:
        entry = {"type": "local", "command": ["npx", "-y", "quiz"]}
    for key in recipe.started.inside:
        entry = {key: {"type": "stdio", **entry}}
    return SAMPLES[path.suffix].format(key=recipe.key, entry=json.dumps(entry))


def _entries(room: Room, host: str) -> Any:
    from bridge.hosts.entries import OwnEntry, entries

    return entries(said(room.path(host)), BY_ID[host], OwnEntry((DESKBELL,), 23355, "", "shared"))
