"""How far one must walk to follow a call through the core is bounded (walk.py counts)."""

from __future__ import annotations

from tests.core.routing.walk import asking_call, plain_call, whole


def test_a_call_that_asks_passes_few_files_and_seldom_changes_between_them():
    walk = whole(asking_call())
    assert walk.files <= 15, str(walk)
    assert walk.switches <= 60, str(walk)


def test_a_plain_call_passes_half_as_many():
    walk = whole(plain_call())
    assert walk.files <= 8, str(walk)
    assert walk.switches <= 30, str(walk)
