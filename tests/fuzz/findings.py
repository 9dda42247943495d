"""Bytes that once broke a target, each tried by `make test` for ever."""

from __future__ import annotations

FINDINGS = [
    ("tool", b'{"name":"x","description":"\xf9"}'),
    ("url", b"https://\x86[::1]/"),
    ("answer", b'{"action":"de\x96"}'),
    ("settings", b"x = " + b"[" * 100_000),
]
