"""Bytes that once broke a target, each tried by `make test` for ever."""

from __future__ import annotations

FINDINGS: list[tuple[str, bytes]] = []
