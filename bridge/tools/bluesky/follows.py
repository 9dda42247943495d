"""`follow`: follow somebody, or no longer."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from bridge.tools.bluesky.posts import create, stamp
from bridge.tools.bluesky.reactions import remove
from bridge.tools.bluesky.shared import As, BlueskyTools, errors_as_text
from bridge.tools.bluesky.text import markdown, references, views
from bridge.tools.bluesky.text.quoting import verbatim
from bridge.tools.context import ToolContext
from bridge.tools.results import Prose
from bridge.tools.toolbox import Toolbox

FOLLOWS = "app.bsky.graph.follow"
Whom = Annotated[
    str,
    Meta(
        min_length=1,
        description="Handle, @handle, DID or address of a profile page.",
        examples=["@alice.bsky.social"],
    ),
]
Action = Annotated[Literal["follow", "unfollow"], Meta(description="follow, or unfollow to take it back.")]


def add(box: Toolbox, bluesky: BlueskyTools) -> None:
    @box.tool(
        title="Follow on Bluesky",
        destructive=False,
        idempotent=True,
        completers={"account": bluesky.complete, "as": bluesky.own},
    )
    @errors_as_text
    async def follow(ctx: ToolContext, account: Whom, as_: As = "", action: Action = "follow") -> Prose:
        """Follows or unfollows an account, after the person approved."""
        who = references.account(account)
        calls = await bluesky.calls(ctx, as_)
        person = views.person(await calls.get("app.bsky.actor.getProfile", {"actor": who}))
        name, me = markdown.handle(person.handle), bluesky.handle(calls.did)
        done = "Followed" if action == "follow" else "Unfollowed"
        if bool(person.you_follow) is (action == "follow"):
            return Prose(f"✓ {done} already {name}")
        preview = "\n".join([f"{action.capitalize()} {name} on Bluesky as {me}?", "", *verbatim(person.name)])
        await bluesky.approve(ctx, "follow", preview.rstrip())
        if action == "follow":
            await create(calls, FOLLOWS, {"$type": FOLLOWS, "subject": person.did, "createdAt": stamp()})
        else:
            await remove(calls, person.you_follow)
        return Prose(f"✓ {done} {name}")
