"""Decide which repetitions of an event are logged: the 1st, 10th, 100th and so on."""

from __future__ import annotations


def is_logged_repetition(count: int) -> bool:
    return str(count).strip("0") == "1"
