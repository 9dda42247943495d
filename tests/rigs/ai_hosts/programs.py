"""The applications: where each comes from, its settings for the scripted model, and its command line.

A Program writes the settings of its model into the room; Deskbell then writes its own entry by the recipe. To
add one: a function here with @program; its row in docs/hosts.md comes from the next run of the matrix.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / ".rigs" / "ai-hosts"
NODE = "node@22.23.3"  # newer than what most systems have; some of the applications need it
PROMPT = "Call the tool, then tell me word for word what it answered."


@dataclass(frozen=True, slots=True)
class Room:
    """The HOME of one run, and the model it talks to."""

    home: Path
    url: str
    command: tuple[str, ...]  # what an application without a recipe starts

    def write(self, path: str, content: str | dict[str, Any]) -> Path:
        file = self.home / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content, indent=2))
        return file


Launch = tuple[list[str], dict[str, str]]  # words after the program, and its environment


@dataclass(frozen=True, slots=True)
class Program:
    name: str
    package: str  # of npm, with its version; or of pip, with ==
    executable: str
    launch: Callable[[Room], Launch]
    recipe: str = ""  # Deskbell's name for it; "": it gets the command from Room
    more: tuple[str, ...] = field(default=())  # further packages

    @property
    def path(self) -> Path:
        if "==" in self.package:
            return FOLDER / self.name / "bin" / "python"
        return FOLDER / self.name / "node_modules" / ".bin" / self.executable

    @property
    def installed(self) -> bool:
        mark = FOLDER / self.name / ".installed"
        return mark.exists() and mark.read_text() == " ".join((self.package, *self.more))


PROGRAMS: dict[str, Program] = {}


def program(
    name: str, package: str, executable: str = "", *, recipe: str = "", more: tuple[str, ...] = ()
) -> Callable[[Callable[[Room], Launch]], Callable[[Room], Launch]]:
    def register(launch: Callable[[Room], Launch]) -> Callable[[Room], Launch]:
        PROGRAMS[name] = Program(name, package, executable or name, launch, recipe, more)
        return launch

    return register


@program("claude-code", "@anthropic-ai/claude-code@2.1.326", "claude", recipe="claude-code")
def claude_code(room: Room) -> Launch:
    quiet = ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_AUTOUPDATER", "DISABLE_TELEMETRY")
    env = {
        "ANTHROPIC_BASE_URL": room.url,
        "ANTHROPIC_API_KEY": "sk-ant-scripted",
        **dict.fromkeys(quiet, "1"),
    }
    return ["-p", PROMPT, "--output-format", "json", "--allowedTools", "mcp__deskbell"], env


@program("codex", "@openai/codex@0.169.0", recipe="codex")
def codex(room: Room) -> Launch:
    provider = {
        "name": "scripted",
        "base_url": f"{room.url}/v1",
        "wire_api": "responses",
        "env_key": "SCRIPTED_KEY",
    }
    lines = ['model = "scripted"', 'model_provider = "scripted"', 'approval_policy = "never"']
    lines += ['sandbox_mode = "danger-full-access"', "[model_providers.scripted]"]
    room.write(".codex/config.toml", "\n".join([*lines, *_toml(provider)]) + "\n")
    return ["exec", "--skip-git-repo-check", PROMPT], {"SCRIPTED_KEY": "key"}


@program("gemini", "@google/gemini-cli@0.61.0", recipe="gemini")
def gemini(room: Room) -> Launch:
    room.write(".gemini/settings.json", _google_like("gemini-api-key"))
    env = {"GEMINI_API_KEY": "key", "GOOGLE_GEMINI_BASE_URL": room.url, "GEMINI_CLI_NO_RELAUNCH": "true"}
    words = ["-p", PROMPT, "--yolo", "--skip-trust", "-m", "gemini-2.5-pro"]
    return words, {**env, "GEMINI_CLI_TRUST_WORKSPACE": "true"}


@program("qwen", "@qwen-code/qwen-code@0.24.4", recipe="qwen-code")
def qwen(room: Room) -> Launch:
    room.write(".qwen/settings.json", _google_like("openai"))
    env = {"OPENAI_API_KEY": "key", "OPENAI_BASE_URL": f"{room.url}/v1", "OPENAI_MODEL": "scripted"}
    return ["-p", PROMPT, "--yolo"], env


def _google_like(auth: str) -> dict[str, Any]:
    return {
        "security": {"auth": {"selectedType": auth}, "folderTrust": {"enabled": False}},
        "general": {"enableAutoUpdate": False, "disableAutoUpdate": True},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
    }


@program("opencode", "opencode-ai@1.18.33", recipe="opencode")
def opencode(room: Room) -> Launch:
    limit = {"context": 200_000, "output": 8_000}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "Scripted",
        "options": {"baseURL": f"{room.url}/v1", "apiKey": "key"},
        "models": {"scripted": {"name": "Scripted", "tool_call": True, "limit": limit}},
    }
    settings = {
        "provider": {"scripted": provider},
        "model": "scripted/scripted",
        "small_model": "scripted/scripted",
        "autoupdate": False,
        "share": "disabled",
        "permission": {"*": "allow"},
    }
    room.write(".config/opencode/opencode.json", settings)
    env = {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"}
    return ["run", "-m", "scripted/scripted", PROMPT], env


@program("copilot", "@github/copilot@1.0.102", recipe="copilot-cli")
def copilot(room: Room) -> Launch:
    env = {
        "COPILOT_OFFLINE": "true",
        "COPILOT_PROVIDER_BASE_URL": f"{room.url}/v1",
        "COPILOT_PROVIDER_API_KEY": "key",
        "COPILOT_MODEL": "gpt-4.1",
        "COPILOT_AUTO_UPDATE": "false",
        "XDG_CACHE_HOME": str(FOLDER / "copilot" / "cache"),
    }
    return ["-p", PROMPT, "--allow-all", "--no-auto-update"], env


@program("continue", "@continuedev/cli@1.5.47", "cn", recipe="continue")
def continue_cli(room: Room) -> Launch:
    lines = ["name: scripted", "version: 1.0.0", "schema: v1", "models:", "  - name: scripted"]
    lines += ["    provider: openai", "    model: scripted", "    apiKey: key", f"    apiBase: {room.url}/v1"]
    lines += ["    capabilities: [tool_use]", "    roles: [chat]"]
    file = room.write(".continue/config.yaml", "\n".join(lines) + "\n")
    return ["-p", PROMPT, "--auto", "--config", str(file)], {"CONTINUE_TELEMETRY_ENABLED": "0"}


@program("cline", "cline@3.0.65", recipe="cline-cli")
def cline(room: Room) -> Launch:
    settings = {
        "provider": "openai-compatible",
        "apiKey": "key",
        "model": "scripted",
        "baseUrl": f"{room.url}/v1",
    }
    provider = {"settings": settings, "updatedAt": "2026-01-01T00:00:00.000Z", "tokenSource": "manual"}
    content = {"version": 1, "lastUsedProvider": "openai-compatible", "modes": {}}
    content["providers"] = {"openai-compatible": provider}
    room.write(".cline/data/settings/providers.json", content)
    env = {"CLINE_TELEMETRY_DISABLED": "1", "CLINE_NO_AUTO_UPDATE": "1"}
    with socket.create_server(
        ("127.0.0.1", 0)
    ) as free:  # at its usual port it would find another run's daemon
        env["CLINE_HUB_PORT"] = str(free.getsockname()[1])
    return ["-P", "openai-compatible", "-m", "scripted", "--json", PROMPT], env


@program("kimi", "@moonshot-ai/kimi-code@2.1.0", recipe="kimi")
def kimi(room: Room) -> Launch:
    provider = {"type": "openai", "base_url": f"{room.url}/v1", "api_key": "key"}
    model = {"provider": "scripted", "model": "scripted", "max_context_size": 200_000}
    lines = ['default_model = "scripted"', "telemetry = false", "[providers.scripted]", *_toml(provider)]
    lines += ["[models.scripted]", *_toml(model), 'capabilities = ["tool_use"]']
    room.write(".kimi-code/config.toml", "\n".join(lines) + "\n")
    return ["-p", PROMPT], {"KIMI_CODE_HOME": str(room.home / ".kimi-code")}


def _toml(values: dict[str, Any]) -> list[str]:
    return [f"{key} = {json.dumps(value)}" for key, value in values.items()]


@program("openai-agents", "openai-agents==0.24.0", more=("openai==3.51.0",))
def openai_agents(room: Room) -> Launch:
    return _framework(room, "openai_agents")


@program("pydantic-ai", "pydantic-ai-slim[mcp,openai]==2.62.0")
def pydantic_ai(room: Room) -> Launch:
    return _framework(room, "pydantic_ai")


def _framework(room: Room, name: str) -> Launch:
    script = str(Path(__file__).with_name("frameworks.py"))
    env = {"OPENAI_API_KEY": "key", "OPENAI_BASE_URL": f"{room.url}/v1", "OPENAI_AGENTS_DISABLE_TRACING": "1"}
    return [script, name, room.url, PROMPT, *room.command], env


# --- installing ------------------------------------------------------------------------------------------


def install(names: list[str]) -> None:
    """Install these programs, all by default; what is there already is left alone."""
    node = Program("node", NODE, "node", lambda room: ([], {}))
    for one in (node, *(PROGRAMS[name] for name in names or PROGRAMS)):
        if not one.installed:
            print(f"installing {one.package}", flush=True)
            (_pip if "==" in one.package else _npm)(one)
            (FOLDER / one.name / ".installed").write_text(" ".join((one.package, *one.more)))


def _npm(one: Program) -> None:
    folder = FOLDER / one.name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true}\n')
    words = [
        "npm",
        "install",
        "--no-save",
        "--no-package-lock",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
    ]
    subprocess.run([*words, one.package, *one.more], cwd=folder, check=True)


def _pip(one: Program) -> None:
    folder = FOLDER / one.name
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    words = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", one.package, *one.more]
    subprocess.run(words, check=True)


def node_path() -> str:
    """Return the folder of the Node that the applications run with."""
    return str(FOLDER / "node" / "node_modules" / ".bin")
