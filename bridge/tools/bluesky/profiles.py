"""`profile`: who somebody is."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from bridge.tools.bluesky.shared import BlueskyTools, Format, answer, errors_as_text
from bridge.tools.bluesky.text import markdown, references, views
from bridge.tools.context import ToolContext
from bridge.tools.results import Report
from bridge.tools.toolbox import Toolbox

Whose = Annotated[
    str,
    Meta(
        description="Handle, @handle, DID or address of a profile page. Left out: the person's own account.",
        examples=["@alice.bsky.social", "https://bsky.app/profile/alice.bsky.social"],
    ),
]


def add(box: Toolbox, bluesky: BlueskyTools) -> None:
    @box.tool(title="Bluesky profile", read_only=True, completers={"account": bluesky.complete})
    @errors_as_text
    async def profile(
        ctx: ToolContext, account: Whose = "", format: Format = "markdown"
    ) -> Report[str | views.Person]:
        """Shows a Bluesky profile: name, words about themselves, counts, whether you follow each other."""
        who = references.account(account) if account else (await bluesky.calls(ctx)).did
        told = views.person(await bluesky.ask(ctx, "", "app.bsky.actor.getProfile", {"actor": who}))
        if format == "compact":
            return answer(format, told, f"{markdown.handle(told.handle)} · {markdown.counts(told)}")
        return answer(format, told, markdown.person(told))
