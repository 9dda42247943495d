"""`deskbell token`: replace the token for HTTP."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from bridge.errors import SettingsError
from bridge.presenters.tty import one_line
from bridge.settings import Home
from bridge.transports.control_client import ask_running


def arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_subparsers(title="what to do", metavar="WHAT", required=True, parser_class=type(parser))
    one = what.add_parser("rotate", help="replace the token; the old one is refused from now on")
    one.set_defaults(run=token_rotate)


def token_rotate(arguments: argparse.Namespace, home: Home) -> int:
    from bridge.hosts.locations import files_with
    from bridge.transports.http import endpoint  # here: imports the recipes of hosts

    said = ask_running(home, "rotate-token")
    if said is None:
        home.ensure()
        outdated: Sequence[str] = endpoint.renew_token_while_closed(home, files_with)
    elif problem := said.get("problem"):
        raise SettingsError("The token was not replaced", str(problem))
    else:
        outdated = said["outdated"]
    print(f"The new token is in {home.token}.")
    if outdated:
        print("These still hold the old one; put the new one there:")
        for place in outdated:
            print(f"  {one_line(place)}")
    return 0
