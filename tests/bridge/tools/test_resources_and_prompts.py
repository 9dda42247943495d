"""A Toolbox offers resources, templates and prompts, and completes their arguments."""

from __future__ import annotations

import asyncio
import base64
from typing import Any

import pytest

from bridge.tools import Toolbox, ToolContext
from tests.fixtures.toolbox_host import Talk


async def teas(ctx: ToolContext, begun: str) -> list[str]:
    return [name for name in ("assam", "sencha") if name.startswith(begun)]


def shop() -> Toolbox:
    box = Toolbox("shop")

    @box.resource("shop://menu", mime_type="text/plain")
    def menu() -> str:
        """What there is."""
        return "Assam, Sencha"

    @box.resource("shop://tea/{kind}", completers={"kind": teas})
    async def tea(ctx: ToolContext, kind: str) -> dict[str, str]:
        """One tea."""
        if kind == "none":
            raise KeyError("a secret of ours")
        return {"kind": kind}

    @box.resource("shop://logo", mime_type="image/png")
    def logo() -> bytes:
        return b"png"

    @box.prompt(completers={"kind": teas})
    def praise(kind: str, words: int = 5) -> str:
        """Praises a tea."""
        return f"Praise {kind} in {words} words."

    @box.tool()
    def reprint(ctx: ToolContext) -> None:
        """Changes the menu."""
        ctx.notify_resource("shop://menu")

    return box


async def test_a_toolbox_offers_resources_and_templates():
    talk = Talk(shop())
    hello = await talk.result("initialize", {"clientInfo": {"name": "x", "version": "1"}})
    assert hello["capabilities"]["resources"] == {"subscribe": True}
    listed = (await talk.result("resources/list"))["resources"]
    assert [one["uri"] for one in listed] == ["shop://menu", "shop://logo"]
    templates = (await talk.result("resources/templates/list"))["resourceTemplates"]
    assert [one["uriTemplate"] for one in templates] == ["shop://tea/{kind}"]
    menu = {"uri": "shop://menu", "mimeType": "text/plain", "text": "Assam, Sencha"}
    assert await talk.result("resources/read", {"uri": "shop://menu"}) == {"contents": [menu]}
    read = await talk.result("resources/read", {"uri": "shop://tea/assam"})
    assert read["contents"][0]["text"] == '{"kind":"assam"}'
    logo = (await talk.result("resources/read", {"uri": "shop://logo"}))["contents"][0]
    assert base64.b64decode(logo["blob"]) == b"png"


@pytest.mark.parametrize(
    ("uri", "code"), [("shop://nothing", -32002), ("shop://tea/a/b", -32002), ("shop://tea/none", -32603)]
)
async def test_a_resource_that_cannot_be_read_is_an_error_without_secrets(uri, code):
    error = await Talk(shop()).result("resources/read", {"uri": uri})
    assert error["code"] == code
    assert "secret" not in error["message"]


async def test_a_variable_of_a_resource_is_percent_decoded():
    read = await Talk(shop()).result("resources/read", {"uri": "shop://tea/earl%20grey%2F%C3%A9"})
    assert read["contents"][0]["text"] == '{"kind":"earl grey/é"}'


async def test_what_an_author_returns_or_raises_by_mistake_is_an_error_and_never_silence():
    box = Toolbox("box")

    def raises(ctx: ToolContext, begun: str) -> list[str]:
        raise KeyError("a secret of ours")

    def refuses(ctx: ToolContext, begun: str) -> list[str]:
        return ctx.files.list()

    @box.resource("box://one")
    def one() -> Any:
        return object()

    @box.prompt(completers={"word": raises, "other": refuses})
    def two(word: str, other: str = "") -> Any:
        return [object()]

    talk = Talk(box)
    wanted: dict[str, Any] = {"ref": {"type": "ref/prompt", "name": "two"}, "argument": {"name": "word"}}
    for method, params in (
        ("resources/read", {"uri": "box://one"}),
        ("prompts/get", {"name": "two", "arguments": {"word": "a"}}),
        ("completion/complete", wanted),
    ):
        error = await talk.result(method, params)
        assert error["code"] == -32603
        assert error["message"].startswith(f"{method} of box failed: ")
        assert "secret" not in error["message"]
    error = await talk.result("completion/complete", wanted | {"argument": {"name": "other"}})
    assert (error["code"], "box" in error["message"]) == (-32602, True)


def test_a_resource_whose_variables_are_not_its_parameters_is_refused_at_once():
    with pytest.raises(
        ValueError, match=r"^the variables of shop://tea/{kind} must be the parameters of tea$"
    ):

        @Toolbox("shop").resource("shop://tea/{kind}")
        def tea(kinds: str) -> str:
            return kinds


def test_a_completer_of_no_argument_is_refused_at_once():
    with pytest.raises(ValueError, match=r"^brew has no argument called kinds to complete$"):

        @Toolbox("shop").tool(completers={"kinds": teas})
        def brew(kind: str) -> str:
            return kind


async def test_a_completer_may_be_a_plain_function():
    box = Toolbox("shop")

    @box.prompt(completers={"kind": lambda ctx, begun: [begun + "ssam"]})
    def praise(kind: str) -> str:
        return kind

    wanted = {"ref": {"type": "ref/prompt", "name": "praise"}, "argument": {"name": "kind", "value": "a"}}
    said = await Talk(box).result("completion/complete", wanted)
    assert said["completion"]["values"] == ["assam"]


async def test_a_tool_tells_subscribed_hosts_that_a_resource_changed():
    box = shop()
    subscribed, other = Talk(box), Talk(box)

    def updates(talk: Talk) -> list[bytes]:
        return [one for one in talk.back.messages if b"resources/updated" in one]

    await subscribed.result("resources/subscribe", {"uri": "shop://menu"})
    await other.call("reprint")
    assert len(updates(subscribed)) == 1
    assert updates(other) == []
    await subscribed.result("resources/unsubscribe", {"uri": "shop://menu"})
    await other.call("reprint")
    assert len(updates(subscribed)) == 1


async def test_a_closed_connection_is_no_longer_told():
    box = shop()
    talk = Talk(box)
    await talk.result("resources/subscribe", {"uri": "shop://menu"})
    talk.connection.close()
    await asyncio.wait_for(talk.connection.closed(), 5)
    assert not any(box.watchers.values())


async def test_a_toolbox_offers_prompts():
    talk = Talk(shop())
    (prompt,) = (await talk.result("prompts/list"))["prompts"]
    assert (prompt["name"], prompt["description"]) == ("praise", "Praises a tea.")
    assert [(one["name"], one["required"]) for one in prompt["arguments"]] == [
        ("kind", True),
        ("words", False),
    ]
    wanted: dict[str, Any] = {"name": "praise", "arguments": {"kind": "assam", "words": "3"}}
    (message,) = (await talk.result("prompts/get", wanted))["messages"]
    assert message == {"role": "user", "content": {"type": "text", "text": "Praise assam in 3 words."}}
    assert (await talk.result("prompts/get", {"name": "praise"}))["message"] == "praise needs kind."
    assert (await talk.result("prompts/get", {"name": "blame"}))["code"] == -32602


@pytest.mark.parametrize(
    "ref", [{"type": "ref/prompt", "name": "praise"}, {"type": "ref/resource", "uri": "shop://tea/{kind}"}]
)
async def test_arguments_of_prompts_and_templates_are_completed_by_the_standard(ref):
    wanted = {"ref": ref, "argument": {"name": "kind", "value": "s"}}
    said = await Talk(shop()).result("completion/complete", wanted)
    assert said["completion"]["values"] == ["sencha"]
