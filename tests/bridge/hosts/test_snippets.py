"""Whatever a person copies from a README or an AI application's settings: the servers in it are found."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from urllib.parse import quote

import pytest

from bridge.core.ports import ServerSpec
from bridge.core.status.servers import HIDDEN
from bridge.errors import DeskbellError, UsageError
from bridge.hosts import snippets
from bridge.hosts.import_servers import FoundServer
from bridge.i18n import explained
from bridge.servers import drafts
from bridge.servers.drafts import joined, split

GITHUB = ServerSpec("github", command="npx", args=("-y", "@modelcontextprotocol/server-github"))
LINEAR = ServerSpec("linear", url="https://mcp.linear.app/mcp")
ENTRY = '{"command": "npx", "args": ["-y", "@modelcontextprotocol/server-github"]}'


def specs(text: str) -> list[ServerSpec | None]:
    return [one.spec for one in drafts.read(text)]


@pytest.mark.parametrize(
    "text",
    [
        "npx -y @modelcontextprotocol/server-github",
        "$ npx -y \\\n    @modelcontextprotocol/server-github",
        "  npx \"-y\" '@modelcontextprotocol/server-github'",
        ENTRY,
        f'{{"mcpServers": {{"github": {ENTRY}}}}}',
        f'{{ // mine\n"mcpServers": {{"github": {ENTRY},}}, }}',
        f'// VS Code\n{{"servers": {{"github": {ENTRY}}}, "inputs": []}}',
        f'{{"mcp": {{"servers": {{"github": {ENTRY}}}}}}}',
        f'{{"mcp": {{"github": {{"type": "local", "command": ["npx", "-y", "{GITHUB.args[1]}"]}}}}}}',
        f'{{"context_servers": {{"github": {ENTRY}}}}}',
        f'"github": {ENTRY},',
        f'"mcpServers": {{"github": {ENTRY}}}',
        f'{{"github": {ENTRY}}}',
        f'{{"name": "github", "config": {ENTRY}}}',
        f'[{{"name": "github", "command": "npx", "args": ["-y", "{GITHUB.args[1]}"]}}]',
        f'{{"projects": {{"/home/ada": {{"mcpServers": {{"github": {ENTRY}}}}}}}}}',
        f'[mcp_servers.github]\ncommand = "npx"\nargs = ["-y", "{GITHUB.args[1]}"]\n',
        f'[servers.github]  # ours\ncommand = "npx"\nargs = ["-y", "{GITHUB.args[1]}"]\n',
        f'command = "npx"\nargs = ["-y", "{GITHUB.args[1]}"]',
        f'extensions:\n  github:\n    cmd: npx\n    args: ["-y", "{GITHUB.args[1]}"]\n    type: stdio\n',
        f'mcpServers:\n  - name: github\n    command: npx\n    args:\n    - "-y"\n    - "{GITHUB.args[1]}"\n',
        "claude mcp add github -- npx -y @modelcontextprotocol/server-github",
        "claude mcp add --scope user github npx -y @modelcontextprotocol/server-github",
        f"claude mcp add-json github '{ENTRY}'",
        f"""code --add-mcp '{{"name": "github", "command": "npx", "args": ["-y", "{GITHUB.args[1]}"]}}'""",
        f"Add this:\n```json\n{ENTRY}\n```\nand restart.",
        f"```\nnpx -y {GITHUB.args[1]}\n```",
        f"`npx -y {GITHUB.args[1]}`",
        f"\ufeff{ENTRY}",
        f'["npx", "-y", "{GITHUB.args[1]}"]',
        f'{{"mcpServers": {{"github": {{"command": "npx -y {GITHUB.args[1]}"}}}}}}',
    ],
)
def test_a_server_is_found_however_it_is_written(text: str) -> None:
    assert specs(text) == [GITHUB]


NAMED = json.dumps({"name": "github", **json.loads(ENTRY)})
IN_BASE64 = base64.b64encode(ENTRY.encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "link",
    [
        f"vscode:mcp/install?{quote(NAMED)}",
        f"vscode-insiders:mcp/install?{quote(NAMED)}",
        f"https://insiders.vscode.dev/redirect/mcp/install?name=github&config={quote(ENTRY)}&quality=insiders",
        f"https://vscode.dev/redirect?url={quote('vscode:mcp/install?' + quote(NAMED))}",
        f"cursor://anysphere.cursor-deeplink/mcp/install?name=github&config={IN_BASE64}",
        f"https://cursor.com/en/install-mcp?name=github&config={quote(IN_BASE64)}",
        f"lmstudio://add_mcp?name=github&config={IN_BASE64}",
        f"deskbell:add-server?name=github&config={IN_BASE64}",
        f"deskbell://add-server?name=github&cmd=npx&arg=-y&arg={quote(GITHUB.args[1])}",
        f"goose://extension?cmd=npx&arg=-y&arg={quote(GITHUB.args[1])}&id=gh&name=github&description=x",
    ],
)
def test_so_it_is_behind_the_install_buttons_of_readmes(link: str) -> None:
    assert specs(link) == [GITHUB]


@pytest.mark.parametrize(
    "link", ["vscode:mcp/install?%7B", "cursor://anysphere.cursor-deeplink/mcp/install?config=x"]
)
def test_a_button_with_nothing_behind_it_is_no_server(link: str) -> None:
    assert snippets.entry_behind(link) is None
    assert snippets.entry_behind("https://mcp.linear.app/mcp?config=e30") is None


def test_a_link_of_ours_may_name_an_address_and_says_so_if_it_names_nothing() -> None:
    link = "deskbell:add-server?name=notes&url=https%3A%2F%2Fnotes.example%2Fmcp"
    assert specs(link) == [ServerSpec("notes", url="https://notes.example/mcp")]
    for empty in ("deskbell:add-server", "deskbell:add-server?name=x", "deskbell:rm -rf", "deskbell:"):
        with pytest.raises(UsageError, match="This link names no server"):
            drafts.read(empty)


@pytest.mark.parametrize(
    ("proposal", "reason"),
    [
        ("cmd=npx&arg=${vault:github}", "wants one of your secrets"),
        ('config={"command":"npx","env":{"T":"${vault:github}"}}', "wants one of your secrets"),
        ('config={"url":"https://x.example","headers":{"A":"${vault:github}"}}', "wants one of your secrets"),
        ("url=https://good.example/%0d%0aHost:evil", "cannot be read"),
        ("url=https://good.example%5c@evil.example/", "cannot be read"),
        ("url=javascript:alert(1)", "does not begin with http"),
    ],
)
def test_what_no_link_may_propose_is_refused(proposal: str, reason: str) -> None:
    [found] = drafts.read(f"deskbell:add-server?name=n&{quote(proposal, safe='=&:/%?')}")
    assert found.spec is None
    assert reason in found.reason


@pytest.mark.parametrize(
    ("proposal", "remark"),
    [
        ("url=https://github.com@evil.example/mcp", "leads: https://evil.example"),
        ("url=https://%D0%B0pple.com/mcp", "leads: https://xn--pple-43d.com"),
        ("url=http://evil.example/mcp", "leads: http://evil.example"),
        ("cmd=npx&arg=g%D1%96thub", "unusual characters: \u0456 U+0456"),
        ("cmd=npx&arg=git%E2%80%8Dhub%0A", "U+200D"),
    ],
)
def test_what_deceives_the_eye_in_a_link_is_remarked(proposal: str, remark: str) -> None:
    [found] = drafts.read(f"deskbell:add-server?name=n&{proposal}")
    assert found.spec is not None
    assert remark in " ".join(found.remarks)
    [plain] = drafts.read("deskbell:add-server?name=n&url=http://127.0.0.1:9/mcp")
    assert plain.remarks == ()


def test_secrets_that_pasted_settings_would_get_are_named() -> None:
    [found] = drafts.read('{"command": "npx", "env": {"T": "${vault:github}", "U": "${vault:github} ${X}"}}')
    assert "It would get your secrets: github" in found.remarks
    assert any("${…}" in remark for remark in found.remarks)
    [ours] = drafts.read('{"command": "npx", "env": {"T": "${vault:github}"}}')
    assert ours.remarks == ("It would get your secrets: github",)


def test_a_program_whose_path_is_quoted_is_a_command() -> None:
    line = '"/opt/my tools/serve" --port "3"'
    assert specs(line) == [ServerSpec("serve", command="/opt/my tools/serve", args=("--port", "3"))]


def test_what_an_application_takes_from_elsewhere_is_remarked() -> None:
    text = '[mcp_servers.figma]\nurl = "https://mcp.figma.com/mcp"\nenabled = false\n'
    text += 'bearer_token_env_var = "FIGMA_TOKEN"'
    (found,) = drafts.read(text)
    assert found.remarks == (
        "It is disabled there, so it will be disabled here too.",
        "Its Authorization comes from the variable FIGMA_TOKEN: please give it.",
    )


@pytest.mark.parametrize(
    "text",
    [
        "https://mcp.linear.app/mcp",
        "mcp.linear.app/mcp",
        '{"url": "https://mcp.linear.app/mcp"}',
        '{"mcpServers": {"linear": {"serverUrl": "https://mcp.linear.app/mcp"}}}',
        "claude mcp add --transport http linear https://mcp.linear.app/mcp",
    ],
)
def test_so_is_one_with_an_address(text: str) -> None:
    assert specs(text) == [LINEAR]


def test_headers_and_variables_come_along_and_keys_are_told_apart() -> None:
    (found,) = drafts.read("GITHUB_TOKEN=ghp_12345678 LEVEL=3 uvx mcp-server-github@1.2 --read-only")
    assert found.spec == ServerSpec(
        "github",
        command="uvx",
        args=("mcp-server-github@1.2", "--read-only"),
        env={"GITHUB_TOKEN": "ghp_12345678", "LEVEL": "3"},
    )
    assert found.secrets == ("GITHUB_TOKEN",)
    text = "claude mcp add -t http notes https://example.org/mcp -H 'Authorization: Bearer abc' -H 'X: y'"
    (found,) = drafts.read(text)
    assert found.spec == ServerSpec(
        "notes", url="https://example.org/mcp", headers={"Authorization": "Bearer abc", "X": "y"}
    )
    assert found.secrets == ("Authorization",)


def test_a_key_that_a_containers_command_sets_becomes_a_variable_and_names_nothing() -> None:
    line = "docker run -i --rm -e GITHUB_TOKEN=ghp_12345678 -e LEVEL=3 ghcr.io/acme/github-mcp-server:1"
    (found,) = drafts.read(line)
    rest = ("run", "-i", "--rm", "-e", "GITHUB_TOKEN", "-e", "LEVEL=3", "ghcr.io/acme/github-mcp-server:1")
    assert found.spec == ServerSpec(
        "github", command="docker", args=rest, env={"GITHUB_TOKEN": "ghp_12345678"}
    )
    assert (found.secrets, found.remarks) == (("GITHUB_TOKEN",), ())


def test_deskbells_own_entry_is_no_server_whatever_port_it_had() -> None:
    text = '{"mcpServers": {"deskbell": {"url": "http://127.0.0.1:23355/mcp"}}}'
    assert [one.reason for one in drafts.read(text, 8771)] == ["it is Deskbell itself"]


def test_an_address_on_this_computer_needs_no_http_before_it() -> None:
    assert specs("localhost:3000/mcp") == [ServerSpec("localhost", url="http://localhost:3000/mcp")]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("npx x --api-key abcdefgh", True),
        ("npx x sk-abcdefghij", True),
        ("https://example.org/mcp?api_key=abcdefghij", True),
        ("npx x postgresql://ada:hunter2@localhost/db", True),
        ("npx x postgresql://localhost:5432/db me@example.org", False),
        ("npx x --api-key-file --token", False),
        ("npx tokenizer", False),
    ],
)
def test_a_key_in_a_command_or_an_address_is_remarked(text: str, told: bool) -> None:
    (found,) = drafts.read(text)
    assert any("where others can see it" in remark for remark in found.remarks) is told


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("npx 'a", "A quote is not closed"),
        ("npx a | tee log", "without a shell, so | has no effect"),
        ("ftp://example.org/mcp", "not the address of a server"),
        ("A=1", "names no program"),
        ("npx a\nnpx b", "more than one line"),
        ('{"mcpServers": {"a": ', "cannot be read as settings"),
        ('{"theme": "dark"}', "no server in this text"),
        ("[servers.a", "cannot be read as settings"),
        ("claude mcp add-json a '{'", "cannot be read as settings"),
        ("[" * 1000, "cannot be read"),
    ],
)
def test_what_cannot_be_read_is_told(text: str, why: str) -> None:
    with pytest.raises(UsageError) as caught:
        drafts.read(text)
    assert why in str(explained(caught.value))
    assert drafts.read("  \n") == []


@pytest.mark.parametrize("platform", ["linux", "win32"])
@pytest.mark.parametrize("words", [["a b", "c", ""], ["C:\\x y\\z.exe", "-q"], ["it's", "$HOME", "a#b"]])
def test_a_line_and_its_words_are_the_same(words: list[str], platform: str) -> None:
    assert split(joined(words, platform), platform) == words


@pytest.mark.parametrize("text", ["| mcp", "[1, 2]", '"just words"', "a: 1", "0", "{}", "- x"])
def test_no_text_is_more_than_it_can_take(text: str) -> None:
    try:
        found = drafts.read(text)
    except DeskbellError as error:
        found = [FoundServer(error.title, reason=str(error))]
    assert all(one.spec or one.reason for one in found)


def test_what_is_proposed_has_a_free_name_and_shows_no_key() -> None:
    found = [("Cursor", one) for one in drafts.read(f'{{"github": {ENTRY}}}')]
    found += [("Zed", one) for one in drafts.read("https://mcp.linear.app/mcp")]
    found += [("", one) for one in drafts.read("TOKEN=hush-hush github")]
    known = {"github": ServerSpec("github", command="other"), "old": LINEAR}
    first, second, third = [one for one, _ in drafts.proposed(found, known)]
    assert (first.called, first.clash, first.plan and first.plan.name) == ("github", "github", "github-2")
    assert first.source == "Cursor"
    assert (second.plan, second.reason) == (None, "it is there already, as old")
    assert third.plan
    assert (third.plan.name, third.plan.env, third.secrets) == ("github-3", (("TOKEN", HIDDEN),), ("TOKEN",))


def test_an_edited_plan_keeps_what_it_did_not_show() -> None:
    now = ServerSpec("a", command="x", env={"TOKEN": "hush", "B": "1"}, oauth={"scope": "s"}, timeout=5.0)
    plan = drafts.plan_of(now)
    assert "hush" not in repr(plan)
    assert drafts.spec_of(plan, now) == now
    edited = drafts.spec_of(replace(plan, command='x "a b"', env=(("TOKEN", HIDDEN), ("C", "2"))), now)
    assert edited == replace(now, args=("a b",), env={"TOKEN": "hush", "C": "2"})
    for wrong in ({"command": ""}, {"url": "https://x.org"}, {"command": "", "url": "x"}, {"timeout": 0.0}):
        with pytest.raises(UsageError):
            drafts.spec_of(replace(plan, **wrong), now)
