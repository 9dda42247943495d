"""The Servers page draws Status; what the person wants leaves as a signal, once they are sure."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPlainTextEdit,
    QTabWidget,
    QTreeView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bridge.api import (
    HIDDEN,
    AccountsStatus,
    ActionResult,
    ConfigStatus,
    ContentBlock,
    Draft,
    Mode,
    Proposal,
    ProposalChoice,
    Question,
    SecretUse,
    ServerForm,
    ServersStatus,
    ServerStatus,
    ServerTool,
    ServerView,
    Status,
    ToolStatus,
    ToolTrial,
)
from desktop.pages.servers.add_dialog import AddDialog, ImportDialog
from desktop.pages.servers.edit_dialog import EditDialog
from desktop.pages.servers.page import ServersPage
from desktop.pages.servers.secrets_dialog import SecretsDialog
from desktop.pages.servers.try_tool import TryWindow
from desktop.widgets.card import Card
from desktop.widgets.chip import Chip
from desktop.widgets.section import Section
from desktop.widgets.switch import Switch
from tests.desktop import samples
from tests.desktop.service_calls import ServiceCalls

W = TypeVar("W", bound=QWidget)
ECHO = ServerTool(
    "echo",
    "github_echo",
    "Echo",
    "Says it **again**.",
    ("readOnlyHint",),
    json.dumps(
        {
            "type": "object",
            "properties": {"text": {"type": "string"}, "deep": {"type": "object"}},
            "required": ["text"],
        }
    ).encode(),
)
TOOLS = (ECHO, *(ServerTool(f"tool{n}", f"github_tool{n}", description=f"Number {n}") for n in range(20)))
PLAN = ServerForm("github", command="npx -y 'a b'", env=(("TOKEN", HIDDEN), ("LEVEL", "3")), timeout=60.0)
LOOK = ServerView(PLAN, "stdio", TOOLS, listed=True, lines=("first", "no API key"))
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
)
SERVERS = (
    ServerStatus("github", "stdio", "ready", "2025-11-25", tools=21),
    ServerStatus("desk", "built-in", "idle", tools=5, configured=False),
    ServerStatus("sick", "stdio", "back-off", problem="sick ended with code 3", backoff_until=1e9),
    ServerStatus("poor", "stdio", "secret", missing=("poor/key",)),
    ServerStatus("far", "http", "sign-in", sign_in="needed"),
    ServerStatus("off", "stdio", "disabled"),
)


def status(**at: Any) -> Status:
    return replace(
        samples.busy(), waiting=(), servers=SERVERS, at_servers=ServersStatus(**{"look": LOOK, **at})
    )


@pytest.fixture
def page(qtbot: QtBot, calls: ServiceCalls) -> Iterator[ServersPage]:
    made = ServersPage(calls.services)
    qtbot.addWidget(made)
    made.draw(status())
    made.show()
    yield made
    made.close_windows()


def words(window: QWidget) -> str:
    QCoreApplication.processEvents()
    return "\n".join(label.accessibleName() for label in window.findChildren(QLabel) if label.isVisible())


def part(window: QWidget, kind: type[W], name: str) -> W:
    QCoreApplication.processEvents()
    return next(one for one in window.findChildren(kind, name) if one.isVisible())


def label(window: QWidget, name: str) -> str:
    return part(window, QLabel, name).accessibleName()


def press(window: QWidget, name: str) -> None:
    part(window, QAbstractButton, name).click()


def shown(window: QWidget) -> list[str]:
    """The buttons of the chosen server."""
    QCoreApplication.processEvents()
    names = ("restart", "edit", "signOut", "remove")
    return [one for one in names if window.findChildren(QAbstractButton, one)[0].isVisible()]


def choose(page: ServersPage, name: str) -> None:
    QTest.keyClick(part(page, Card, f"card:{name}"), Qt.Key.Key_Return)


def chosen(page: ServersPage) -> str:
    QCoreApplication.processEvents()
    cards = [one for one in page.findChildren(Card) if one.isVisible() and one.is_selected]
    return cards[0].objectName().removeprefix("card:") if cards else ""


def state(page: ServersPage, name: str) -> str:
    return part(page, Chip, f"state:{name}").text


def dialog(kind: type[W]) -> W:
    return next(one for one in QApplication.topLevelWidgets() if isinstance(one, kind) and one.isVisible())


@pytest.mark.parametrize(
    ("in_force", "said"),
    [
        ("nothing", "Your servers are not known"),
        ("last good", "These are the servers of the last valid settings"),
    ],
)
def test_a_file_that_cannot_be_read_is_not_called_empty_and_can_be_opened(
    page: ServersPage, qtbot: QtBot, in_force: str, said: str
) -> None:
    broken = ConfigStatus("/home/ada/config.toml", "config.toml, line 3, column 9: Invalid value.", in_force)
    page.draw(replace(status(look=None), servers=(), config=broken))
    assert said in words(page)
    assert "line 3, column 9" in words(page)
    assert "No servers yet" not in words(page)
    with qtbot.waitSignal(page.settings_wanted):
        press(page, "openSettings")
    page.draw(replace(status(look=None), servers=()))
    assert "cannot be read" not in words(page)
    assert "No servers yet" in words(page)


def test_every_card_tells_in_words_how_its_server_does(page: ServersPage) -> None:
    assert state(page, "github") == "Running"
    assert label(page, "about:github") == "21 tools · used by Claude Desktop"
    assert state(page, "sick").startswith("Paused until ")
    assert label(page, "problem:sick") == "sick ended with code 3"
    assert state(page, "poor") == "Needs a key"
    assert state(page, "far") == "Sign-in needed"
    assert state(page, "off") == "Switched off"
    assert label(page, "name:desk") == "Questions for you"


def test_built_in_servers_and_those_of_apps_stand_apart(page: ServersPage) -> None:
    wrapped = ServerStatus("quiz", "stdio", "ready", configured=False)
    page.draw(replace(status(), servers=(*SERVERS, wrapped)))
    QCoreApplication.processEvents()
    inside = {
        name: [card.objectName() for card in part(page, Section, name).findChildren(Card)]
        for name in ("mine", "wrapped", "builtIn")
    }
    assert inside["wrapped"] == ["card:quiz"]
    assert inside["builtIn"] == ["card:desk"]
    assert len(inside["mine"]) == 5


@pytest.mark.parametrize(
    ("button", "call", "args"),
    [
        ("retry:sick", "servers.restart", ["sick"]),
        ("signIn:far", "servers.sign_in", ["far"]),
    ],
)
def test_a_failure_carries_its_remedy(
    page: ServersPage, calls: ServiceCalls, button: str, call: str, args: list[str]
) -> None:
    with calls.expected(call) as wanted:
        press(page, button)
    assert wanted.args == args


def test_a_missing_key_is_set_and_a_command_mended_from_the_card(
    page: ServersPage, calls: ServiceCalls
) -> None:
    press(page, "setKey:poor/key")
    secrets = dialog(SecretsDialog)
    assert part(secrets, QLineEdit, "name").text() == "poor/key"
    secrets.close()
    with calls.expected("servers.look_at") as looked:
        press(page, "mend:sick")
    assert looked.args == ["sick"]
    page.draw(status(look=ServerView(ServerForm("sick", command="sick --now"), "stdio")))
    edit = dialog(EditDialog)
    assert part(edit, QLineEdit, "command").text() == "sick --now"
    edit.close()


def test_what_can_be_done_depends_on_the_server(page: ServersPage, qtbot: QtBot, calls: ServiceCalls) -> None:
    assert shown(page) == ["restart", "edit", "remove"]
    with calls.expected("servers.look_at") as looked:
        choose(page, "far")
    assert (looked.args, chosen(page)) == (["far"], "far")
    choose(page, "desk")
    assert shown(page) == []
    with calls.expected("servers.enable") as enabled:
        part(page, Switch, "turn:off").click()
    assert enabled.args == ["off", True]
    choose(page, "github")
    page.draw(status(look=replace(LOOK, signed_in=True)))
    with calls.expected("servers.sign_out"):
        press(page, "signOut")
    with calls.expected("servers.restart") as restarted:
        press(page, "restart")
    assert restarted.args == ["github"]
    assert part(page, QAbstractButton, "restart").accessibleName() == "Restart github"


def test_a_card_is_chosen_by_the_keyboard_too(page: ServersPage, qtbot: QtBot, calls: ServiceCalls) -> None:
    card = part(page, Card, "card:poor")
    card.setFocus()
    with calls.expected("servers.look_at") as looked:
        qtbot.keyClick(card, Qt.Key.Key_Return)
    assert looked.args == ["poor"]
    assert card.accessibleName() == "poor"


def test_the_details_tell_how_it_is_reached_and_what_went_wrong(page: ServersPage, qtbot: QtBot) -> None:
    part(page, QTabWidget, "serverTabs").setCurrentIndex(1)
    page.draw(replace(status(), servers=(replace(SERVERS[0], problem="It coughed."), *SERVERS[1:])))
    said = words(page)
    for expected in ("npx -y 'a b'", f"TOKEN = {HIDDEN}\nLEVEL = 3", "60 s", "Claude Desktop", "It coughed."):
        assert expected in said
    assert part(page, QPlainTextEdit, "lines").toPlainText() == "first\nno API key"
    choose(page, "poor")
    page.draw(status(look=ServerView(ServerForm("poor", command="x"), "stdio")))
    press(page, "setSecret:poor/key")
    secrets = dialog(SecretsDialog)
    assert part(secrets, QLineEdit, "name").text() == "poor/key"
    secrets.close()


def test_tools_are_searched_and_listed_on_demand(
    page: ServersPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    view = part(page, QTreeView, "toolList")
    assert [view.model().index(0, col).data() for col in range(3)] == ["Echo", "Read only", "Says it again."]
    part(page, QLineEdit, "searchTools").setText("number 1")
    assert view.model().rowCount() == 11
    with calls.expected("servers.look_at") as wanted:
        press(page, "list")
    assert wanted.args == ["github", True]
    page.draw(status(look=replace(LOOK, tools=(), listed=False, problem="It would not start.")))
    assert "It would not start." in words(page)
    known = (replace(SERVERS[0], problem="It ended before."), *SERVERS[1:])
    page.draw(replace(status(look=replace(LOOK, tools=(), listed=False)), servers=known))
    assert part(page, QLabel, "toolsSaid").accessibleName() == "It ended before."
    page.draw(status(look=replace(LOOK, tools=(), busy=True)))
    assert "Loading its tools…" in words(page)
    page.draw(status(look=replace(LOOK, tools=())))
    assert "No tools" in words(page)


def test_a_server_that_was_added_is_chosen_and_the_change_can_be_undone(
    page: ServersPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    press(page, "addServer")
    add = dialog(AddDialog)
    text = part(add, QPlainTextEdit, "text")
    with calls.expected("servers.draft") as drafted:
        qtbot.keyClicks(text, "npx new")
    assert drafted.args == ["npx new"]
    assert not part(add, QAbstractButton, "add").isEnabled()
    plan = ServerForm("github-2", command="npx new", env=(("KEY", HIDDEN),))
    one = Proposal(0, "github", plan, clash="github", remarks=("It uses ${…}.",), secrets=("KEY",))
    page.draw(status(draft=Draft(1, (one, Proposal(1, "bell", reason="it is Deskbell itself")))))
    said = words(add)
    for expected in (
        "npx new",
        f"KEY = {HIDDEN}",
        "already a server named github",
        "It uses ${…}.",
        "bell cannot",
    ):
        assert expected in said
    with calls.expected("servers.add") as added:
        press(add, "add")
    assert added.args == [(ProposalChoice(0, "github-2", vault=True),)]
    page.draw(status(last_action=ActionResult(1, problem="There is already a server named github-2.")))
    assert "already a server named github-2" in words(add)
    part(add, QCheckBox, "replace:0").setChecked(True)
    part(add, QCheckBox, "vault:0").setChecked(False)
    with calls.expected("servers.add") as added:
        press(add, "add")
    assert added.args == [(ProposalChoice(0, "github", vault=False, replace=True),)]
    fresh = (*SERVERS, ServerStatus("new", "stdio", "starting"))
    page.draw(
        replace(
            status(
                last_action=ActionResult(2, "Added new.", undo=True),
                look=ServerView(ServerForm("new", command="x"), "stdio"),
            ),
            servers=fresh,
        )
    )
    assert chosen(page) == "new"
    assert "Added new." in words(page)
    with calls.expected("servers.undo"):
        press(page, "undo")


def test_a_text_that_cannot_be_read_says_why(page: ServersPage, qtbot: QtBot, calls: ServiceCalls) -> None:
    press(page, "addServer")
    add = dialog(AddDialog)
    with calls.expected("servers.draft"):
        qtbot.keyClicks(part(add, QPlainTextEdit, "text"), "'")
    page.draw(status(draft=Draft(1, problems=("A quote is not closed.",))))
    assert "A quote is not closed." in words(add)
    qtbot.keyClick(add, Qt.Key.Key_Escape)
    assert not [
        one for one in QApplication.topLevelWidgets() if isinstance(one, AddDialog) and one.isVisible()
    ]


def test_what_a_link_proposes_is_shown_and_only_a_click_adds_it(
    page: ServersPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    link = "deskbell:add-server?name=notes&url=https%3A%2F%2Fnotes.example%2Fmcp"
    with calls.expected("servers.draft") as drafted:
        page.open_add(link)
    assert drafted.args == [link]
    add = dialog(AddDialog)
    assert "trust where the link came from" in words(add)
    command = "npx -y good " + "--quiet " * 100 + "--evil\u202e"
    one = Proposal(0, "notes", ServerForm("notes", command=command, env=(("A", "b" * 300),), cwd="/tmp/x"))
    page.draw(status(draft=Draft(1, (one,))))
    shown = words(add).replace("\u200b", "")
    assert f"{command[:-1]}\ufffd" in shown
    assert "A = " + "b" * 300 in shown
    assert "cwd = /tmp/x" in shown
    assert not part(add, QAbstractButton, "add").isEnabled()  # a click may have been meant for what was there
    qtbot.waitUntil(part(add, QAbstractButton, "add").isEnabled)
    with calls.expected("servers.draft") as drafted:  # another link takes its place
        page.open_add("deskbell:add-server?name=other&url=https%3A%2F%2Fa.example")
    assert "other" in drafted.args[0]
    qtbot.keyClick(dialog(AddDialog), Qt.Key.Key_Escape)


def test_servers_of_other_apps_are_imported_by_check_boxes(
    page: ServersPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    with calls.expected("servers.find"):
        press(page, "importServers")
    found = dialog(ImportDialog)
    page.draw(status(draft=Draft(1)))
    assert "No AI app on this computer" in words(found)
    assert "We found" not in words(found)
    assert not found.add_button.isVisible()
    assert part(found, QAbstractButton, "cancel").text() == "&Close"
    low = found.height()
    listed = tuple(
        Proposal(n, name, ServerForm(name, command=name), source="Cursor")
        for n, name in enumerate(("a", "b", "c"))
    )
    page.draw(status(draft=Draft(2, listed)))
    assert "from Cursor" in words(found)
    assert found.height() > 2 * low, "without servers to choose from, the dialog is small"
    assert part(found, QAbstractButton, "cancel").text() == "&Cancel"
    assert part(found, QAbstractButton, "add").text() == "&Add 3"
    part(found, QCheckBox, "wanted:1").setChecked(False)
    part(found, QLineEdit, "name:2").setText("see")
    with calls.expected("servers.add") as added:
        press(found, "add")
    assert [(one.place, one.name) for one in added.args[0]] == [(0, "a"), (2, "see")]
    found.close()


def test_many_are_chosen_at_once_and_what_is_here_already_takes_one_line(
    page: ServersPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    press(page, "importServers")
    found = dialog(ImportDialog)
    listed = tuple(Proposal(n, name, ServerForm(name, command=name)) for n, name in enumerate("abcd"))
    listed += tuple(Proposal(4 + n, name, same=name, reason="it is there") for n, name in enumerate("xyx"))
    listed += (Proposal(7, "e", same="a", source="Zed"), Proposal(8, "f", reason="it is a part of that"))
    page.draw(status(draft=Draft(1, listed)))
    everything = part(found, QCheckBox, "wantAll")
    assert everything.text() == "All 4 of them"
    for told in (
        "Already here: x, y.",
        "e is the same as a. (Zed)",
        "f cannot be added: it is a part of that.",
    ):
        assert told in words(found)
    part(found, QCheckBox, "wanted:1").setChecked(False)
    assert everything.checkState() is Qt.CheckState.PartiallyChecked
    everything.click()
    assert part(found, QAbstractButton, "add").text() == "&Add 4"
    everything.click()
    assert not part(found, QAbstractButton, "add").isEnabled()
    assert everything.checkState() is Qt.CheckState.Unchecked
    part(found, QCheckBox, "wanted:2").setChecked(True)
    with calls.expected("servers.add") as added:
        press(found, "add")
    assert [one.name for one in added.args[0]] == ["c"]
    found.close()


def test_an_edited_server_leaves_as_a_plan(page: ServersPage, qtbot: QtBot, calls: ServiceCalls) -> None:
    press(page, "edit")
    edit = dialog(EditDialog)
    shown = [part(edit, QLineEdit, f"pairName:{n}").text() for n in (1, 2)]
    hidden, level = part(edit, QLineEdit, "pairValue:1"), part(edit, QLineEdit, "pairValue:2")
    assert (shown, hidden.text(), hidden.placeholderText()) == (["TOKEN", "LEVEL"], "", "Not shown")
    press(edit, "addPair")
    part(edit, QLineEdit, "pairValue:3").setText("lost")
    press(edit, "save")
    assert "Please give this value a name." in words(edit)
    press(edit, "drop:3")
    level.setText("4")
    part(edit, QCheckBox, "shared").setChecked(True)
    with calls.expected("servers.edit") as wanted:
        press(edit, "save")
    plan = replace(PLAN, env=(("TOKEN", HIDDEN), ("LEVEL", "4")), shared=True, vault=True)
    assert wanted.args == [plan, "github"]
    page.draw(status(last_action=ActionResult(1, problem="config.toml cannot be edited.")))
    assert "config.toml cannot be edited." in words(edit)
    part(edit, QCheckBox, "vault").setChecked(False)
    line = part(edit, QLineEdit, "command")
    line.setFocus()
    with calls.expected("servers.edit") as wanted:
        qtbot.keyClick(line, Qt.Key.Key_Return)
    assert not wanted.args[0].vault
    page.draw(status(last_action=ActionResult(2, problem="config.toml cannot be edited.")))
    assert edit.focusWidget() is line  # and not Cancel, which the next Return would press
    with calls.expected("servers.edit"):
        press(edit, "save")
    page.draw(status(last_action=ActionResult(3, "Changed github.", undo=True)))
    assert not edit.isVisible()
    assert "Changed github." in words(page)


def test_a_server_may_get_another_name_and_is_chosen_under_it(
    page: ServersPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    press(page, "edit")
    edit = dialog(EditDialog)
    name = part(edit, QLineEdit, "serverName")
    name.setText(" ")
    press(edit, "save")
    assert "Please give it a name." in words(edit)
    name.setText("hub")
    with calls.expected("servers.edit") as wanted:
        press(edit, "save")
    assert wanted.args == [replace(PLAN, vault=True), "hub"]
    hub = replace(LOOK, plan=replace(PLAN, name="hub"))
    servers = (*SERVERS[1:], replace(SERVERS[0], name="hub"))
    with calls.forbidden("servers.look_at"):  # or its neighbour would be looked at in its place
        page.draw(replace(status(), servers=servers))
        page.draw(
            replace(
                status(last_action=ActionResult(1, "github is called hub now."), look=hub), servers=servers
            )
        )
    assert not edit.isVisible()
    assert chosen(page) == "hub"
    assert part(page, QAbstractButton, "edit").isEnabled()


def test_when_the_chosen_one_is_removed_its_neighbour_is_looked_at(
    page: ServersPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    with calls.expected("servers.look_at") as wanted:
        page.draw(replace(status(look=None), servers=SERVERS[1:]))
    assert wanted.args == [chosen(page)] == ["sick"]


def test_a_server_is_removed_only_by_someone_who_is_sure(
    page: ServersPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    press(page, "remove")
    box = dialog(QMessageBox)
    qtbot.keyClick(box, Qt.Key.Key_Return)  # the default is to keep it
    with calls.forbidden("servers.remove"):
        QCoreApplication.processEvents()
    press(page, "remove")
    box = dialog(QMessageBox)
    with calls.expected("servers.remove") as wanted:
        next(one for one in box.buttons() if one.text() == "&Remove").click()
    assert wanted.args == ["github", False]


def test_with_a_server_may_go_what_the_vault_has_of_it(
    page: ServersPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    press(page, "remove")
    box = dialog(QMessageBox)
    part(box, QCheckBox, "clean").setChecked(True)
    with calls.expected("servers.remove") as wanted:
        next(one for one in box.buttons() if one.text() == "&Remove").click()
    assert wanted.args == ["github", True]
    press(page, "secrets")
    secrets = dialog(SecretsDialog)
    page.draw(status(secrets=(SecretUse("gone", kept=True, sign_in=True),)))
    assert "Sign-in to gone, which was removed" in words(secrets)
    with calls.expected("servers.sign_out") as left:
        press(secrets, "forget:gone")
    assert left.args == ["gone"]
    secrets.close()


def test_secrets_go_in_and_are_never_shown(page: ServersPage, qtbot: QtBot, calls: ServiceCalls) -> None:
    with calls.expected("servers.look_for_secrets"):
        press(page, "secrets")
    secrets = dialog(SecretsDialog)
    kept = (
        SecretUse("poor/key", ("poor",)),
        SecretUse("old", (), True),
        SecretUse("github", ("github",), True),
    )
    page.draw(status(secrets=kept))
    for expected in ("missing · needed by poor", "not used by any server", "used by github"):
        assert expected in words(secrets)
    value = part(secrets, QLineEdit, "value")
    assert value.echoMode() is QLineEdit.EchoMode.Password
    press(secrets, "keep")
    assert "Please give a name and a value." in words(secrets)
    press(secrets, "set:poor/key")
    with calls.expected("servers.set_secret") as wanted:
        qtbot.keyClicks(value, "hush")
        qtbot.keyClick(value, Qt.Key.Key_Return)
    assert wanted.args == ["poor/key", "hush"]
    assert secrets.isVisible()
    assert value.text() == ""
    page.draw(status(secrets=kept, last_action=ActionResult(1, "poor/key is stored in your keychain.")))
    assert "poor/key is stored in your keychain." in words(secrets)
    press(secrets, "delete:old")
    box = dialog(QMessageBox)
    with calls.expected("servers.delete_secret"):
        next(one for one in box.buttons() if one.text() == "&Delete").click()
    secrets.close()


def trying(page: ServersPage) -> TryWindow:
    press(page, "try")
    return dialog(TryWindow)


def test_a_tool_is_tried_by_a_form_made_from_its_schema(
    page: ServersPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    window = trying(page)
    assert window.windowTitle() == "Try Echo of github"
    press(window, "run")
    assert "Please fill this in." in words(window)
    part(window, QPlainTextEdit, "field:text").setPlainText("hi")
    part(window, QPlainTextEdit, "field:deep").setPlainText('{"a": 1}')
    with calls.expected("servers.try_tool") as wanted:
        press(window, "run")
    assert [wanted.args[0], wanted.args[1], bytes(wanted.args[2])] == [
        "github", "github_echo", b'{"text":"hi","deep":{"a":1}}',
    ]  # fmt: skip
    page.draw(status(trial=ToolTrial(1, "github", "github_echo", True, 1, 4, "a quarter", ("info: begun",))))
    assert "a quarter" in words(window)
    assert "info: begun" in words(window)
    with calls.expected("servers.cancel_trial"):
        press(window, "cancel")
    blocks = (
        ContentBlock("text", "# **plain**"),
        ContentBlock("json", '{"b":2}'),
        ContentBlock("image", data=PIXEL, mime="image/png"),
        ContentBlock("image", data=b"no", mime="image/x"),
        ContentBlock("link", "A letter", uri="a://b"),
        ContentBlock("resource", "inside", mime="text/plain", uri="a://c"),
        ContentBlock("audio", data=b"1234", mime="audio/wav"),
    )
    page.draw(status(trial=ToolTrial(1, "github", "github_echo", blocks=blocks, seconds=2.0)))
    said = words(window)
    assert part(window, QPlainTextEdit, "part:0").toPlainText() == "# **plain**"
    assert part(window, QPlainTextEdit, "part:1").toPlainText() == '{\n  "b": 2\n}'
    for expected in (
        "Answered in 2.0 s.",
        "Picture, 1 × 1",
        "(image/x) that cannot",
        "a://b\nA letter",
        "4 bytes",
    ):
        assert expected in said
    with calls.expected("servers.try_tool"):
        press(window, "run")
    page.draw(
        status(trial=ToolTrial(2, "github", "github_echo", failed=True, blocks=(ContentBlock("text", "no"),)))
    )
    assert "Failed after" in words(window)


def test_what_a_tried_tool_asks_comes_to_whoever_waits_for_it_once(page: ServersPage, qtbot: QtBot) -> None:
    window = trying(page)
    qtbot.waitActive(window)
    part(window, QPlainTextEdit, "field:text").setPlainText("hi")
    press(window, "run")
    running = status(trial=ToolTrial(1, "github", "github_echo", True))
    asked = Question("q7", Mode.FORM, "github", "Deskbell", tool="echo")
    with qtbot.assertNotEmitted(page.question_wanted):
        page.draw(replace(running, waiting=(replace(asked, host="claude-ai"),)))
    with qtbot.waitSignal(page.question_wanted) as opened:
        page.draw(replace(running, waiting=(asked,)))
    assert opened.args == ["q7"]
    assert "The tool is asking you something in another window." in words(window)
    with qtbot.assertNotEmitted(page.question_wanted):
        page.draw(replace(running, waiting=(asked, asked)))
    page.draw(running)
    assert "Waiting for the answer…" in words(window)


def test_return_in_a_line_runs_it(page: ServersPage, qtbot: QtBot, calls: ServiceCalls) -> None:
    adds = replace(ECHO, schema=b'{"type":"object","properties":{"a":{"type":"number"}}}')
    page.draw(status(look=replace(LOOK, tools=(adds,))))
    window = trying(page)
    line = part(window, QLineEdit, "field:a")
    qtbot.keyClicks(line, "2")
    with calls.expected("servers.try_tool"):
        qtbot.keyClick(line, Qt.Key.Key_Return)
    close = part(window, QAbstractButton, "close")
    close.setFocus()
    qtbot.keyClick(close, Qt.Key.Key_Return)
    assert not window.isVisible()


def test_closing_the_window_cancels_what_still_runs(
    page: ServersPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    window = trying(page)
    page.draw(
        status(trial=ToolTrial(7, "other", "x", failed=True, blocks=(ContentBlock("text", "not ours"),)))
    )
    assert "Failed after" not in words(window)
    part(window, QPlainTextEdit, "field:text").setPlainText("hi")
    press(window, "run")
    page.draw(status(trial=ToolTrial(8, "github", "github_echo", running=True)))
    with calls.expected("servers.cancel_trial"):
        window.close()


def test_a_schema_that_is_no_form_is_filled_in_as_json(
    page: ServersPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    odd = replace(ECHO, schema=b'{"type":"object","properties":{"a":{"$ref":"https://example.org/x"}}}')
    page.draw(status(look=replace(LOOK, tools=(odd,))))
    window = trying(page)
    assert "its arguments as JSON" in words(window)
    part(window, QPlainTextEdit, "field:arguments").setPlainText('{"a": 1.50}')
    with calls.expected("servers.try_tool") as wanted:
        press(window, "run")
    assert bytes(wanted.args[2]).replace(b" ", b"") == b'{"a":1.50}'


def test_a_server_that_an_app_wraps_can_be_restarted_and_its_tools_be_seen(page: ServersPage) -> None:
    wrapped = ServerStatus("quiz", "stdio", "ready", configured=False)
    tools = (ToolStatus("quiz", "ask", "quiz_ask", "Ask a riddle"), ToolStatus("github", "x", "github_x"))
    page.draw(replace(status(), servers=(*SERVERS, wrapped)))
    choose(page, "quiz")
    page.draw(replace(status(look=None), servers=(*SERVERS, wrapped), tools=tools))
    assert shown(page) == ["restart"]
    assert "One of your AI apps starts this server" in words(page)
    model = page.findChildren(QTreeView, "toolList")[0].model()
    assert [model.index(row, 0).data() for row in range(model.rowCount())] == ["Ask a riddle"]
    assert part(page, QTabWidget, "serverTabs").tabText(0) == "T&ools (1)"


def test_without_servers_it_says_what_to_do(page: ServersPage) -> None:
    page.draw(replace(status(), servers=SERVERS[1:2]))
    assert "No servers yet" in words(page)


def test_a_value_that_looks_like_a_key_is_masked_until_somebody_looks(page: ServersPage) -> None:
    press(page, "edit")
    edit = dialog(EditDialog)
    press(edit, "addPair")
    name, value = part(edit, QLineEdit, "pairName:3"), part(edit, QLineEdit, "pairValue:3")
    name.setText("LEVEL_2")
    assert value.echoMode() is QLineEdit.EchoMode.Normal
    name.setText("API_KEY")
    assert value.echoMode() is QLineEdit.EchoMode.Password
    press(edit, "show:3")
    assert value.echoMode() is QLineEdit.EchoMode.Normal
    edit.close()


def test_a_key_in_the_keychain_stays_there_unless_another_is_typed(
    page: ServersPage, calls: ServiceCalls
) -> None:
    kept = replace(PLAN, env=(("TOKEN", "${vault:github/TOKEN}"),))
    page.draw(status(look=replace(LOOK, plan=kept)))
    press(page, "edit")
    edit = dialog(EditDialog)
    assert part(edit, QLineEdit, "pairValue:1").placeholderText() == "Stored in your keychain"
    assert "vault" not in words(edit)
    with calls.expected("servers.edit") as wanted:
        press(edit, "save")
    assert wanted.args[0].env == kept.env
    edit.close()


def test_bluesky_is_switched_and_set_up_from_its_card(
    page: ServersPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    bluesky = ServerStatus("bluesky", "built-in", "idle", tools=11, configured=False)
    plain = replace(status(), servers=(*SERVERS, bluesky), bluesky=AccountsStatus())
    page.draw(plain)
    with qtbot.waitSignal(page.accounts_wanted), calls.expected("settings.change") as wanted:
        press(page, "setUpBluesky")
    assert wanted.args == ["bluesky", "enabled", True]
    page.draw(replace(plain, bluesky=AccountsStatus(chosen=True)))
    qtbot.waitUntil(
        lambda: not [one for one in page.findChildren(QAbstractButton, "setUpBluesky") if one.isVisible()]
    )
    with calls.expected("settings.change") as wanted:
        press(page, "turnBluesky")
    assert wanted.args == ["bluesky", "enabled", False]
    page.draw(replace(status(), bluesky=AccountsStatus(enabled=False)))
    assert state(page, "bluesky") == "Switched off"
    assert not part(page, Switch, "turnBluesky").isChecked()
