"""A real browser without a screen, steered by its own protocol (Chrome DevTools). Debian: chromium."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
_FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --no-first-run --disable-dev-shm-usage --lang=en-US "
    "--remote-debugging-port=0 --host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1"
)


class Page:
    def __init__(self, wire: aiohttp.ClientWebSocketResponse) -> None:
        self._wire = wire
        self._count = 0

    async def do(self, method: str, **params: Any) -> dict[str, Any]:
        self._count += 1
        await self._wire.send_json({"id": self._count, "method": method, "params": params})
        while True:
            said = json.loads((await self._wire.receive()).data)
            if said.get("id") == self._count:
                return said.get("result", {})

    async def run(self, script: str) -> Any:
        answer = await self.do("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        return answer.get("result", {}).get("value")

    async def until(self, script: str, seconds: float = 40.0) -> Any:
        """Run it until it is true; what it said."""
        try:
            async with asyncio.timeout(seconds):
                while True:
                    said = await self.run(f"(() => {{ try {{ return {script} }} catch {{ return 0 }} }})()")
                    if said:
                        return said
                    await asyncio.sleep(0.1)
        except TimeoutError as error:
            text = await self.run("document.body.innerText")
            raise AssertionError(f"never true: {script}\n{text}") from error

    async def type(self, selector: str, text: str) -> None:
        await self.until(f"!!document.querySelector({json.dumps(selector)})")
        await self.run(f"document.querySelector({json.dumps(selector)}).focus()")
        await self.do("Input.insertText", text=text)

    async def press(self, words: str) -> None:
        """The button with these words, once it can be pressed."""
        button = (
            "[...document.querySelectorAll('button')].find(b => !b.disabled && "
            f"b.innerText.trim().toLowerCase() === {json.dumps(words.lower())})"
        )
        await self.until(f"!!{button}")
        await self.run(f"{button}.click()")


@asynccontextmanager
async def browser(url: str) -> AsyncIterator[Page]:
    assert PROGRAM
    folder = tempfile.mkdtemp(prefix="deskbell-chromium-")
    flags = [flag if flag.startswith("--") else f"--{flag}" for flag in _FLAGS.split(" --")]
    process = subprocess.Popen(  # noqa: ASYNC220 - it takes a moment, once
        [PROGRAM, *flags, f"--user-data-dir={folder}", url],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        port = await _port(Path(folder))
        async with aiohttp.ClientSession() as http, http.ws_connect(await _target(http, port)) as wire:
            yield Page(wire)
    finally:
        process.terminate()
        await asyncio.to_thread(process.wait)
        shutil.rmtree(folder, ignore_errors=True)


async def _port(folder: Path) -> int:
    place = folder / "DevToolsActivePort"
    async with asyncio.timeout(60):
        while not (place.exists() and place.read_text().count("\n")):  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.1)
    return int(place.read_text().split("\n")[0])


async def _target(http: aiohttp.ClientSession, port: int) -> str:
    async with asyncio.timeout(30):
        while True:
            async with http.get(f"http://127.0.0.1:{port}/json") as answer:
                for page in await answer.json():
                    if page["type"] == "page":
                        return page["webSocketDebuggerUrl"]
            await asyncio.sleep(0.1)
