"""Turns: what is said while one read is worked through goes out once, at its end."""

from __future__ import annotations

import asyncio

import pytest

from bridge.system.fast import write_batch


class Desk:
    """Writes what it was told, and remembers how it came out."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.written: list[list[str]] = []

    def say(self, word: str) -> None:
        self.said.append(word)
        if len(self.said) == 1:
            write_batch.owe(self._flush)

    def _flush(self) -> None:
        self.written.append(self.said)
        self.said = []


def test_all_that_is_said_in_a_turn_goes_out_together() -> None:
    desk = Desk()
    with write_batch.turn:
        desk.say("one")
        desk.say("two")
        assert desk.written == []
    assert desk.written == [["one", "two"]]


async def test_what_writing_leads_to_goes_out_too() -> None:
    desk = Desk()
    with write_batch.turn:
        write_batch.owe(lambda: desk.say("afterwards"))
    assert desk.written == [["afterwards"]]


async def test_outside_of_a_turn_the_first_word_goes_out_at_once_and_the_rest_with_this_round() -> None:
    desk = Desk()
    for word in ("one", "two", "three"):
        desk.say(word)
    assert desk.written == [["one"]]
    await asyncio.sleep(0)
    assert desk.written == [["one"], ["two", "three"]]
    desk.say("four")
    assert desk.written[-1] == ["four"]


def stumble(desk: Desk) -> None:
    with write_batch.turn:
        desk.say("one")
        raise ZeroDivisionError


def test_a_turn_that_stumbles_still_pays_what_it_owes() -> None:
    desk = Desk()
    with pytest.raises(ZeroDivisionError):
        stumble(desk)
    assert desk.written == [["one"]]
