"""A filled search index."""

from __future__ import annotations

import io
from pathlib import Path

from bridge.tools.bluesky.repo.search_index import SearchIndex
from bridge.tools.bluesky.text import search_query
from tests.fixtures.pds_repository import Repository


def filled(path: Path, made: Repository, rev: str = "1") -> SearchIndex:
    index = SearchIndex(path / "x.db")
    index.fill(io.BytesIO(made.car()), rev, "now", lambda _: None)
    return index


def found(index: SearchIndex, query: str, limit: int = 50) -> list[str]:
    return [rkey for rkey, _ in index.search(search_query.parse(query), limit).posts]
