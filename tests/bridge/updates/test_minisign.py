"""Signatures that the program minisign made."""

from __future__ import annotations

import pytest

from bridge.updates.minisign import NotSigned, public_key, verify

KEY = "RWQGXMjy19rEt1yTsoKzSAJEtcBL6mwM3YftMGqV5De3C9MHtZWKjAEE"
CONTENT = b'{"version": "9.0"}'
SIGNATURE = """untrusted comment: signature from minisign secret key
RUQGXMjy19rEt1l61FAp3PzWSyMfPkCJIJJm0RUy4SVlky6QqYs0fYPxIPRMQnsZOHpdsmN99Y5jUghYubNRApeROO45UgsUNAo=
trusted comment: Deskbell 9.0
NVPRLWVjsnu14eKzX2niMcrMdZSke4VnZcsUWj0Hwrmw9OtVuCAZEkS5lkWwkTVEvcBfkScFpTWe9whXrJXJCQ==
"""
OF_THE_FILE_ITSELF = """untrusted comment: signature from minisign secret key
RWQGXMjy19rEt2uxOiDwjyuNekH+IA6vqHuIXg9eMCcZeV8vSle13zrk/ytISGNHmDTminbDKHi1Od4bL3VcEq8Mi3/ZowE3WAQ=
trusted comment: timestamp:1795001217\tfile:a.json
2HNkRyYUM7iyUqbY1GrWOuu1q0JCUAt+h1gUBR/tbUWYdTMCQf46olw8/aXrPChaCoBrGHUFsFzQEmqzFG8TAA==
"""


def test_what_minisign_signed_is_accepted_with_its_comment() -> None:
    assert verify(CONTENT, SIGNATURE, [KEY]) == "Deskbell 9.0"
    assert verify(CONTENT, SIGNATURE, [f"untrusted comment: minisign public key\n{KEY}\n"]) == "Deskbell 9.0"


@pytest.mark.parametrize(
    ("content", "signature", "words"),
    [
        (CONTENT + b" ", SIGNATURE, "somebody has changed it"),
        (CONTENT, SIGNATURE.replace("9.0", "9.1"), "somebody has changed it"),
        (CONTENT, OF_THE_FILE_ITSELF, "cannot be read"),
        (CONTENT, "", "cannot be read"),
        (CONTENT, SIGNATURE.replace("trusted comment: D", "comment: D"), "cannot be read"),
        (CONTENT, SIGNATURE.replace("RUQG", "!!!!"), "cannot be read"),
    ],
)
def test_nothing_else_is(content: bytes, signature: str, words: str) -> None:
    with pytest.raises(NotSigned, match=words):
        verify(content, signature, [KEY])


@pytest.mark.parametrize("text", ["", "RWQ", "!", "A" * 56])
def test_what_is_no_public_key_is_said(text: str) -> None:
    with pytest.raises(NotSigned, match="not a public key"):
        public_key(text)
    with pytest.raises(NotSigned):
        verify(CONTENT, SIGNATURE, [text])
