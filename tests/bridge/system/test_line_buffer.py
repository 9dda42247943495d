"""A byte stream becomes lines, however it is cut."""

from __future__ import annotations

import pytest

from bridge.system.line_buffer import LineBuffer, LineTooLong


def test_lines_come_out_the_same_wherever_the_stream_is_cut() -> None:
    stream = b"one\r\n\ntwo\n  \n three \nfour"
    for cut in range(len(stream) + 1):
        lines = LineBuffer(100)
        out = [*lines.feed(stream[:cut]), *lines.feed(stream[cut:]), lines.rest()]
        assert out == [b"one\r", b"", b"two", b"  ", b" three ", b"four"]


def test_a_line_past_the_limit_is_refused() -> None:
    lines = LineBuffer(10)
    assert lines.feed(b"short\n0123456") == [b"short"]
    with pytest.raises(LineTooLong):
        lines.feed(b"789ab")
