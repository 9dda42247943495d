"""`notifications`: who liked, answered, followed."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from bridge.tools.bluesky.feeds import Cursor, Limit
from bridge.tools.bluesky.shared import As, BlueskyTools, Format, answer, errors_as_text
from bridge.tools.bluesky.text import markdown, views
from bridge.tools.context import ToolContext
from bridge.tools.results import Report
from bridge.tools.toolbox import Toolbox

Own = Annotated[As, Meta(description="Whose: a signed-in account. Left out: the default account.")]


class NotificationPage(views.View, frozen=True):
    notifications: list[views.Notification]
    cursor: str = ""


def add(box: Toolbox, bluesky: BlueskyTools) -> None:
    @box.tool(title="Bluesky notifications", read_only=True, completers={"account": bluesky.own})
    @errors_as_text
    async def notifications(
        ctx: ToolContext,
        account: Own = "",
        limit: Limit = 20,
        cursor: Cursor = "",
        format: Format = "markdown",
    ) -> Report[str | NotificationPage]:
        """Shows who liked, reposted, answered, quoted, mentioned or followed the account; ● is unread."""
        nsid = "app.bsky.notification.listNotifications"
        said = await bluesky.ask(ctx, account, nsid, {"limit": limit, "cursor": cursor or None})
        shown = [views.notification(one) for one in views.dicts_of(said, "notifications")]
        data = NotificationPage(shown, views.text_of(said, "cursor"))
        known = {one.did: one.handle for one in bluesky.office.book.accounts}
        title = f"# Notifications · {len(shown)}"
        if format == "compact":
            return answer(format, data, markdown.compact_notifications(shown, title, data.cursor, known))
        return answer(format, data, markdown.notifications(shown, title, data.cursor, known))
