"""Models, presets and lost rules in config.toml."""

from __future__ import annotations

import os
import shutil
import time
from dataclasses import replace
from pathlib import Path

import pytest

from bridge.core.policy.presets import Preset
from bridge.core.sampling.budget import Limits
from bridge.core.sampling.model_choice import ModelSpec
from bridge.core.sampling.rules import SamplingRules
from bridge.errors import NotFoundError, UsageError
from bridge.settings import SettingsFile
from bridge.settings.settings_in_force import STILL
from bridge.system.open_folder import OpenFolder
from tests.bridge.settings.settings_samples import EXAMPLE, NPX, opened, problem, read


def test_models_and_what_servers_may_do_with_them(tmp_path: Path) -> None:
    settings = read(
        tmp_path,
        """
[models.local]
kind = "openai"
url = "http://127.0.0.1:1234/v1"
model = "qwen3"
key = "${vault:models}"
slots = ["cheap", "fast"]
servers = ["github"]
max_tokens = 500
[sampling]
allow = ["github"]
requests_per_hour = 5
""",
    )
    assert settings.models["local"] == ModelSpec(
        "local",
        "openai",
        "http://127.0.0.1:1234/v1",
        "qwen3",
        "${vault:models}",
        ("cheap", "fast"),
        ("github",),
        limit=500,
    )
    assert settings.sampling == SamplingRules(allow=("github",), limits=Limits(20, 5, 0))


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ('kind = "openai"', "models.local must have url, model."),
        ('kind = "gpt"', 'models.local.kind must be "openai", "anthropic" or "ollama".'),
        ('url = "http://example.org"', "models.local.url must be an address that begins with https://"),
        ('slots = ["best"]', "models.local.slots must be a list of cheap, fast, clever."),
    ],
)
def test_a_model_that_cannot_be_used_is_told(tmp_path: Path, model: str, expected: str) -> None:
    assert expected in problem(tmp_path, f"[models.local]\n{model}").message


def test_always_for_this_server_is_saved_once_and_comments_stay(tmp_path: Path) -> None:
    file = opened(tmp_path, '# mine\n[sampling]\nallow = ["linear"]  # trusted\n')
    file.allow_sampling("github")
    file.allow_sampling("github")
    assert file.current.sampling.allow == ("linear", "github")
    assert "# mine" in (tmp_path / "config.toml").read_text()


def test_a_renamed_server_keeps_its_models(tmp_path: Path) -> None:
    text = (
        '[servers.old]\ncommand = "x"\n[models.m]\nkind = "ollama"\nurl = "http://127.0.0.1:1"\nmodel = "m"\n'
    )
    text += 'servers = ["old"]\n[sampling]\nallow = ["old", "other"]\nbackground = ["old"]\n'
    file = opened(tmp_path, text)
    file.rename_server("old", "new")
    assert file.current.models["m"].servers == ("new",)
    assert file.current.sampling.allow == ("new", "other")
    assert file.current.sampling.background == ("new",)


def test_a_model_is_added_changed_and_removed_and_comments_stay(tmp_path: Path) -> None:
    file = opened(
        tmp_path,
        "# mine\n[models.other]  # kept\n" + 'kind = "ollama"\nurl = "http://127.0.0.1:1"\nmodel = "m"\n',
    )
    spec = ModelSpec("local", "openai", "http://127.0.0.1:1234/v1", "qwen3", slots=("cheap",), limit=500)
    file.set_model(spec)
    assert file.current.models["local"] == spec
    file.set_model(replace(spec, slots=(), key="${vault:models}"))
    assert file.current.models["local"] == replace(spec, slots=(), key="${vault:models}")
    file.remove_model("local")
    assert list(file.current.models) == ["other"]
    assert "# kept" in (tmp_path / "config.toml").read_text()
    with pytest.raises(NotFoundError):
        file.remove_model("local")


def test_a_model_and_the_rules_for_models_are_edited_and_comments_stay(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('# mine\n[sampling]\nallow = ["github"]  # trusted\n')
    file = SettingsFile(path)
    file.reload()
    file.set_sampling("background", ("files",))
    file.set_sampling("requests_per_hour", 7)
    file.set_sampling("tokens_per_day", 9)
    file.set_sampling("check_answers", True)
    file.allow_sampling("files")
    now = file.current.sampling
    assert (now.allow, now.background, now.check_answers) == (("github", "files"), ("files",), True)
    assert (now.limits.per_hour, now.limits.tokens_per_day) == (7, 9)
    assert "# mine" in path.read_text()
    assert "# trusted" in path.read_text()


@pytest.mark.parametrize(("key", "value"), [("nothing", 1), ("person", "x"), ("tokens_per_day", -1)])
def test_a_rule_for_models_that_makes_no_sense_is_refused(tmp_path: Path, key: str, value: object) -> None:
    with pytest.raises(UsageError):
        SettingsFile(tmp_path / "config.toml").set_sampling(key, value)


@pytest.mark.parametrize(("name", "url"), [("a b", "http://127.0.0.1:1/v1"), ("far", "http://example.org")])
def test_a_model_with_an_impossible_name_or_address_is_refused(tmp_path: Path, name: str, url: str) -> None:
    with pytest.raises(UsageError):
        SettingsFile(tmp_path / "config.toml").set_model(ModelSpec(name, "openai", url, "m"))


# Presets


def test_a_new_server_asks_before_what_cannot_be_undone_and_takes_that_along(tmp_path: Path) -> None:
    file = opened(tmp_path, EXAMPLE)
    file.add_server(NPX)
    assert file.current.approvals == {"npx": Preset.DESTRUCTIVE}
    file.set_preset("npx", "ask")
    file.set_preset("wrapped", "block")
    file.rename_server("npx", "node")
    assert file.current.approvals == {"node": Preset.ASK, "wrapped": Preset.BLOCK}
    file.remove_server("node")
    assert file.current.approvals == {"wrapped": Preset.BLOCK}


@pytest.mark.parametrize("preset", ["", "sometimes", "confirm"])
def test_a_preset_that_there_is_not_is_refused(tmp_path: Path, preset: str) -> None:
    with pytest.raises(UsageError, match="is not one of the choices"):
        opened(tmp_path).set_preset("npx", preset)
    assert "approvals.npx must be" in problem(tmp_path, f'[approvals]\nnpx = "{preset}"\n').message


# --- rules that go while somebody else writes the file


TWO_RULES = '[policy]\n"files_*" = "deny"\n"git_*" = "confirm"\n'


def written(path: Path, text: str, seconds_ago: float) -> None:
    path.write_text(text)
    when = time.time() - seconds_ago
    os.utime(path, (when, when))


@pytest.fixture
def rules(tmp_path: Path) -> SettingsFile:
    file = SettingsFile(tmp_path / "config.toml")
    file.path.write_text(TWO_RULES)
    file.reload()
    return file


@pytest.mark.parametrize("text", ["", " \n", '[policy]\n"git_*" = "confirm"\n', None])
def test_a_file_without_its_rules_is_believed_only_when_it_is_still(rules: SettingsFile, text: str | None):
    if text is None:
        rules.path.unlink()
    else:
        written(rules.path, text, 0)
    before = rules.current
    assert not rules.reload(still=False)
    assert rules.is_unsettled
    assert rules.current == before
    if text is not None:
        assert not rules.reload(still=True)  # it was written meanwhile
        written(rules.path, text, STILL + 1)
    assert rules.reload(still=True)
    assert not rules.is_unsettled
    assert rules.loosened.startswith("files_* = deny")


def test_rules_and_servers_stay_when_the_whole_folder_is_deleted(tmp_path: Path) -> None:
    file = SettingsFile(tmp_path / "home" / "config.toml")
    file.path.parent.mkdir()
    file.path.write_text(TWO_RULES)
    file.reload()
    before = file.current
    folder = OpenFolder(file.path.parent)
    file.is_there = folder.is_there
    assert folder.is_there()
    shutil.rmtree(file.path.parent)
    assert not file.reload(still=True)
    file.path.parent.mkdir()  # by whatever Deskbell saves next, or by an AI app that starts another one
    assert not folder.is_there()
    assert not file.reload(still=True)
    assert (file.current, file.is_unsettled) == (before, False)
    file.path.write_text("")  # what the person puts there counts
    assert file.reload()
    folder.close()


@pytest.mark.parametrize("text", ["", '[policy]\n"git_*" = "confirm"\n', None])
def test_a_start_while_the_file_is_saved_uses_the_last_good_rules(rules: SettingsFile, text: str | None):
    last_good = rules.current
    if text is None:
        rules.path.unlink()
    else:
        written(rules.path, text, 0)
    started = SettingsFile(rules.path)
    assert started.reload(still=False)
    assert started.is_unsettled
    assert started.current == last_good
    if text is not None:
        written(rules.path, text, STILL + 1)
    assert started.reload(still=True)
    assert started.loosened.startswith("files_* = deny")
    started.undo_loosening()
    assert started.current == last_good


@pytest.mark.parametrize("text", ["", None])
def test_a_file_that_was_emptied_or_deleted_is_news_at_one_start_only(rules: SettingsFile, text: str | None):
    if text is None:
        rules.path.unlink()
    else:
        written(rules.path, text, STILL + 1)
    for news in (True, False):
        started = SettingsFile(rules.path)
        started.reload(still=False)
        started.reload(still=True)
        assert bool(started.loosened) == news
        assert started.current.policy == ()


def test_rules_that_are_added_count_at_once(rules: SettingsFile):
    rules.path.write_text(TWO_RULES + '"mail_*" = "deny"\n')
    assert rules.reload(still=False)
    assert not rules.loosened


def test_rules_taken_out_of_the_file_can_be_put_back(rules: SettingsFile):
    written(rules.path, "", STILL + 1)
    rules.reload(still=True)
    assert rules.status().loosened == "files_* = deny and 1 more"
    rules.undo_loosening()
    assert rules.path.read_text() == TWO_RULES
    assert len(rules.current.policy) == 2
    assert not rules.status().loosened


def test_a_file_that_changed_again_is_not_overwritten(rules: SettingsFile):
    written(rules.path, "", STILL + 1)
    rules.reload(still=True)
    rules.path.write_text("port = 5000\n")
    with pytest.raises(UsageError, match="can no longer be undone"):
        rules.undo_loosening()
    assert rules.path.read_text() == "port = 5000\n"


def test_rules_that_the_person_removes_in_a_window_are_no_news(rules: SettingsFile):
    rules.set_rules("", (), rules.current.policy)
    assert rules.current.policy == ()
    assert not rules.loosened


def test_what_the_person_knows_is_not_told_again(rules: SettingsFile):
    written(rules.path, "", STILL + 1)
    rules.reload(still=True)
    rules.keep_loosened()
    rules.reload(still=False)
    assert not rules.loosened
