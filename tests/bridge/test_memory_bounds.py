"""Whatever decodes what others sent needs memory in proportion to it: BOUND bytes for each byte, and BASE.

A decoder that unfolds (packed bodies, references of a form, shared prefixes of keys) has a limit of its own.
Each line of DECODERS is tried with what would unfold most, and with whatever hypothesis finds.
"""

from __future__ import annotations

import gzip
import json
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from libipld import encode_dag_cbor

from bridge.core.forms.full_validation import parse
from bridge.core.policy.tool_diff import difference
from bridge.core.protocol import ambiguous_json, jsonrpc
from bridge.hosts import snippets
from bridge.hosts.formats import jsonc, toml, yaml
from bridge.http_client.content_encoding import PIECE, Decoder
from bridge.system.masking import Mask
from bridge.tools.bluesky.repo import car
from bridge.upstreams.http.sse import EventDecoder
from tests.fuzz.targets import TARGETS

BOUND = 160  # bytes of memory for each byte of input: a list of empty lists of Python has 72
BASE = 4 << 20  # bytes, whatever the input

CID = b"\x01\x71\x12\x20" + bytes(32)


def blocks(data: bytes) -> object:
    return list(car.blocks(BytesIO(data))[1])


DECODERS: dict[str, Callable[[bytes], object]] = {
    "a message": jsonrpc.peek,
    "a batch": jsonrpc.elements,
    "members of an object": jsonrpc.members,
    "repeated keys": ambiguous_json.refuse_repeats,
    "a form": parse,
    "events": EventDecoder(1 << 20).feed,
    "a node of a repository": car.node,
    "a repository": blocks,
    "JSON with comments": lambda data: jsonc.load(data.decode("utf-8", "replace")),
    "TOML": lambda data: toml.load(data.decode("utf-8", "replace")),
    "YAML": lambda data: yaml.load(data.decode("utf-8", "replace")),
    "pasted text": lambda data: snippets.read(data.decode("utf-8", "replace")),
    "arguments that are shown": Mask().mask_arguments,
    "a tool that changed": lambda data: difference(data[: len(data) // 2], data),
    **{name: read for name, read in TARGETS.items() if name not in ("events", "callback")},
}


def peak(decode: Callable[[bytes], object], data: bytes) -> int:
    """The most memory that decoding needs at once. Refusing is fine."""
    with suppress(Exception):
        decode(b"")  # imports, and tables that are made once
    tracemalloc.start()
    try:
        with suppress(Exception):
            decode(data)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def node(entries: list[dict[str, Any]]) -> bytes:
    return encode_dag_cbor({"e": entries, "l": None})


def entry(prefix: int, key: bytes) -> dict[str, Any]:
    return {"p": prefix, "k": key, "v": CID, "t": None}


def form(definition: object, uses: int) -> bytes:
    used = {f"field{number}": {"$ref": "#/$defs/x"} for number in range(uses)}
    return json.dumps({"type": "object", "$defs": {"x": definition}, "properties": used}).encode()


def nested_forms(width: int) -> bytes:
    deep: object = {"type": "string"}
    defs: dict[str, object] = {}
    for level in range(4):
        defs[f"d{level}"] = deep
        deep = {
            "type": "object",
            "properties": {f"k{number}": {"$ref": f"#/$defs/d{level}"} for number in range(width)},
        }
    return json.dumps({"type": "object", "$defs": defs, "properties": {"a": deep}}).encode()


def laughs(levels: int) -> bytes:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    for level in range(1, levels):
        lines.append(f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]")
    return "\n".join(lines).encode()


def key_prefixes(count: int) -> bytes:
    """Short entries, each with nearly all of the longest key before it."""
    return node([entry(0, b"k" * 1000), *(entry(1000, b"%d" % number) for number in range(count))])


BOMBS: dict[str, tuple[str, bytes]] = {
    "prefixes that double the key": ("a node of a repository", node([entry(2**n, b"k") for n in range(40)])),
    "prefixes beyond the key": ("a node of a repository", node([entry(2**31, b"k" * 1000)] * 2000)),
    "long keys in short entries": ("a node of a repository", key_prefixes(5000)),
    "a length that is not there": ("a repository", b"\xff\xff\xff\xff\x7f"),
    "a choice used five hundred times": (
        "a form",
        form({"type": "string", "enum": [str(n) for n in range(5000)]}, 499),
    ),
    "forms within forms": ("a form", nested_forms(100)),
    "lists in lists": ("a message", b'{"jsonrpc":"2.0","id":' + b"[" * 100_000),
    "a batch of empty messages": ("a batch", b"[" + b"{}," * 50_000 + b"{}]"),
    "keys": ("repeated keys", b"{" + b",".join(b'"%d":0' % n for n in range(20_000)) + b"}"),
    "empty events": ("events", b"data:\n\n" * 20_000),
    "an event of short lines": ("events", b"data:xx\n" * 300_000),
    "a billion laughs": ("YAML", laughs(9)),
    "tables": ("TOML", b"".join(b"[a%d]\n" % n for n in range(3000))),
    "nested JSON": ("JSON with comments", b"[" * 50_000),
}


@pytest.mark.parametrize("name", BOMBS)
def test_what_would_unfold_is_refused_or_stays_small(name: str):
    decoder, data = BOMBS[name]
    assert peak(DECODERS[decoder], data) <= BOUND * len(data) + BASE


def test_a_small_packed_body_that_becomes_huge_is_unpacked_in_small_pieces():
    bomb = gzip.compress(bytes(100 << 20))
    assert len(bomb) < 200_000
    assert peak(lambda data: [len(piece) for piece in Decoder().pieces(data)], bomb) <= PIECE * 3 + BASE


JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=20) | st.dictionaries(st.text(max_size=10), inner, max_size=20),
)
WORDS = ["type", "properties", "$defs", "enum", "oneOf", "items", "$ref", "default", "pattern"]
FORMS = st.dictionaries(st.sampled_from(WORDS), JSON)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(decoder=st.sampled_from(sorted(DECODERS)), value=JSON | FORMS, noise=st.binary(max_size=200))
def test_memory_is_in_proportion_to_what_was_sent(decoder: str, value: object, noise: bytes):
    for data in (json.dumps(value).encode(), noise, json.dumps(value).encode() * 50 + noise):
        assert peak(DECODERS[decoder], data) <= BOUND * len(data) + BASE


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2**40), st.binary(max_size=1100)), max_size=40))
def test_no_chosen_prefixes_want_more_memory_than_keys_may_have(pairs: list[tuple[int, bytes]]):
    data = node([entry(prefix, key) for prefix, key in pairs])
    with suppress(car.DamagedRepository):
        assert all(len(one.key) <= 1024 for one in car.node(data)[1])
