"""Mutants: the security-relevant modules with one change each, which some test must notice.

`python -m tests.mutants` makes 100 of them, the same for the same `--seed`, and runs the tests of each module
against each. It prints the survivors and ends with code 1 if one has no reason in reasons.toml. The named
ones (named.py), which earlier tests have missed, always run first; `--named` runs these alone.
"""
