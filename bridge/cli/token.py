"""`deskbell token`: replace the token for HTTP."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from bridge.cli.parser import LazyParser
from bridge.errors import SettingsError
from bridge.presenters.tty import one_line
from bridge.settings import Home
from bridge.transports.control_client import ask_running


def arguments(parser: LazyParser) -> None:
    parser.action("rotate", token_rotate, "replace the token; the old one is refused from now on")


def token_rotate(arguments: argparse.Namespace, home: Home) -> int:
    from bridge.hosts.locations import files_with
    from bridge.transports.http import endpoint  # here: imports the recipes of hosts

    reply = ask_running(home, "rotate-token")
    if reply is None:
        home.ensure()
        outdated: Sequence[str] = endpoint.renew_token_while_closed(home, files_with)
    elif problem := reply.get("problem"):
        raise SettingsError("The token was not replaced", str(problem))
    else:
        outdated = reply["outdated"]
    print(f"The new token is in {home.token}.")
    if outdated:
        print("These files still contain the old token. Replace it there:")
        for place in outdated:
            print(f"  {one_line(place)}")
    return 0
