"""What a window does with servers, on a whole Deskbell: Status tells what comes of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from bridge.api import (
    ActionResult,
    ContentBlock,
    Home,
    ProposalChoice,
    Question,
    ServersStatus,
    ServerStatus,
    ToolTrial,
    accept,
    ask_running,
)
from bridge.core.status.servers import HIDDEN, SecretUse
from bridge.vault.store_selection import ChosenStore
from tests.bridge.running_app import House, house

FIXTURES = Path(__file__).parents[2] / "fixtures"
ASKING = [sys.executable, "-I", "-S", str(FIXTURES / "asking_server.py")]
DYING = [sys.executable, "-I", "-S", str(FIXTURES / "dying_server.py"), "3", "4"]


def table(name: str, words: list[str], more: str = "") -> str:
    return f"[servers.{name}]  # {name} is mine\ncommand = '{words[0]}'\nargs = {words[1:]!r}\n{more}\n"


@pytest.fixture
def running(tmp_path: Path) -> Iterator[House]:
    needs = 'env = { KEY = "${vault:quiz/key}" }'
    config = 'vault = "file"\n' + table("quiz", ASKING) + table("sick", DYING) + table("poor", ASKING, needs)
    with house(tmp_path / "home", config) as built:
        yield built


def at(of: House) -> ServersStatus:
    return of.bridge.status.at_servers


def row(of: House, name: str) -> ServerStatus:
    return next(one for one in of.bridge.status.servers if one.name == name)


def told(of: House, wish: Callable[[], None]) -> ActionResult:
    before = at(of).last_action.number
    wish()
    of.until(lambda: at(of).last_action.number > before)
    return at(of).last_action


def tried(of: House, tool: str, arguments: bytes = b"{}") -> ToolTrial:
    number = at(of).trial.number
    of.bridge.servers.try_tool("quiz", tool, arguments)
    of.until(lambda: at(of).trial.number > number and not at(of).trial.running)
    return at(of).trial


def test_a_server_looked_at_tells_its_tools_and_how_it_is_started(running: House) -> None:
    bridge = running.bridge
    assert (row(running, "quiz").state, row(running, "quiz").tools) == ("idle", -1)
    bridge.servers.look_at("quiz")
    running.until(lambda: (look := at(running).look) and not look.busy)
    look = at(running).look
    assert look
    assert (look.plan.name, look.kind, look.listed, look.tools) == ("quiz", "stdio", False, ())
    assert row(running, "quiz").state == "idle"  # looking starts nothing
    bridge.servers.look_at("quiz", ask=True)
    running.until(lambda: (look := at(running).look) and look.listed and not look.busy)
    look = at(running).look
    assert look
    assert "ask" in [tool.name for tool in look.tools]
    assert look.tools[0].public.startswith("quiz_")
    assert (row(running, "quiz").state, row(running, "quiz").tools) == ("ready", len(look.tools))
    assert bridge.status.hosts == ()  # our own window is no AI application
    bridge.servers.look_at("desk")
    running.until(lambda: (look := at(running).look) and look.listed and look.plan.name == "desk")
    bridge.servers.look_at("nobody")
    running.until(lambda: at(running).look is None)


def test_what_a_server_told_a_script_is_known_to_the_window_too(running: House) -> None:
    assert running.ask("GET", "/openapi.json").status == 200
    running.bridge.servers.look_at("quiz")
    running.until(lambda: (look := at(running).look) is not None and not look.busy)
    look = at(running).look
    assert look
    assert look.listed
    assert row(running, "quiz").tools == len(look.tools) > 0


def test_one_that_dies_tells_why_and_is_left_alone_after_a_while(running: House) -> None:
    for _ in range(3):
        before = row(running, "sick")
        running.bridge.servers.look_at("sick", ask=True)
        running.until(lambda: (look := at(running).look) and not look.busy)
    look = at(running).look
    assert look
    assert "no API key" in look.problem
    assert look.lines[-1] == "no API key"
    assert "no API key" in row(running, "sick").problem
    assert before.state == "failed"
    running.until(lambda: row(running, "sick").state in ("back-off", "failed"))
    running.until(lambda: row(running, "sick").state == "failed")  # and that it may start again is told, too
    running.bridge.servers.restart("sick")
    running.until(lambda: (look := at(running).look) and not look.busy and "no API key" in look.problem)


def test_many_are_added_together_or_not_at_all_none_is_started_and_all_are_taken_back(running: House) -> None:
    bridge, config = running.bridge, running.home.config
    before = config.read_text()
    args = str(ASKING[1:]).replace("'", '"')
    entry = f'{{"command": "{ASKING[0]}", "args": {args}, "env": {{"N": 1}}}}'
    bridge.servers.draft(f'"one": {entry}, "two": {entry.replace("1", "2")}')
    running.until(lambda: len(at(running).draft.proposals) == 2)
    clash = told(running, lambda: bridge.servers.add((ProposalChoice(0, "one"), ProposalChoice(1, "quiz"))))
    assert "already a server named quiz" in clash.problem
    assert config.read_text() == before
    done = told(running, lambda: bridge.servers.add((ProposalChoice(0, "one"), ProposalChoice(1, "two"))))
    assert (done.done, done.undo) == ("Added one, two.", True)
    running.until(lambda: (look := at(running).look) and look.plan.name == "one" and not look.busy)
    assert [row(running, name).state for name in ("one", "two")] == ["idle", "idle"]
    assert told(running, bridge.servers.undo).done
    assert config.read_text() == before


def test_what_is_pasted_is_drafted_added_with_its_key_in_the_vault_and_taken_back(running: House) -> None:
    bridge, config = running.bridge, running.home.config
    before = config.read_text()
    args = str(ASKING[1:]).replace("'", '"')
    text = f'{{"mcpServers": {{"quiz": {{"command": "{ASKING[0]}", "args": {args}, '
    bridge.servers.draft(text + '"env": {"API_TOKEN": "hush-hush"}}}}')
    running.until(lambda: at(running).draft.proposals)
    (one,) = at(running).draft.proposals
    assert one.plan
    assert (one.clash, one.plan.name, one.secrets) == ("quiz", "quiz-2", ("API_TOKEN",))
    assert "hush" not in repr(bridge.status)
    assert config.read_text() == before
    clash = told(running, lambda: bridge.servers.add((ProposalChoice(0, "quiz"),)))
    assert "already a server named quiz" in clash.problem
    done = told(running, lambda: bridge.servers.add((ProposalChoice(0, "quiz-2"),)))
    assert (done.done, done.undo) == ("Added quiz-2.", True)
    assert "${vault:quiz-2/API_TOKEN}" in config.read_text()
    assert "hush" not in config.read_text()
    running.until(lambda: row(running, "quiz-2").state == "ready")
    assert [(one.name, one.kept) for one in at(running).secrets if one.kept] == [("quiz-2/API_TOKEN", True)]
    assert told(running, bridge.servers.undo).done
    assert config.read_text() == before
    running.until(lambda: all(one.name != "quiz-2" for one in bridge.status.servers))
    bridge.servers.draft("npx 'a")
    running.until(lambda: at(running).draft.problems)
    assert "A quote is not closed" in at(running).draft.problems[0]


def test_a_server_may_be_replaced_by_what_is_pasted(running: House) -> None:
    bridge = running.bridge
    bridge.servers.draft('{"sick": {"command": "true", "env": {"MY_KEY": "in the open"}}}')
    running.until(lambda: at(running).draft.proposals)
    told(running, lambda: bridge.servers.add((ProposalChoice(0, "sick", vault=False, replace=True),)))
    text = running.home.config.read_text()
    assert '# sick is mine\ncommand = "true"' in text
    assert "in the open" in text
    look = at(running).look
    assert look
    assert look.plan.env == (("MY_KEY", HIDDEN),)


def test_servers_of_the_applications_on_this_machine_are_found(
    running: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".cursor").mkdir()
    (tmp_path / ".cursor" / "mcp.json").write_text('{"mcpServers": {"sign": {"command": "sign"}}}')
    (tmp_path / ".claude.json").write_text("{")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", "")
    monkeypatch.setenv("CODEX_HOME", "")
    running.bridge.servers.find()
    running.until(lambda: at(running).draft.proposals)
    (one,) = at(running).draft.proposals
    assert (one.source, one.called) == ("Cursor", "sign")
    assert ".claude.json has a mistake" in at(running).draft.problems[0]


def test_a_server_is_edited_switched_off_and_removed(running: House) -> None:
    bridge, config = running.bridge, running.home.config
    bridge.servers.look_at("quiz", ask=True)
    running.until(lambda: row(running, "quiz").state == "ready")
    look = at(running).look
    assert look
    assert told(running, lambda: bridge.servers.edit(replace(look.plan, timeout=7.0))).done == "Changed quiz."
    assert "timeout = 7" in config.read_text()
    assert told(running, lambda: bridge.servers.edit(replace(look.plan, command="'"))).problem
    keyed = replace(look.plan, env=(("API_KEY", "sk-12345678"), ("LEVEL", "3")), vault=True)
    assert told(running, lambda: bridge.servers.edit(keyed)).done == "Changed quiz."
    assert "sk-12345678" not in config.read_text()
    assert 'API_KEY = "${vault:quiz/API_KEY}", LEVEL = "3"' in config.read_text()
    assert SecretUse("quiz/API_KEY", ("quiz",), True) in at(running).secrets
    assert told(running, lambda: bridge.servers.enable("quiz", False)).done == "Switched quiz off."
    assert "enabled = false" in config.read_text()
    running.until(lambda: row(running, "quiz").state == "disabled")
    assert "quiz_ask" not in running.ask("GET", "/openapi.json").body.decode()
    told(running, lambda: bridge.servers.enable("quiz", True))
    assert "quiz_ask" in running.ask("GET", "/openapi.json").body.decode()
    gone = told(running, lambda: bridge.servers.remove("quiz"))
    assert (gone.done, gone.undo) == ("Removed quiz.", True)
    assert "no server named quiz" in told(running, lambda: bridge.servers.enable("quiz", True)).problem
    running.until(lambda: all(one.name != "quiz" for one in bridge.status.servers))
    assert told(running, bridge.servers.undo).problem == ""
    assert "[servers.quiz]  # quiz is mine" in config.read_text()


def test_an_overview_knows_of_a_missing_secret_too(running: House) -> None:
    running.bridge.servers.look_for_secrets(missing_only=True)
    running.until(lambda: row(running, "poor").state == "secret")


def test_a_missing_secret_is_named_and_once_it_is_set_the_server_works(running: House) -> None:
    bridge = running.bridge
    bridge.servers.look_for_secrets()
    running.until(lambda: row(running, "poor").missing)
    assert (row(running, "poor").state, row(running, "poor").missing) == ("secret", ("quiz/key",))
    assert [(one.name, one.servers, one.kept) for one in at(running).secrets] == [
        ("quiz/key", ("poor",), False)
    ]
    assert "cannot be the name" in told(running, lambda: bridge.servers.set_secret("not a name", "x")).problem
    assert told(running, lambda: bridge.servers.set_secret("quiz/key", "open sesame")).problem == ""
    assert (row(running, "poor").state, row(running, "poor").missing) == ("idle", ())
    bridge.servers.look_at("poor", ask=True)
    running.until(lambda: row(running, "poor").state == "ready")
    assert "sesame" not in repr(bridge.status)
    told(running, lambda: bridge.servers.delete_secret("quiz/key"))
    running.until(lambda: row(running, "poor").missing == ("quiz/key",))
    assert told(running, lambda: bridge.servers.sign_out("poor")).problem


def by_command(of: House, do: str, value: str = "") -> None:
    """What `deskbell secrets` has the running app do."""
    said = ask_running(of.home, "secrets", do=do, name="quiz/key", value=value)
    assert said is not None
    assert "error" not in said


def test_a_secret_that_a_command_sets_is_noticed_by_the_page_that_shows_it_missing(running: House) -> None:
    bridge = running.bridge
    bridge.servers.look_for_secrets()
    running.until(lambda: row(running, "poor").missing)
    bridge.servers.look_at("poor", ask=True)
    running.until(lambda: (look := at(running).look) and "no secret named quiz/key" in look.problem)
    by_command(running, "set", value="open sesame")
    running.until(lambda: row(running, "poor").state == "ready")  # what was asked for, and could not be told
    running.until(lambda: (look := at(running).look) and look.listed and not look.problem)
    assert SecretUse("quiz/key", ("poor",), True) in at(running).secrets
    assert "sesame" not in repr(bridge.status)
    by_command(running, "delete")
    running.until(lambda: row(running, "poor").state == "secret")
    assert row(running, "poor").missing == ("quiz/key",)


def test_a_secret_of_others_starts_nothing_and_ends_nothing(running: House) -> None:
    bridge = running.bridge
    bridge.servers.look_at("quiz", ask=True)
    running.until(lambda: row(running, "quiz").state == "ready")
    bridge.servers.look_at("poor")
    by_command(running, "set", value="open sesame")
    running.until(lambda: (look := at(running).look) and look.plan.name == "poor" and not look.busy)
    assert (row(running, "quiz").state, row(running, "poor").state) == ("ready", "idle")


def test_a_key_typed_in_place_of_the_one_in_the_vault_takes_its_place(running: House) -> None:
    bridge = running.bridge
    bridge.servers.look_at("quiz")
    running.until(lambda: (look := at(running).look) is not None and not look.busy)
    look = at(running).look
    assert look
    for value in ("sk-12345678", "sk-87654321"):
        edit = partial(bridge.servers.edit, replace(look.plan, env=(("API_KEY", value),), vault=True))
        assert told(running, edit).done == "Changed quiz."
    store = ChosenStore(running.home.root, lambda: "file", running.home.keyring_service)
    assert store.get("secret/quiz/API_KEY") == "sk-87654321"


def test_who_is_signed_in_can_sign_out(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.ensure()
    ChosenStore(home.root, lambda: "file", home.keyring_service).set("upstream/far", "{}")
    config = 'vault = "file"\n[servers.far]\nurl = "http://127.0.0.1:9/mcp"\n'
    with house(tmp_path / "home", config) as built:
        built.bridge.servers.look_at("far")
        built.until(lambda: (look := at(built).look) and look.signed_in)
        assert told(built, lambda: built.bridge.servers.sign_out("far")).done.startswith("Signed out of far.")
        built.until(lambda: (look := at(built).look) and not look.busy and not look.signed_in)
        assert "not signed in" in told(built, lambda: built.bridge.servers.sign_out("far")).problem


def test_a_server_with_another_name_keeps_its_sign_in_and_one_that_goes_leaves_nothing(
    tmp_path: Path,
) -> None:
    home = Home(tmp_path / "home")
    home.ensure()
    store = ChosenStore(home.root, lambda: "file", home.keyring_service)
    kept = {"upstream/far": '{"url": "x"}', "upstream/gone": "{}", "secret/far/key": "a", "secret/both": "b"}
    for name, value in kept.items():
        store.set(name, value)
    keys = 'headers = { A = "${vault:far/key}", B = "${vault:both}" }\n'
    far = f'[servers.far] # away\nurl = "http://127.0.0.1:9/mcp"\n{keys}'
    config = f'vault = "file"\n{far}[servers.other]\nurl = "http://127.0.0.1:9/o"\n'
    config += 'headers = { B = "${vault:both}" }\n[policy]\n"far_*" = "deny"\n'
    with house(tmp_path / "home", config) as built:
        bridge = built.bridge
        bridge.servers.look_for_secrets()
        built.until(lambda: [one.name for one in at(built).secrets if one.sign_in] == ["gone"])
        bridge.servers.look_at("far")
        built.until(lambda: (look := at(built).look) and look.signed_in)
        look = at(built).look
        assert look
        assert "already a server" in told(built, lambda: bridge.servers.edit(look.plan, "other")).problem
        done = told(built, lambda: bridge.servers.edit(look.plan, "near"))
        assert (done.done, done.undo) == ("far is called near now; so are its tools.", False)
        assert home.config.read_text().endswith(config.replace("far]", "near]").replace("far_*", "near_*"))
        built.until(lambda: (look := at(built).look) and look.plan.name == "near" and look.signed_in)
        assert told(built, lambda: bridge.servers.sign_out("gone")).problem == ""
        assert told(built, lambda: bridge.servers.remove("near", clean=True)).undo is False
        assert told(built, lambda: bridge.servers.remove("nobody", clean=True)).problem
    fresh = ChosenStore(home.root, lambda: "file", home.keyring_service)
    assert fresh.names() == ("secret/both",)


def test_secrets_move_to_the_store_that_is_chosen_or_stay_where_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    with house(tmp_path / "home", 'vault = "memory"  # for now\n') as built:
        bridge = built.bridge
        told(built, lambda: bridge.servers.set_secret("key", "v"))
        bridge.settings.choose_vault("keyring")
        built.until(lambda: bridge.status.vault.refused)
        assert bridge.status.vault.refused.startswith("The keychain cannot be used.")
        assert (bridge.status.vault.wanted, bridge.status.vault.moving) == ("memory", False)
        bridge.settings.choose_vault("file")
        built.until(lambda: bridge.status.vault.moved)
        vault = bridge.status.vault
        assert (vault.moved, vault.refused, vault.wanted) == ("Moved 1 secret.", "", "file")
        assert 'vault = "file"  # for now' in built.home.config.read_text()
        bridge.settings.choose_vault("refuse")
        built.until(lambda: bridge.status.vault.wanted == "refuse" and not bridge.status.vault.moving)
        bridge.settings.choose_vault("auto")
        built.until(lambda: bridge.status.vault.wanted == "auto")
        built.until(lambda: not bridge.status.vault.moving)
        assert (bridge.status.vault.store, bridge.status.vault.moved) == ("file", "Done.")


def test_a_tool_is_tried_and_its_question_comes_to_the_desk(running: House) -> None:
    def answer(question: Question) -> object:
        assert (question.server, question.host, question.tool) == ("quiz", "Deskbell", "ask")
        return accept({"name": "Ada"})

    running.answer = answer  # type: ignore[assignment]
    trial = tried(running, "quiz_ask", b'{"message": "Who?"}')
    assert (trial.failed, trial.cancelled, trial.server) == (False, False, "quiz")
    assert "Ada" in trial.blocks[0].text
    slow = tried(running, "quiz_slow")
    assert (slow.done > 0, slow.running) == (True, False)
    wrong = tried(running, "quiz_nothing")
    assert wrong.failed
    assert "Function not found" in wrong.blocks[0].text


def test_a_question_to_oneself_goes_through_a_built_in_tool_and_its_answer_comes_back(running: House) -> None:
    running.answer = lambda question: accept({"value": "b"})
    number = at(running).trial.number
    running.bridge.servers.try_tool("desk", "desk_elicit_choice", b'{"message":"Which?","options":["a","b"]}')
    running.until(lambda: at(running).trial.number > number and not at(running).trial.running)
    (block,) = at(running).trial.blocks
    assert block == ContentBlock("json", '{"result":{"action":"accept","value":"b"}}')


def test_a_tool_that_hangs_can_be_cancelled_and_another_try_ends_the_first(running: House) -> None:
    bridge = running.bridge
    bridge.servers.try_tool("quiz", "quiz_slow", b'{"hang": true}')
    running.until(lambda: at(running).trial.running and at(running).trial.done > 0)
    bridge.servers.cancel_trial()
    running.until(lambda: at(running).trial.cancelled)
    bridge.servers.try_tool("quiz", "quiz_slow", b'{"hang": true}')
    running.until(lambda: at(running).trial.running)
    assert "calls" in tried(running, "quiz_count").blocks[0].text
