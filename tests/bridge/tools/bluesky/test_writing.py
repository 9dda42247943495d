"""Writing on Bluesky: what the person sees is what is sent, and nothing is sent that they did not see."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.accounts.service import AccountService
from bridge.core.policy.rules import Verdict
from bridge.core.protocol.translate import FAILURE_KEY
from bridge.tools.bluesky import images, toolbox
from bridge.tools.bluesky.text import post_splitting
from bridge.tools.bluesky.text.quoting import verbatim
from bridge.tools.bluesky.text.references import POSTS
from bridge.tools.results import NOT_FOUND
from tests.bridge.accounts.accounts_rig import Browser, signed_in
from tests.fixtures import fake_pds as skies
from tests.fixtures.fake_pds import DID, OTHER, Sky
from tests.fixtures.toolbox_host import Talk

YES = {"action": "accept", "content": {"answer": "yes"}}
NO, CLOSED = {"action": "decline"}, {"action": "cancel"}
CREATE, DELETE = "com.atproto.repo.createRecord", "com.atproto.repo.deleteRecord"
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
ROOT = {"uri": f"at://{OTHER}/{POSTS}/3root", "cid": "thecidofroot"}


class Rules:
    def __init__(self) -> None:
        self.of: dict[str, Verdict] = {}


@pytest.fixture
def rules() -> Rules:
    return Rules()


@pytest.fixture
async def sky():
    async with skies.sky_at() as sky:
        made: list[Any] = []

        def create(query: Any, body: Any) -> Any:
            made.append(body)
            uri = f"at://{body['repo']}/{body['collection']}/3new{len(made)}"
            return {"uri": uri, "cid": f"thecidofnew{len(made)}"}

        def record(query: Any, body: Any) -> Any:
            if query["rkey"] == "3gone":
                return {"error": "RecordNotFound", "message": "Could not locate record: at://…"}
            reply = {"reply": {"root": ROOT, "parent": ROOT}} if query["rkey"] == "3deep" else {}
            uri = f"at://{query['repo']}/{query['collection']}/{query['rkey']}"
            return {
                "uri": uri,
                "cid": "thecidof" + query["rkey"],
                "value": {"text": "What they said", **reply},
            }

        sky.answers |= {CREATE: create, DELETE: {}, "com.atproto.repo.getRecord": record}
        sky.answers["com.atproto.repo.uploadBlob"] = {"blob": {"$type": "blob", "ref": {"$link": "b"}}}
        yield sky


@pytest.fixture
async def talk(sky: Sky, tmp_path: Path, rules: Rules):
    registry, _ = await signed_in(sky, tmp_path)
    office = AccountService(registry, tmp_path / "pictures", Browser().open, lambda: None)
    talk = Talk(toolbox(office, tmp_path / "repositories", lambda tool, host: rules.of.get(tool)))
    yield talk
    talk.connection.close()
    await talk.connection.closed()
    await office.close()


def text(result: Any) -> str:
    (block,) = result["content"]
    return block["text"]


def sent(sky: Sky) -> list[dict[str, Any]]:
    return [body["record"] for nsid, body in sky.asks if nsid == CREATE]


async def question(talk: Talk) -> str:
    return (await talk.asked())["params"]["message"]


async def test_a_post_is_shown_as_it_is_and_as_whom_before_it_is_sent(sky: Sky, talk: Talk) -> None:
    words = "Hello, @bob.test!\n# É https://a.test/x #tea @nobody.test"
    said = await talk.call_answering("post", YES, text=words)
    assert text(said) == f"✓ Posted at://{DID}/{POSTS}/3new1"
    assert await question(talk) == (
        "Send a post to Bluesky as @alice.test:\n\n"
        "> Hello, @bob.test!\n> \\# É https://a.test/x #tea @nobody.test\n\n"
        "Links: @bob.test, https://a.test/x, #tea"
    )
    (record,) = sent(sky)
    assert (record["$type"], record["text"]) == (POSTS, words)
    raw = words.encode()
    spans = [(one["index"]["byteStart"], one["index"]["byteEnd"]) for one in record["facets"]]
    assert [raw[start:end].decode() for start, end in spans] == ["@bob.test", "https://a.test/x", "#tea"]


async def test_what_cannot_be_seen_in_the_preview_is_not_sent(sky: Sky, talk: Talk) -> None:
    await talk.call_answering("post", YES, text="a\u202eb\u200bc\U000e0041")
    assert [record["text"] for record in sent(sky)] == ["abc"]


@pytest.mark.parametrize(
    ("answer", "words"), [(NO, "the person declined"), (CLOSED, "Nothing was sent. The person closed")]
)
async def test_without_a_yes_nothing_is_sent(sky: Sky, talk: Talk, answer: Any, words: str) -> None:
    said = await talk.call_answering("post", answer, text="Hi")
    assert said["isError"]
    assert words in text(said)
    assert sent(sky) == []


async def test_a_rule_that_allows_spares_the_question_but_not_that_for_a_thread(
    sky: Sky, talk: Talk, rules: Rules
) -> None:
    rules.of["bluesky_post"] = Verdict.ALLOW
    assert text(await talk.call("post", text="Hi")).startswith("✓ Posted")
    long = "\n\n".join(["One. " * 50, "Two. " * 50])
    assert (await talk.call_answering("post", NO, text=long))["isError"]
    assert "a thread of 2 posts" in await question(talk)
    assert len(sent(sky)) == 1


async def test_a_long_text_becomes_a_thread_whose_posts_answer_each_other(sky: Sky, talk: Talk) -> None:
    words = "\n\n".join(f"{name} " * 45 for name in ("first", "other", "third"))
    said = text(await talk.call_answering("post", YES, text=words))
    assert said.splitlines() == [f"✓ Posted at://{DID}/{POSTS}/3new{n}" for n in (1, 2, 3)]
    one, two, three = sent(sky)
    first = {"uri": f"at://{DID}/{POSTS}/3new1", "cid": "thecidofnew1"}
    second = {"uri": f"at://{DID}/{POSTS}/3new2", "cid": "thecidofnew2"}
    assert "reply" not in one
    assert two["reply"] == {"root": first, "parent": first}
    assert three["reply"] == {"root": first, "parent": second}


async def test_what_was_sent_of_a_thread_is_told_when_the_rest_fails(sky: Sky, talk: Talk) -> None:
    create = sky.answers[CREATE]

    def once(query: Any, body: Any) -> Any:
        sky.answers[CREATE] = {"error": "InvalidRequest", "message": "No more"}
        return create(query, body)

    sky.answers[CREATE] = once
    said = await talk.call_answering("post", YES, text="\n\n".join(["word " * 50] * 2))
    assert text(said).splitlines() == [
        f"✓ Posted at://{DID}/{POSTS}/3new1",
        "⚠️ Post 2 of 2 and those after it were not sent: No more.",
    ]
    assert said["isError"]


async def test_a_reply_has_the_threads_true_root_and_a_quote_is_shown(sky: Sky, talk: Talk) -> None:
    await talk.call_answering("post", YES, text="Yes", replyTo="@bob.test/3deep", quote="bob.test/3q")
    shown = await question(talk)
    assert shown.startswith("Send a reply to Bluesky as @alice.test:")
    assert "In reply to @bob.test/3deep:\n> What they said" in shown
    assert "Quoting @bob.test/3q:\n> What they said" in shown
    (record,) = sent(sky)
    parent = {"uri": f"at://{OTHER}/{POSTS}/3deep", "cid": "thecidof3deep"}
    assert record["reply"] == {"root": ROOT, "parent": parent}
    assert record["embed"]["record"] == {"uri": f"at://{OTHER}/{POSTS}/3q", "cid": "thecidof3q"}


async def test_a_reply_to_what_is_gone_is_not_even_asked_about(sky: Sky, talk: Talk) -> None:
    said = await talk.call("post", text="Yes", replyTo="@bob.test/3gone")
    assert (text(said), said["isError"]) == ("⚠️ Post not found.", True)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("**bold** and `code`", r"> \*\*bold\*\* and \`code\`"),
        ("[x](https://evil.test) <b>", r"> \[x\](https://evil.test) \<b\>"),
        ("snake_case _soft_ a&amp;b", r"> snake_case \_soft\_ a\&amp;b"),
        (
            "1. one\n- two\n---\n===\n## three\n#tea",
            "> 1\\. one\n> \\- two\n> \\---\n> \\===\n> \\## three\n> #tea",
        ),
    ],
)
def test_a_preview_shows_the_letters_and_no_formatting(written: str, shown: str) -> None:
    assert "\n".join(verbatim(written)) == shown


# --- pictures --------------------------------------------------------------------------------------------


async def test_pictures_come_from_files_and_from_data_with_their_alt_text(
    sky: Sky, talk: Talk, tmp_path: Path
) -> None:
    (tmp_path / "dot.png").write_bytes(PNG)
    given = [
        {"path": str(tmp_path / "dot.png"), "alt": "A dot"},
        {"data": "data:image/png;base64," + base64.b64encode(PNG).decode(), "alt": "Another\n# dot"},
    ]
    await talk.call_answering("post", YES, text="Look", images=given, quote="bob.test/3q")
    assert "📷 dot.png, 0 kB, described as:\n> A dot" in await question(talk)
    (record,) = sent(sky)
    assert record["embed"]["$type"] == "app.bsky.embed.recordWithMedia"
    shown = record["embed"]["media"]["images"]
    assert [(one["alt"], one["aspectRatio"]) for one in shown] == [
        ("A dot", {"width": 1, "height": 1}),
        ("Another\n# dot", {"width": 1, "height": 1}),
    ]
    assert [body for nsid, body in sky.asks if nsid.endswith("uploadBlob")] == [PNG, PNG]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([{"path": "/etc/passwd", "alt": "x"}], "not a picture"),
        ([{"path": "dot.png", "alt": "x"}], "absolute path"),
        ([{"path": "/nowhere/x.png", "alt": "x"}], "cannot be read"),
        ([{"data": "!!", "alt": "x"}], "not base64"),
        ([{"alt": "x"}], "either `path` or `data`"),
        ([{"data": "x"}], "alt"),
        ([{"data": base64.b64encode(PNG + b"x" * images.MAX_BYTES).decode(), "alt": "x"}], "too large"),
        ([{"data": "", "alt": "x"}] * 5, "length <= 4"),
    ],
)
async def test_what_is_no_picture_is_refused_unseen(sky: Sky, talk: Talk, given: Any, words: str) -> None:
    said = await talk.call("post", text="Look", images=given)
    assert said["isError"]
    assert words in text(said)
    assert not any(nsid.endswith(("uploadBlob", "createRecord")) for nsid, _ in sky.asks)


def test_pictures_are_measured_by_their_headers() -> None:
    jpeg = bytes.fromhex("ffd8ffe000040000ffc000110800200040031100")
    assert (images.mime_type(jpeg), images.measure(jpeg, "image/jpeg")) == ("image/jpeg", (64, 32))
    assert images.measure(b"GIF89a\x05\x00\x07\x00", "image/gif") == (5, 7)
    assert images.mime_type(b"RIFF\0\0\0\0WEBPVP8 ") == "image/webp"
    assert images.measure(b"\xff\xd8\xff", "image/jpeg") == (0, 0)


# --- cutting ---------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(["word ", "👨‍👩‍👧", "é", "\n\n", "\n", ". ", "x" * 90, "日本"]), max_size=90
    ).map("".join)
)
def test_every_part_of_a_long_text_fits_and_no_word_is_lost(words: str) -> None:
    parts = post_splitting.split(words)
    assert all(post_splitting.fits(part) and part for part in parts)
    assert "".join("".join(parts).split()) == "".join(words.split())


def test_a_text_is_cut_between_sentences_and_never_inside_a_letter() -> None:
    first, second = "A sentence that is here. " * 9, "The next one is here too. " * 8
    assert post_splitting.split(first + second)[0].endswith(".")
    family = "👨‍👩‍👧‍👦"
    assert post_splitting.fits("👍🏽" * 300)
    assert post_splitting.split(family * 200) == [family * 120, family * 80]  # 3000 bytes


# --- react and follow ------------------------------------------------------------------------------------


async def test_reactions_succeed_one_by_one_and_say_which_did_not(sky: Sky, talk: Talk) -> None:
    def posts(query: Any, body: Any) -> Any:
        one = {"uri": f"at://{OTHER}/{POSTS}/3k", "cid": "thecidof3k", "record": {"text": "Hi"}}
        one["author"] = {"did": OTHER, "handle": "bob.test"}
        return {"posts": [one | {"viewer": {"repost": f"at://{DID}/app.bsky.feed.repost/3r"}}]}

    sky.answers["app.bsky.feed.getPosts"] = posts
    said = await talk.call_answering(
        "react",
        YES,
        like=["@bob.test/3k", "@bob.test/3lost", "nonsense"],
        unlike=["bob.test/3k"],
        repost=["bob.test/3k"],
        unrepost=[f"at://{OTHER}/{POSTS}/3k"],
        delete=["@alice.test/3mine", "@alice.test/3gone", "@bob.test/3k"],
    )
    assert text(said).splitlines() == [
        "✓ Liked @bob.test/3k",
        "✓ Already unliked @bob.test/3k",
        "✓ Already reposted @bob.test/3k",
        "✓ Unreposted @bob.test/3k",
        "✓ Deleted @alice.test/3mine",
        "⚠️ Like failed: Post not found (@bob.test/3lost)",
        text(said).splitlines()[6],
        "⚠️ Delete failed: Post not found (@alice.test/3gone)",
        "⚠️ Delete failed: It is somebody else's post (@bob.test/3k)",
    ]
    assert "isError" not in said
    assert "'nonsense' is not a post" in text(said)
    assert await question(talk) == (
        "On Bluesky, as @alice.test:\n\n👍 Like @bob.test/3k\n> Hi\n\n"
        "Take back the repost of @bob.test/3k\n> Hi\n\n"
        "🗑 Delete for good @alice.test/3mine\n> What they said"
    )
    assert sent(sky)[0]["subject"] == {"uri": f"at://{OTHER}/{POSTS}/3k", "cid": "thecidof3k"}
    gone = [(body["collection"], body["rkey"]) for nsid, body in sky.asks if nsid == DELETE]
    assert gone == [("app.bsky.feed.repost", "3r"), (POSTS, "3mine")]


async def test_reactions_of_which_none_could_be_done_are_a_failure(sky: Sky, talk: Talk) -> None:
    said = await talk.call("react", delete=["@bob.test/3k"])
    assert said["isError"]
    assert "somebody else's post" in text(said)
    nothing = await talk.call("react")
    assert nothing["isError"]
    assert "needs one to 50 posts" in text(nothing)


async def test_a_failure_of_all_reactions_for_one_reason_has_that_reason(sky: Sky, talk: Talk) -> None:
    missing = await talk.call("delete", posts=["@alice.test/3gone"])
    assert missing["_meta"] == {FAILURE_KEY: NOT_FOUND}
    mixed = await talk.call("delete", posts=["@alice.test/3gone", "@bob.test/3k"])
    assert mixed["isError"]
    assert "_meta" not in mixed


@pytest.mark.parametrize(
    ("following", "action"), [("", "follow"), (f"at://{DID}/app.bsky.graph.follow/3f", "unfollow")]
)
async def test_following_and_no_longer(sky: Sky, talk: Talk, following: str, action: str) -> None:
    viewer = {"following": following} if following else {}
    profile = {"did": OTHER, "handle": "bob.test", "displayName": "Bob", "viewer": viewer}
    sky.answers["app.bsky.actor.getProfile"] = profile
    done = {"follow": "Followed", "unfollow": "Unfollowed"}
    said = await talk.call_answering(
        "follow", YES, account="@bob.test", action=action, **{"as": "alice.test"}
    )
    assert text(said) == f"✓ {done[action]} @bob.test"
    asked = await question(talk)
    assert asked == f"{action.capitalize()} @bob.test on Bluesky as @alice.test?\n\n> Bob"
    if action == "follow":
        assert sent(sky)[0]["subject"] == OTHER
    else:
        assert sky.asks[-1][1]["rkey"] == "3f"
    other = "unfollow" if action == "follow" else "follow"
    assert (
        text(await talk.call("follow", account="bob.test", action=other))
        == f"✓ Already {done[other].lower()} @bob.test"
    )
