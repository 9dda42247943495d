"""Rules are edited without losing a comment; "Allow always" can be undone; pins outlive a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge import saved_state
from bridge.approvals import MOST, ApprovalService
from bridge.core.commands import AllowAlways
from bridge.core.policy.rules import Policy, Rules, Verdict
from bridge.core.routing.state import RoutingState
from bridge.core.status import Status
from bridge.errors import SettingsError, UsageError
from bridge.settings import SettingsFile
from bridge.settings.settings_file import rules_of

ALLOW, ASK, DENY = Verdict.ALLOW, Verdict.CONFIRM, Verdict.DENY
TEXT = """\
# mine
[policy]      # first match wins
# about files
"files_read" = "allow"   # harmless

# about mail:
# never again
'mail_*' = 'deny'
# the end

[hosts.Zed]
questions = "desktop"
[hosts.Zed.policy]
"files_*" = "confirm"
"""
FILES, MAIL = ("files_read", ALLOW), ("mail_*", DENY)


@pytest.fixture
def file(tmp_path: Path) -> SettingsFile:
    (tmp_path / "config.toml").write_text(TEXT)
    opened = SettingsFile(tmp_path / "config.toml")
    opened.reload()
    return opened


@pytest.fixture
def approvals(file: SettingsFile) -> ApprovalService:
    return ApprovalService(file, lambda: None)


def text(file: SettingsFile) -> str:
    return file.path.read_text()


def test_hosts_have_rules_of_their_own(file: SettingsFile) -> None:
    assert rules_of(file.current, "Zed") == (("files_*", ASK),)
    assert rules_of(file.current, "") == (FILES, MAIL)
    assert rules_of(file.current, "nobody") == ()


def test_a_bad_rule_of_a_host_is_told_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('[hosts.Zed.policy]\n"a" = "maybe"\n')
    file = SettingsFile(tmp_path / "config.toml")
    file.reload()
    assert file.problem.startswith("config.toml, line 2")


def test_rules_change_places_with_their_comments(file: SettingsFile) -> None:
    file.set_rules("", (MAIL, FILES), (FILES, MAIL))
    about_files = '# about files\n"files_read" = "allow"   # harmless\n'
    about_mail = "\n# about mail:\n# never again\n'mail_*' = 'deny'\n"
    assert text(file) == TEXT.replace(about_files + about_mail, about_mail + about_files)


def test_a_verdict_changes_and_the_line_stays(file: SettingsFile) -> None:
    file.set_rules("", (("files_read", ASK), MAIL), (FILES, MAIL))
    assert text(file) == TEXT.replace('"allow"   # harmless', '"confirm"   # harmless')


def test_a_rule_goes_and_what_was_said_above_it_stays(file: SettingsFile) -> None:
    file.set_rules("", (FILES,), (FILES, MAIL))
    assert "mail_" not in text(file)
    assert "# about mail:\n# never again\n" in text(file)
    file.set_rules("", (), (FILES,))
    assert file.current.policy == ()
    assert "# about files\n" in text(file)


@pytest.mark.parametrize("host", ["Zed", "claude-ai", "A b.c", "*"])
def test_a_host_gets_a_rule(file: SettingsFile, host: str) -> None:
    before = rules_of(file.current, host)
    wanted: Rules = (("x", DENY), *before)
    file.set_rules(host, wanted, before)
    assert rules_of(file.current, host) == wanted
    assert rules_of(file.current, "") == (FILES, MAIL)
    file.set_rules(host, (), wanted)
    assert rules_of(file.current, host) == ()


@pytest.mark.parametrize(
    "text_", ["", "hosts.Zed.policy = { a = 'deny' }\n", "[hosts]\nZed = { policy = { a = 'deny' } }\n"]
)
def test_however_a_hosts_rules_were_written_they_can_be_changed_or_it_is_refused(
    tmp_path: Path, text_: str
) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text_)
    file = SettingsFile(path)
    file.reload()
    before = rules_of(file.current, "Zed")
    try:
        file.set_rules("Zed", (("new", ASK), *before), before)
    except SettingsError:
        assert path.read_text() == text_
    else:
        assert rules_of(file.current, "Zed") == (("new", ASK), *before)


def test_rules_that_were_changed_meanwhile_are_not_overwritten(file: SettingsFile) -> None:
    with pytest.raises(UsageError, match="changed meanwhile"):
        file.set_rules("", (MAIL,), (MAIL, FILES))
    assert text(file) == TEXT


# Allow always


def test_allow_always_is_told_and_undone_to_the_letter(
    file: SettingsFile, approvals: ApprovalService
) -> None:
    approvals.allow_always(AllowAlways("mail_send"))
    approvals.allow_always(AllowAlways("files_read", "Zed"))
    approvals.allow_always(AllowAlways("a", "*"))
    told = [
        (one.tool, one.host)
        for one in approvals.add_to_status(Status(), RoutingState({}, Policy(), 1.0)).allowed
    ]
    assert told == [("a", ""), ("files_read", "Zed"), ("mail_send", "")]
    assert rules_of(file.current, "")[0] == ("mail_send", ALLOW)
    assert rules_of(file.current, "Zed")[0] == ("files_read", ALLOW)
    for number in (1, 2, 3, 3):
        approvals.undo(number)
    assert (rules_of(file.current, ""), rules_of(file.current, "Zed")) == ((FILES, MAIL), (("files_*", ASK),))
    assert text(file).startswith(TEXT)
    assert approvals.problem == ""


def test_undo_brings_a_replaced_rule_back_and_keeps_what_was_changed_since(
    file: SettingsFile, approvals: ApprovalService
) -> None:
    file.set_rules("", (("x", ASK), FILES), (FILES, MAIL))
    approvals.allow_always(AllowAlways("x"))
    file.set_policy("y", "deny")
    approvals.undo(1)
    assert file.current.policy == (("x", ASK), ("y", DENY), FILES)


def test_what_was_allowed_can_be_undone_when_its_server_has_another_name(tmp_path: Path) -> None:
    path, kept = tmp_path / "config.toml", tmp_path / "allowed.json"
    path.write_text('[servers.mail]\ncommand = "mail"\n[policy]\nmail_send = "confirm"\n"mail_*" = "deny"\n')
    file = SettingsFile(path)
    file.reload()
    approvals = ApprovalService(file, lambda: None, save=lambda kept_: saved_state.save_allowed(kept, kept_))
    approvals.allow_always(AllowAlways("mail_send"))
    _, rename = file.check_rename("mail", "post")
    file.rename_server("mail", "post")
    approvals.renamed(rename)
    assert [one.tool for one in saved_state.load_allowed(kept)] == ["post_send"]
    approvals.undo(1)
    assert file.current.policy == (("post_send", ASK), ("post_*", DENY))
    assert saved_state.load_allowed(kept) == []


def test_what_is_no_longer_allowed_is_not_undone_again(
    file: SettingsFile, approvals: ApprovalService
) -> None:
    file.set_rules("", (("x", ASK), FILES), (FILES, MAIL))
    approvals.allow_always(AllowAlways("x"))
    file.set_rules("", (FILES,), (("x", ALLOW), FILES))
    approvals.undo(1)
    assert file.current.policy == (FILES,)


def test_the_last_of_this_run_are_told_and_all_can_be_undone_in_the_next(
    file: SettingsFile, tmp_path: Path
) -> None:
    path = tmp_path / "allowed.json"
    assert saved_state.load_allowed(path) == []
    first = ApprovalService(file, lambda: None, save=lambda kept: saved_state.save_allowed(path, kept))
    for number in range(MOST + 3):
        first.allow_always(AllowAlways(f"t{number}", by="Zed"))
    book = RoutingState({}, Policy(file.current.policy), 1.0)
    assert [one.tool for one in first.add_to_status(Status(), book).allowed][:2] == [
        f"t{MOST + 2}",
        f"t{MOST + 1}",
    ]
    assert len(first.add_to_status(Status(), book).allowed) == MOST
    later = ApprovalService(
        file, lambda: None, saved_state.load_allowed(path), lambda kept: saved_state.save_allowed(path, kept)
    )
    told = later.add_to_status(Status(), book)
    assert told.allowed == ()
    rule = next(one for one in told.rules if one.pattern == "t0")
    assert (rule.allowed_by, rule.allowed_at > 0) == ("Zed", True)
    assert {one.pattern for one in told.rules if not one.allowed} == {"files_read", "mail_*"}
    later.undo(rule.allowed)
    assert ("t0", ALLOW) not in file.current.policy
    file.set_policy("t1", "deny")  # no longer what was allowed
    later.allow_always(AllowAlways("t2"))
    assert {one.tool for one in saved_state.load_allowed(path)} == {
        f"t{number}" for number in range(2, MOST + 3)
    }


def test_what_was_allowed_and_cannot_be_read_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "allowed.json").write_text("{")
    assert saved_state.load_allowed(tmp_path / "allowed.json") == []
    saved_state.save_allowed(tmp_path / "nowhere" / "allowed.json", [])


def test_what_cannot_be_changed_is_told(file: SettingsFile, approvals: ApprovalService) -> None:
    approvals.set_rules("", (("a", "deny"),), ())
    assert approvals.problem.startswith("The rules could not be changed. The rules were changed meanwhile")
    approvals.set_rules("", (("a", "deny"),), (("files_read", "allow"), ("mail_*", "deny")))
    assert (approvals.problem, file.current.policy) == ("", (("a", DENY),))
    file.path.write_text("[policy\n")
    approvals.allow_always(AllowAlways("b"))
    assert approvals.problem.startswith("Could not save “Always allow” for b.")
    assert approvals.add_to_status(Status(), RoutingState({}, Policy(), 1.0)).allowed == ()


# Pins


def test_pins_are_kept_for_the_next_run(tmp_path: Path) -> None:
    path = tmp_path / "pins.json"
    known = {("s", "a"): '{"description":"ü"}'.encode(), ("s", "b"): b"{}", ("t", "a"): b"{}"}
    assert saved_state.load_pins(path) == ({}, "")
    saved_state.save_pins(path, known)
    assert saved_state.load_pins(path) == (known, "")
    assert path.stat().st_mode & 0o77 == 0


def test_pins_that_cannot_be_read_are_put_aside_and_the_person_is_told(tmp_path: Path) -> None:
    path = tmp_path / "pins.json"
    path.write_text("{")
    found, problem = saved_state.load_pins(path)
    assert found == {}
    assert problem.startswith("pins.json cannot be read")
    assert (tmp_path / "pins.json.broken").read_text() == "{"
    saved_state.save_pins(tmp_path / "nowhere" / "pins.json", {})


def test_a_servers_preset_is_kept_in_the_file_and_a_wrong_one_is_a_problem(
    file: SettingsFile, approvals: ApprovalService
) -> None:
    approvals.set_preset("files", "ask-changes")
    assert (file.current.approvals["files"], approvals.problem) == ("ask-changes", "")
    approvals.set_preset("files", "perhaps")
    assert (file.current.approvals["files"], "perhaps" in approvals.problem) == ("ask-changes", True)
