"""Find links, mentions and tags by the network's own rules, and check records by its lexicons.

The rules and lexicons are those of the `atproto` package, whose import takes time and memory: only the tools
that write load it, in a thread. Every function here blocks.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib.util import find_spec, module_from_spec
from typing import Any

from bridge.tools.base import ToolProblem
from bridge.tools.bluesky.text.facets import FacetCandidate

# Stands for the identifier of what is not sent yet: an uploaded image, the post before in a thread.
PLACEHOLDER_CID = "bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku"


def _leave_out_clients() -> None:
    """Keep `atproto_client` from importing its clients, unused here: most of a second and 30 MB."""
    spec = None if "atproto_client" in sys.modules else find_spec("atproto_client")
    if spec is not None:
        sys.modules["atproto_client"] = module_from_spec(spec)


def find_facets(text: str) -> list[FacetCandidate]:
    """Return the links, mentions and tags of a text in their order."""
    _leave_out_clients()
    from atproto_client.utils.facet_detection import detect_facets, detect_mentions  # type: ignore[import-untyped]

    found = [
        FacetCandidate(one.byte_start, one.byte_end, "mention", one.handle.lower())
        for one in detect_mentions(text)
    ]
    for facet in detect_facets(text):
        (feature,) = facet.features
        kind = str(feature.py_type).partition("#")[2]
        value = str(getattr(feature, "uri" if kind == "link" else "tag"))
        found.append(FacetCandidate(facet.index.byte_start, facet.index.byte_end, kind, value))
    return sorted(found, key=lambda one: one.start)


def check(record: Mapping[str, Any]) -> None:
    """Raise ToolProblem if a record does not fit the lexicon of its type."""
    _leave_out_clients()
    from atproto_client import models  # type: ignore[import-untyped]
    from atproto_client.exceptions import ModelError  # type: ignore[import-untyped]
    from atproto_client.models.utils import get_or_create  # type: ignore[import-untyped]

    model = {
        "app.bsky.feed.post": models.AppBskyFeedPost.Record,
        "app.bsky.feed.like": models.AppBskyFeedLike.Record,
        "app.bsky.feed.repost": models.AppBskyFeedRepost.Record,
        "app.bsky.graph.follow": models.AppBskyGraphFollow.Record,
    }[record["$type"]]
    try:
        get_or_create(dict(record), model, strict_string_format=True)
    except ModelError as error:
        raise ToolProblem(
            f"⚠️ Nothing was sent: the record does not fit its lexicon. {_first(error)}"
        ) from error


def _first(error: Exception) -> str:
    """Return the wrong field and the reason, from pydantic's long message."""
    lines = [line.strip() for line in str(error).splitlines()[1:3]]
    return ": ".join(line.partition(" [type=")[0] for line in lines) + "."
