"""Facets: the mentions, links and tags of a post, by offsets into its UTF-8 bytes. Pure.

`pieces` splits the text of a post by its facets; `to_record` makes those of a text to be posted, which
lexicons.py finds. Facets with invalid or overlapping offsets, or that split a character, are ignored, as in
Bluesky's app.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_FACET = "app.bsky.richtext.facet"


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the text; at most one of the other fields is set."""

    text: str
    link: str = ""
    mention: str = ""  # a DID
    tag: str = ""


def pieces(text: str, facets: object) -> Iterator[Piece]:
    """Yield the whole text, split where facets begin and end."""
    raw, position = text.encode("utf-8", "replace"), 0
    for start, end, feature in sorted(_spans(facets), key=lambda span: span[:2]):
        if start < position or end > len(raw):
            continue
        try:
            before, inside = raw[position:start].decode(), raw[start:end].decode()
        except UnicodeDecodeError:
            continue
        if before:
            yield Piece(before)
        yield Piece(inside, **feature)
        position = end
    if position < len(raw):
        yield Piece(raw[position:].decode("utf-8", "replace"))


def _spans(facets: object) -> Iterator[tuple[int, int, dict[str, str]]]:
    for facet in facets if isinstance(facets, list) else ():
        index = facet.get("index") if isinstance(facet, dict) else None
        if not isinstance(index, dict):
            continue
        start, end = index.get("byteStart"), index.get("byteEnd")
        if type(start) is int and type(end) is int and 0 <= start < end:
            features = facet.get("features")
            known = (
                [_feature(one) for one in features if isinstance(one, dict)]
                if isinstance(features, list)
                else []
            )
            yield start, end, next((one for one in known if one), {})


def _feature(feature: Mapping[str, Any]) -> dict[str, str]:
    kind = str(feature.get("$type", "")).partition("#")[2]
    key = {"link": "uri", "mention": "did", "tag": "tag"}.get(kind, "")
    value = feature.get(key)
    return {kind: value} if key and isinstance(value, str) else {}


# --- writing -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FacetCandidate:
    """A mention, link or tag in a text; the handle of a mention may not exist."""

    start: int
    end: int
    kind: str  # link, mention, tag
    value: str


def to_record(found: list[FacetCandidate], dids: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return facets as in a post record. A mention without a DID is left out: it stays plain text."""
    facets = []
    for one in found:
        value = dids.get(one.value, "") if one.kind == "mention" else one.value
        if value:
            key = {"link": "uri", "mention": "did", "tag": "tag"}[one.kind]
            features = [{"$type": f"{_FACET}#{one.kind}", key: value}]
            facets.append({"index": {"byteStart": one.start, "byteEnd": one.end}, "features": features})
    return facets
