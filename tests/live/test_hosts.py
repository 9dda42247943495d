"""The matrix with hosts that others wrote: what each of them can is asked there, and all else on the desk.

They come with `make peers`. A cell that lacks its program is skipped.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest

from bridge.api import ask_running
from tests.fixtures.peers import MODULES, NODE, PEERS
from tests.journeys.app_under_test import FIXTURES
from tests.journeys.hosts import MODERN, Json, StdioHost, a_moment, said_in
from tests.journeys.matrix import (
    ANSWERS,
    DECLARED,
    DECLINED,
    SHIM,
    WHO,
    House,
    by_the_host,
    cell,
    open_house,
)

pytestmark = pytest.mark.timeout(120)
LEGACY = "2025-11-25"
TOOLS = ("ask", "ask_url")
LIMIT = 60.0  # seconds; a busy machine starts Node slowly
INSPECTOR = MODULES / "@modelcontextprotocol" / "inspector" / "clients"
FASTMCP = PEERS / "fastmcp" / "bin" / "fastmcp"
_EXPORT = re.compile(r"export (\w+)='([^']*)'")


Word = str | Path


class Way(NamedTuple):
    """How a program reaches a server."""

    house: House
    folder: Path
    wire: str
    revision: str
    ability: str
    upstream: str

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.house.app.port}/mcp/{self.upstream}"

    @property
    def token(self) -> str:
        return self.house.app.token

    @property
    def command(self) -> list[str]:
        return [*SHIM, "stdio", "--server", self.upstream]

    @property
    def home(self) -> str:
        return f"DESKBELL_HOME={self.house.env['DESKBELL_HOME']}"

    @property
    def bearer(self) -> list[str]:
        return ["--header", f"Authorization: Bearer {self.house.app.token}"]

    @property
    def by_url(self) -> list[str]:
        """For the inspector and mcpdo."""
        return ["--transport", "http", *self.bearer, "--server-url", self.url]

    @property
    def era(self) -> str:
        return "modern" if self.revision == MODERN else "legacy"

    def run(self, command: Sequence[Word], said: str = "", env: Mapping[str, str] | None = None) -> str:
        """What the program prints."""
        more = {**self.house.env, "HOME": str(self.folder), **(env or {})}
        done = subprocess.run(
            [*map(str, command)], env=more, input=said, capture_output=True, text=True, timeout=LIMIT
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


Answers = Iterator[Json]  # what the server got, for each of TOOLS


# --- the programs ------------------------------------------------------------------------------------------


def typescript(way: Way, sdk: str) -> Answers:
    target = [way.url] if way.wire == "http" else way.command
    mode = "legacy" if way.revision == LEGACY else "auto"
    for tool in TOOLS:
        words: list[Word] = [MODULES, sdk, mode, way.ability, tool, "{}", *target]
        env = {"TOKEN": way.token, "LINK_AFTER": str(a_moment())}
        said = way.run([NODE, FIXTURES / "host.mjs", *words], env=env)
        yield said_in(json.loads(said)["result"])


def typescript_1(way: Way) -> Answers:
    return typescript(way, "1")


def typescript_2(way: Way) -> Answers:
    return typescript(way, "2")


def inspector(way: Way) -> Answers:
    target = way.by_url if way.wire == "http" else ["-e", way.home, "--", *way.command]
    for tool in TOOLS:
        words = ["--cli", "--protocol-era", way.era, "--format", "json", "-q", "--method", "tools/call"]
        launcher = INSPECTOR / "launcher" / "build" / "index.js"
        said = way.run([NODE, launcher, *words, "--tool-name", tool, *target])
        yield said_in(json.loads(said)["result"])


def mcpdo(way: Way) -> Answers:
    """Parks a call that asks; the answer is a command of its own. A link it cannot decline, only cancel."""
    program: list[Word] = [NODE, INSPECTOR / "mcpdo" / "build" / "mcp-bin.js", "--format", "json"]
    env = dict(_EXPORT.findall(way.run([*program, "private"])))
    env["MCP_INSPECTOR_SECRET_STORE"] = "file"
    can = {"cannot": "off", "form": "form"}.get(way.ability, "both")
    target = [*way.by_url, "@it"] if way.wire == "http" else ["-e", way.home, "@it", "--", *way.command]
    with ExitStack() as over:
        over.callback(shutil.rmtree, env["MCP_INSPECTOR_DAEMON_DIR"], ignore_errors=True)
        over.callback(way.run, [*program, "daemon", "stop"], env=env)
        way.run([*program, "connect", "--era", way.era, "--elicit", can, *target], env=env)
        for tool in TOOLS:
            said = json.loads(way.run([*program, "@it", "tools/call", tool], env=env))
            if pending := said.get("elicitationPending"):
                yes = ["name:=by the host"] if tool == "ask" else ["--done"]
                answer = ["--decline" if tool == "ask" else "--cancel"] if way.ability == "declines" else yes
                words = ["@it", "elicitation/respond", pending["elicitationId"], *answer]
                time.sleep(a_moment())  # a person reads the question first
                said = json.loads(way.run([*program, *words], env=env))
            yield said_in(said)


def relayed(way: Way, command: Sequence[Word]) -> Answers:
    """By a program that relays for a host of ours."""
    more: Json = {"revision": way.revision, "capabilities": DECLARED[way.ability], "name": "relayed"}
    more["answer"] = (lambda asked: DECLINED) if way.ability == "declines" else by_the_host
    env = {**way.house.env, "HOME": str(way.folder)}
    with closing(StdioHost([*map(str, command)], env, **more)) as host:
        host.open()
        for tool in TOOLS:
            yield said_in(host.call(tool))


def mcp_remote(way: Way) -> Answers:
    program: list[Word] = [NODE, MODULES / "mcp-remote" / "dist" / "proxy.js"]
    return relayed(way, [*program, way.url, "--allow-http", *way.bearer])


def supergateway(way: Way) -> Answers:
    program: list[Word] = [NODE, MODULES / "supergateway" / "dist" / "index.js", "--logLevel", "none"]
    return relayed(way, [*program, "--streamableHttp", way.url, "--oauth2Bearer", way.token])


def fastmcp(way: Way) -> Answers:
    """Asks on its terminal; an empty line is a yes to a link, which nobody gives at once."""
    by_command = ["--command", " ".join(["env", way.home, *way.command]), "--target"]
    for tool in TOOLS:
        words = [way.url, tool, "--auth", way.token] if way.wire == "http" else [*by_command, tool]
        typed = "decline" if way.ability == "declines" else "by the host" if tool == "ask" else ""
        command = [str(FASTMCP), "call", *words, "--json"]
        env = {**way.house.env, "HOME": str(way.folder)}
        with subprocess.Popen(
            command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as program:
            assert program.stdout
            said = ""
            while (line := program.stdout.readline()) and "Server asks" not in line:
                said += line
            time.sleep(0.0 if typed else a_moment())
            said += program.communicate(typed + "\n", timeout=LIMIT)[0]
        yield said_in(json.loads(said[said.index("{\n") :]))


# --- the cells ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Program:
    use: Callable[[Way], Answers]
    needs: Path
    wires: tuple[str, ...] = ("stdio", "http")
    revisions: tuple[str, ...] = (LEGACY, MODERN)
    abilities: tuple[str, ...] = tuple(DECLARED)
    upstreams: tuple[str, ...] = ("process-legacy", "sdk-modern")

    def cells(self) -> Iterator[object]:
        skip = pytest.mark.skipif(not self.needs.exists(), reason="no peers here: `make peers`")
        for wire in self.wires:
            for revision in self.revisions:
                for ability in self.abilities:
                    for upstream in self.upstreams:
                        name = f"{self.use.__name__} {wire} {revision} {ability} {upstream}"
                        yield pytest.param(self, wire, revision, ability, upstream, id=name, marks=skip)


SDK_1 = MODULES / "@modelcontextprotocol" / "sdk"
SDK_2 = MODULES / "@modelcontextprotocol" / "client"
PROGRAMS = [
    Program(typescript_1, SDK_1, revisions=(LEGACY,)),
    Program(typescript_2, SDK_2),
    Program(inspector, INSPECTOR, abilities=("cannot",)),
    Program(mcpdo, INSPECTOR, ("http",), upstreams=("process-legacy",)),  # six programs a cell
    Program(mcpdo, INSPECTOR, ("stdio",), (MODERN,), ("form+url",)),
    Program(mcp_remote, MODULES / "mcp-remote", ("stdio",), ("2025-06-18", LEGACY, MODERN)),
    # In the legacy era it does not pass on what its host can: nothing is lost, the desk asks.
    Program(supergateway, MODULES / "supergateway", ("stdio",), (LEGACY,), ("cannot",)),
    Program(supergateway, MODULES / "supergateway", ("stdio",), (MODERN,)),
    Program(fastmcp, FASTMCP, revisions=(MODERN,), abilities=("form+url", "declines")),
]
CELLS = [one for program in PROGRAMS for one in program.cells()]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("hosts")) as house:
        yield house


@pytest.mark.parametrize(("program", "wire", "revision", "ability", "upstream"), CELLS)
def test_a_host_that_others_wrote_has_its_persons_answers(
    program: Program, wire: str, revision: str, ability: str, upstream: str, house: House, tmp_path: Path
):
    way = Way(house, tmp_path, wire, revision, ability, upstream)
    before = len(house.asked())
    who = cell(WHO, revision, ability)
    for kind, (one, said) in enumerate(zip(who, program.use(way), strict=True)):
        wanted = ANSWERS[one][kind]
        if program.use is mcpdo and ability == "declines":  # it takes its time, so that its no is believed
            wanted = DECLINED if kind == 0 else {"action": "cancel"}
        assert {name: value for name, value in said.items() if value} == wanted
    believed = program.use is mcpdo and ability == "declines"
    by_desk = () if believed else ("desk", "no")
    at_the_desk = [asked["mode"] for asked in house.asked()[before:]]
    assert at_the_desk == [mode for mode, one in zip(("form", "url"), who, strict=True) if one in by_desk]
    for name in house.app.status["refusing"]:  # the next host of this name is asked
        ask_running(house.app.home, "ask-again", host=name)


@pytest.mark.skipif(not (MODULES / "supergateway").exists(), reason="no peers here: `make peers`")
def test_a_relay_that_forgets_what_its_host_can_loses_no_question(house: House, tmp_path: Path):
    way = Way(house, tmp_path, "stdio", LEGACY, "form+url", "process-modern")
    assert list(supergateway(way)) == list(ANSWERS["desk"])
