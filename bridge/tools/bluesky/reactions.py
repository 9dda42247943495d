"""`react`: likes, reposts, and taking them back; deleting one's own posts. Many at once, each on its own.

What cannot be done is told beside what was; the call fails only if nothing could be done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from msgspec import Meta

from bridge.accounts.xrpc import AccountCalls
from bridge.errors import DeskbellError
from bridge.tools.base import BadArguments, ToolProblem
from bridge.tools.bluesky.posts import create, record_of, stamp
from bridge.tools.bluesky.shared import As, BlueskyTools, errors_as_text, problem
from bridge.tools.bluesky.text import markdown, references
from bridge.tools.bluesky.text.quoting import verbatim
from bridge.tools.bluesky.text.views import dict_of, dicts_of, text_of
from bridge.tools.context import ToolContext
from bridge.tools.results import Prose
from bridge.tools.toolbox import Toolbox

LIKES, REPOSTS = "app.bsky.feed.like", "app.bsky.feed.repost"
_MOST = 50  # in one call
_AT_ONCE = 25  # that getPosts takes
_WORDS = {
    "like": ("👍 Like", "Like", "Liked"),
    "unlike": ("Take back the like of", "Unlike", "Unliked"),
    "repost": ("♻️ Repost", "Repost", "Reposted"),
    "unrepost": ("Take back the repost of", "Unrepost", "Unreposted"),
    "delete": ("🗑 Delete for good", "Delete", "Deleted"),
}
Refs = Annotated[
    list[str],
    Meta(
        description="Posts: at:// URI, address of the page, or @handle/rkey.",
        examples=[["@bob.bsky.social/3kq8b2e4"]],
        max_length=_MOST,
    ),
]


@dataclass(frozen=True, slots=True)
class Reaction:
    """One thing to do. `problem`: why it cannot be; `done`: it is already so."""

    do: str
    name: str
    post: Mapping[str, Any]
    problem: str = ""
    done: bool = False

    @property
    def open(self) -> bool:
        return not self.problem and not self.done

    def failed(self, why: str) -> str:
        return f"⚠️ {_WORDS[self.do][1]} failed: {why.removeprefix('⚠️ ').rstrip('.')} ({self.name})"


def add(box: Toolbox, bluesky: BlueskyTools) -> None:
    @box.tool(
        title="React on Bluesky",
        destructive=True,
        idempotent=True,
        names={"react_as": "reactAs"},
        completers={"reactAs": bluesky.own},
    )
    @errors_as_text
    async def react(
        ctx: ToolContext,
        react_as: As = "",
        like: Refs = [],  # noqa: B006 - copied for each call
        unlike: Refs = [],  # noqa: B006
        repost: Refs = [],  # noqa: B006
        unrepost: Refs = [],  # noqa: B006
        delete: Refs = [],  # noqa: B006
    ) -> Prose:
        """Likes, reposts, takes either back, deletes own posts: many at once, after the person approved."""
        wanted = {"like": like, "unlike": unlike, "repost": repost, "unrepost": unrepost, "delete": delete}
        named = [(do, one) for do, many in wanted.items() for one in dict.fromkeys(many)]
        if not named or len(named) > _MOST:
            raise BadArguments(
                f"⚠️ react needs one to {_MOST} posts in like, unlike, repost, unrepost or delete."
            )
        calls = await bluesky.calls(ctx, react_as)
        reactions = await _looked_up(bluesky, calls, named)
        if todo := [one for one in reactions if one.open]:
            await bluesky.approve(ctx, "react", _preview(todo, bluesky.handle(calls.did)))
        return _told([await _done(calls, one) for one in reactions])


def _told(lines: Sequence[str]) -> Prose:
    text = "\n".join(lines)
    if all(line.startswith("⚠️") for line in lines):
        raise ToolProblem(text)
    return Prose(text)


def _preview(reactions: Sequence[Reaction], who: str) -> str:
    parts = [f"On Bluesky, as {who}:"]
    for one in reactions:
        text = text_of(dict_of(one.post, "record") or dict_of(one.post, "value"), "text")
        parts.append("\n".join([f"{_WORDS[one.do][0]} {one.name}", *verbatim(text)]))
    return "\n\n".join(parts)


# --- looking, before anything is done --------------------------------------------------------------------


async def _looked_up(
    bluesky: BlueskyTools, calls: AccountCalls, named: Sequence[tuple[str, str]]
) -> list[Reaction]:
    records: dict[str, references.RecordRef | str] = {}
    for _, said in named:
        if said not in records:
            records[said] = await _record(bluesky, calls, said)
    asked = {do_said: records[do_said[1]] for do_said in named}
    uris = [
        one.uri for (do, _), one in asked.items() if do != "delete" and isinstance(one, references.RecordRef)
    ]
    posts = await _posts(calls, list(dict.fromkeys(uris)))
    own = bluesky.handle(calls.did)
    return [await _wish(calls, own, do, said, one, posts) for (do, said), one in asked.items()]


async def _record(bluesky: BlueskyTools, calls: AccountCalls, said: str) -> references.RecordRef | str:
    """Or why there is none."""
    try:
        return await bluesky.full(calls, references.post(said))
    except DeskbellError as error:
        return problem(error)
    except ToolProblem as error:
        return str(error)


async def _posts(calls: AccountCalls, uris: Sequence[str]) -> dict[str, Mapping[str, Any]]:
    found: dict[str, Mapping[str, Any]] = {}
    for start in range(0, len(uris), _AT_ONCE):
        said = await calls.get("app.bsky.feed.getPosts", {"uris": uris[start : start + _AT_ONCE]})
        found |= {text_of(one, "uri"): one for one in dicts_of(said, "posts")}
    return found


async def _wish(
    calls: AccountCalls,
    own: str,
    do: str,
    said: str,
    record: references.RecordRef | str,
    posts: Mapping[str, Mapping[str, Any]],
) -> Reaction:
    if isinstance(record, str):
        return Reaction(do, said.strip()[:100], {}, record)
    post = posts.get(record.uri)
    name = _name(said, record, own if record.who == calls.did else _author(post))
    if do == "delete":
        return await _deletion(calls, name, record)
    if post is None:
        return Reaction(do, name, {}, "Post not found")
    mine = text_of(dict_of(post, "viewer"), do.removeprefix("un"))
    return Reaction(do, name, post, done=bool(mine) is not do.startswith("un"))


async def _deletion(calls: AccountCalls, name: str, record: references.RecordRef) -> Reaction:
    if record.who != calls.did:
        return Reaction("delete", name, {}, "It is somebody else's post")
    try:
        return Reaction("delete", name, await record_of(calls, record))
    except (ToolProblem, DeskbellError) as error:
        return Reaction(
            "delete", name, {}, problem(error) if isinstance(error, DeskbellError) else str(error)
        )


def _name(said: str, record: references.RecordRef, known: str) -> str:
    """By handle, also where a DID was given: that is what the person can read."""
    who = references.post(said).who
    return f"{known if who.startswith('did:') and known else f'@{who}'}/{record.rkey}"


def _author(post: Mapping[str, Any] | None) -> str:
    handle = text_of(dict_of(post or {}, "author"), "handle")
    return markdown.handle(handle) if handle else ""


# --- doing -----------------------------------------------------------------------------------------------


async def _done(calls: AccountCalls, reaction: Reaction) -> str:
    if reaction.problem:
        return reaction.failed(reaction.problem)
    if not reaction.done:
        try:
            await _do(calls, reaction)
        except DeskbellError as error:
            return reaction.failed(problem(error))
        except ToolProblem as error:
            return reaction.failed(str(error))
    already = " already" if reaction.done else ""
    return f"✓ {_WORDS[reaction.do][2]}{already} {reaction.name}"


async def _do(calls: AccountCalls, reaction: Reaction) -> None:
    collection = LIKES if "like" in reaction.do else REPOSTS
    if reaction.do in ("like", "repost"):
        subject = {"uri": text_of(reaction.post, "uri"), "cid": text_of(reaction.post, "cid")}
        await create(calls, collection, {"$type": collection, "subject": subject, "createdAt": stamp()})
        return
    viewer = dict_of(reaction.post, "viewer")
    await remove(calls, text_of(viewer, reaction.do.removeprefix("un")) or text_of(reaction.post, "uri"))


async def remove(calls: AccountCalls, uri: str) -> None:
    """A record of one's own; of nobody else's, whatever a server says."""
    record = references.of_uri(uri)
    if record is None or record.who != calls.did:
        raise ToolProblem("⚠️ The server named a record that is not yours.")
    wanted = {"repo": calls.did, "collection": record.collection, "rkey": record.rkey}
    await calls.post("com.atproto.repo.deleteRecord", wanted)
