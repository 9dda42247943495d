"""What commands print."""

import io

from bridge.cli import write_utf8


def test_a_pipe_of_windows_takes_every_character():
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="cp1252", newline="")
    write_utf8(stream)
    print("✓ größer", file=stream, flush=True)
    assert raw.getvalue().decode("utf-8").strip() == "✓ größer"


def test_a_program_without_a_console_has_no_streams_and_starts_all_the_same():
    write_utf8(None)
