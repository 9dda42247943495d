"""Write batches: what is sent while one read is handled is written once, at its end."""

from __future__ import annotations

import asyncio

import pytest

from bridge.system.fast.write_batch import WriteBatch


class Connection:
    """Sends words through a batch, and remembers each write."""

    def __init__(self, batch: WriteBatch) -> None:
        self._batch = batch
        self._unsent: list[str] = []
        self.written: list[list[str]] = []

    def send(self, word: str) -> None:
        self._unsent.append(word)
        if len(self._unsent) == 1:
            self._batch.schedule(self._flush)

    def _flush(self) -> None:
        self.written.append(self._unsent)
        self._unsent = []


def test_all_that_is_sent_in_a_batch_is_written_together() -> None:
    batch = WriteBatch()
    connection = Connection(batch)
    with batch:
        connection.send("one")
        connection.send("two")
        assert connection.written == []
    assert connection.written == [["one", "two"]]


async def test_what_a_flush_sends_is_written_too() -> None:
    batch = WriteBatch()
    connection = Connection(batch)
    with batch:
        batch.schedule(lambda: connection.send("afterwards"))
    assert connection.written == [["afterwards"]]


async def test_outside_of_a_batch_the_first_word_is_written_at_once_and_the_rest_with_this_round() -> None:
    connection = Connection(WriteBatch())
    for word in ("one", "two", "three"):
        connection.send(word)
    assert connection.written == [["one"]]
    await asyncio.sleep(0)
    assert connection.written == [["one"], ["two", "three"]]
    connection.send("four")
    assert connection.written[-1] == ["four"]


def fail_within(batch: WriteBatch, connection: Connection) -> None:
    with batch:
        connection.send("one")
        raise ZeroDivisionError


def test_a_batch_whose_reader_fails_is_still_written() -> None:
    batch = WriteBatch()
    connection = Connection(batch)
    with pytest.raises(ZeroDivisionError):
        fail_within(batch, connection)
    assert connection.written == [["one"]]
