"""What the benchmarks measure has the real network's shapes, by the lexicons of the `atproto` package."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bridge.accounts.service import AccountService
from bridge.settings import Bluesky
from bridge.tools.bluesky import toolbox
from bridge.tools.bluesky.text import markdown, views
from tests.bridge.accounts.accounts_rig import Browser
from tests.fixtures import appview
from tests.fixtures.account_owner import book_in


def strangers(model: Any, place: str = "") -> Iterator[str]:
    """Fields that no lexicon knows."""
    from pydantic import BaseModel

    if isinstance(model, BaseModel):
        yield from (f"{place}.{name}" for name in model.model_extra or {})
        for name, value in model:
            yield from strangers(value, f"{place}.{name}")
    elif isinstance(model, list):
        for value in model:
            yield from strangers(value, f"{place}[]")


def test_the_timeline_is_one_by_the_lexicons_to_the_last_field() -> None:
    from atproto_client import models  # type: ignore[import-untyped]

    said = {"feed": appview.timeline(), "cursor": appview.when(1)}
    kind = models.AppBskyFeedGetTimeline.Response
    read = models.get_or_create(said, kind, strict=True, strict_string_format=True)
    assert list(strangers(read)) == []
    assert len(read.feed) == 30
    for one in read.feed:
        assert type(one.post.record) is models.AppBskyFeedPost.Record
    embeds = {one.post.embed.py_type.split(".")[3] for one in read.feed if one.post.embed}
    assert embeds == {"images#view", "external#view", "record#view", "recordWithMedia#view", "video#view"}


async def test_every_parameter_has_a_type_words_and_an_example(tmp_path: Path) -> None:
    office = AccountService(book_in(tmp_path, Bluesky()), tmp_path, Browser().open, lambda: None)
    for name, tool in toolbox(office, tmp_path).tools.items():
        for parameter, schema in tool.input_schema["properties"].items():
            assert {"type", "description"} <= set(schema), (name, parameter)
            plain = "enum" in schema or schema["type"] in ("integer", "boolean")
            assert plain or schema["examples"], (name, parameter)
    await office.close()


def test_nothing_of_it_is_lost_on_the_way_to_the_model() -> None:
    posts = [views.feed_post(one) for one in appview.timeline()]
    text = markdown.feed(markdown.titled("Following", posts), posts, datetime.now(UTC))
    for sign in ("📷", "🎥", "🔗", "❝", "↻", "↳", "⚠️ Content warning: graphic-media", "#harbour"):
        assert sign in text
    for raw in appview.timeline():
        assert f"@{raw['post']['author']['handle']}/" in text
        assert raw["post"]["record"]["text"].splitlines()[0][:20] in text
