"""The tools `profile` and `follow`."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from bridge.tools.bluesky import lexicons
from bridge.tools.bluesky.failures import errors_as_text
from bridge.tools.bluesky.posts import create_record, timestamp
from bridge.tools.bluesky.reactions import delete_record
from bridge.tools.bluesky.shared import As, BlueskyTools, Format, ViewAs, as_json
from bridge.tools.bluesky.text import markdown, references, views
from bridge.tools.bluesky.text.figures import handle
from bridge.tools.bluesky.text.quoting import verbatim
from bridge.tools.context import ToolContext
from bridge.tools.results import Prose
from bridge.tools.signature import described
from bridge.tools.toolbox import Toolbox

FOLLOWS = "app.bsky.graph.follow"
OptionalAccount = Annotated[
    str,
    described(
        "Handle, DID, bsky.app address or display name; the person's own if left out.", "alice.bsky.social"
    ),
]
AccountArgument = Annotated[
    str, described("Handle, DID or bsky.app address.", "bob.bsky.social", min_length=1)
]
Action = Annotated[Literal["follow", "unfollow"], described("unfollow takes it back.")]


def add(box: Toolbox, bluesky: BlueskyTools) -> None:
    @box.tool(
        title="Bluesky profile",
        read_only=True,
        names={"view_as": "viewAs"},
        completers={"account": bluesky.complete_account, "viewAs": bluesky.complete_own_account},
    )
    @errors_as_text
    async def profile(
        ctx: ToolContext, account: OptionalAccount = "", view_as: ViewAs = "", format: Format = "markdown"
    ) -> Prose:
        """Shows a Bluesky profile: name, description, counts, whether you follow each other."""
        reader = bluesky.reader(ctx, view_as)
        who = await reader.find_account(account) if account else (await reader.account()).did
        person = views.person(await reader.get("app.bsky.actor.getProfile", {"actor": who}))
        if format == "json":
            return as_json(person)
        if format == "compact":
            return Prose(f"{handle(person.handle)} · {markdown.person_counts(person)}")
        return Prose(markdown.person(person))

    @box.tool(
        title="Follow on Bluesky",
        destructive=False,
        idempotent=True,
        completers={"account": bluesky.complete_account, "as": bluesky.complete_own_account},
    )
    @errors_as_text
    async def follow(
        ctx: ToolContext,
        account: AccountArgument,
        as_: As = "",
        action: Action = "follow",
    ) -> Prose:
        """Follows or unfollows an account, after the person approved."""
        who = references.account(account)
        calls = await bluesky.account_calls(ctx, as_)
        person = views.person(await calls.get("app.bsky.actor.getProfile", {"actor": who}))
        name, me = handle(person.handle), bluesky.handle_of(calls.did)
        done = "Followed" if action == "follow" else "Unfollowed"
        if bool(person.you_follow) is (action == "follow"):
            return Prose(f"✓ Already {done.lower()} {name}")
        preview = "\n".join([f"{action.capitalize()} {name} on Bluesky as {me}?", "", *verbatim(person.name)])
        record = {"$type": FOLLOWS, "subject": person.did, "createdAt": timestamp()}
        await asyncio.to_thread(lexicons.check, record)
        await bluesky.approve(ctx, "follow", preview.rstrip())
        if action == "follow":
            await create_record(calls, FOLLOWS, record)
        else:
            await delete_record(calls, person.you_follow)
        return Prose(f"✓ {done} {name}")
