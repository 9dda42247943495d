"""Whatever bytes come from outside, the reader returns or refuses, and its laws hold."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.findings import FINDINGS
from tests.fuzz.targets import SEEDS, TARGETS


@st.composite
def mangled(draw: st.DrawFn, seeds: list[bytes]) -> bytes:
    """A seed with parts doubled, dropped or replaced."""
    data = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(len(data), start + 12)))
        piece = draw(st.binary(max_size=6) | st.just(data[start:end] * 2) | st.sampled_from(TOKENS))
        data = data[:start] + piece + data[end:]
    return data


TOKENS = [
    *(bytes([number]) for number in b"\0\n\r\t \"'\\/{}[]():,#&?%@|>-=*"),
    *(
        b"null",
        b"1e999",
        b"\xff",
        b"\xed\xa0\x80",
        b'"\\ud800"',
        "\u202e".encode(),
        b"\\u0000",
        b'"a":1,"a":2',
    ),
]


@pytest.mark.parametrize("target", TARGETS)
def test_any_bytes_are_read_or_refused(target: str):
    @settings(suppress_health_check=list(HealthCheck))
    @given(mangled(SEEDS[target]) | st.binary(max_size=60))
    def tried(data: bytes) -> None:
        TARGETS[target](data)

    tried()


@pytest.mark.parametrize(
    ("target", "data"), [(name, seed) for name, seeds in SEEDS.items() for seed in seeds]
)
def test_every_seed_is_good(target: str, data: bytes):
    TARGETS[target](data)


@pytest.mark.parametrize(("target", "data"), FINDINGS)
def test_what_was_found_once_stays_mended(target: str, data: bytes):
    TARGETS[target](data)
