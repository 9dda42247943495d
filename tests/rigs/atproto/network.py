"""Starts and ends a real Bluesky network on loopback; `make rigs` has installed its parts.

Ports are free ones, all data is in a folder that is removed, and the network ends with this process, however
that ends. The AppView needs PostgreSQL; accounts and sign-ins do not need the AppView.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import urlopen

ROOT = Path(__file__).parents[3]
PARTS = Path(os.environ.get("DESKBELL_ATPROTO_RIG", ROOT / ".rigs" / "atproto"))
RIG = Path(__file__).with_name("rig.mjs")


@dataclass(frozen=True)
class Person:
    handle: str
    did: str
    password: str  # the main one
    app_password: str


@dataclass(frozen=True)
class Network:
    control: str
    plc: str
    pds: str
    appview: str
    people: Mapping[str, Person]

    @property
    def alice(self) -> Person:
        return self.people["alice"]

    @property
    def bob(self) -> Person:
        return self.people["bob"]

    @property
    def renewals(self) -> int:
        """How often tokens have been renewed, by all accounts together."""
        return int(self.ask("/renewals")["count"])

    @property
    def held(self) -> int:
        return int(self.ask("/renewals")["held"])

    def hold(self, moment: str = "") -> None:
        """Keep each renewal waiting "before" or "after" the server does it; "": let them go."""
        self.ask("/hold", moment=moment)

    def ask(self, path: str, **query: str) -> dict:
        with urlopen(f"{self.control}{path}?{urlencode(query)}", timeout=30) as answer:
            return json.load(answer)

    def settings(self) -> str:
        """The lines of config.toml that lead here."""
        places = {"service": self.pds, "plc": self.plc, "resolver": self.pds, "appview": self.appview}
        return "\n".join(["[bluesky]", *(f'{name} = "{url}"' for name, url in places.items() if url), ""])


def lack() -> str:
    """Why the network cannot be started; empty if it can."""
    return "" if (PARTS / "node_modules" / "@atproto" / "dev-env").exists() else "run `make rigs` first"


@contextmanager
def network(
    *, token_max_age: float | None = None, rate_limits: bool = False, appview: bool = False
) -> Iterator[Network]:
    """`token_max_age` in seconds: access tokens that really expire."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="deskbell-rig-")))
        given = {
            "folder": str(PARTS),
            "ports": dict(zip(("control", "plc", "pds", "bsky"), free_ports(4), strict=True)),
            "postgres": stack.enter_context(postgres(folder)) if appview else None,
            "tokenMaxAge": token_max_age and round(token_max_age * 1000),
            "rateLimits": rate_limits,
        }
        said = stack.enter_context(_running(given, folder))
        people = {name: Person(**one) for name, one in said.pop("accounts").items()}
        yield Network(**said, people=people)


@contextmanager
def _running(given: Mapping, folder: Path) -> Iterator[dict]:
    own = PARTS / "node" / "bin" / "node"
    env = {**os.environ, "TMPDIR": str(folder), "LOG_ENABLED": "false", "NODE_ENV": "development"}
    with open(folder / "log", "w+") as log:
        node = subprocess.Popen(
            [str(own) if own.exists() else "node", str(RIG)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env=env,
            start_new_session=True,
        )
        try:
            assert node.stdin
            assert node.stdout
            node.stdin.write(json.dumps(given) + "\n")
            node.stdin.flush()
            said = node.stdout.readline()
            if not said.startswith("{"):
                raise RuntimeError(f"The network did not start: {said}{Path(log.name).read_text()[-2000:]}")
            yield json.loads(said)
        finally:
            node.kill()
            node.wait()


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """A throw-away database; as another user where this is root, for PostgreSQL refuses to be."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin")) or [Path(shutil.which("initdb") or "/x").parent]
    if not (found[-1] / "initdb").exists():
        raise RuntimeError("the AppView needs PostgreSQL (Debian: sudo apt-get install postgresql)")
    (port,) = free_ports(1)
    data = tempfile.mkdtemp(prefix="deskbell-rig-pg-")
    runs_as = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
    if runs_as:
        shutil.chown(data, "postgres")

    def run(program: str, *words: str) -> None:
        command = [*runs_as, str(found[-1] / program), "-D", data, *words]
        subprocess.run(command, check=True, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    options = f"-p {port} -k {data} -c listen_addresses=127.0.0.1 -c fsync=off"
    try:
        run("initdb", "-U", "rig", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
        run("pg_ctl", "-w", "-l", f"{data}/log", "-o", options, "start")
        try:
            yield f"postgresql://rig@127.0.0.1:{port}/postgres"
        finally:
            run("pg_ctl", "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(data, ignore_errors=True)


def free_ports(count: int) -> list[int]:
    """Free at this moment; all of them held at once, so that they differ."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
