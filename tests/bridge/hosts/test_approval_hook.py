"""The hook by which Claude Code asks for permissions: added, and taken out to the byte."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from bridge.hosts.approval_hook import VERB, shell_command
from bridge.hosts.host_configs import HostConfigs
from bridge.settings import Home, Settings, SettingsFile

OTHER = {"matcher": "Bash", "hooks": [{"type": "command", "command": "audit"}]}
TEXTS = {
    "no file": None,
    "empty": "{}",
    "with comments": '{\n  // mine\n  "model": "opus",\n  "hooks": {"Stop": []}\n}\n',
    "with another hook": json.dumps({"hooks": {"PermissionRequest": [OTHER]}}),
}


@pytest.fixture
def configs(tmp_path: Path) -> HostConfigs:
    return HostConfigs(Home(tmp_path / "desk"), {"HOME": str(tmp_path), "PATH": ""}, "linux")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / ".claude" / "settings.json"


def change(configs: HostConfigs, tmp_path: Path, *, wanted: bool) -> bool:
    """Carry the change out; return whether there was one."""
    plan = configs.plan_approvals(configs.find("claude-code"), Settings(), wanted=wanted)
    assert plan is not None
    configs.carry_out(plan, SettingsFile(tmp_path / "desk" / "config.toml"))
    return not plan.nothing


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_the_hook_is_added_once_and_taken_out_to_the_byte(
    text: str | None, configs: HostConfigs, file: Path, tmp_path: Path
) -> None:
    if text is not None:
        file.parent.mkdir()
        file.write_text(text)
    assert change(configs, tmp_path, wanted=True)
    assert VERB in file.read_text()
    assert not change(configs, tmp_path, wanted=True)
    assert change(configs, tmp_path, wanted=False)
    assert (file.read_text() if file.exists() else None) == text
    assert not change(configs, tmp_path, wanted=False)


def test_what_somebody_else_wrote_meanwhile_stays(configs: HostConfigs, file: Path, tmp_path: Path) -> None:
    file.parent.mkdir()
    file.write_text(TEXTS["with another hook"] or "")
    change(configs, tmp_path, wanted=True)
    file.write_text(file.read_text().replace('{"hooks"', '{"model": "opus", "hooks"', 1))
    assert change(configs, tmp_path, wanted=False)
    assert json.loads(file.read_text()) == {"model": "opus", "hooks": {"PermissionRequest": [OTHER]}}


def test_an_application_without_such_hooks_has_no_plan(configs: HostConfigs) -> None:
    assert configs.plan_approvals(configs.find("cursor"), Settings(), wanted=True) is None


def test_the_command_is_quoted_for_the_shell_that_runs_it() -> None:
    words = ("/opt/my apps/deskbell",)
    line = shell_command(words, {"DESKBELL_HOME": "/home/a b"}, "linux")
    assert shlex.split(line) == ["env", "DESKBELL_HOME=/home/a b", *words, VERB]
    assert shell_command(words, {}, "win32") == f'"/opt/my apps/deskbell" {VERB}'
