"""Format posts on one line each: `@bob.test/3k · 3m — Shipped! 🚀 · 👍5`. Pure.

Signs that have a meaning in these lines get a backslash where another person wrote them: what stands after a
sign without one is written by Deskbell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from bridge.tools.bluesky.text import markdown
from bridge.tools.bluesky.text.figures import age, handle
from bridge.tools.bluesky.text.quoting import one_line
from bridge.tools.bluesky.text.views import NotificationView, Post

_LONGEST = 300  # characters of a post
_SIGNS = re.compile(r"[\\·—↻↳👍♻💬📷🎥❝⚠🏷📌]")


def escaped(text: str) -> str:
    """Return a text of another person on one line, which cannot look like a part of ours."""
    return _SIGNS.sub(r"\\\g<0>", one_line(text, _LONGEST))


def posts(title: str, shown: Sequence[Post], now: datetime, cursor: str = "") -> str:
    known = markdown.handles_of(shown)
    return "\n".join([title, *(line(one, now, known) for one in shown), *markdown.more(cursor)])


def line(one: Post, now: datetime, known: Mapping[str, str] | None = None) -> str:
    """Format one post: who, when, its text, attachments, warnings and counts."""
    if one.gone:
        return f"{markdown.uri_name(one.uri, known)} · {markdown.gone_text(one)}"
    name = markdown.post_name(one)
    if one.reposted_by:
        name = f"{handle(one.reposted_by)} ↻ {name}"
    if one.reply_to:
        name = f"{name} ↳ {markdown.uri_name(one.reply_to, known)}"
    figures = " ".join(markdown.counts(one, gap=""))
    head = " · ".join(filter(None, [name, age(one.reposted_at or one.created, now)]))
    words = " ".join(filter(None, [escaped(markdown.linked(one)), *_attachments(one)]))
    return " · ".join(filter(None, [f"{head} — {words}", markdown.labels(one.labels), figures]))


def _attachments(one: Post) -> Iterator[str]:
    if one.images:
        yield f"📷{len(one.images) if len(one.images) > 1 else ''}"
    if one.video:
        yield "🎥"
    if one.quote is not None:
        yield "❝"


def notifications(
    shown: Sequence[NotificationView],
    title: str,
    now: datetime,
    cursor: str = "",
    known: Mapping[str, str] | None = None,
) -> str:
    lines = []
    for one in shown:
        text = f" — {escaped(markdown.linked(one.post))}" if one.post else ""
        when = age(one.at or (one.post.created if one.post else ""), now)
        lines.append(" · ".join(filter(None, [markdown.reason(one, known or {}), when])) + text)
    return "\n".join([title, *lines, *markdown.more(cursor)])
