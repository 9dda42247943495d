"""What the Bluesky tools were promised to do, one promise a test."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bridge.accounts.service import AccountService
from bridge.errors import DeskbellError
from bridge.settings import load
from bridge.tools.bluesky import lexicons, toolbox
from bridge.tools.bluesky.text import facets
from tests.bench.bluesky import sizes
from tests.bridge.accounts.accounts_rig import Browser, signed_in
from tests.fixtures import appview
from tests.fixtures import fake_pds as skies
from tests.fixtures.account_owner import book_in
from tests.fixtures.fake_pds import DID, OTHER, Sky
from tests.fixtures.toolbox_host import Talk

BLUESKY = (Path(__file__).parents[4] / "docs" / "bluesky.md").read_text("utf-8")
POSTS = "app.bsky.feed.post"
YES = {"action": "accept", "content": {"answer": "yes"}}
BOB = {"did": OTHER, "handle": "bob.test", "displayName": "Bob the Builder", "followersCount": 1}
ONE = {"uri": f"at://{OTHER}/{POSTS}/3k", "cid": "thecidof3k", "author": BOB, "record": {"text": "Hello"}}


@pytest.fixture
async def sky() -> AsyncIterator[Sky]:
    async with skies.sky_at() as sky:
        yield sky


@pytest.fixture
async def talk(sky: Sky, tmp_path: Path) -> AsyncIterator[Talk]:
    """A host, where alice is signed in."""
    registry, _ = await signed_in(sky, tmp_path)
    async for talk in _talk(registry, tmp_path):
        yield talk


@pytest.fixture
async def stranger(sky: Sky, tmp_path: Path) -> AsyncIterator[Talk]:
    """A host, where nobody is signed in."""
    async for talk in _talk(book_in(tmp_path, sky.places), tmp_path):
        yield talk


async def _talk(registry: Any, folder: Path) -> AsyncIterator[Talk]:
    service = AccountService(registry, folder / "pictures", Browser().open, lambda: None)
    talk = Talk(toolbox(service, folder / "repositories"))
    yield talk
    talk.connection.close()
    await talk.connection.closed()
    await service.close()


def text(result: Any) -> str:
    (block,) = result["content"]
    return str(block["text"])


# --- the list of tools -----------------------------------------------------------------------------------


async def test_tools_list_of_bluesky_costs_at_most_3000_tokens(talk: Talk) -> None:
    listed = json.dumps(await talk.result("tools/list"), ensure_ascii=False, separators=(",", ":"))
    try:
        import bpe_openai  # type: ignore[import-untyped]
    except ImportError:
        assert len(listed.encode()) / 4 <= 3000
    else:
        assert len(bpe_openai.get_encoding("o200k_base").encode(listed)) <= 3000


@pytest.mark.filterwarnings("ignore:open_binary:DeprecationWarning")
def test_the_token_table_of_the_docs_is_what_the_benchmark_measures() -> None:
    measured = sizes(appview.timeline())
    if not measured:
        pytest.skip("bpe-openai is not installed")
    forms = ["raw JSON", "trimmed JSON", "markdown", "compact"]
    sent = [round(measured[f"{form}, as sent"]) for form in forms[1:]]
    row = "| the text | {} | {} | {} | {} |\n| the whole result as it is sent | – | {} | {} | {} |"
    assert row.format(*(round(measured[form]) for form in forms), *sent) in BLUESKY
    whole, plain = (
        1 - measured[form] / measured["trimmed JSON"] for form in ("markdown, as sent", "markdown")
    )
    raw = 1 - measured["markdown"] / measured["raw JSON"]
    saved = f"saves {whole * 100:.0f} to {plain:.0%}; compared with the server's JSON, {raw:.0%}."
    assert saved.replace("%", " %") in BLUESKY


# --- like, delete, accounts ------------------------------------------------------------------------------


async def test_like_and_delete_exist_beside_react_and_ask_like_it(sky: Sky, talk: Talk) -> None:
    sky.answers["app.bsky.feed.getPosts"] = {"posts": [ONE]}
    sky.answers["com.atproto.repo.createRecord"] = {
        "uri": f"at://{DID}/app.bsky.feed.like/3l",
        "cid": "thecidofit3",
    }
    assert text(await talk.call_answering("like", YES, posts=["@bob.test/3k"])) == "✓ Liked @bob.test/3k"
    assert (await talk.asked(1))["params"]["message"].startswith("On Bluesky, as @alice.test:\n\n👍 Like")
    mine = await talk.call("delete", posts=["@bob.test/3k"])
    assert "It is somebody else's post" in text(mine)


async def test_three_likes_are_one_line(sky: Sky, talk: Talk) -> None:
    three = [ONE | {"uri": f"at://{OTHER}/{POSTS}/3k{number}"} for number in range(3)]
    sky.answers["app.bsky.feed.getPosts"] = {"posts": three}
    sky.answers["com.atproto.repo.createRecord"] = {
        "uri": f"at://{DID}/app.bsky.feed.like/3l",
        "cid": "thecidofit3",
    }
    refs = [f"@bob.test/3k{number}" for number in range(3)]
    assert text(await talk.call_answering("react", YES, like=refs)) == "✓ Liked 3 posts"


async def test_accounts_takes_its_old_calls(talk: Talk) -> None:
    assert text(await talk.call("accounts", action="list")).startswith("# Accounts · 1\n- @alice.test")
    chosen = await talk.call("accounts", action="set-default", handle="alice.test")
    assert text(chosen) == "✓ @alice.test is the default account now"


@pytest.mark.parametrize(
    ("tool", "word", "nsid"),
    [
        ("profile", "handle", "app.bsky.actor.getProfile"),
        ("notifications", "handle", "app.bsky.notification.listNotifications"),
        ("feed", "account", "app.bsky.feed.getTimeline"),
        ("feed", "handle", "app.bsky.feed.getTimeline"),
    ],
)
async def test_old_words_for_an_account_are_understood(
    sky: Sky, talk: Talk, tool: str, word: str, nsid: str
) -> None:
    sky.answers |= {nsid: BOB | {"feed": [], "notifications": []}}
    assert "isError" not in await talk.call(tool, **{word: "@alice.test"})
    assert sky.asks[-1][0] == nsid


async def test_a_word_that_never_had_a_meaning_is_refused(talk: Talk) -> None:
    said = await talk.call("profile", wings=2)
    assert said["isError"]
    assert "profile has no argument called wings" in text(said)


# --- reading without an account --------------------------------------------------------------------------

PUBLIC = {
    "app.bsky.actor.getProfile": lambda query: BOB,
    "app.bsky.feed.getPostThread": lambda query: {"thread": {"post": ONE}},
    "app.bsky.feed.getPosts": lambda query: {"posts": [ONE]},
    "app.bsky.feed.getAuthorFeed": lambda query: {"feed": [{"post": ONE}]},
}
READ = [
    ("profile", {"account": "bob.test"}, "# @bob.test"),
    ("thread", {"postURI": "@bob.test/3k"}, "# Thread · 1 post"),
    ("post_details", {"postURI": "@bob.test/3k"}, "# Post · @bob.test/3k"),
    ("feed", {"feed": "bob.test"}, "# Posts of @bob.test · 1 post"),
]


@pytest.mark.parametrize(("tool", "arguments", "title"), READ)
async def test_public_things_are_read_without_a_sign_in(
    sky: Sky, stranger: Talk, tool: str, arguments: Any, title: str
) -> None:
    sky.public |= PUBLIC
    assert text(await stranger.call(tool, **arguments)).startswith(title)
    assert sky.asks == []


@pytest.mark.parametrize(("tool", "arguments", "title"), READ)
async def test_view_as_anonymous_reads_as_nobody(
    sky: Sky, talk: Talk, tool: str, arguments: Any, title: str
) -> None:
    sky.public |= PUBLIC
    said = await talk.call(tool, viewAs="anonymous", **arguments)
    assert text(said).startswith(title)
    assert sky.asks == [], "nothing was asked as alice"


async def test_what_the_network_hides_from_strangers_is_said_to_anonymous(sky: Sky, talk: Talk) -> None:
    for feed in ("following", "bob.test"):
        said = await talk.call("feed", feed=feed, viewAs="anonymous")
        assert text(said) == "⚠️ Bluesky shows this only to people who are signed in."
        assert said["isError"]


async def test_what_the_network_hides_from_strangers_asks_them_to_sign_in(sky: Sky, stranger: Talk) -> None:
    stranger.say("tools/call", {"name": "search", "arguments": {"query": "tea"}})
    asked = await stranger.asked()
    assert "Sign in to Bluesky" in asked["params"]["message"]
    stranger.answer(asked, {"action": "decline"})


# --- references ------------------------------------------------------------------------------------------


async def test_the_last_24_letters_of_a_did_name_an_account(sky: Sky, talk: Talk) -> None:
    sky.answers["app.bsky.actor.getProfile"] = BOB
    await talk.call("profile", account=OTHER.removeprefix("did:plc:"))
    assert sky.asks[-1][1]["actor"] == OTHER


async def test_reading_tools_find_an_account_by_its_display_name(sky: Sky, talk: Talk) -> None:
    sky.answers["app.bsky.actor.searchActors"] = {"actors": [BOB | {"displayName": "Bobby"}, BOB]}
    sky.answers["app.bsky.actor.getProfile"] = BOB
    assert text(await talk.call("profile", account="bob the builder")).startswith("# @bob.test")
    assert sky.asks[-1][1]["actor"] == OTHER
    sky.answers["app.bsky.feed.getAuthorFeed"] = {"feed": []}
    sky.answers["app.bsky.unspecced.getPopularFeedGenerators"] = {"feeds": []}
    assert "isError" not in await talk.call("feed", feed="Bob the Builder")


async def test_a_feed_is_called_by_its_authors_handle_also_if_it_was_named_by_a_did(
    sky: Sky, talk: Talk
) -> None:
    sky.answers["app.bsky.actor.getProfile"] = BOB
    sky.answers |= {f"app.bsky.feed.get{kind}": {"feed": []} for kind in ("AuthorFeed", "Feed", "ListFeed")}
    feed, people = (f"at://{OTHER}/app.bsky.{kind}/3k" for kind in ("feed.generator", "graph.list"))
    assert text(await talk.call("feed", feed=OTHER)) == "# Posts of @bob.test · 0 posts"
    assert text(await talk.call("feed", feed=feed)) == "# Feed @bob.test/3k · 0 posts"
    assert text(await talk.call("feed", feed=people)) == "# Feed @bob.test/3k · 0 posts"


async def test_a_display_name_of_several_accounts_is_not_guessed(sky: Sky, talk: Talk) -> None:
    other = BOB | {"did": DID, "handle": "robert.test"}
    sky.answers["app.bsky.actor.searchActors"] = {"actors": [BOB, other]}
    said = await talk.call("profile", account="Bob the Builder")
    assert text(said) == (
        "⚠️ 'Bob the Builder' may be @bob.test, @robert.test. Name one of them by its handle."
    )


async def test_a_writing_tool_takes_no_display_name(sky: Sky, talk: Talk) -> None:
    said = await talk.call("follow", account="Bob the Builder")
    assert said["isError"]
    assert "is not a Bluesky account" in text(said)
    assert sky.asks == []


async def test_one_follower_is_not_followers(sky: Sky, talk: Talk) -> None:
    sky.answers["app.bsky.actor.getProfile"] = BOB
    assert "1 follower\n" in text(await talk.call("profile", account="bob.test"))


# --- who is named, and what is shown ---------------------------------------------------------------------


@pytest.mark.parametrize("field", ["replyTo", "quote"])
async def test_a_preview_names_people_by_handle_and_never_by_did(sky: Sky, talk: Talk, field: str) -> None:
    sky.answers["app.bsky.actor.getProfile"] = BOB
    value = {"text": "What they said"}
    found = {"uri": f"at://{OTHER}/{POSTS}/3k", "cid": "thecidofit3", "value": value}
    sky.answers["com.atproto.repo.getRecord"] = found
    talk.say("tools/call", {"name": "post", "arguments": {"text": "@bob.test hi", field: found["uri"]}})
    message = (await talk.asked())["params"]["message"]
    assert "@bob.test/3k" in message
    assert "did:" not in message


async def test_a_preview_of_a_reaction_names_people_by_handle(sky: Sky, talk: Talk) -> None:
    sky.answers["app.bsky.feed.getPosts"] = {"posts": [ONE]}
    talk.say("tools/call", {"name": "react", "arguments": {"like": [ONE["uri"]]}})
    message = (await talk.asked())["params"]["message"]
    assert "👍 Like @bob.test/3k" in message
    assert "did:" not in message


async def test_deleting_an_account_by_a_tool_asks_first(sky: Sky, talk: Talk) -> None:
    said = await talk.call_answering("login", {"action": "decline"}, command="delete", account="alice.test")
    assert text(said) == "⚠️ Nothing was deleted: the person declined. Do not try again unless they ask."
    assert text(await talk.call("login", command="list")).startswith("# Accounts · 1")
    assert sky.revoked == []


# --- what is posted --------------------------------------------------------------------------------------

BEFORE = ["", "a ", "(", "é ", "\n", "日本 "]
CORES = [
    "https://a.com/x", "example.com", "a.notatld", "#tea", "#日本語。", "#a\u200bb", "\uff03tag",
    "#123", "#1a!",
    "$AAPL", "$toolong1", "@bob.test", "@bob.bsky.social", "@bob", "#\ufe0f", "https://a.com/(b)",
]  # fmt: skip
AFTER = ["", ".", "), x", "\uff01"]
PROBES = [before + core + after for before in BEFORE for core in CORES for after in AFTER]


def test_200_probes_of_rich_text_agree_with_the_port_of_the_official_rules() -> None:
    """What Deskbell makes of them; the SDK makes the record itself."""
    from atproto_client.utils import facet_detection  # type: ignore[import-untyped]

    assert len(PROBES) >= 200
    for probe in PROBES:
        official = [_plain(one.index, one.features[0]) for one in facet_detection.detect_facets(probe)]
        mentions = facet_detection.detect_mentions(probe)
        dids = {one.handle.lower(): f"did:plc:{one.handle}" for one in mentions}
        wanted = official + [(one.byte_start, one.byte_end, dids[one.handle.lower()]) for one in mentions]
        made = facets.to_record(lexicons.find_facets(probe), dids)
        ours = [(*one["index"].values(), list(one["features"][0].values())[1]) for one in made]
        assert ours == sorted(wanted), probe


def _plain(index: Any, feature: Any) -> tuple[int, int, str]:
    return index.byte_start, index.byte_end, getattr(feature, "uri", None) or feature.tag


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("see example.com, please", [("link", "https://example.com")]),
        ("#日本語。", [("tag", "日本語")]),
        ("#a\u200bb", [("tag", "a")]),
        ("buy $aapl!", [("tag", "$AAPL")]),
        ("@bob.bsky.social: hi", [("mention", "bob.bsky.social")]),
        ("version 1.2.ok and file.notatld", []),
    ],
)
def test_links_domains_tags_cashtags_and_mentions_are_those_of_the_network(
    words: str, found: list[tuple[str, str]]
) -> None:
    assert [(one.kind, one.value) for one in lexicons.find_facets(words)] == found


async def test_a_post_says_its_language_and_a_setting_wins(sky: Sky, talk: Talk, tmp_path: Path) -> None:
    sky.answers["com.atproto.repo.createRecord"] = {"uri": f"at://{DID}/{POSTS}/3n", "cid": "thecidofit3"}
    await talk.call_answering("post", YES, text="The cat is on the mat")
    assert sky.asks[-1][1]["record"]["langs"] == ["en"]
    assert list(load(_config(tmp_path, 'langs = ["pt-BR"]'), {}).bluesky.langs) == ["pt-BR"]
    with pytest.raises(DeskbellError):
        load(_config(tmp_path, 'langs = ["not a language"]'), {})


def _config(folder: Path, line: str) -> Path:
    path = folder / "config.toml"
    path.write_text(f"[bluesky]\n{line}\n")
    return path


async def test_a_record_that_does_not_fit_its_lexicon_is_refused_before_the_person_is_asked(
    sky: Sky, talk: Talk
) -> None:
    sky.answers["com.atproto.repo.getRecord"] = {"uri": "at://nonsense", "cid": "thecidofit3", "value": {}}
    said = await talk.call("post", text="Hi", quote=f"at://{OTHER}/{POSTS}/3k")
    assert said["isError"]
    assert "Nothing was sent: the record does not fit its lexicon." in text(said)


def test_atproto_is_loaded_by_writing_tools_only() -> None:
    modules = "bridge.tools.bluesky.posts, bridge.tools.bluesky.search"
    code = f"import sys, {modules}; print('atproto_client' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_the_clients_of_atproto_are_never_loaded() -> None:
    use = "from bridge.tools.bluesky import lexicons; lexicons.find_facets('#a'); lexicons.check({})"
    code = f"import sys\ntry: {use}\nexcept KeyError: print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "atproto_client.models.utils" in loaded
    assert not [name for name in loaded if name.startswith(("atproto_client.client", "atproto_client.names"))]
