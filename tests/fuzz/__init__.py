"""Fuzzing of everything that reads foreign bytes: one table of targets, three ways to try them.

- `make test`: all past findings, and a few examples that are the same each time (test_targets.py).
- `make live`: thousands of new examples by Hypothesis.
- `python -m tests.fuzz [TARGET …] --seconds 60`: guided by coverage, with atheris where it is installed
  (`pip install atheris`; Linux and macOS). What it finds belongs into `FINDINGS` of findings.py.
"""
