"""The matrix as a table, and the house it is tried in: one Deskbell, its person, and servers of every era."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.journeys.app_under_test import FIXTURES, ROOT, App, asking, environment, of_home, server, until
from tests.journeys.hosts import HttpHost, Json, StdioHost, a_moment

# Who answers: a form, then a link. `no` is a host that declines unseen: the desk asks, then and from then on.
WHO = """
            cannot     form       form+url   declines
2024-11-05  desk desk  desk desk  desk desk  desk desk
2025-03-26  desk desk  desk desk  desk desk  desk desk
2025-06-18  desk desk  host desk  host desk  no   desk
2025-11-25  desk desk  host desk  host host  no   desk
2026-07-28  desk desk  host desk  host host  no   desk
"""
FORM_AND_URL: Json = {"elicitation": {"form": {}, "url": {}}}
DECLARED: dict[str, Json] = {
    "cannot": {},
    "form": {"elicitation": {}},
    "form+url": FORM_AND_URL,
    "declines": FORM_AND_URL,
}
ANSWERS: dict[str, tuple[Json, Json]] = {
    who: ({"action": "accept", "content": {"name": f"by the {who}"}}, {"action": "accept"})
    for who in ("desk", "host")
}
ANSWERS["no"] = ANSWERS["desk"]
DECLINED: Json = {"action": "decline"}
REVISIONS = WHO.split()[4::9]
ERAS = ["legacy", "modern", "dual"]
SERVERS = [f"{kind}-{era}" for kind in ("process", "sdk") for era in ERAS]
SHIM = (sys.executable, "-I", "-S", str(ROOT / "bridge" / "__main__.py"))  # the quickest way to start it
SENT_TO_THE_DESK = "told by the settings"

AnyHost = StdioHost | HttpHost


def cell(table: str, revision: str, ability: str) -> list[str]:
    """The words of one cell."""
    rows = [line.split() for line in table.strip().splitlines()]
    column = rows[0].index(ability)
    [row] = [words[1:] for words in rows if words[0] == revision]
    width = len(row) // len(rows[0])
    return row[column * width : (column + 1) * width]


class House:
    """One Deskbell, its person, and all the servers."""

    def __init__(self, folder: Path, sdk: str) -> None:
        self.folder = folder
        self._log = folder / "asked.jsonl"
        self.env = environment(folder / "home")
        config = "".join(server(f"process-{era}", asking(era)) for era in ERAS)
        config += "".join(f'[servers.sdk-{era}]\nurl = "{sdk}/{era}"\n' for era in ERAS)
        config += f'[hosts."{SENT_TO_THE_DESK}"]\nquestions = "desktop"\n'
        (folder / "home").mkdir()
        (folder / "home" / "config.toml").write_text(config)
        self.app = App(folder / "home", self.env, f"command:{self._person()}")

    def _person(self) -> Path:
        """A shell starts in no time. A form with a name gets one; links are opened, done is done."""
        form, link = (json.dumps(answer) for answer in ANSWERS["desk"])
        program = self.folder / "person"
        program.write_text(
            f"#!/bin/sh\nasked=$(cat)\nprintf '%s\\n' \"$asked\" >>'{self._log}'\n"
            f"case $asked in *'\"name\"'*) echo '{form}' ;; *) echo '{link}' ;; esac\n"
        )
        program.chmod(0o700)
        return program

    def asked(self, host: str = "") -> list[Json]:
        """What the person was asked, on behalf of this host if it is named."""
        lines = self._log.read_text().splitlines() if self._log.exists() else []
        return [one for one in map(json.loads, lines) if host in ("", one["host"])]

    def notices(self, host: str) -> list[str]:
        return [one for one in self.app.status["notices"] if one.startswith(f"{host} refused a question")]

    def host(self, wire: str, upstream: str, revision: str, ability: str, name: str = "") -> AnyHost:
        name = name or f"{revision} {ability} by {wire} to {upstream}"
        more: Json = {"revision": revision, "name": name, "capabilities": DECLARED[ability]}
        more["answer"] = (lambda asked: DECLINED) if ability == "declines" else by_the_host
        if wire == "http":
            return HttpHost(self.app.port, self.app.token, path=f"/mcp/{upstream}", **more)
        return StdioHost([*SHIM, "stdio", "--server", upstream], self.env, **more)


def by_the_host(asked: Json) -> Json:
    """Answer as a person does through the host: nobody opens a link at once."""
    link = asked.get("mode") == "url"
    time.sleep(a_moment() if link else 0.0)
    return ANSWERS["host"][link]


@contextmanager
def open_house(folder: Path) -> Iterator[House]:
    command = [sys.executable, str(FIXTURES / "sdk_eras.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as sdk:
        assert sdk.stdout
        house = House(folder, sdk.stdout.readline().strip())
        try:
            yield house
        finally:
            house.app.stop()
            sdk.kill()
    until(lambda: not of_home(folder / "home"))
