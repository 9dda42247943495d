"""Ten hosts that call five servers without a pause, and remember what became of every request.

A number goes out with each call and must come back with its answer: so an answer to another's question, a
second answer and a lost request are all noticed. A host whose wire ended begins anew, as people do.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any, Union

from tests.journeys.hosts import Failed, Gone, HttpHost, Json, StdioHost, result_of

WAIT = 240.0  # seconds for one answer; a machine where everything else runs too included
SERVERS = ("first", "second", "third", "fourth", "remote")
AnyHost = Union["LoadedStdio", "LoadedHttp"]
MakeHost = Callable[[], AnyHost]
_numbers = itertools.count(1)


class Tally:
    """What became of requests, over all hosts."""

    def __init__(self) -> None:
        self.kinds: Counter[str] = Counter()
        self.wrong: list[str] = []
        self._lock = threading.Lock()

    def count(self, kind: str) -> None:
        with self._lock:
            self.kinds[kind] += 1

    def complain(self, words: str) -> None:
        with self._lock:
            self.wrong.append(words)


class Replies:
    """Mixed into a host: complains of a reply that nobody waits for."""

    tally: Tally
    _open: dict[int, Future[Json]]

    def got(self, message: Json) -> None:
        if "method" not in message and message.get("id") is not None and message["id"] not in self._open:
            self.tally.complain(f"answered twice: {message}")
        super().got(message)  # type: ignore[misc]

    def request(self, method: str, params: Mapping[str, Any] | None = None, within: float = WAIT) -> Json:
        return result_of(ended(self, self.begin(method, params)))  # type: ignore[arg-type, attr-defined]


class LoadedStdio(Replies, StdioHost):
    def __init__(self, tally: Tally, *args: Any, **more: Any) -> None:
        self.tally = tally
        super().__init__(*args, **more)

    @property
    def has_ended(self) -> bool:
        return self.process.poll() is not None and not self._threads[0].is_alive()

    def _read(self) -> None:
        """As ever, but a line that was cut off by the end of its writer is no message."""
        assert self.process.stdout
        with self.process.stdout as lines:
            for line in lines:
                if line.endswith(b"\n"):
                    self.got(json.loads(line))
        self._over()


class LoadedHttp(Replies, HttpHost):
    def __init__(self, tally: Tally, *args: Any, **more: Any) -> None:
        self.tally = tally
        super().__init__(*args, **more)

    @property
    def has_ended(self) -> bool:
        return False  # each call has a wire of its own, whose end ends the call


class Caller(threading.Thread):
    """One host, and its calls one after the other."""

    def __init__(self, make: MakeHost, tally: Tally, seed: int, over: threading.Event) -> None:
        super().__init__(daemon=True)
        self.make = make
        self.tally = tally
        self.dice = random.Random(seed)
        self.over = over
        self.host: AnyHost | None = None
        self.answered = 0

    def run(self) -> None:
        while not self.over.is_set():
            try:
                self.host = self.make()
                self.host.open()
                while not self.over.is_set():
                    self.call(self.host)
            except (Gone, Failed, OSError, TimeoutError, AssertionError):
                self.tally.count("begun anew")
                time.sleep(0.05)
            finally:
                self.close()

    def call(self, host: AnyHost) -> None:
        number, server = next(_numbers), self.dice.choice(SERVERS)
        self.tally.count("requests")
        future = host.begin_call(f"{server}_number", number=number)
        try:
            result = result_of(ended(host, future))
        except Failed:
            self.tally.count("errors")
        except Gone:
            self.tally.count("wire ended")
            raise
        except TimeoutError:
            self.tally.complain(f"never answered: {number} to {server}")
            raise
        else:
            self.settle(number, result)

    def settle(self, number: int, result: Json) -> None:
        if result.get("isError"):
            self.tally.count("errors")
        elif result["content"][0]["text"] == str(number):
            self.answered += 1
            self.tally.count("answered")
        else:
            self.tally.complain(f"{number} got {result}")

    def close(self) -> None:
        host, self.host = self.host, None
        if host is not None:
            with contextlib.suppress(Exception):
                host.close()


def ended(host: AnyHost, future: Future[Json]) -> Future[Json]:
    """Wait for the answer, or for the end of what would bring it. Raises Gone, TimeoutError."""
    deadline = time.monotonic() + WAIT
    while not future.done():
        if host.has_ended and not future.done():
            raise Gone
        if time.monotonic() > deadline:
            raise TimeoutError
        with contextlib.suppress(TimeoutError, Gone):
            future.result(0.2)
    return future
