"""The tool `notifications`."""

from __future__ import annotations

from typing import Annotated

from bridge.tools.bluesky.feeds import Cursor, Limit
from bridge.tools.bluesky.shared import As, BlueskyTools, Format, errors_as_text, make_report
from bridge.tools.bluesky.text import markdown, views
from bridge.tools.context import ToolContext
from bridge.tools.results import Report
from bridge.tools.signature import described
from bridge.tools.toolbox import Toolbox

OwnAccount = Annotated[As, described("Whose: a signed-in account. Left out: the default account.")]


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
        account: OwnAccount = "",
        limit: Limit = 20,
        cursor: Cursor = "",
        format: Format = "markdown",
    ) -> Report[str | NotificationPage]:
        """Shows who liked, reposted, answered, quoted, mentioned or followed the account; ● is unread."""
        nsid = "app.bsky.notification.listNotifications"
        reply = await bluesky.get(ctx, account, nsid, {"limit": limit, "cursor": cursor or None})
        shown = [views.notification(one) for one in views.dicts_of(reply, "notifications")]
        data = NotificationPage(shown, views.text_of(reply, "cursor"))
        handles = {one.did: one.handle for one in bluesky.accounts.registry.accounts}
        title = f"# Notifications · {len(shown)}"
        write = markdown.compact_notifications if format == "compact" else markdown.notifications
        return make_report(format, data, write(shown, title, data.cursor, handles))
