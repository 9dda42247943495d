"""The result of a tool is split into blocks for the windows."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any

import pytest

from bridge.core.protocol.jsonrpc import peek
from bridge.core.status.servers import ContentBlock
from bridge.functions.content_blocks import content_blocks

PNG = b"\x89PNG"


def said(**result: Any) -> tuple[bool, tuple[ContentBlock, ...]]:
    return content_blocks(peek(json.dumps({"jsonrpc": "2.0", "id": 1, "result": result}).encode()))


@pytest.mark.parametrize(
    ("part", "block"),
    [
        ({"type": "text", "text": "# Hi"}, ContentBlock("text", "# Hi")),
        (
            {"type": "image", "data": b64encode(PNG).decode(), "mimeType": "image/png"},
            ContentBlock("image", data=PNG, mime="image/png"),
        ),
        ({"type": "audio", "data": "?", "mimeType": "audio/wav"}, ContentBlock("audio", mime="audio/wav")),
        (
            {"type": "resource_link", "uri": "a://b", "name": "b", "description": "A letter"},
            ContentBlock("link", "b\nA letter", uri="a://b"),
        ),
        (
            {"type": "resource", "resource": {"uri": "a://b", "text": "x", "mimeType": "text/plain"}},
            ContentBlock("resource", "x", mime="text/plain", uri="a://b"),
        ),
        (
            {"type": "resource", "resource": {"blob": b64encode(PNG).decode(), "mimeType": "image/png"}},
            ContentBlock("image", data=PNG, mime="image/png"),
        ),
        ({"type": "resource", "resource": {"blob": "AAAA"}}, ContentBlock("resource", data=b"\0\0\0")),
        ({"type": "hologram"}, ContentBlock("json", '{"type": "hologram"}')),
        ({"type": "text", "text": 5}, ContentBlock("json", '{"type": "text", "text": 5}')),
    ],
)
def test_every_kind_of_part_is_told(part: dict[str, Any], block: ContentBlock) -> None:
    assert said(content=[part]) == (False, (block,))


def test_structured_content_is_shown_once_even_if_the_text_repeats_it():
    text = {"type": "text", "text": '{"a":1}'}
    assert said(content=[text], structuredContent={"a": 1}) == (False, (ContentBlock("json", '{"a":1}'),))
    other = {"type": "text", "text": "one"}
    expected = (ContentBlock("text", "one"), ContentBlock("json", '{"a":1}'))
    assert said(content=[other], structuredContent={"a": 1}) == (False, expected)
    assert said() == (False, ())


def test_a_failure_is_one_however_it_is_told():
    assert said(content=[{"type": "text", "text": "no"}], isError=True) == (
        True,
        (ContentBlock("text", "no"),),
    )
    error = content_blocks(peek(b'{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"bad"}}'))
    assert error == (True, (ContentBlock("text", "bad"),))
    failed, (block,) = said(content=5)
    assert failed
    assert "invalid answer" in block.text
