"""What every Connection promises, whatever it leads to. Subclass it, and say how to connect to an echo.

Not collected by itself: the name of this file does not begin with `test_`.
"""

from __future__ import annotations

import asyncio
import json

from bridge.core.ports import Connection, ServerPort
from tests.fixtures.patience import WITHIN
from tests.fixtures.recording_back import Recorder


def call(number: int, text: str = "") -> bytes:
    """A request of known bytes."""
    return b'{"jsonrpc":"2.0","id":%d,"method":"echo","params":{"text":%s}}' % (
        number,
        json.dumps(text).encode(),
    )


class UpstreamContract:
    """The server behind `connect` answers `call(n, text)` with a message that holds `text` and id n."""

    def connect(self, back: ServerPort) -> Connection:
        raise NotImplementedError

    async def test_what_is_sent_before_it_is_up_is_answered_when_it_is(self):
        back = Recorder()
        connection = self.connect(back)
        connection.send(call(1, "early"))
        assert b'"early"' in await back.message()
        await finished(connection)

    async def test_many_calls_in_flight_are_all_answered_once(self):
        back = Recorder()
        connection = self.connect(back)
        for number in range(200):
            connection.send(call(number))
        await back.until(lambda: len(back.messages) == 200)
        assert sorted(json.loads(message)["id"] for message in back.messages) == list(range(200))
        await finished(connection)

    async def test_a_message_of_ten_megabytes_passes_both_ways(self):
        back = Recorder()
        connection = self.connect(back)
        text = "0123456789" * 1_000_000
        connection.send(call(1, text))
        assert text.encode() in await back.message()
        await finished(connection)

    async def test_a_message_over_several_lines_is_still_one_message(self):
        back = Recorder()
        connection = self.connect(back)
        connection.send(json.dumps(json.loads(call(1, "spread\nout")), indent=2).encode())
        assert json.loads(await back.message())["id"] == 1
        await finished(connection)

    async def test_closing_is_not_an_ending_that_is_reported(self):
        back = Recorder()
        connection = self.connect(back)
        connection.send(call(1))
        await back.message()
        connection.close()
        connection.close()
        connection.send(call(2))
        await finished(connection)
        assert back.endings == []
        assert len(back.messages) == 1

    async def test_closing_before_it_is_up_leaves_nothing(self):
        back = Recorder()
        connection = self.connect(back)
        connection.send(call(1))
        await finished(connection)
        assert back.endings == []


async def finished(connection: Connection) -> None:
    """Closes it, and waits until it has ended."""
    connection.close()
    async with asyncio.timeout(WITHIN):
        await connection.closed()
