"""Bare machines that prove `make run` and `make test`; see __main__.py."""
