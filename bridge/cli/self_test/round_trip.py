"""RoundTrip: one question from end to end, for `deskbell self-test`.

The shim is started as an AI application starts it; it starts the app, the app starts a server, the server
asks, the question waits in a window, and an answer goes all the way back.
"""

from __future__ import annotations

import http.client
import json
import os
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Self, TypeVar, cast
from urllib.parse import urlsplit

from bridge.cli import secrets
from bridge.errors import DeskbellError
from bridge.settings import Home
from bridge.shim.start_app import START_LIMIT
from bridge.system.process.own_command import console_command, running_command
from bridge.transports.control_client import ask_running

T = TypeVar("T")
_LIMIT = 300.0  # seconds for all of it: also a busy computer proves that an update works
_SERVER = "self-test"
_ANSWER = {"name": "Ada"}


class RoundTrip:
    """`windows`: whether questions wait in windows; without, they are cancelled at once."""

    def __init__(self, root: Path, *, windows: bool) -> None:
        self._home = Home(root)
        self._windows = windows
        self._process: subprocess.Popen[bytes] | None = None
        self._watchdog = threading.Timer(_LIMIT, self._give_up)
        self._watchdog.daemon = True
        self._end = time.monotonic() + _LIMIT
        self._last_id = 0
        self._app = 0  # process id; 0 where the system does not give it

    def __enter__(self) -> Self:
        self._home.ensure()
        self._home.welcomed.touch()
        command = [*running_command(), "self-test", "--part", "server"]
        server = (
            f"[servers.{_SERVER}]\ncommand = {json.dumps(command[0])}\nargs = {json.dumps(command[1:])}\n"
        )
        self._home.config.write_text(f'vault = "file"\n{server}', "utf-8")
        self._watchdog.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._watchdog.cancel()
        self._give_up()
        ask_running(self._home, "yield", force=True, lingering=False)
        end = time.monotonic() + 10.0
        while self._still_runs() and time.monotonic() < end:
            time.sleep(0.05)

    def _still_runs(self) -> bool:
        return bool(_resident(self._app)) or ask_running(self._home, "status") is not None

    def checks(self) -> list[tuple[str, Callable[[], str]]]:
        return [
            ("Start by an AI app", self._start),
            ("Question", self._ask),
            ("REST", self._call_by_http),
            ("Vault", self._vault),
            ("Memory", self._memory),
        ]

    # ---- the checks --------------------------------------------------------------------------------------

    def _start(self) -> str:
        began = time.monotonic()
        env = self._environment()
        command = (*console_command(env), "stdio", "--server", _SERVER)  # an AppImage's is in this home, too
        reply = self._initialize(command, env)
        self._write({"method": "notifications/initialized"})
        took = time.monotonic() - began
        self._app = _app_pid(self._home.socket)
        self._wait_for(lambda: "ask" in self._tools())  # a server that starts slowly offers its tools later
        return f"{took:.2f} s to the reply of {reply['serverInfo']['name']}, by {' '.join(command[:-3])}"

    def _tools(self) -> list[str]:
        return [tool["name"] for tool in self._request("tools/list", {})["tools"]]

    def _initialize(self, command: Sequence[str], env: Mapping[str, str]) -> dict[str, Any]:
        """Start the shim again as long as it gives up waiting for an app that is still starting."""
        about = {"clientInfo": {"name": "self-test", "version": "1"}, "capabilities": {}}
        while True:
            began = time.monotonic()
            self._process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            try:
                return self._request("initialize", {"protocolVersion": "2025-11-25", **about})
            except (DeskbellError, OSError):
                now = time.monotonic()
                if now - began < START_LIMIT or now > self._end:
                    raise

    def _environment(self) -> Mapping[str, str]:
        env = {**os.environ, "DESKBELL_HOME": str(self._home.root), "DESKBELL_PORT": "0"}
        env.pop("DESKBELL_PRESENTER", None)
        return (
            {**env, "QT_QPA_PLATFORM": "offscreen"}
            if self._windows
            else {**env, "DESKBELL_PRESENTER": "silent"}
        )

    def _ask(self) -> str:
        self._last_id += 1
        self._write({"id": self._last_id, "method": "tools/call", "params": {"name": "ask", "arguments": {}}})
        shown = "cancelled, as nobody can be asked"
        if self._windows:
            question = self._wait_for(self._waiting)
            reply = {"action": "accept", "content": _ANSWER}
            ask_running(self._home, "answer", id=question["id"], answer=reply, always=False)
            shown = f"asked by {self._status()['presenter']}, answered, returned"
        result = json.loads(self._read(self._last_id)["content"][0]["text"])
        expected = {"action": "accept", "content": _ANSWER} if self._windows else {"action": "cancel"}
        if result != expected:
            raise DeskbellError(f"The server got {result}")
        return shown

    def _waiting(self) -> Any:
        return next(iter(self._status()["waiting"]), None)

    def _call_by_http(self) -> str:
        address = str(self._wait_for(lambda: self._status()["address"]))
        parts = urlsplit(address)
        connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=_LIMIT)
        try:
            headers = {
                "Authorization": f"Bearer {self._home.read_token()}",
                "Content-Type": "application/json",
            }
            connection.request("POST", f"/functions/{_SERVER}_echo", b'{"text": "bell"}', headers)
            reply = connection.getresponse()
            body = json.loads(reply.read())
        finally:
            connection.close()
        if (reply.status, body) != (200, {"result": "bell"}):
            raise DeskbellError(f"HTTP status {reply.status}: {body}")
        return f"answered at {parts.scheme}://{parts.netloc}"

    def _vault(self) -> str:
        state = str(secrets.ask(self._home, "probe")["vault"]["state"])
        if state != "ready":
            raise DeskbellError(f"The encrypted file is {state}")
        return "a value was encrypted, read back and deleted"

    def _memory(self) -> str:
        shim = _resident(self._process.pid) if self._process else ""
        app = _resident(self._app)
        return f"app {app}, the process that an AI app waits for {shim}" if app else "cannot be read here"

    # ---- the process that an AI application starts -----------------------------------------------------

    def _request(self, method: str, params: object) -> dict[str, Any]:
        self._last_id += 1
        self._write({"id": self._last_id, "method": method, "params": params})
        return self._read(self._last_id)

    def _write(self, message: Mapping[str, object]) -> None:
        stdin = self._pipe("stdin")
        stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        stdin.flush()

    def _read(self, wanted: int) -> dict[str, Any]:
        for line in self._pipe("stdout"):
            message = json.loads(line)
            if message.get("id") == wanted and "method" not in message:
                if "error" in message:
                    raise DeskbellError(str(message["error"]["message"]))
                return dict(message["result"])
        raise DeskbellError("The connection ended", f"Its log: {self._log()}")

    def _pipe(self, name: str) -> IO[bytes]:
        if self._process is None:
            raise DeskbellError("It was not started")
        return cast(IO[bytes], getattr(self._process, name))

    def _status(self) -> dict[str, Any]:
        reply = ask_running(self._home, "status")
        if reply is None:
            raise DeskbellError("Deskbell does not run", f"Its log: {self._log()}")
        return reply

    def _log(self) -> str:
        try:
            return self._home.log.read_text("utf-8", "replace")[-600:].strip() or "empty"
        except OSError:
            return "none"

    def _wait_for(self, look: Callable[[], T]) -> T:
        end = time.monotonic() + _LIMIT / 2
        while not (found := look()):
            if time.monotonic() > end:
                raise DeskbellError("It did not happen in time", f"Its log: {self._log()}")
            time.sleep(0.02)
        return found

    def _give_up(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()


def _app_pid(path: str) -> int:
    """Return the process that listens at the socket; 0 where the system does not tell."""
    if sys.platform != "linux":
        return 0
    with socket.socket(socket.AF_UNIX) as sock:
        sock.connect(path)
        ucred = sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    return int(struct.unpack("3i", ucred)[0])


def _resident(pid: int) -> str:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return ""
    kilobytes = next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:")), 0)
    return f"{kilobytes / 1024:.1f} MB"
