"""A config.toml, and functions that read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge.core.ports import ServerSpec
from bridge.errors import SettingsError
from bridge.settings import Settings, SettingsFile, load

EXAMPLE = """\
port = 23355
[servers.github]                       # stdio
command = "npx"
args = ["-y", "@modelcontextprotocol/server-github"]
env = { GITHUB_TOKEN = "${vault:github}" }
[servers.linear]                       # Streamable HTTP, OAuth when asked
url = "https://mcp.linear.app/mcp"
timeout = 120                          # seconds of machine time; human time does not count
shared = false                         # one connection per host (default)
[hosts."claude-ai"]                    # by clientInfo.name; "*" = all
questions = "auto"                     # auto | desktop | host
servers = ["github"]                   # default: all
[policy]                               # first match wins: allow | confirm | deny
"github_delete_*" = "confirm"
"""
NPX = ServerSpec(
    "npx", command="npx", args=("-y", "a b"), env={"KEY": "${vault:key}"}, timeout=1.5, shared=True
)


def read(tmp_path: Path, text: str, **env: str) -> Settings:
    path = tmp_path / "config.toml"
    path.write_text(text, "utf-8")
    return load(path, env)


def problem(tmp_path: Path, text: str) -> SettingsError:
    with pytest.raises(SettingsError) as caught:
        read(tmp_path, text)
    return caught.value


def opened(tmp_path: Path, text: str = "") -> SettingsFile:
    if text:
        (tmp_path / "config.toml").write_text(text, "utf-8")
    file = SettingsFile(tmp_path / "config.toml")
    file.reload()
    return file
