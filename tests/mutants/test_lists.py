"""What the lists of mutants name is in the code: a change of the code must not leave them behind."""

from __future__ import annotations

import tomllib

import pytest

from tests.mutants.__main__ import REASONS, ROOT
from tests.mutants.making import mutants_of
from tests.mutants.modules import TESTS
from tests.mutants.named import NAMED


@pytest.mark.parametrize("mutant", NAMED, ids=lambda mutant: mutant.name)
def test_the_text_of_a_named_mutant_is_once_in_its_file(mutant):
    assert (ROOT / mutant.file).read_text("utf-8").count(mutant.old) == 1
    assert mutant.file in TESTS


def test_every_reason_is_about_a_mutant_that_can_be_made():
    reasons = tomllib.loads(REASONS.read_text("utf-8"))["survivors"]
    files = {key.partition(": ")[0] for key in reasons}
    made = {mutant.key for file in files for mutant in mutants_of(file, (ROOT / file).read_text("utf-8"))}
    assert reasons.keys() - made == set()


def test_every_module_and_every_test_of_it_exists():
    names = {*TESTS, *(name for tests in TESTS.values() for name in tests)}
    assert [name for name in sorted(names) if not (ROOT / name).exists()] == []
