"""Read a repository from a CAR file of DAG-CBOR blocks, one block at a time.

libipld.decode_car would need the whole file in memory. Each block is checked against the hash in its CID; a
wrong or too large block, and a key or prefix of the tree longer than a repository may have, raise
DamagedRepository.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import IO, Annotated, Any, NamedTuple, TypeVar

import msgspec
from msgspec import Meta

MAX_BLOCK = 4 << 20  # bytes
_MAX_KEY = 1024  # bytes, by the atproto specification of the tree (MST)
_CID = b"\x01\x71\x12\x20"  # version 1, DAG-CBOR, SHA-256, 32 bytes
_NODE = b"\xa2\x61e"  # a map of two whose first key is "e": only nodes of the tree start like this
Cid = Annotated[bytes, Meta(min_length=36, max_length=36)]
T = TypeVar("T")


class DamagedRepository(ValueError):
    """The file is not a repository, or is incomplete."""


class CarBlock(NamedTuple):
    cid: bytes
    data: bytes

    @property
    def is_node(self) -> bool:
        return self.data.startswith(_NODE)


class _Header(msgspec.Struct):
    roots: Annotated[list[Cid], Meta(min_length=1)]


class _Commit(msgspec.Struct):
    data: Cid


class _Entry(msgspec.Struct):
    prefix: Annotated[int, Meta(ge=0)] = msgspec.field(name="p")  # bytes shared with the key before
    key: bytes = msgspec.field(name="k")
    value: Cid = msgspec.field(name="v")
    right: Cid | None = msgspec.field(name="t", default=None)


class _Node(msgspec.Struct):
    entries: list[_Entry] = msgspec.field(name="e")
    left: Cid | None = msgspec.field(name="l", default=None)


class TreeEntry(NamedTuple):
    key: bytes  # collection/rkey
    value: bytes  # CID of the record


def blocks(file: IO[bytes]) -> tuple[bytes, Iterator[CarBlock]]:
    """Return the CID of the newest commit, and all blocks in the order of the file."""
    return _decode_as(_Header, _read_sized(file, 4096) or b"").roots[0], _blocks(file)


def _blocks(file: IO[bytes]) -> Iterator[CarBlock]:
    while (raw := _read_sized(file, MAX_BLOCK)) is not None:
        if raw[:4] != _CID or len(raw) < 36:
            raise DamagedRepository("a block has a CID of an unknown kind")
        cid, data = raw[:36], raw[36:]
        if hashlib.sha256(data).digest() != cid[4:]:
            raise DamagedRepository("a block does not have the hash in its CID")
        yield CarBlock(cid, data)


def _read_sized(file: IO[bytes], max_size: int) -> bytes | None:
    """Read a length (LEB128) and as many bytes; None at the end of the file."""
    size = shift = 0
    while True:
        byte = file.read(1)
        if not byte:
            if shift:
                raise DamagedRepository("it ends too early")
            return None
        size |= (byte[0] & 0x7F) << shift
        shift += 7
        if byte[0] < 0x80:
            break
        if shift > 35:
            raise DamagedRepository("a length is too large")
    if size > max_size:
        raise DamagedRepository("a block is too large")
    data = file.read(size)
    if len(data) != size:
        raise DamagedRepository("it ends too early")
    return data


def node(data: bytes) -> tuple[list[bytes], list[TreeEntry]]:
    """Read a node of the tree: the CIDs of its subtrees, and its entries with full keys."""
    read = _decode_as(_Node, data)
    key, entries = b"", []
    for entry in read.entries:
        if entry.prefix > len(key):
            raise DamagedRepository("a prefix in the tree is longer than the key before it")
        key = key[: entry.prefix] + entry.key
        if len(key) > _MAX_KEY:
            raise DamagedRepository("a key of the tree is too long")
        entries.append(TreeEntry(key, entry.value))
    subtrees = (read.left, *(entry.right for entry in read.entries))
    return [cid for cid in subtrees if cid is not None], entries


def tree_of(commit: bytes) -> bytes:
    """Return the CID of the tree's root."""
    return _decode_as(_Commit, commit).data


def decode(data: bytes) -> Any:
    """Decode one DAG-CBOR value; a link in it becomes the bytes of its CID."""
    from libipld import decode_dag_cbor  # loaded by the first search

    try:
        return decode_dag_cbor(data)
    except (ValueError, RecursionError) as error:
        raise DamagedRepository("a block cannot be decoded") from error


def _decode_as(kind: type[T], data: bytes) -> T:
    try:
        return msgspec.convert(decode(data), kind)
    except msgspec.ValidationError as error:
        raise DamagedRepository(f"a block has an unknown shape: {error}") from error
