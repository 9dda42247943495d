"""Searching everything an account ever posted: the repository, the index, what counts more than what."""

from __future__ import annotations

import asyncio
import io
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.tools.bluesky.repo import car
from bridge.tools.bluesky.repo.car import DamagedRepository
from bridge.tools.bluesky.repo.repositories import fill_in_thread
from bridge.tools.bluesky.repo.search_index import SearchIndex
from tests.bridge.tools.bluesky.search_samples import filled, found
from tests.fixtures import pds_repository

# --- the file --------------------------------------------------------------------------------------------


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.binary(max_size=40)
    | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=30), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=80, deadline=None)
@given(VALUES)
def test_what_was_written_is_read(value: Any) -> None:
    assert car.decode(pds_repository.cbor(value)) == value


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=60))
def test_noise_is_damaged_and_nothing_worse(data: bytes) -> None:
    for read in (car.decode, car.node, lambda raw: list(car.blocks(io.BytesIO(raw))[1])):
        try:
            read(data)
        except DamagedRepository:
            continue


@pytest.mark.parametrize(
    "data", [b"\x81" * 5000, b"\x9b" + b"\xff" * 8, b"\xfb\x00", b"\x1f", b"\x7b" + b"\xff" * 8]
)
def test_what_is_too_deep_too_long_or_cut_off_is_damaged(data: bytes) -> None:
    with pytest.raises(DamagedRepository):
        car.decode(data)


def test_a_link_is_read_as_the_bytes_of_its_cid() -> None:
    link = pds_repository.cid(b"record")
    entry = {"p": 0, "k": b"app.bsky.feed.post/3k", "v": link, "t": None}
    subtrees, entries = car.node(pds_repository.cbor({"l": link, "e": [entry]}))
    assert subtrees == [b"\x01\x71\x12\x20" + link]
    assert [(one.key, one.value) for one in entries] == [(b"app.bsky.feed.post/3k", subtrees[0])]


@pytest.mark.parametrize(("prefix", "key"), [(1, b"k"), (-1, b"k"), (0, b"k" * 1025), (True, b"k"), (0, "k")])
def test_a_key_of_the_tree_that_is_too_long_or_lacks_its_prefix_is_damaged(prefix: Any, key: Any) -> None:
    entry = {"p": prefix, "k": key, "v": pds_repository.cid(b"record"), "t": None}
    with pytest.raises(DamagedRepository):
        car.node(pds_repository.cbor({"l": None, "e": [entry]}))


def test_a_node_whose_links_are_no_cids_is_damaged() -> None:
    entry = {"p": 0, "k": b"k", "v": b"short", "t": None}
    with pytest.raises(DamagedRepository):
        car.node(pds_repository.cbor({"l": None, "e": [entry]}))


def test_a_block_that_is_not_what_its_name_says_is_refused(tmp_path: Path) -> None:
    made = bytearray(pds_repository.posts({"3k": "hello"}).car())
    made[made.index(b"hello")] ^= 1
    index = SearchIndex(tmp_path / "x.db")
    with pytest.raises(DamagedRepository, match="does not have the hash"):
        index.fill(io.BytesIO(bytes(made)), "1", "now", lambda _: None)
    assert index.rev() == ""


# --- the index -------------------------------------------------------------------------------------------


def test_every_post_is_found_by_its_key_through_the_tree(tmp_path: Path) -> None:
    texts: dict[str, Any] = {f"3k{number:04}": f"number {number} is word{number}" for number in range(500)}
    index = filled(tmp_path, pds_repository.posts(texts))
    assert index.count() == 500
    assert found(index, "word321") == ["3k0321"]
    assert found(index, "wORD321") == ["3k0321"]


def test_a_refresh_needs_only_what_changed_and_forgets_what_was_deleted(tmp_path: Path) -> None:
    texts: dict[str, Any] = {f"3k{number:04}": f"old {number}" for number in range(300)}
    before = pds_repository.posts(texts)
    index = filled(tmp_path, before)
    del texts["3k0299"]
    texts["3zzz"] = "brand new"
    after = pds_repository.posts(texts | {"3k0008": "edited"})
    difference = after.car(without=before)
    assert len(difference) < len(after.car()) / 3
    index.fill(io.BytesIO(difference), "2", "now", lambda _: None)
    assert (index.rev(), index.count()) == ("2", 300)
    assert (found(index, "brand"), found(index, "edited")) == (["3zzz"], ["3k0008"])
    assert "3k0299" not in found(index, "old", 500)
    assert found(index, '"old 8"') == [f"3k00{n}" for n in range(89, 79, -1)]


def test_a_difference_to_something_else_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    index = filled(tmp_path, pds_repository.posts({"3a": "one"}))
    base = pds_repository.posts({f"3{n:03}": str(n) for n in range(100)})
    more = pds_repository.posts({f"3{n:03}": str(n) for n in range(101)})
    with pytest.raises(DamagedRepository, match="missing"):
        index.fill(io.BytesIO(more.car(without=base)), "2", "now", lambda _: None)
    assert (index.rev(), index.count()) == ("1", 1)


def test_a_damaged_index_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_bytes(b"not a database" * 100)
    assert SearchIndex(tmp_path / "x.db").rev() == ""
    assert not (tmp_path / "x.db").exists()


@pytest.mark.parametrize("held", [False, True], ids=["first", "refresh"])
async def test_reading_that_is_given_up_leaves_what_was_there(tmp_path: Path, held: bool) -> None:
    class Gate(io.BytesIO):
        """A file that is being read, until it is looked at again."""

        reading, go_on = threading.Event(), threading.Event()

        def read(self, size: int | None = -1, /) -> bytes:
            self.reading.set()
            assert self.go_on.wait(20)
            return super().read(size)

    index = filled(tmp_path, pds_repository.posts({"3a": "old"})) if held else SearchIndex(tmp_path / "x.db")
    gate = Gate(pds_repository.posts({f"3k{n:04}": "new" for n in range(5000)}).car())
    Gate.reading.clear()
    Gate.go_on.clear()
    reading = asyncio.create_task(fill_in_thread(index, gate, "2"))
    assert await asyncio.to_thread(gate.reading.wait, 20)
    reading.cancel()
    await asyncio.sleep(0)
    gate.go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert index.path.exists() is held
    assert index.rev() == ("1" if held else "")
    assert not held or found(index, "old") == ["3a"]
