"""Messages leave as they came, byte for byte, but for what was changed on purpose."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.core.protocol import jsonrpc
from bridge.core.protocol.jsonrpc import (
    ForwardedReply,
    Malformed,
    OwnReply,
    edit,
    members,
    peek,
    set_id,
    set_name,
)
from tests.core.wire_messages import strict

# JSON as peers really write it: any spacing, any spelling of a character or a number.


class Literal(bytes):
    """A number as it is written."""


NUMBERS = [Literal(n) for n in (b"0", b"-0", b"1.0", b"1e400", b"-1E-400", b"1.50", b"10E+2", b"9" * 400)]
GAPS = [b"", b"", b"", b" ", b"\n", b"\t\r "]
texts = st.text(max_size=8)
seeds = st.randoms(use_true_random=False)
values = st.recursive(
    st.sampled_from([None, True, False, *NUMBERS]) | st.integers(-(10**30), 10**30) | texts,
    lambda deeper: st.lists(deeper, max_size=3) | st.dictionaries(texts, deeper, max_size=4),
    max_leaves=8,
)
objects = st.dictionaries(texts, values, max_size=4)
ids = st.sampled_from([b"7", b'"7"', b"1.0", b"null", b"-0", b"1e400", b'"\\u00e9"', b"9" * 50])


def spelled(value: Any, dice: Random) -> bytes:
    """`value` in one of the many ways JSON can be written."""
    if isinstance(value, Literal):
        return bytes(value)
    if isinstance(value, str):
        return b'"' + b"".join(letter(one, dice) for one in value) + b'"'
    if isinstance(value, list):
        return inside(b"[", [spelled(one, dice) for one in value], b"]", dice)
    if isinstance(value, dict):
        pieces = [spelled(k, dice) + dice.choice(GAPS) + b":" + spelled(v, dice) for k, v in value.items()]
        return inside(b"{", pieces, b"}", dice)
    return json.dumps(value).encode()


def letter(one: str, dice: Random) -> bytes:
    ways = [json.dumps(one)[1:-1], json.dumps(one, ensure_ascii=False)[1:-1]]
    if ord(one) < 0x10000:
        ways.append(f"\\u{ord(one):04X}")
    return dice.choice(ways).encode()


def inside(opening: bytes, pieces: list[bytes], closing: bytes, dice: Random) -> bytes:
    gap = dice.choice(GAPS)
    return opening + gap + (gap + b"," + gap).join(pieces) + gap + closing


# Editing


@given(objects, st.dictionaries(texts, st.none() | values, max_size=3), seeds)
def test_an_edited_object_keeps_every_other_member_its_spelling_and_its_place(value, wanted, dice):
    data = spelled(value, dice)
    changes = {name: None if new is None else spelled(new, dice) for name, new in wanted.items()}
    before, after = members(data), members(edit(data, changes))
    stay = [(name, bytes(text)) for name, text in before.items() if name not in changes]
    assert [(name, bytes(text)) for name, text in after.items() if name not in changes] == stay
    new = {name: text for name, text in changes.items() if text is not None}
    assert {name: bytes(text) for name, text in after.items() if name in changes} == new
    remaining = [name for name in before if changes.get(name, b"-") is not None]
    assert list(after)[: len(remaining)] == remaining


@given(objects, seeds)
def test_an_object_edited_without_changes_means_the_same(value, dice):
    data = spelled(value, dice)
    assert strict(edit(data, {})) == strict(data)
    assert edit(edit(data, {}), {}) == edit(data, {})


def test_keys_keep_their_own_spelling():
    assert edit(rb'{ "\u0061" : 1 , "b":2}', {"a": b"3"}) == rb'{"\u0061" : 3,"b":2}'


@pytest.mark.parametrize(
    "data",
    [
        b'{"a":1,"a":1}',
        b'{"a":1,"a":2}',
        b'{"a":1,"a":11}',
        b'{"a":1,"b":2,"a":1}',
        rb'{"a":1,"\u0061":1}',
        b'{"b":0,"a":"x","a":"x" }',
    ],
)
def test_a_repeated_key_is_refused(data: bytes):
    with pytest.raises(Malformed, match="twice"):
        edit(data, {"c": b"1"})


@given(st.dictionaries(st.sampled_from("abc"), values, min_size=1), values, seeds)
def test_a_key_repeated_anywhere_is_refused(value, other, dice):
    data = spelled(value, dice)
    again = spelled(dice.choice(list(value)), dice) + b":" + spelled(other, dice)
    for twice in (data.replace(b"{", b"{" + again + b",", 1), data[:-1] + b"," + again + b"}"):
        with pytest.raises(Malformed, match="twice"):
            edit(twice, {})


@pytest.mark.parametrize("data", [b"[]", b"1", b"{", b'{"a":1}}', b'{"a":}', b'{"\xff":1}'])
def test_only_an_object_can_be_edited(data: bytes):
    with pytest.raises(Malformed):
        edit(data, {})


def test_nothing_reads_as_an_empty_object():
    assert members(b"") == {}
    assert edit(b"", {"a": b"1", "b": None}) == b'{"a":1}'


# A new address


def message_of(**fields: bytes) -> bytes:
    return b"{" + b",".join(b'"%b":%b' % (name.encode(), value) for name, value in fields.items()) + b"}"


@given(st.permutations(["jsonrpc", "id", "method", "params", "extra"]), ids, values, ids, seeds)
def test_a_readdressed_request_differs_in_its_id_alone(order: list[str], old, value, new, dice):
    method = dice.choice([b'"tools/call"', b'"a/\\u00e9"', '"a/é"'.encode()])
    body = spelled(value, dice)
    every = {"jsonrpc": b'"2.0"', "id": old, "method": method, "params": body, "extra": body}
    fields = {name: every[name] for name in order if name in ("id", "method") or dice.random() < 0.7}
    data = message_of(**fields)
    assert set_id(data, peek(data), new) == message_of(**{**fields, "id": new})


@given(ids, values, ids, st.booleans(), st.sampled_from(["result", "error"]), seeds)
def test_a_readdressed_response_differs_in_its_id_alone(old, value, new, id_first: bool, kind: str, dice):
    body = spelled(value, dice)
    head = {"jsonrpc": b'"2.0"', "id": old}
    fields = {**head, kind: body} if id_first else {kind: body, **head}
    data = message_of(**fields)
    assert set_id(data, peek(data), new) == message_of(**{**fields, "id": new})


@pytest.mark.parametrize(
    "data",
    [
        b'{"jsonrpc":"2.0","id":1,"method":"x","id":1}',
        b'{"jsonrpc":"2.0","id":1,"id":1  }',
        b'{"jsonrpc":"2.0","id":1,"id":123}',
        b'{"id":1,"result":{},"jsonrpc":"2.0","id":1}',
    ],
)
def test_a_second_id_does_not_slip_through(data: bytes):
    with pytest.raises(Malformed, match="twice"):
        set_id(data, peek(data), b"2")


def test_an_envelope_shows_ids_as_they_are_written():
    for text in (b"7", b'"7"', b"1.0", b"null", b"1e400", rb'"\u0037"'):
        assert bytes(peek(b'{"id" : %b , "method":"ping"}' % text).id) == text
    assert len(peek(b'{"method":"ping"}').id) == 0


# What cannot be read


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"nonsense", b"[]", b'{"method":5}', b'{"method":"\xff"}', b'{"id":1}{"id":2}', b"[" * 3000],
)
def test_what_is_no_message_is_malformed(data: bytes):
    with pytest.raises(Malformed):
        peek(data)


def test_only_one_message_has_an_envelope():
    assert jsonrpc.envelope_of(b'{"id":1}') == peek(b'{"id":1}')
    assert [jsonrpc.envelope_of(data) for data in (b'[{"id":1}]', b"{", b"")] == [None, None, None]


def test_too_deep_a_message_is_malformed_and_harmless():
    with pytest.raises(Malformed):
        peek(b'{"params":' + b"[" * 1_000_000 + b"]" * 1_000_000 + b"}")  # Python 3.14 reads 100 000


def test_a_batch_is_many_messages():
    assert jsonrpc.elements(b'[{"id":1}, {"id":"2"}]') == [b'{"id":1}', b'{"id":"2"}']
    with pytest.raises(Malformed):
        jsonrpc.elements(b"[1,")


def test_a_new_message_reads_as_it_was_meant():
    made = jsonrpc.response(b"1", b"{}"), jsonrpc.failure(b"1", b'{"code":1}')
    assert [strict(data) for data in made] == [
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": 1}},
    ]


HALF = rb'{"id":1,"method":"say","params":{"text":"cut \ud83d","and":"\\ud83d","whole":"\uD83D\uDE00"}}'


def test_half_a_character_passes_as_it_was_written():
    envelope = peek(HALF)
    assert envelope.method == "say"
    assert set_id(HALF, envelope, b"2") == HALF.replace(b'"id":1', b'"id":2')
    assert edit(HALF, {"id": b"2"}) == HALF.replace(b'"id":1', b'"id":2')
    assert members(rb'{"\udc00":1}').keys() == {"\ufffd"}
    assert jsonrpc.elements(b"[" + HALF + b"]") == [HALF.replace(rb"cut \ud83d", rb"cut \ufffd")]


def test_half_a_character_excuses_nothing_else():
    with pytest.raises(Malformed):
        peek(HALF[:-1])
    with pytest.raises(Malformed):
        edit(rb'{"a":"\ud83d","a":"\ud83d"}', {})


# Outcomes


def relayed(data: bytes) -> ForwardedReply:
    return ForwardedReply(data, peek(data))


@pytest.mark.parametrize(
    ("data", "failed"),
    [
        (b'{"id":1,"result":{}}', False),
        (b'{"id":1,"result":{},"error":null}', False),
        (b'{"id":1,"error":{"code":1}}', True),
        (b'{"id":1,"result":null,"error":{"code":1}}', True),
        (b'{"id":1}', True),
    ],
)
def test_an_answer_without_a_result_or_with_an_error_has_failed(data: bytes, failed: bool):
    assert relayed(data).failed is failed


def test_an_answer_of_our_own_is_a_result_or_an_error():
    good, bad = OwnReply(b'{"a":1}'), OwnReply(error=jsonrpc.error_body(-1, "no", {"why": 1}))
    assert good.wire(b'"x"') == b'{"jsonrpc":"2.0","id":"x","result":{"a":1}}'
    assert strict(bad.wire(b"")) == {
        "jsonrpc": "2.0",
        "id": None,
        "error": {"code": -1, "message": "no", "data": {"why": 1}},
    }
    assert (good.failed, bad.failed) == (False, True)
    assert (good.result, relayed(b'{"result":[1]}').result) == (b'{"a":1}', b"[1]")


def test_messages_are_written_without_what_is_absent():
    assert jsonrpc.request(b"1", 'a"b') == b'{"jsonrpc":"2.0","id":1,"method":"a\\"b"}'
    assert jsonrpc.request(b"1", "a", b"{}") == b'{"jsonrpc":"2.0","id":1,"method":"a","params":{}}'
    assert jsonrpc.notification("a") == b'{"jsonrpc":"2.0","method":"a"}'
    assert jsonrpc.notification("a", b"[]") == b'{"jsonrpc":"2.0","method":"a","params":[]}'


def test_an_object_is_told_by_its_first_letter():
    told: dict[bytes, Any] = {data: jsonrpc.is_object(data) for data in (b"{}", b"[]", b"", b"null")}
    assert told == {b"{}": True, b"[]": False, b"": False, b"null": False}


# With other params


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (
            b'{"jsonrpc":"2.0","id":"a","method":"m","params":{"x":1}}',
            b'{"jsonrpc":"2.0","id":7,"method":"m","params":{"y":2}}',
        ),
        (
            b'{"jsonrpc":"2.0","id":"a","params":{"x":1},"method":"m"}',
            b'{"jsonrpc":"2.0","id":7,"params":{"y":2},"method":"m"}',
        ),
        (
            b'{"method":"m","params":{"x":1},"jsonrpc":"2.0","id":"a"}',
            b'{"method":"m","params":{"y":2},"jsonrpc":"2.0","id":7}',
        ),
        (
            b'{"jsonrpc":"2.0","id":"a","method":"m","params":{"x":1},"more":[1e400]}',
            b'{"jsonrpc":"2.0","id":7,"method":"m","params":{"y":2},"more":[1e400]}',
        ),
        (
            b'{"jsonrpc":"2.0","id":"a","method":"m"}',
            b'{"jsonrpc":"2.0","id":7,"method":"m","params":{"y":2}}',
        ),
    ],
)
def test_a_message_gets_another_id_and_other_params_and_keeps_all_else(data, told):
    assert set_id(data, peek(data), b"7", b'{"y":2}') == told


@pytest.mark.parametrize(
    ("params", "told"),
    [
        (b'{"name":"a_x","arguments":{"z":1e400}}', b'{"name":"x","arguments":{"z":1e400}}'),
        (b'{"name":"a_x","arguments":{"name":"a_x"}}', b'{"name":"x","arguments":{"name":"a_x"}}'),
        (b'{"arguments":{}, "name" : "a_x"}', b'{"arguments":{},"name" : "x"}'),
        (b'{"name":"a_x","arguments":"\\u00e9"}', b'{"name":"x","arguments":"\\u00e9"}'),
    ],
)
def test_a_name_is_replaced_wherever_it_stands(params, told):
    assert set_name(params, "a_x", "x") == told


@pytest.mark.parametrize("params", [b'{"name":"a_x","name":"b"}', b'{"name":"a_x","n\\u0061me":"b"}'])
def test_a_second_name_cannot_hide(params):
    with pytest.raises(Malformed):
        set_name(params, "a_x", "x")
