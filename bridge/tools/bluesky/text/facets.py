"""Facets: the mentions, links and tags of a post, by offsets into its UTF-8 bytes. Pure.

Read: which pieces of a text lead where. Written: what a person means by `@handle`, an address and `#tag`.
Offsets that make no sense, overlap or cut a character in two are passed over, as Bluesky's own app does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_FACET = "app.bsky.richtext.facet"
_MENTION = re.compile(rb"(?:^|(?<=[\s(]))@([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z][A-Za-z0-9-]*)\b")
_LINK = re.compile(rb"(?:^|(?<=[\s(]))(https?://[^\s<>\"]+)")
_TAG = re.compile(r"(?:^|(?<=\s))[#\uff03]((?!\ufe0f)[^\s\u00ad\u2060\u200a-\u200d\u20e2]*[^\d\s\W][^\s]*)")
_ENDS = ".,;:!?'\"…"
MOST_TAG = 64  # graphemes; letters are close enough


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text; at most one of the others is filled."""

    text: str
    link: str = ""
    mention: str = ""  # a DID
    tag: str = ""


def pieces(text: str, facets: object) -> Iterator[Piece]:
    """The whole text in order, cut where facets begin and end."""
    raw, at = text.encode("utf-8", "replace"), 0
    for start, end, feature in sorted(_spans(facets), key=lambda span: span[:2]):
        if start < at or end > len(raw):
            continue
        try:
            before, inside = raw[at:start].decode(), raw[start:end].decode()
        except UnicodeDecodeError:
            continue
        if before:
            yield Piece(before)
        yield Piece(inside, **feature)
        at = end
    if at < len(raw):
        yield Piece(raw[at:].decode("utf-8", "replace"))


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


# --- writing ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FacetCandidate:
    """What a text seems to hold, before anybody looked up the handles."""

    start: int
    end: int
    kind: str  # link, mention, tag
    value: str


def find(text: str) -> list[FacetCandidate]:
    raw = text.encode()
    found = [*_links(raw), *_mentions(raw), *_tags(text)]
    kept: list[FacetCandidate] = []
    for one in sorted(found, key=lambda one: one.start):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def _mentions(raw: bytes) -> Iterator[FacetCandidate]:
    for match in _MENTION.finditer(raw):
        yield FacetCandidate(match.start(), match.end(), "mention", match[1].decode().lower())


def _links(raw: bytes) -> Iterator[FacetCandidate]:
    for match in _LINK.finditer(raw):
        url = match[1].decode("utf-8", "ignore").rstrip(_ENDS)
        while url.endswith(")") and url.count("(") < url.count(")"):
            url = url[:-1].rstrip(_ENDS)
        if len(url.partition("://")[2]) > 0:
            yield FacetCandidate(match.start(), match.start() + len(url.encode()), "link", url)


def _tags(text: str) -> Iterator[FacetCandidate]:
    for match in _TAG.finditer(text):
        tag = match[1].rstrip(_ENDS + ")")
        if tag and len(tag) <= MOST_TAG:
            start = len(text[: match.start()].encode())
            yield FacetCandidate(
                start, start + 1 + len(tag.encode()) + (2 if match[0][0] != "#" else 0), "tag", tag
            )


def written(found: list[FacetCandidate], dids: Mapping[str, str]) -> list[dict[str, Any]]:
    """As a record holds them. A handle that leads nowhere stays plain text."""
    made = []
    for one in found:
        value = dids.get(one.value, "") if one.kind == "mention" else one.value
        if value:
            key = {"link": "uri", "mention": "did", "tag": "tag"}[one.kind]
            features = [{"$type": f"{_FACET}#{one.kind}", key: value}]
            made.append({"index": {"byteStart": one.start, "byteEnd": one.end}, "features": features})
    return made
