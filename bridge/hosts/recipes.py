"""The Recipe of each AI application, and how to find one. Data only.

`can` comes from tests with the programs, their documentation and users; a connected application declares it
itself (Status). Files and formats come from each program or its documentation.
"""

from __future__ import annotations

from fnmatch import fnmatchcase

from bridge.hosts.recipe import CommandEntry, PermissionHook, Recipe, ReloadBy, UrlEntry

_TYPED = CommandEntry({"type": "stdio"})
_HTTP = UrlEntry({"type": "http"})
_OPEN = CommandEntry({"type": "local"}, args="", env="environment", after={"enabled": True})
_OPEN_CALLED = UrlEntry({"type": "remote"}, after={"enabled": True})
_HOUR, _DAY = (
    3600,
    24 * 3600,
)  # an hour where the limit holds for the start of a server too, or is the maximum
_MS = 0.001
_CLINE = "{config}/Code/User/globalStorage/saoudrizwan.claude-dev"
_ROO = "{config}/Code/User/globalStorage/rooveterinaryinc.roo-cline"

RECIPES: tuple[Recipe, ...] = (
    Recipe(
        "claude-desktop",
        "Claude Desktop",
        (
            "win32:{local}/Packages/Claude_*/LocalCache/Roaming/Claude/claude_desktop_config.json",
            "{config}/Claude/claude_desktop_config.json",
        ),
        ("claude-ai", "local-agent-mode-*"),
        reload=ReloadBy.RESTART,
        called=None,
    ),
    Recipe(
        "claude-code",
        "Claude Code",
        ("{home}/.claude.json",),
        ("claude-code",),
        ("form", "url"),
        started=_TYPED,
        called=_HTTP,
        signs=("{home}/.claude",),
        programs=("claude",),
        approvals=PermissionHook("{home}/.claude/settings.json"),
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
        ("form", "url"),
        key="mcp_servers",
        called=UrlEntry(headers=("http_headers",)),
        programs=("codex",),
        limit={"tool_timeout_sec": _DAY},
        approvals=PermissionHook(
            "{codex}/hooks.json",
            "PreToolUse",
            "^(Bash|apply_patch|mcp__.*)$",
            note="Start Codex at a terminal and trust the hook that it shows. Until then it asks nobody.",
        ),
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
        approvals=PermissionHook(
            "{home}/.gemini/settings.json",
            "BeforeTool",
            "^(run_shell_command|write_file|replace|web_fetch|mcp_.*)$",
            _MS,
        ),
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
        limit={"timeout": _HOUR},
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
        ("copilot-cli", "github-copilot-developer"),
        ("form", "url", "sampling"),
        started=CommandEntry({"type": "local"}, after={"tools": ["*"]}),
        called=UrlEntry({"type": "http"}, after={"tools": ["*"]}),
        programs=("copilot",),
        limit={"timeout": _HOUR * 1000},
        limit_unit=_MS,
        approvals=PermissionHook("{home}/.copilot/settings.json"),
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
        limit={"timeout": _HOUR * 1000},
        limit_unit=_MS,
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
    Recipe(
        "qwen",
        "Qwen Code",
        ("{home}/.qwen/settings.json",),
        ("qwen-code", "qwen-cli-mcp-client-*"),
        called=UrlEntry(url="httpUrl"),
        programs=("qwen",),
        approvals=PermissionHook(
            "{home}/.qwen/settings.json",
            "PreToolUse",
            "^(run_shell_command|exec|monitor|edit|write_file|notebook_edit|web_fetch|mcp__.*)$",
            _MS,
        ),
    ),
    Recipe(
        "kimi",
        "Kimi Code",
        ("{kimi}/mcp.json",),
        ("kimi-code",),
        programs=("kimi",),
        limit={"toolTimeoutMs": _DAY * 1000},
        limit_unit=_MS,
    ),
    Recipe(
        "cline-cli",
        "Cline CLI",
        ("{cline}/data/settings/cline_mcp_settings.json",),
        ("@cline/core",),
        started=CommandEntry({"type": "stdio"}, inside=("transport",)),
        called=UrlEntry({"type": "streamableHttp"}, inside=("transport",)),
        signs=("{cline}/data",),
        programs=("cline",),
        limit={"timeout": _HOUR},
    ),
    Recipe(
        "roo",
        "Roo Code",
        (f"{_ROO}/settings/mcp_settings.json",),
        ("Roo Code",),
        reload=ReloadBy.ITSELF,
        called=UrlEntry({"type": "streamable-http"}),
        signs=(_ROO,),
        limit={"timeout": _HOUR},
    ),
    Recipe(
        "vscode-insiders",
        "VS Code Insiders",
        ("{config}/Code - Insiders/User/mcp.json",),
        ("Visual Studio Code - Insiders",),
        ("form", "url", "sampling"),
        ReloadBy.ITSELF,
        "servers",
        _TYPED,
        _HTTP,
        programs=("code-insiders",),
    ),
    Recipe(
        "vscode-server",
        "VS Code Server",
        ("{home}/.vscode-server/data/User/mcp.json",),
        ("Visual Studio Code",),
        ("form", "url", "sampling"),
        ReloadBy.ITSELF,
        "servers",
        _TYPED,
        _HTTP,
    ),
    Recipe(
        "junie",
        "Junie (JetBrains)",
        ("{home}/.junie/mcp/mcp.json",),
        ("junie",),
        called=None,
        signs=("{home}/.junie",),
        programs=("junie",),
    ),
    Recipe(
        "jetbrains",
        "JetBrains AI Assistant",
        ("{home}/.ai/mcp/mcp.json",),  # since 2025.3, for all of its IDEs; before, XML of each IDE
        ("jetbrains-ai-assistant",),
        reload=ReloadBy.RESTART,
        signs=("{config}/JetBrains/*/options/llm.mcpServers.xml",),
    ),
    Recipe(
        "copilot-jetbrains",
        "Copilot for JetBrains",
        (
            "win32:{local}/github-copilot/intellij/mcp.json",
            "{home}/.config/github-copilot/intellij/mcp.json",
        ),
        ("copilot-jetbrains",),
        reload=ReloadBy.RESTART,
        key="servers",
        started=_TYPED,
        called=UrlEntry(headers=("requestInit", "headers")),
    ),
    Recipe(
        "amp",
        "Amp",
        (
            "win32:{config}/amp/settings.json",
            "{home}/.config/amp/settings.json",
            "{home}/.config/amp/settings.jsonc",
        ),
        ("amp",),
        key="amp.mcpServers",
        programs=("amp",),
    ),
    Recipe(
        "trae",
        "Trae",
        ("{config}/Trae/User/mcp.json", "{config}/Trae CN/User/mcp.json"),
        ("trae",),
        reload=ReloadBy.ITSELF,
        programs=("trae",),
    ),
    Recipe(
        "kiro",
        "Kiro",
        ("{home}/.kiro/settings/mcp.json",),
        ("kiro",),
        reload=ReloadBy.ITSELF,
        signs=("{home}/.kiro",),
        programs=("kiro", "kiro-cli"),
    ),
    Recipe(
        "antigravity",
        "Antigravity",
        ("{home}/.gemini/config/mcp_config.json", "{home}/.gemini/antigravity/mcp_config.json"),
        ("antigravity",),
        reload=ReloadBy.REFRESH,
        called=UrlEntry(url="serverUrl"),
        programs=("antigravity", "agy"),
    ),
    Recipe(
        "droid",
        "Droid (Factory)",
        ("{home}/.factory/mcp.json",),
        ("droid",),
        started=_TYPED,
        called=_HTTP,
        programs=("droid",),
    ),
    Recipe(
        "qoder",
        "Qoder CLI",
        ("{home}/.qoder/settings.json",),
        ("qodercli", "qoderclicn"),
        ("form",),
        called=_HTTP,
        programs=("qodercli",),
    ),
    Recipe(
        "auggie",
        "Auggie",
        ("{home}/.augment/settings.json",),
        ("augment-mcp-client",),
        called=_HTTP,
        programs=("auggie",),
    ),
    Recipe(
        "warp",
        "Warp",
        ("{home}/.warp/.mcp.json",),
        ("warp",),
        reload=ReloadBy.ITSELF,
        programs=("warp", "warp-terminal"),
    ),
    Recipe(
        "crush",
        "Crush",
        ("{home}/.config/crush/crush.json",),
        ("crush",),
        key="mcp",
        started=_TYPED,
        called=_HTTP,
        programs=("crush",),
    ),
    Recipe(
        "rovo-dev",
        "Rovo Dev",
        ("{home}/.rovodev/mcp.json",),
        ("rovodev",),
        started=CommandEntry({"transport": "stdio"}),
        called=UrlEntry({"transport": "http"}),
        programs=("acli",),
        signs=("{home}/.rovodev",),
    ),
    Recipe(
        "windsurf-jetbrains",
        "Windsurf for JetBrains",
        ("{home}/.codeium/mcp_config.json",),
        ("windsurf-jetbrains",),
        reload=ReloadBy.REFRESH,
        called=UrlEntry(url="serverUrl"),
        private=True,
    ),
    Recipe(
        "mistral-vibe",
        "Mistral Vibe",
        ("{vibe}/config.toml",),
        ("mistral-vibe",),
        ("sampling",),
        key="mcp_servers",
        started=CommandEntry({"transport": "stdio"}, args=""),
        called=UrlEntry({"transport": "streamable-http"}),
        named="name",
        listed=True,
        programs=("vibe",),
        limit={"tool_timeout_sec": _DAY},
    ),
    Recipe(
        "mcporter",
        "MCPorter",
        ("{home}/.mcporter/mcporter.json", "{home}/.mcporter/mcporter.jsonc"),
        ("mcporter",),
        programs=("mcporter",),
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


def recipe_called(host: str) -> Recipe | None:
    """Find a recipe by what an application calls itself (clientInfo.name)."""
    found = (one for one in RECIPES if any(fnmatchcase(host, pattern) for pattern in one.names))
    return next(found, None)
