"""Dispatch the `deskbell` command; each verb imports only its own module."""

from collections.abc import Sequence


def main(argv: Sequence[str]) -> int:
    if argv[:1] == ["token-refresh"]:
        from bridge.token_refresh.worker import main as run
    elif argv[:1] == ["permission-hook"]:
        from bridge.cli.permission_hook import main as run
    elif all(word in ("--for-host", "--at-login") for word in argv):
        from bridge.cli.start import main as run
    else:
        from bridge.cli.parser import main as run
    return run(argv)
