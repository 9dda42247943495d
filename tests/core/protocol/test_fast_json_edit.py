"""The fast edits of a message return what the plain one does, byte for byte, or refuse what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from bridge.core.protocol.jsonrpc import Malformed, edit, peek, quote, set_id, set_name

IDS = st.one_of(st.integers().map(lambda n: b"%d" % n), st.text(max_size=5).map(quote))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "name", "x"]), inner),
    max_leaves=5,
)
KEYS = st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error", "extra"])


@st.composite
def messages(draw: st.DrawFn) -> bytes:
    """Messages in any order of members, some of them repeated, compact or with spaces."""
    gap = draw(st.sampled_from([b"", b" "]))
    members = []
    for key in draw(st.lists(KEYS, max_size=6)):
        value = {"jsonrpc": b'"2.0"', "method": b'"tools/call"', "id": draw(IDS)}.get(key)
        body = (
            value
            or json.dumps(draw(VALUES), ensure_ascii=draw(st.booleans()), separators=(",", ":")).encode()
        )
        members.append(quote(key) + b":" + gap + body)
    return b"{" + (b"," + gap).join(members) + b"}"


def outcome(work: Callable[[], bytes]) -> bytes | type[Malformed]:
    try:
        return work()
    except Malformed:
        return Malformed


@given(messages(), IDS, st.sampled_from([b"", b"{}", b'{"y":[1]}']))
def test_a_new_id_and_new_params_are_set_as_the_plain_edit_sets_them(data: bytes, new: bytes, params: bytes):
    changes = {"id": new, "params": params} if params else {"id": new}
    assert outcome(lambda: set_id(data, peek(data), new, params)) == outcome(lambda: edit(data, changes))


@given(st.dictionaries(st.sampled_from(["name", "arguments", "title"]), VALUES), st.text(max_size=5))
def test_a_new_name_is_set_as_the_plain_edit_sets_it(named: dict[str, object], new: str):
    named = {**named, "name": "a_x"}
    for text in (json.dumps(named).encode(), json.dumps(named, separators=(",", ":")).encode()):
        assert set_name(text, "a_x", new) == edit(text, {"name": quote(new)})
