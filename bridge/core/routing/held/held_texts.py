"""Texts for a model about a call that its host stopped waiting for. Pure.

Always in English, because models read them. Each text says what has happened and what to do next.
"""

from __future__ import annotations

from bridge.core.exchange.state_machine import CALLING, State
from bridge.core.routing.state import OpenRequest

OFTEN = 5  # times a host was told to go on waiting; some allow a model ten calls in a row


def not_yet(request: OpenRequest, ticket: str, wait: str) -> str:
    """Return how to go on waiting. `ticket`: for the tool `wait`; "" if the host does not know that tool."""
    server, tool = request.conn.spec.name, request.target
    waits = f"{server} has asked the person at this computer something, and waits for the answer."
    if request.exchange.state is State.CONFIRMING:
        waits = f"The person at this computer has been asked to allow {tool}, and has not decided yet."
    elif request.exchange.state is CALLING and not request.shown:
        waits = f"The person at this computer has been asked; {server} is still at work."
    same = f"{tool} with exactly the same arguments"
    way = f'call {wait} with the ticket "{ticket}" now, or {same}' if ticket else f"call {same} now"
    return (
        f"Not finished yet. {waits} Nothing has failed and nothing is lost. To go on waiting, {way}: "
        "this continues the same call and does not start another. Repeat it until the call is finished."
        + (_UNLESS if request.held >= OFTEN else "")
    )


_UNLESS = (
    " If you cannot, say that Deskbell waits for the person's answer, and end your turn: the answer is kept "
    "for a day, and the same call made then gets it."
)


def no_such_ticket() -> str:
    return (
        "No call waits under this ticket. Its result was delivered already, or it was deleted or is more "
        "than a day old. Do not use the ticket again."
    )


def interrupted() -> str:
    return (
        "Deskbell was ended before the result of this call could be delivered. Nobody knows whether the call "
        "was carried out: find that out first. It was not made again; call once more only if it should be."
    )


def not_made() -> str:
    return "Deskbell was ended before this call was made: it was not. Call once more if it should be."


def deleted() -> str:
    return "The person deleted this call in Deskbell. Do not try again unless they ask for it."


def too_old() -> str:
    return "Nobody asked for this call for a day. It was cancelled."


def too_many() -> str:
    return "Too many calls were waiting for their host. This one was cancelled."
