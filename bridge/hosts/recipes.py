"""One Recipe per AI application: its config file, the format of entries, and what it supports. Data only.

`can` is taken from documentation and users; a connected application declares it itself (Status).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class ReloadBy(StrEnum):
    """What the user must do for a changed file to take effect."""

    RESTART = "restart"
    CONVERSATION = "conversation"  # start a new one
    REFRESH = "refresh"  # its list of servers has a button for it
    ITSELF = "itself"  # it notices


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """Format of an entry with a command: keys, and constant members."""

    fixed: Mapping[str, Any] = field(default_factory=dict)
    command: str = "command"
    args: str = "args"  # "": the command is one list with its arguments
    env: str = "env"
    after: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class UrlEntry:
    """Format of an entry with a URL; `headers` may be a path."""

    fixed: Mapping[str, Any] = field(default_factory=dict)
    url: str = "url"
    headers: tuple[str, ...] = ("headers",)
    after: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recipe:
    """`files` and `signs` begin with a folder that the platform names (locations.py); `*` is a glob; those
    after `win32:` are looked for there only.

    `names`: what it calls itself (clientInfo.name), the usual one first. `signs`: what shows that it is
    installed, beside the folder of its file. `named`: the key that holds a name inside an entry; `listed`:
    the entries are a list. `fresh`: what else a new file must say.
    """

    id: str
    name: str
    files: tuple[str, ...]
    names: tuple[str, ...]
    can: tuple[str, ...] = ()
    reload: ReloadBy = ReloadBy.CONVERSATION
    key: str = "mcpServers"  # of the table of servers
    started: CommandEntry = CommandEntry()
    called: UrlEntry | None = UrlEntry()
    signs: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    named: str = ""
    listed: bool = False
    fresh: Mapping[str, Any] = field(default_factory=dict)
    private: bool = False  # its folder always exists, so it proves nothing


_TYPED = CommandEntry({"type": "stdio"})
_HTTP = UrlEntry({"type": "http"})
_OPEN = CommandEntry({"type": "local"}, args="", env="environment", after={"enabled": True})
_OPEN_CALLED = UrlEntry({"type": "remote"}, after={"enabled": True})
_CLINE = "{config}/Code/User/globalStorage/saoudrizwan.claude-dev"

RECIPES: tuple[Recipe, ...] = (
    Recipe(
        "claude-desktop",
        "Claude Desktop",
        (
            "win32:{local}/Packages/Claude_*/LocalCache/Roaming/Claude/claude_desktop_config.json",
            "{config}/Claude/claude_desktop_config.json",
        ),
        ("claude-ai",),
        reload=ReloadBy.RESTART,
        called=None,
    ),
    Recipe(
        "claude-code",
        "Claude Code",
        ("{home}/.claude.json",),
        ("claude-code",),
        ("form",),
        started=_TYPED,
        called=_HTTP,
        signs=("{home}/.claude",),
        programs=("claude",),
        private=True,
    ),
    Recipe(
        "vscode",
        "VS Code",
        ("{config}/Code/User/mcp.json",),
        ("Visual Studio Code",),
        ("form", "url", "sampling"),
        ReloadBy.ITSELF,
        "servers",
        _TYPED,
        _HTTP,
        programs=("code",),
    ),
    Recipe(
        "cursor",
        "Cursor",
        ("{home}/.cursor/mcp.json",),
        ("cursor-vscode", "Cursor"),
        ("form",),
        ReloadBy.ITSELF,
        programs=("cursor",),
    ),
    Recipe(
        "codex",
        "Codex",
        ("{codex}/config.toml",),
        ("codex-mcp-client",),
        ("form",),
        key="mcp_servers",
        called=UrlEntry(headers=("http_headers",)),
        programs=("codex",),
    ),
    Recipe(
        "goose",
        "Goose",
        ("win32:{config}/Block/goose/config/config.yaml", "{home}/.config/goose/config.yaml"),
        ("goose",),
        ("form", "sampling"),
        key="extensions",
        started=CommandEntry({"enabled": True, "type": "stdio"}, "cmd", "args", "envs", {"timeout": 300}),
        called=UrlEntry({"enabled": True, "type": "streamable_http"}, "uri", after={"timeout": 300}),
        programs=("goose",),
        named="name",
    ),
    Recipe(
        "gemini",
        "Gemini CLI",
        ("{home}/.gemini/settings.json",),
        ("gemini-cli-mcp-client",),
        called=UrlEntry(url="httpUrl"),
        programs=("gemini",),
    ),
    Recipe(
        "zed",
        "Zed",
        (
            "win32:{config}/Zed/settings.json",
            "{home}/.config/zed/settings.json",
            "{config}/Zed/settings.json",
        ),
        ("Zed",),
        reload=ReloadBy.ITSELF,
        key="context_servers",
        started=CommandEntry({"source": "custom"}),
        programs=("zed", "zeditor"),
    ),
    Recipe(
        "windsurf",
        "Windsurf",
        ("{home}/.codeium/windsurf/mcp_config.json",),
        ("windsurf-client",),
        reload=ReloadBy.REFRESH,
        called=UrlEntry(url="serverUrl"),
        programs=("windsurf",),
    ),
    Recipe(
        "cline",
        "Cline",
        (f"{_CLINE}/settings/cline_mcp_settings.json",),
        ("Cline",),
        reload=ReloadBy.ITSELF,
        called=UrlEntry({"type": "streamableHttp"}),
        signs=(_CLINE,),
    ),
    Recipe(
        "continue",
        "Continue",
        ("{home}/.continue/config.yaml",),
        ("continue-client", "continue-cli-client"),
        reload=ReloadBy.ITSELF,
        called=UrlEntry({"type": "streamable-http"}, headers=("requestOptions", "headers")),
        named="name",
        fresh={"name": "Local Config", "version": "1.0.0", "schema": "v1"},
        listed=True,
    ),
    Recipe(
        "lm-studio",
        "LM Studio",
        ("{home}/.lmstudio/mcp.json",),
        ("lmstudio-mcp-bridge",),
        reload=ReloadBy.ITSELF,
        programs=("lms",),
    ),
    Recipe(
        "copilot-cli",
        "Copilot CLI",
        ("{home}/.copilot/mcp-config.json",),
        ("github-copilot-developer",),
        started=CommandEntry({"type": "local"}, after={"tools": ["*"]}),
        called=UrlEntry({"type": "http"}, after={"tools": ["*"]}),
        programs=("copilot",),
    ),
    Recipe(
        "opencode",
        "opencode",
        ("{home}/.config/opencode/opencode.jsonc", "{home}/.config/opencode/opencode.json"),
        ("opencode",),
        reload=ReloadBy.RESTART,
        key="mcp",
        started=_OPEN,
        called=_OPEN_CALLED,
        programs=("opencode",),
    ),
    Recipe(
        "kilo",
        "Kilo",
        ("{home}/.config/kilo/kilo.json", "{home}/.config/kilo/kilo.jsonc"),
        ("kilo",),
        reload=ReloadBy.RESTART,
        key="mcp",
        started=_OPEN,
        called=_OPEN_CALLED,
        programs=("kilo", "kilocode"),
    ),
)
BY_ID = {recipe.id: recipe for recipe in RECIPES}
EXTRA_FILES = {  # read by `servers import`, never written: one server each
    "continue": ("{home}/.continue/mcpServers/*.yaml", "{home}/.continue/mcpServers/*.yml"),
}


def recipe_of(word: str) -> Recipe | None:
    """Find a recipe by id, name or clientInfo name, ignoring case, spaces and hyphens."""
    wanted = "".join(word.lower().split()).replace("-", "")

    def plain(name: str) -> str:
        return name.lower().replace(" ", "").replace("-", "")

    for recipe in RECIPES:
        if wanted in map(plain, (recipe.id, recipe.name, *recipe.names)):
            return recipe
    return None
