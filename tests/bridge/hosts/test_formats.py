"""Other applications' files: only our entry differs, and parsers we did not write read what is written."""

from __future__ import annotations

import difflib
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml as pyyaml  # type: ignore[import-untyped]
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from bridge.errors import SettingsError
from bridge.hosts.formats import document as config_document
from bridge.hosts.formats import jsonc
from bridge.hosts.formats.edits import Change, Drop, Put

ENTRY = {"command": "/opt/deskbell", "args": ["stdio"], "env": {"A": "b"}}
JSONC = """\
// My settings
{
    // Look
    "theme": "One Dark", // dark
    "context_servers": {
        /* first */
        "quiz": { "command": "npx", "args": ["-y", "quiz"] }, // keep
        "sum": {
            "command": "sum",
        }, // the last
    },
    "tabs": { "on": true, }
}
"""
TOML = """\
# Codex
model = "o9"   # the best

[mcp_servers.quiz]   # mine
command = "npx"
args = [
  "-y", # yes
  "quiz",
]

# what comes next
[history]
persistence = "none"
"""
YAML = """\
# Goose
GOOSE_MODEL: o9   # the best

extensions:
    quiz:   # mine
        cmd: npx
        args: ["-y", quiz]
        enabled: true
    sum:
        cmd: sum
        args:
        - a  # first
        - b

    # after all of them
# the end
last: 1
"""


def changed(name: str, text: str, *changes: Change, named: str = "") -> str:
    document = config_document.read(Path(name), text.encode(), named)
    return config_document.edited(document, changes).decode()


def differing(before: str, after: str) -> list[str]:
    return [line for line in difflib.ndiff(before.split("\n"), after.split("\n")) if line[0] in "+-"]


def says(name: str, text: str) -> Any:
    """What somebody else's parser reads."""
    if name.endswith(".toml"):
        return tomllib.loads(text)
    return pyyaml.safe_load(text) if name.endswith(".yaml") else jsonc.load_by_json(text)


def test_an_entry_is_added_to_jsonc_after_the_last_and_its_comment() -> None:
    after = changed("settings.json", JSONC, Put(("context_servers", "deskbell"), ENTRY))
    assert differing(JSONC, after) == [
        '+         "deskbell": {',
        '+             "command": "/opt/deskbell",',
        '+             "args": ["stdio"],',
        '+             "env": {',
        '+                 "A": "b"',
        "+             }",
        "+         },",
    ]
    assert changed("settings.json", after, Drop(("context_servers", "deskbell"))) == JSONC


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{}", '{\n  "mcpServers": {\n    "x": 1\n  }\n}'),
        ("", '{\n  "mcpServers": {\n    "x": 1\n  }\n}\n'),
        ("// nothing\n", '// nothing\n{\n  "mcpServers": {\n    "x": 1\n  }\n}\n'),
        ('{"mcpServers":{}}', '{"mcpServers":{\n  "x": 1\n}}'),
        ('{"mcpServers": {"a": 1}}', '{"mcpServers": {"a": 1, "x": 1}}'),
        ('{"mcpServers": {"a": 1 , }}', '{"mcpServers": {"a": 1 , "x": 1, }}'),
        (
            '{\n\t"mcpServers": {\n\t\t"a": 1 // one\n\t}\n}',
            '{\n\t"mcpServers": {\n\t\t"a": 1, // one\n\t\t"x": 1\n\t}\n}',
        ),
        ('{\r\n  "b": 2\r\n}\r\n', '{\r\n  "b": 2,\r\n  "mcpServers": {\r\n    "x": 1\r\n  }\r\n}\r\n'),
        ('{"mcpServers": null}', '{"mcpServers": {\n  "x": 1\n}}'),
        ('{ "mcpServers": { /* empty */ } }', '{ "mcpServers": { /* empty */\n  "x": 1\n} }'),
    ],
)
def test_json_is_added_to_in_its_own_manner(before: str, after: str) -> None:
    assert changed("mcp.json", before, Put(("mcpServers", "x"), 1)) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{\n  "a": 1,\n  "x": 2\n}', '{\n  "a": 1\n}'),
        ('{\n  "x": 2, // about x\n  "a": 1\n}', '{\n  // about x\n  "a": 1\n}'),
        ('{\n  "a": 1, // one\n  "x": 2,\n}', '{\n  "a": 1, // one\n}'),
        ('{"x": 2}', "{}"),
        ('{"a": 1, "x": 2, "b": 3}', '{"a": 1, "b": 3}'),
        ('{"a": 1 /* , */ , "x": 2}', '{"a": 1 /* , */}'),
        ('{"a": 1}', '{"a": 1}'),
    ],
)
def test_json_loses_one_member_and_its_comma(before: str, after: str) -> None:
    assert changed("mcp.json", before, Drop(("x",))) == after


def test_an_entry_is_added_to_toml_as_a_table_at_the_end() -> None:
    after = changed("config.toml", TOML, Put(("mcp_servers", "deskbell"), ENTRY))
    assert after == TOML + (
        '\n[mcp_servers.deskbell]\ncommand = "/opt/deskbell"\nargs = ["stdio"]\nenv = {"A" = "b"}\n'
    )
    assert changed("config.toml", after, Drop(("mcp_servers", "deskbell"))) == TOML


def test_a_toml_table_in_the_middle_goes_without_the_comments_of_the_next() -> None:
    after = changed("config.toml", TOML, Drop(("mcp_servers", "quiz")))
    assert (
        after == '# Codex\nmodel = "o9"   # the best\n\n# what comes next\n[history]\npersistence = "none"\n'
    )


def test_toml_values_are_changed_in_their_place() -> None:
    put = (
        Put(("mcp_servers", "quiz", "command"), "/opt/deskbell"),
        Put(("mcp_servers", "quiz", "args"), ["a"]),
    )
    after = changed("config.toml", TOML, *put)
    assert '\ncommand = "/opt/deskbell"\nargs = ["a"]\n' in after
    assert "# mine" in after
    assert "# what comes next" in after


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_toml_keeps_how_it_ends(end: str) -> None:
    newline = "\r\n" if end == "\r\n" else "\n"
    before = f"a = 1{newline}b = 2{end}"
    after = changed("config.toml", before, Put(("mcp_servers", "x"), {"command": "c"}))
    assert after == f'a = 1{newline}b = 2{newline}{newline}[mcp_servers.x]{newline}command = "c"{end}'
    assert changed("config.toml", after, Drop(("mcp_servers", "x"))) == before


def test_toml_in_braces_stays_in_braces() -> None:
    after = changed(
        "config.toml", 'mcp_servers = { a = { command = "x" } }\n', Put(("mcp_servers", "d"), ENTRY)
    )
    assert tomllib.loads(after)["mcp_servers"] == {"a": {"command": "x"}, "d": ENTRY}
    assert len(after.splitlines()) == 1


def test_an_entry_is_added_to_yaml_after_the_last() -> None:
    after = changed("config.yaml", YAML, Put(("extensions", "deskbell"), ENTRY))
    assert differing(YAML, after) == [
        "+     deskbell:",
        "+       command: /opt/deskbell",
        "+       args:",
        "+         - stdio",
        "+       env:",
        "+         A: b",
    ]
    assert changed("config.yaml", after, Drop(("extensions", "deskbell"))) == YAML


def test_yaml_values_are_changed_in_their_place() -> None:
    after = changed(
        "config.yaml",
        YAML,
        Put(("extensions", "sum", "args"), ["wrap", "--", "c"]),
        Put(("extensions", "quiz", "args"), ["wrap"]),
        Put(("extensions", "quiz", "cmd"), "/opt/deskbell"),
    )
    lines = differing(YAML, after)
    assert [line[2:].strip() for line in lines if line[0] == "-"] == [
        "cmd: npx",
        'args: ["-y", quiz]',
        "- a  # first",
        "- b",
    ]
    assert [line[2:].strip() for line in lines if line[0] == "+"] == [
        "cmd: /opt/deskbell",
        'args: ["wrap"]',
        "- wrap",
        '- "--"',
        "- c",
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "extensions:\n  x: 1\n"),
        ("a: 1", "a: 1\nextensions:\n  x: 1"),
        ("a: 1\n", "a: 1\nextensions:\n  x: 1\n"),
        ("extensions:\nb: 2\n", "extensions:\n  x: 1\nb: 2\n"),
        ("extensions: # none\nb: 2\n", "extensions: # none\n  x: 1\nb: 2\n"),
        ("extensions: {}\nb: 2\n", 'extensions: {"x": 1}\nb: 2\n'),
        ("extensions: {a: 1}\n", 'extensions: {a: 1, "x": 1}\n'),
        ("extensions:\n  a: |\n    text\n\nb: 2\n", "extensions:\n  a: |\n    text\n\n  x: 1\nb: 2\n"),
        ("a: 1\r\nextensions:\r\n  b: 2\r\n", "a: 1\r\nextensions:\r\n  b: 2\r\n  x: 1\r\n"),
    ],
)
def test_yaml_is_added_to_in_its_own_manner(before: str, after: str) -> None:
    assert changed("config.yaml", before, Put(("extensions", "x"), 1)) == after


def test_a_list_of_named_entries_grows_and_shrinks() -> None:
    before = "name: Mine\nmcpServers:\n  - name: quiz # mine\n    command: npx\n# end\n"
    entry = {"name": "deskbell", **ENTRY}
    after = changed("config.yaml", before, Put(("mcpServers", "deskbell"), entry), named="name")
    assert pyyaml.safe_load(after)["mcpServers"] == [{"name": "quiz", "command": "npx"}, entry]
    assert differing(before, after)[0] == "+   - name: deskbell"
    assert changed("config.yaml", after, Drop(("mcpServers", "deskbell")), named="name") == before
    gone = changed("config.yaml", before, Drop(("mcpServers", "quiz")), named="name")
    assert pyyaml.safe_load(gone) == {"name": "Mine", "mcpServers": []}


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("a.json", '{\n  "a": 1\n  "b": 2\n}', (3, 3)),
        ("a.json", '{"a": nope}', (1, 7)),
        ("a.json", '{"a": "b', (1, 7)),
        ("a.json", '{"a": 1} x', (1, 10)),
        ("a.json", "{a: 1}", (1, 2)),
        ("a.json", '{"a" 1}', (1, 6)),
        ("a.json", "[" * 300, (1, 202)),
        ("a.toml", "a = 1\nb = = 2\n", (2, 5)),
        ("a.toml", "a = [1", (1, 7)),
        ("a.yaml", "a: 1\nb: [1, 2\nc: 3\n", (3, 2)),
    ],
)
def test_a_file_that_makes_no_sense_is_named_with_line_and_column(
    name: str, text: str, place: tuple[int, int]
) -> None:
    with pytest.raises(SettingsError, match="has a mistake at line") as refused:
        config_document.read(Path(name), text.encode())
    assert (refused.value.line, refused.value.column) == place


@pytest.mark.parametrize("raw", [b'{"a": "\xff"}', "{}".encode("utf-16")])
def test_a_file_in_another_encoding_is_left_alone(raw: bytes) -> None:
    with pytest.raises(SettingsError, match="not written in UTF-8"):
        config_document.read(Path("a.json"), raw)


@pytest.mark.parametrize("text", ['{"mcpServers": 5}', '{"mcpServers": "x"}'])
def test_something_else_in_the_place_of_the_servers_is_left_alone(text: str) -> None:
    with pytest.raises(SettingsError, match="no table of servers"):
        changed("a.json", text, Put(("mcpServers", "x"), 1))


def test_what_cannot_be_changed_alone_is_refused() -> None:
    shared = "base: &b\n  a: {cmd: x}\nextensions: *b\n"
    with pytest.raises(SettingsError, match="cannot be changed by Deskbell"):
        changed("a.yaml", shared, Put(("extensions", "a", "cmd"), "y"))


def test_a_byte_order_mark_stays() -> None:
    raw = b"\xef\xbb\xbf{}\n"
    after = config_document.edited(config_document.read(Path("a.json"), raw), [Put(("a",), 1)])
    assert after == b'\xef\xbb\xbf{\n  "a": 1\n}\n'


# Whatever the names and words are


PHASES = (Phase.explicit, Phase.generate, Phase.shrink)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    [
        "$(touch x)",
        "`x`",
        "; rm -rf /",
        "a\nb",
        '"',
        "'",
        "\\",
        "%PATH%",
        "--",
        "javascript:alert(1)",
        "#",
        "{}",
        "~",
    ]
)
ENTRIES = st.fixed_dictionaries(
    {"command": TEXTS, "args": st.lists(TEXTS, max_size=3)},
    optional={"env": st.dictionaries(TEXTS, TEXTS, max_size=2)},
)
STARTS = {"settings.json": JSONC, "mcp.json": "{}", "config.toml": TOML, "config.yaml": YAML}
KEYS = {
    "settings.json": "context_servers",
    "mcp.json": "mcpServers",
    "config.toml": "mcp_servers",
    "config.yaml": "extensions",
}


@pytest.mark.parametrize("name", STARTS)
@settings(max_examples=20, deadline=None, phases=PHASES)
@given(entry=ENTRIES, key=TEXTS)
def test_any_name_and_any_words_come_back_as_they_were_and_go_without_a_trace(
    name: str, entry: dict[str, Any], key: str
) -> None:
    before = STARTS[name]
    known = says(name, before).get(KEYS[name], {})
    if key in known:
        return
    path = (KEYS[name], key)
    after = changed(name, before, Put(path, entry))
    assert says(name, after)[KEYS[name]][key] == entry
    assert {k: v for k, v in says(name, after)[KEYS[name]].items() if k != key} == known
    left = changed(name, after, Drop(path))
    assert left == before if known else says(name, left) == {"mcpServers": {}}


@pytest.mark.parametrize("name", STARTS)
@settings(max_examples=12, deadline=None, phases=PHASES)
@given(words=st.lists(TEXTS, max_size=3), command=TEXTS)
def test_any_words_take_the_place_of_others(name: str, words: list[str], command: str) -> None:
    key = KEYS[name]
    spelling = "cmd" if name == "config.yaml" else "command"
    before = changed(name, STARTS[name], Put((key, "mine"), {spelling: "x", "args": ["y"], "z": 1}))
    after = changed(name, before, Put((key, "mine", spelling), command), Put((key, "mine", "args"), words))
    assert says(name, after)[key]["mine"] == {spelling: command, "args": words, "z": 1}


@settings(max_examples=50, deadline=None, phases=PHASES)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | TEXTS,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
        max_leaves=8,
    ),
    st.sampled_from([None, 0, 1, 2, "\t"]),
)
def test_json_as_others_write_it_is_read_and_only_added_to(value: Any, indent: Any) -> None:
    text = json.dumps({"a": value}, indent=indent)
    after = changed("a.json", text, Put(("x",), ENTRY))
    assert json.loads(after) == {"a": value, "x": ENTRY}
    assert json.loads(changed("a.json", after, Drop(("x",)))) == {"a": value}


def test_of_a_key_that_stands_twice_the_last_counts_as_for_every_other_reader() -> None:
    text = '{"servers": {"a": 1}, "servers": {"b": 2}}'
    changed = jsonc.edit(text, Put(("servers", "bell"), ENTRY), "\n")
    assert jsonc.load(text) == json.loads(text) == {"servers": {"b": 2}}
    assert jsonc.load(changed) == json.loads(changed) == {"servers": {"b": 2, "bell": ENTRY}}
    start, end = jsonc.span(text, ("servers",)) or (0, 0)
    assert text[start:end] == '{"b": 2}'


def test_a_list_on_several_lines_stays_on_several_lines() -> None:
    text = '{\n  "args": [\n    "a"\n  ]\n}\n'
    changed = jsonc.edit(text, Put(("args",), ["b", "c"]), "\n")
    assert changed == '{\n  "args": [\n    "b",\n    "c"\n  ]\n}\n'
