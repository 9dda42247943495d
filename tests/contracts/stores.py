"""What every Store promises. Subclass it, and say how to open one.

Not collected by itself: the name of this file does not begin with `test_`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge.errors import VaultError
from bridge.vault.base import LONGEST_NAME, Store

LONG = "é𝄞x" * 3000  # longer than any item of the Credential Manager, and not ASCII


class StoreContract:
    lasting = True  # another Store of the same place finds what this one kept

    def open(self, folder: Path) -> Store:
        raise NotImplementedError

    def test_what_was_never_kept_is_not_there(self, tmp_path: Path):
        store = self.open(tmp_path)
        assert store.get("secret/none") is None
        assert store.delete("secret/none") is False
        assert store.names() == ()

    def test_what_is_kept_is_given_back_and_named(self, tmp_path: Path):
        store = self.open(tmp_path)
        store.set("secret/b", "beta")
        store.set("account/did:plc:abc", "alpha")
        assert store.get("secret/b") == "beta"
        assert store.get("account/did:plc:abc") == "alpha"
        assert store.names() == ("account/did:plc:abc", "secret/b")

    @pytest.mark.parametrize("value", ["", " spaces ", "two\nlines", '{"json": "ünïcode 🔑"}', LONG], ids=len)
    def test_a_value_comes_back_as_it_was(self, value: str, tmp_path: Path):
        store = self.open(tmp_path)
        store.set("secret/x", value)
        assert store.get("secret/x") == value

    @pytest.mark.parametrize("values", [("old", "new"), (LONG, "short"), ("short", LONG), (LONG, LONG[::-1])])
    def test_a_second_value_takes_the_place_of_the_first(self, values: tuple[str, str], tmp_path: Path):
        store = self.open(tmp_path)
        for value in values:
            store.set("secret/x", value)
        assert store.get("secret/x") == values[1]
        assert store.names() == ("secret/x",)

    @pytest.mark.parametrize("value", ["short", LONG], ids=["short", "long"])
    def test_what_is_deleted_is_gone_and_the_rest_stays(self, value: str, tmp_path: Path):
        store = self.open(tmp_path)
        store.set("secret/x", value)
        store.set("secret/y", "stays")
        assert store.delete("secret/x") is True
        assert store.get("secret/x") is None
        assert store.delete("secret/x") is False
        assert store.names() == ("secret/y",)

    def test_a_store_keeps_secrets_for_the_next_run_or_says_that_it_does_not(self, tmp_path: Path):
        self.open(tmp_path).set("secret/x", "value")
        again = self.open(tmp_path)
        assert again.get("secret/x") == ("value" if self.lasting else None)
        assert again.names() == (("secret/x",) if self.lasting else ())

    def test_a_probe_leaves_nothing_behind(self, tmp_path: Path):
        store = self.open(tmp_path)
        store.probe()
        assert store.names() == ()

    def test_a_store_can_be_emptied(self, tmp_path: Path):
        store = self.open(tmp_path)
        store.set("secret/x", "1")
        store.set("secret/y", LONG)
        store.empty()
        assert store.names() == ()
        assert store.get("secret/y") is None

    @pytest.mark.parametrize("name", ["", "x" * (LONGEST_NAME + 1), "two\nlines", "nul\0"], ids=repr)
    def test_a_name_that_is_none_is_refused(self, name: str, tmp_path: Path):
        store = self.open(tmp_path)
        for act in (store.get, store.delete, lambda bad: store.set(bad, "v")):
            with pytest.raises(VaultError, match="name of a secret"):
                act(name)

    def test_a_store_says_what_it_is_and_what_it_protects(self, tmp_path: Path):
        store = self.open(tmp_path)
        assert store.kind
        assert store.limits
