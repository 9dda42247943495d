"""Detours: a server that must see a person at a link before it does what it was asked for (error -32042).

Revision 2025-11-25 only; later ones ask by `input_required`. Pure: wire forms in, Questions out.
"""

from __future__ import annotations

from dataclasses import replace

import msgspec
from msgspec import Raw

from bridge.core.protocol.eras import Asked, Inquiry, read
from bridge.core.protocol.jsonrpc import Malformed, edit
from bridge.core.questions.question import Mode, Question

LINKS_FIRST = -32042  # 2025-11-25 only
NO_FIELDS = b'{"type":"object","properties":{}}'
DONE_VISITING = "Continue when you are done in the browser."


class _Links(msgspec.Struct, frozen=True):
    elicitations: list[Raw] = []


class _LinksFirst(msgspec.Struct, frozen=True):
    code: int = 0
    data: _Links = _Links()


def links_first(error: bytes | Raw) -> list[Inquiry]:
    """The links that a legacy server wants visited before the same call; none: it is some other error."""
    try:
        said = read(_LinksFirst, error)
        links = said.data.elicitations if said.code == LINKS_FIRST else []
        return [Inquiry("elicitation/create", Raw(edit(link, {"mode": b'"url"'}))) for link in links]
    except Malformed:
        return []


def done_visiting(link: Question, question_id: str) -> Asked:
    """What the person is asked while in the browser: a form with nothing to fill in."""
    done = replace(link, id=question_id, mode=Mode.FORM, url="", message=DONE_VISITING, schema=NO_FIELDS)
    return Asked(replace(done, asked_at=0.0, first=False, follows=link.id), "elicitation/create", b"")
