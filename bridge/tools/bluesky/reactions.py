"""The tools `react`, `like` and `delete`: like, repost, take either back, delete own posts, many at once.

Each reaction succeeds or fails by itself; the call fails only if all reactions fail.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from bridge.accounts.xrpc import AccountCalls
from bridge.errors import DeskbellError
from bridge.tools.base import BadArguments, ToolProblem
from bridge.tools.bluesky import lexicons
from bridge.tools.bluesky.failures import as_problem, errors_as_text
from bridge.tools.bluesky.posts import create_record, get_record, timestamp
from bridge.tools.bluesky.shared import As, BlueskyTools
from bridge.tools.bluesky.text import figures, references
from bridge.tools.bluesky.text.quoting import verbatim
from bridge.tools.bluesky.text.views import dict_of, dicts_of, text_of
from bridge.tools.context import ToolContext
from bridge.tools.results import NOT_FOUND, Prose
from bridge.tools.signature import described
from bridge.tools.toolbox import Toolbox

LIKES, REPOSTS = "app.bsky.feed.like", "app.bsky.feed.repost"
_MAX_REACTIONS = 50  # in one call
_POSTS_PER_REQUEST = 25  # limit of getPosts
_TEXTS = {  # action → preview, failure, success
    "like": ("👍 Like", "Like", "Liked"),
    "unlike": ("Take back the like of", "Unlike", "Unliked"),
    "repost": ("♻️ Repost", "Repost", "Reposted"),
    "unrepost": ("Take back the repost of", "Unrepost", "Unreposted"),
    "delete": ("🗑 Delete for good", "Delete", "Deleted"),
}
_EXAMPLE = ["@bob.test/3kq8b2e4"]
PostRefs = Annotated[list[str], described("at:// URIs or @handle/rkey.", _EXAMPLE, max_length=_MAX_REACTIONS)]


@dataclass(frozen=True, slots=True)
class Reaction:
    """One action on one post. `problem`: why it is impossible; `done`: nothing has to change."""

    action: str
    name: str  # @handle/rkey
    post: Mapping[str, Any]
    problem: ToolProblem | None = None
    done: bool = False

    @property
    def is_open(self) -> bool:
        return not self.problem and not self.done

    def failed(self, problem: ToolProblem) -> str:
        why = str(problem).removeprefix("⚠️ ").rstrip(".")
        return f"⚠️ {_TEXTS[self.action][1]} failed: {why} ({self.name})"


def add(box: Toolbox, bluesky: BlueskyTools) -> None:
    hints: dict[str, Any] = {"names": {"react_as": "reactAs"}, "idempotent": True}
    hints["completers"] = {"reactAs": bluesky.complete_own_account}

    @box.tool(title="React on Bluesky", **hints)
    @errors_as_text
    async def react(
        ctx: ToolContext,
        react_as: As = "",
        like: PostRefs = [],  # noqa: B006 - copied for each call
        unlike: PostRefs = [],  # noqa: B006
        repost: PostRefs = [],  # noqa: B006
        unrepost: PostRefs = [],  # noqa: B006
        delete: PostRefs = [],  # noqa: B006
    ) -> Prose:
        """Likes, reposts, takes either back, deletes own posts: many at once, after the person approved."""
        by_action = {"like": like, "unlike": unlike, "repost": repost, "unrepost": unrepost, "delete": delete}
        return await _react(bluesky, ctx, "react", react_as, by_action)

    @box.tool(title="Like on Bluesky", destructive=False, **hints)
    @errors_as_text
    async def like(ctx: ToolContext, posts: PostRefs, react_as: As = "") -> Prose:
        """Likes posts, as react does."""
        return await _react(bluesky, ctx, "like", react_as, {"like": posts})

    @box.tool(title="Delete on Bluesky", **hints)
    @errors_as_text
    async def delete(ctx: ToolContext, posts: PostRefs, react_as: As = "") -> Prose:
        """Deletes own posts, as react does."""
        return await _react(bluesky, ctx, "delete", react_as, {"delete": posts})


async def _react(
    bluesky: BlueskyTools, ctx: ToolContext, tool: str, who: str, by_action: Mapping[str, list[str]]
) -> Prose:
    named = [(action, one) for action, many in by_action.items() for one in dict.fromkeys(many)]
    if not named or len(named) > _MAX_REACTIONS:
        where = "posts" if tool != "react" else "like, unlike, repost, unrepost or delete"
        raise BadArguments(f"⚠️ {tool} needs one to {_MAX_REACTIONS} posts in {where}.")
    calls = await bluesky.account_calls(ctx, who)
    reactions = await _look_up(bluesky, calls, named)
    if to_do := [one for one in reactions if one.is_open]:
        await bluesky.approve(ctx, tool, _preview(to_do, bluesky.handle_of(calls.did)))
    return _report([(one, await _carry_out(calls, one)) for one in reactions])


def _report(outcomes: Sequence[tuple[Reaction, ToolProblem | None]]) -> Prose:
    """Say what was done, in one line for each action, and why the rest was not. `outcomes` has the problem of
    each reaction. If all failed for the same reason, that is the reason of the call's failure."""
    succeeded: dict[str, list[str]] = {}
    for one, problem in outcomes:
        if problem is None:
            done = _TEXTS[one.action][2]
            succeeded.setdefault(f"Already {done.lower()}" if one.done else done, []).append(one.name)
    lines = [
        f"✓ {done} {names[0] if len(names) == 1 else figures.counted(len(names), 'post')}"
        for done, names in succeeded.items()
    ]
    problems = [(one, problem) for one, problem in outcomes if problem is not None]
    text = "\n".join([*lines, *(one.failed(problem) for one, problem in problems)])
    if not succeeded:
        reasons = {problem.why for _, problem in problems}
        raise ToolProblem(text, reasons.pop() if len(reasons) == 1 else "")
    return Prose(text)


def _preview(reactions: Sequence[Reaction], who: str) -> str:
    parts = [f"On Bluesky, as {who}:"]
    for reaction in reactions:
        text = text_of(dict_of(reaction.post, "record") or dict_of(reaction.post, "value"), "text")
        parts.append("\n".join([f"{_TEXTS[reaction.action][0]} {reaction.name}", *verbatim(text)]))
    return "\n\n".join(parts)


# --- looking up posts, before any change -----------------------------------------------------------------


async def _look_up(
    bluesky: BlueskyTools, calls: AccountCalls, named: Sequence[tuple[str, str]]
) -> list[Reaction]:
    records: dict[str, references.RecordRef | ToolProblem] = {}
    for _, ref in named:
        if ref not in records:
            records[ref] = await _parse_ref(bluesky, calls, ref)
    needed = (records[ref] for action, ref in named if action != "delete")
    uris = [record.uri for record in needed if isinstance(record, references.RecordRef)]
    posts = await _get_posts(calls, list(dict.fromkeys(uris)))
    return [await _reaction(bluesky, calls, action, ref, records[ref], posts) for action, ref in named]


async def _parse_ref(
    bluesky: BlueskyTools, calls: AccountCalls, ref: str
) -> references.RecordRef | ToolProblem:
    """Return the record, or why there is none."""
    try:
        return await bluesky.with_did(calls, references.post(ref))
    except (DeskbellError, ToolProblem) as error:
        return as_problem(error)


async def _get_posts(calls: AccountCalls, uris: Sequence[str]) -> dict[str, Mapping[str, Any]]:
    found: dict[str, Mapping[str, Any]] = {}
    for start in range(0, len(uris), _POSTS_PER_REQUEST):
        reply = await calls.get("app.bsky.feed.getPosts", {"uris": uris[start : start + _POSTS_PER_REQUEST]})
        found |= {text_of(one, "uri"): one for one in dicts_of(reply, "posts")}
    return found


async def _reaction(
    bluesky: BlueskyTools,
    calls: AccountCalls,
    action: str,
    ref: str,
    record: references.RecordRef | ToolProblem,
    posts: Mapping[str, Mapping[str, Any]],
) -> Reaction:
    if isinstance(record, ToolProblem):
        return Reaction(action, ref.strip()[:100], {}, record)
    post = posts.get(record.uri)
    author = _author(post) or await bluesky.name_of(calls, references.post(ref).who)
    name = f"{author}/{record.rkey}"
    if action == "delete":
        return await _deletion(calls, name, record)
    if post is None:
        return Reaction(action, name, {}, ToolProblem("Post not found", NOT_FOUND))
    own_record = text_of(dict_of(post, "viewer"), action.removeprefix("un"))
    reaction = Reaction(action, name, post, done=bool(own_record) is not action.startswith("un"))
    try:
        await asyncio.to_thread(lexicons.check, _record(reaction))
    except ToolProblem as error:
        return replace(reaction, problem=error)
    return reaction


async def _deletion(calls: AccountCalls, name: str, record: references.RecordRef) -> Reaction:
    if record.who != calls.did:
        return Reaction("delete", name, {}, ToolProblem("It is somebody else's post"))
    try:
        return Reaction("delete", name, await get_record(calls, record))
    except (ToolProblem, DeskbellError) as error:
        return Reaction("delete", name, {}, as_problem(error))


def _author(post: Mapping[str, Any] | None) -> str:
    handle = text_of(dict_of(post or {}, "author"), "handle")
    return figures.handle(handle) if handle else ""


# --- carrying out ----------------------------------------------------------------------------------------


async def _carry_out(calls: AccountCalls, reaction: Reaction) -> ToolProblem | None:
    """Return why the reaction failed; None if it did not."""
    if reaction.is_open:
        try:
            await _apply(calls, reaction)
        except (DeskbellError, ToolProblem) as error:
            return as_problem(error)
    return reaction.problem


async def _apply(calls: AccountCalls, reaction: Reaction) -> None:
    if reaction.action in ("like", "repost"):
        record = _record(reaction)
        await create_record(calls, record["$type"], record)
        return
    viewer = dict_of(reaction.post, "viewer")
    await delete_record(
        calls, text_of(viewer, reaction.action.removeprefix("un")) or text_of(reaction.post, "uri")
    )


def _record(reaction: Reaction) -> dict[str, Any]:
    subject = {"uri": text_of(reaction.post, "uri"), "cid": text_of(reaction.post, "cid")}
    collection = LIKES if reaction.action == "like" else REPOSTS
    return {"$type": collection, "subject": subject, "createdAt": timestamp()}


async def delete_record(calls: AccountCalls, uri: str) -> None:
    """Delete an own record; refuse any other, whatever URI a server returns."""
    record = references.parse_uri(uri)
    if record is None or record.who != calls.did:
        raise ToolProblem("⚠️ The server named a record that is not yours.")
    params = {"repo": calls.did, "collection": record.collection, "rkey": record.rkey}
    await calls.post("com.atproto.repo.deleteRecord", params)
