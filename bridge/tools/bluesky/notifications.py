"""The tool `notifications`."""

from __future__ import annotations

from bridge.tools.bluesky.failures import errors_as_text
from bridge.tools.bluesky.feeds import Cursor, Limit
from bridge.tools.bluesky.shared import As, BlueskyTools, Format, as_json, now
from bridge.tools.bluesky.text import compact, markdown, views
from bridge.tools.context import ToolContext
from bridge.tools.results import Prose
from bridge.tools.toolbox import Toolbox


class NotificationPage(views.View, frozen=True):
    notifications: list[views.NotificationView]
    cursor: str = ""


def add(box: Toolbox, bluesky: BlueskyTools) -> None:
    @box.tool(
        title="Bluesky notifications", read_only=True, completers={"account": bluesky.complete_own_account}
    )
    @errors_as_text
    async def notifications(
        ctx: ToolContext,
        account: As = "",
        limit: Limit = 50,
        cursor: Cursor = "",
        format: Format = "markdown",
    ) -> Prose:
        """Shows who liked, reposted, answered, quoted, mentioned or followed the account; ● is unread."""
        nsid = "app.bsky.notification.listNotifications"
        items, after = await bluesky.reader(ctx, account).get_pages(nsid, {}, "notifications", limit, cursor)
        shown = [views.notification(one) for one in items]
        if format == "json":
            return as_json(NotificationPage(shown, after))
        handles = {one.did: one.handle for one in bluesky.accounts.registry.accounts}
        title = f"# Notifications · {len(shown)}"
        write = compact.notifications if format == "compact" else markdown.notifications
        return Prose(write(shown, title, now(), after, handles))
