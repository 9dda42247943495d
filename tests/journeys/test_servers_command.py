"""`deskbell servers`: what it prints, and what it writes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bridge import saved_state
from bridge.settings import load
from bridge.vault.store_selection import ChosenStore
from tests.journeys.app_under_test import asking
from tests.journeys.conftest import Run, Spawn, Start


def test_headers_and_environment_are_given_before_the_target(run: Run, home: Path):
    assert run("servers", "add", "web", "--header", "A: b", "https://example.org/mcp").returncode == 0
    assert run("servers", "add", "--env", "K=a=b", "local", "--", "prog", "--env").returncode == 0
    servers = load(home / "config.toml").servers
    assert (servers["web"].url, servers["web"].headers) == ("https://example.org/mcp", {"A": "b"})
    assert (servers["local"].args, servers["local"].env) == (("--env",), {"K": "a=b"})


def test_a_key_that_stands_in_the_open_is_told_and_how_to_mend_it(run: Run, home: Path):
    done = run("servers", "add", "gh", "--env", "GITHUB_TOKEN=hush", "--env", "LEVEL=3", "--", "prog")
    assert (done.returncode, done.stdout) == (0, "Added gh.\n")
    assert "GITHUB_TOKEN is in config.toml as plain text." in done.stderr
    assert "`deskbell secrets set gh/GITHUB_TOKEN`, and ${vault:gh/GITHUB_TOKEN} in its place." in done.stderr
    assert "hush" not in done.stderr
    assert "LEVEL" not in done.stderr
    kept = run("servers", "add", "safe", "--env", "GITHUB_TOKEN=${vault:gh/GITHUB_TOKEN}", "--", "prog")
    assert kept.stderr == ""


def test_an_address_may_be_given_as_people_write_it(run: Run, home: Path):
    assert run("servers", "add", "near", "localhost:3000/mcp").returncode == 0
    assert run("servers", "add", "web", "mcp.example.org/mcp").returncode == 0
    assert run("servers", "add", "program", "--", "example.org/run", "it").returncode == 0
    servers = load(home / "config.toml").servers
    assert [servers[name].url for name in ("near", "web", "program")] == [
        "http://localhost:3000/mcp",
        "https://mcp.example.org/mcp",
        "",
    ]


def test_servers_are_added_listed_and_removed(run: Run, home: Path):
    assert "No servers yet" in run("servers", "list").stdout
    assert run("servers", "add", "git", "--", "npx", "-y", "server-git", "--depth", "1").returncode == 0
    assert run("servers", "add", "linear", "https://mcp.linear.app/mcp").returncode == 0
    listed = json.loads(run("servers", "list", "--json").stdout)
    assert listed == [
        {"name": "git", "command": "npx", "args": ["-y", "server-git", "--depth", "1"], "url": ""},
        {"name": "linear", "command": "", "args": [], "url": "https://mcp.linear.app/mcp"},
    ]
    table = run("servers", "list").stdout
    assert re.search(r"^git +stdio +npx -y server-git --depth 1$", table, re.MULTILINE)
    again = run("servers", "add", "git", "--", "true")
    assert again.returncode == 1
    assert "already" in again.stderr
    assert "git" in again.stderr
    assert run("servers", "remove", "git").returncode == 0
    missing = run("servers", "remove", "git")
    assert (missing.returncode, missing.stdout) == (3, "")
    assert re.search(r"no server \w+ git", missing.stderr)
    assert (home / "config.toml").read_text().count("[servers.") == 1


def test_a_server_is_renamed_and_removed_with_what_is_its_own(run: Run, home: Path, start: Start):
    home.mkdir()
    (home / "config.toml").write_text('vault = "file"\n[policy]\n"git_*" = "allow"\n')
    assert run("servers", "add", "git", "--header", "A: ${vault:k}", "http://127.0.0.1:9").returncode == 0
    spec = load(home / "config.toml").servers["git"]
    store = ChosenStore(home, lambda: "file", "deskbell")
    store.set("upstream/git", "{}")
    store.set("secret/k", "v")
    saved_state.add_answered(home / "met", spec.identity)
    saved_state.save_lists(home / "lists.json", {"git": spec}, {("git", "tools/list"): b"[]"})
    saved_state.save_pins(home / "pins.json", {("git", "read"): b"{}"})
    assert run("servers", "rename", "git", "hub").stdout == "git is called hub now, and its tools hub_…\n"
    now = load(home / "config.toml")
    assert (list(now.servers), now.policy[0][0]) == (["hub"], "hub_*")
    assert saved_state.load_pins(home / "pins.json")[0] == {("hub", "read"): b"{}"}
    assert list(saved_state.load_lists(home / "lists.json", now.servers)) == [("hub", "tools/list")]
    assert now.servers["hub"].identity in saved_state.load_answered(home / "met")
    taken = run("servers", "rename", "hub", "desk")
    assert (taken.returncode, "cannot be a server's name" in taken.stderr) == (1, True)
    app = start()
    assert run("servers", "rename", "nobody", "x").returncode == 3
    assert run("servers", "rename", "hub", "far").returncode == 0
    app.until(lambda status: "far" in {one["name"] for one in status["servers"]})
    assert "upstream/far  (your sign-in to far)" in run("secrets", "list").stdout
    removed = run("servers", "remove", "far", "--forget")
    assert removed.stdout == "Removed far.\nForgot its sign-in.\nDeleted k.\n"
    assert "No secrets yet" in run("secrets", "list").stdout


def test_a_sign_in_that_a_removed_server_left_can_be_forgotten(run: Run, home: Path):
    home.mkdir()
    (home / "config.toml").write_text('vault = "file"\n')
    ChosenStore(home, lambda: "file", "deskbell").set("upstream/old", "{}")
    assert "left of old, which is gone" in run("secrets", "list").stdout
    assert run("servers", "logout", "old").returncode == 0
    assert run("servers", "logout", "old").returncode == 3


@pytest.mark.parametrize("dashes", [["--"], []], ids=["with dashes", "without"])
def test_a_servers_command_keeps_all_its_words(dashes: list[str], run: Run):
    assert run("servers", "add", "git", *dashes, "npx", "-y", "server-git", "--", "--depth").returncode == 0
    [git] = json.loads(run("servers", "list", "--json").stdout)
    assert (git["command"], git["args"]) == ("npx", ["-y", "server-git", "--", "--depth"])


def test_a_server_added_by_the_command_line_is_known_to_the_running_app(run: Run, start: Start, spawn: Spawn):
    app = start(config="# mine\nport = 0\n")
    assert run("servers", "add", "quiz", "--", *asking("legacy")).returncode == 0
    assert "quiz" in {one["name"] for one in app.status["servers"]}
    host = spawn("stdio", "--server", "quiz")
    host.open()
    assert "ask" in host.tools()
    assert app.home.config.read_text().startswith("# mine\n")


def test_a_broken_config_is_not_written_to(run: Run, home: Path):
    home.mkdir()
    (home / "config.toml").write_text("[servers\n")
    done = run("servers", "add", "quiz", "--", "true")
    assert done.returncode == 5
    assert "config.toml, line 1" in done.stderr
    assert "Traceback" not in done.stderr
    assert (home / "config.toml").read_text() == "[servers\n"
    listing = run("servers", "list")
    assert (listing.returncode, listing.stdout) == (5, "")
    assert listing.stderr.startswith("deskbell: config.toml, line 1")
    assert len(listing.stderr.splitlines()) == 1
