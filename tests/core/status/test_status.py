"""A Status is a value: one look, which nobody can change."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from bridge.core.questions.question import Mode, Question
from bridge.core.status import HostStatus, ServerStatus, Status, VaultStatus, called


def test_an_empty_status_shows_nothing():
    assert Status() == Status(waiting=(), hosts=(), servers=(), problems=())


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (Status(), "waiting"),
        (HostStatus("Claude", "1", "stdio", "2025-11-25", True, (), 0), "calls"),
        (ServerStatus("files", "stdio", "ready"), "state"),
        (Question("q1", Mode.FORM, "files", "Claude"), "message"),
    ],
)
def test_what_windows_see_cannot_be_changed(value, name):
    with pytest.raises(FrozenInstanceError):
        setattr(value, name, "changed")


def test_a_store_has_a_name_in_the_middle_of_a_sentence():
    assert (called("keyring"), called("elsewhere")) == ("keychain", "elsewhere")


def test_a_vault_tells_in_words_where_secrets_are_and_what_is_wrong():
    assert VaultStatus().words() == "No keys are stored yet."
    keyring = VaultStatus("keyring", "unusable", problem="It is locked.", limits="Opened by your login.")
    told = "Keys are stored in your system keychain, which cannot be used now."
    told += " It is locked. Opened by your login."
    assert keyring.words() == told
    file = VaultStatus("file", "locked", why="(Not in a keychain: there is none.)")
    told = "Keys are stored in an encrypted file, locked by a passphrase. (Not in a keychain: there is none.)"
    assert file.words() == told


def test_a_command_that_the_person_types_is_no_connected_app():
    typed, claude = (HostStatus(wire, "1", wire, "", False, (), 0) for wire in ("cli", "stdio"))
    assert Status(hosts=(typed, claude)).apps == (claude,)
