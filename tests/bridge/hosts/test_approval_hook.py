"""The hook by which an application asks for permissions: added, and taken out to the byte."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from bridge.hosts.approval_hook import VERB, shell_command
from bridge.hosts.backups import ChangeKind
from bridge.hosts.host_configs import ChangeRequest, HostConfigs
from bridge.hosts.locations import hooks_file
from bridge.hosts.recipes import RECIPES
from bridge.settings import Home, Settings, SettingsFile

OTHER = {"matcher": "Bash", "hooks": [{"type": "command", "command": "audit"}]}
TEXTS = {
    "no file": None,
    "empty": "{}",
    "with comments": '{\n  // mine\n  "model": "opus",\n  "hooks": {"Stop": []}\n}\n',
    "with another hook": json.dumps({"hooks": {"EVENT": [OTHER]}}),
}
ASKING = [recipe.id for recipe in RECIPES if recipe.approvals]


@pytest.fixture
def configs(tmp_path: Path) -> HostConfigs:
    return HostConfigs(Home(tmp_path / "desk"), {"HOME": str(tmp_path), "PATH": ""}, "linux")


def place(configs: HostConfigs, app: str, tmp_path: Path, text: str | None) -> tuple[Path, str | None]:
    """Return the application's file with hooks, which has this text, and the text."""
    recipe = configs.find(app)
    file = hooks_file(recipe, {"HOME": str(tmp_path)}, "linux")
    assert file
    assert recipe.approvals
    if text is not None:
        text = text.replace("EVENT", recipe.approvals.event)
        file.parent.mkdir()
        file.write_text(text)
    return file, text


def change(configs: HostConfigs, app: str, tmp_path: Path, *, wanted: bool) -> bool:
    """Carry the change out; return whether there was one."""
    plan = configs.plan_approvals(configs.find(app), Settings(), wanted=wanted)
    assert plan is not None
    configs.carry_out(plan, SettingsFile(tmp_path / "desk" / "config.toml"))
    return not plan.nothing


@pytest.mark.parametrize("app", ASKING)
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_the_hook_is_added_once_and_taken_out_to_the_byte(
    text: str | None, app: str, configs: HostConfigs, tmp_path: Path
) -> None:
    file, text = place(configs, app, tmp_path, text)
    assert change(configs, app, tmp_path, wanted=True)
    assert f"{VERB} {app}" in file.read_text()
    assert not change(configs, app, tmp_path, wanted=True)
    assert change(configs, app, tmp_path, wanted=False)
    assert (file.read_text() if file.exists() else None) == text
    assert not change(configs, app, tmp_path, wanted=False)


@pytest.mark.parametrize("app", ASKING)
def test_the_hook_and_our_server_go_together_to_the_byte(
    app: str, configs: HostConfigs, tmp_path: Path
) -> None:
    """Some applications have both in one file."""
    file, text = place(configs, app, tmp_path, TEXTS["with comments"])
    settings, recipe = SettingsFile(tmp_path / "desk" / "config.toml"), configs.find(app)
    for what in (ChangeKind.CONNECT, ChangeKind.DISCONNECT):
        configs.carry_out(configs.plan(recipe, ChangeRequest(what, create=True), Settings()), settings)
        change(configs, app, tmp_path, wanted=what is ChangeKind.CONNECT)
    assert file.read_text() == text


def test_an_entry_from_before_is_brought_up_to_date(configs: HostConfigs, tmp_path: Path) -> None:
    before = {"matcher": "*", "hooks": [{"type": "command", "command": f"/bin/deskbell {VERB}"}]}
    text = json.dumps({"hooks": {"PermissionRequest": [before]}})
    file, _ = place(configs, "claude-code", tmp_path, text)
    assert change(configs, "claude-code", tmp_path, wanted=True)
    (entry,) = json.loads(file.read_text())["hooks"]["PermissionRequest"]
    assert entry["hooks"][0]["command"].endswith(f"{VERB} claude-code")


@pytest.mark.parametrize("app", ASKING)
def test_what_somebody_else_wrote_meanwhile_stays(app: str, configs: HostConfigs, tmp_path: Path) -> None:
    file, text = place(configs, app, tmp_path, TEXTS["with another hook"])
    assert text
    change(configs, app, tmp_path, wanted=True)
    file.write_text(file.read_text().replace('{"hooks"', '{"model": "opus", "hooks"', 1))
    assert change(configs, app, tmp_path, wanted=False)
    assert json.loads(file.read_text()) == {"model": "opus", **json.loads(text)}


def test_an_application_without_such_hooks_has_no_plan(configs: HostConfigs) -> None:
    assert configs.plan_approvals(configs.find("cursor"), Settings(), wanted=True) is None


def test_the_command_is_quoted_for_the_shell_that_runs_it() -> None:
    words = ("/opt/my apps/deskbell",)
    line = shell_command(words, {"DESKBELL_HOME": "/home/a b"}, "gemini", "linux")
    assert shlex.split(line) == ["env", "DESKBELL_HOME=/home/a b", *words, VERB, "gemini"]
    assert shell_command(words, {}, "gemini", "win32") == f'"/opt/my apps/deskbell" {VERB} gemini'
