"""Where AI applications keep their MCP servers: one row per application. Data; nothing is opened here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

KEYS = ("mcpServers", "servers", "context_servers", "mcp_servers", "extensions", "mcp")


@dataclass(frozen=True, slots=True)
class Place:
    """One application's file, and the key below which its servers are."""

    host: str
    path: Path
    key: str


@dataclass(frozen=True, slots=True)
class _Row:
    """Each path begins with one of the folders that the platform and the environment name; `*` is a glob."""

    host: str
    key: str
    paths: tuple[str, ...]


_ROWS = (
    _Row(
        "Claude Desktop",
        "mcpServers",
        (
            "{config}/Claude/claude_desktop_config.json",
            "{local}/Packages/Claude_*/LocalCache/Roaming/Claude/claude_desktop_config.json",
        ),
    ),
    _Row("Claude Code", "mcpServers", ("{home}/.claude.json",)),
    _Row("VS Code", "servers", ("{config}/Code/User/mcp.json",)),
    _Row("Cursor", "mcpServers", ("{home}/.cursor/mcp.json",)),
    _Row("Codex", "mcp_servers", ("{codex}/config.toml",)),
    _Row(
        "Goose",
        "extensions",
        ("{home}/.config/goose/config.yaml", "{config}/Block/goose/config/config.yaml"),
    ),
    _Row("Gemini CLI", "mcpServers", ("{home}/.gemini/settings.json",)),
    _Row("Zed", "context_servers", ("{home}/.config/zed/settings.json", "{config}/Zed/settings.json")),
    _Row("Windsurf", "mcpServers", ("{home}/.codeium/windsurf/mcp_config.json",)),
    _Row(
        "Cline",
        "mcpServers",
        ("{config}/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",),
    ),
    _Row(
        "Continue",
        "mcpServers",
        (
            "{home}/.continue/config.yaml",
            "{home}/.continue/mcpServers/*.yaml",
            "{home}/.continue/mcpServers/*.yml",
        ),
    ),
    _Row("LM Studio", "mcpServers", ("{home}/.lmstudio/mcp.json",)),
    _Row("Copilot CLI", "mcpServers", ("{home}/.copilot/mcp-config.json",)),
    _Row(
        "opencode",
        "mcp",
        ("{home}/.config/opencode/opencode.jsonc", "{home}/.config/opencode/opencode.json"),
    ),
    _Row("Kilo", "mcp", ("{home}/.config/kilo/kilo.json", "{home}/.config/kilo/kilo.jsonc")),
)


def places(env: Mapping[str, str], platform: str) -> Iterator[Place]:
    """The files that are there. `platform` is a sys.platform."""
    folders = _folders(env, platform)
    for row in _ROWS:
        for pattern in row.paths:
            for path in _found(pattern, folders):
                yield Place(row.host, path, row.key)


def _folders(env: Mapping[str, str], platform: str) -> dict[str, str]:
    home = env.get("USERPROFILE" if platform == "win32" else "HOME", "")
    if platform == "win32":
        config = env.get("APPDATA", f"{home}/AppData/Roaming")
    elif platform == "darwin":
        config = f"{home}/Library/Application Support"
    else:
        config = env.get("XDG_CONFIG_HOME") or f"{home}/.config"
    codex = env.get("CODEX_HOME") or f"{home}/.codex"
    local = env.get("LOCALAPPDATA", f"{home}/AppData/Local")
    return {"home": home, "config": config, "codex": codex, "local": local}


def _found(pattern: str, folders: Mapping[str, str]) -> list[Path]:
    root, _, rest = pattern.partition("/")
    folder = folders[root.strip("{}")]
    return sorted(path for path in Path(folder).glob(rest) if path.is_file()) if folder else []
