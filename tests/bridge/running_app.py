"""A whole Deskbell in this process, with tools of a package that was just installed, and HTTP by hand."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from bridge.api import Answer, Bridge, Home, Question, Status
from tests.fixtures.patience import WITHIN

TOOLS = '''
import asyncio
from typing import Annotated, Literal

from msgspec import Meta

from bridge.tools import Prose, Toolbox, ToolContext, ToolProblem

MATH = Toolbox("math", "Math")


@MATH.tool(read_only=True)
async def Add(ctx: ToolContext, a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


@MATH.tool()
async def divide(ctx: ToolContext, a: int, b: Annotated[int, Meta(ge=1)]) -> tuple[int, int]:
    """Divides, with a remainder."""
    await ctx.progress(1, 2, "half way")
    return divmod(a, b)


@MATH.tool()
async def nothing(ctx: ToolContext) -> None:
    """Returns nothing."""


@MATH.tool()
async def praise(ctx: ToolContext, whom: Literal["Ada", "Alan"] = "Ada") -> Prose:
    """Praises."""
    return Prose(f"# Well done, {whom}")


@MATH.tool()
async def fail(ctx: ToolContext) -> None:
    """Fails."""
    raise ToolProblem("It is broken.")


@MATH.tool()
async def choose(ctx: ToolContext, within: float | None = None) -> str:
    """Asks."""
    return await ctx.elicitor.choose("Which?", ["a", "b"], within=within)
'''


def install(folder: Path) -> None:
    """As pip would leave it."""
    (folder / "math_tools.py").write_text(TOOLS)
    info = folder / "math_tools-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: math-tools\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[deskbell.tools]\nmath = math_tools:MATH\n")


class Said(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class House:
    """A running Deskbell whose Questions `answer` by themselves, or wait where it is None."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.answer: Callable[[Question], Answer | None] = lambda question: None
        self.asked: list[Question] = []
        self._seen: set[str] = set()
        self.news = threading.Condition()
        self.bridge = Bridge(home, on_status=self._changed)

    def _changed(self, status: Status) -> None:
        for question in status.waiting:
            if question.id not in self._seen:
                self._seen.add(question.id)
                with self.news:
                    self.asked.append(question)
                    self.news.notify_all()
                answer = self.answer(question)
                if answer is not None:
                    self.bridge.questions.answer(question.id, answer)
        with self.news:
            self.news.notify_all()

    def until(self, look: Callable[[], object]) -> None:
        with self.news:
            assert self.news.wait_for(look, WITHIN), "nothing happened"

    @property
    def port(self) -> int:
        return int(self.bridge.status.address.rpartition(":")[2].partition("/")[0])

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=WITHIN)

    def ask(self, method: str, path: str, body: bytes | str = b"", **headers: str) -> Said:
        connection = self.connect()
        sent = {"Authorization": f"Bearer {self.home.read_token()}", **headers}
        data = body.encode() if isinstance(body, str) else body
        connection.request(method, path, data, {name.replace("_", "-"): v for name, v in sent.items()})
        reply = connection.getresponse()
        said = Said(reply.status, {n.lower(): v for n, v in reply.getheaders()}, reply.read())
        connection.close()
        return said

    def post(self, name: str, body: Any = None, **headers: str) -> Said:
        data = body if isinstance(body, bytes | str) else json.dumps({} if body is None else body)
        return self.ask("POST", f"/functions/{name}", data, **headers)


def stop(bridge: Bridge) -> None:
    """Stop the bridge, and wait for the end of its thread on a slow machine, too."""
    bridge.stop()
    bridge._thread.join(WITHIN)
    assert not bridge._thread.is_alive()


@contextmanager
def house(folder: Path, config: str = "") -> Iterator[House]:
    home = Home(folder)
    home.ensure()
    home.config.write_text(f"port = 0\n{config}")  # any: 23355 may be somebody else's
    built = House(home)
    built.bridge.start()
    try:
        yield built
    finally:
        stop(built.bridge)
