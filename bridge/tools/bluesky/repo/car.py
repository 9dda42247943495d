"""Read a repository from a CAR file of DAG-CBOR blocks, one block at a time.

libipld would need the whole file in memory. Each block is checked against the hash in its
CID; wrong, too large and too deep blocks raise DamagedRepository.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from struct import unpack_from
from typing import Any, BinaryIO, NamedTuple

MAX_BLOCK = 4 << 20  # bytes
_MAX_DEPTH = 48
_CID = b"\x01\x71\x12\x20"  # version 1, DAG-CBOR, SHA-256, 32 bytes
_NODE = b"\xa2\x61e"  # a map of two whose first key is "e": only nodes of the tree start like this


class DamagedRepository(ValueError):
    """The file is not a repository, or is incomplete."""


class CidLink(bytes):
    """The hash of another block."""


class CarBlock(NamedTuple):
    cid: bytes  # the hash only
    data: bytes

    @property
    def is_node(self) -> bool:
        return self.data.startswith(_NODE)


class TreeEntry(NamedTuple):
    key: bytes  # collection/rkey
    value: bytes  # hash of the record
    right: bytes  # hash of the subtree after it; b"" without one


# --- blocks ----------------------------------------------------------------------------------------------


def blocks(file: BinaryIO) -> tuple[bytes, Iterator[CarBlock]]:
    """Return the hash of the newest commit, and all blocks in the order of the file."""
    header = decode(_read_sized(file, 4096) or b"")
    roots = header.get("roots") if isinstance(header, dict) else None
    if not isinstance(roots, list) or not roots or not isinstance(roots[0], CidLink):
        raise DamagedRepository("it does not begin like a repository")
    return bytes(roots[0]), _blocks(file)


def _blocks(file: BinaryIO) -> Iterator[CarBlock]:
    while (raw := _read_sized(file, MAX_BLOCK)) is not None:
        if raw[:4] != _CID or len(raw) < 36:
            raise DamagedRepository("a block has a name of an unknown kind")
        cid, data = raw[4:36], raw[36:]
        if hashlib.sha256(data).digest() != cid:
            raise DamagedRepository("a block is not what its name says")
        yield CarBlock(cid, data)


def _read_sized(file: BinaryIO, max_size: int) -> bytes | None:
    """Read a length and as many bytes; None at the end of the file."""
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
            raise DamagedRepository("a length makes no sense")
    if size > max_size:
        raise DamagedRepository("a block is too large")
    data = file.read(size)
    if len(data) != size:
        raise DamagedRepository("it ends too early")
    return data


def node(data: bytes) -> tuple[bytes, list[TreeEntry]]:
    """Read a node of the tree: the hash of its leftmost subtree, and its entries with full keys."""
    value = decode(data)
    if not isinstance(value, dict) or not isinstance(value.get("e"), list):
        raise DamagedRepository("a node of the tree makes no sense")
    key, entries = b"", []
    for one in value["e"]:
        if not isinstance(one, dict) or not isinstance(one.get("k"), bytes) or type(one.get("p")) is not int:
            raise DamagedRepository("an entry of the tree makes no sense")
        key = key[: one["p"]] + one["k"]
        record = one.get("v")
        if not isinstance(record, CidLink):
            raise DamagedRepository("an entry of the tree leads nowhere")
        entries.append(TreeEntry(key, bytes(record), _link(one.get("t"))))
    return _link(value.get("l")), entries


def _link(value: object) -> bytes:
    return bytes(value) if isinstance(value, CidLink) else b""


# --- DAG-CBOR --------------------------------------------------------------------------------------------


def decode(data: bytes) -> Any:
    """Decode one value (RFC 8949, limited to DAG-CBOR)."""
    try:
        value, end = _value(data, 0, _MAX_DEPTH)
    except (IndexError, ValueError, TypeError, OverflowError) as error:
        raise (
            error if isinstance(error, DamagedRepository) else DamagedRepository("a block makes no sense")
        ) from error
    if end != len(data):
        raise DamagedRepository("a block has something behind it")
    return value


def _value(data: bytes, at: int, depth: int) -> tuple[Any, int]:
    first = data[at]
    kind, info = first >> 5, first & 31
    if kind == 7:
        return _simple(data, at, info)
    if info < 24:
        number, at = info, at + 1
    elif info < 28:
        size = 1 << (info - 24)
        number, at = int.from_bytes(data[at + 1 : at + 1 + size], "big"), at + 1 + size
    else:
        raise DamagedRepository("a length is not said")
    if at > len(data) or depth == 0:
        raise DamagedRepository("a block ends too early or is too deep")
    if kind < 2:
        return (number if kind == 0 else -1 - number), at
    if kind < 4:
        return _text(data, at, number, kind)
    if kind == 4:
        return _array(data, at, number, depth)
    return _map(data, at, number, depth) if kind == 5 else _tagged(data, at, number, depth)


def _text(data: bytes, at: int, size: int, kind: int) -> tuple[bytes | str, int]:
    end = at + size
    if end > len(data):
        raise DamagedRepository("a block ends too early")
    return (data[at:end] if kind == 2 else data[at:end].decode()), end


def _array(data: bytes, at: int, size: int, depth: int) -> tuple[list[Any], int]:
    values = []
    for _ in range(size):
        value, at = _value(data, at, depth - 1)
        values.append(value)
    return values, at


def _map(data: bytes, at: int, size: int, depth: int) -> tuple[dict[str, Any], int]:
    values: dict[str, Any] = {}
    for _ in range(size):
        key, at = _value(data, at, depth - 1)
        if not isinstance(key, str):
            raise DamagedRepository("a key is no text")
        values[key], at = _value(data, at, depth - 1)
    return values, at


def _tagged(data: bytes, at: int, tag: int, depth: int) -> tuple[CidLink, int]:
    value, at = _value(data, at, depth - 1)
    if tag != 42 or not isinstance(value, bytes) or len(value) < 5:
        raise DamagedRepository("a block has an unknown tag")
    return CidLink(value[5:] if value[1:5] == _CID else value), at


def _simple(data: bytes, at: int, info: int) -> tuple[Any, int]:
    if info == 27:
        return unpack_from(">d", data, at + 1)[0] if at + 9 <= len(data) else data[len(data)], at + 9
    if info not in (20, 21, 22):
        raise DamagedRepository("a block has an unknown value")
    return {20: False, 21: True, 22: None}[info], at + 1
