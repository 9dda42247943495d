"""Tickets: our `requestState`, authenticated by HMAC so that a host cannot forge or change it.

A Ticket names an Exchange and its round, and is bound to the host and the request. It is valid once: the next
round has another one.
"""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from struct import Struct
from struct import error as StructError  # noqa: N812
from typing import NamedTuple

PREFIX = "deskbell:"
_BODY = Struct(">QIQ16s")  # exchange, round, expiry in ms since the epoch, digest of host and request
_MAC = 32


class TicketRefused(ValueError):
    """A Ticket that is not accepted; the text says why, for the host."""


class TicketContents(NamedTuple):
    """The Exchange and round that a valid Ticket names."""

    exchange: int
    round: int


class Tickets:
    """Creates and verifies Tickets with a key that lives as long as the app."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def mint(self, exchange: int, round_: int, bound: bytes, expires: float) -> str:
        body = _BODY.pack(exchange, round_, int(expires * 1000), bound)
        return PREFIX + urlsafe_b64encode(body + self._sign(body)).decode()

    def open(self, ticket: str, bound: bytes, now: float) -> TicketContents:
        try:
            text = ticket.removeprefix(PREFIX).encode()
            sealed = urlsafe_b64decode(text)
            body, mac = sealed[: _BODY.size], sealed[_BODY.size :]
            exchange, round_, expires, made_for = _BODY.unpack(body)
        except (ValueError, StructError):
            raise TicketRefused("This requestState was not made by Deskbell.") from None
        exact = len(mac) == _MAC and urlsafe_b64encode(sealed) == text  # base64 skips what it does not know
        if not exact or not hmac.compare_digest(mac, self._sign(body)):
            raise TicketRefused("This requestState was not made by Deskbell, or was changed.")
        if not hmac.compare_digest(made_for, bound):
            raise TicketRefused("This requestState belongs to another host or another request.")
        if expires <= now * 1000:
            raise TicketRefused("This requestState has expired. Make the call again.")
        return TicketContents(exchange, round_)

    def _sign(self, body: bytes) -> bytes:
        return hmac.digest(self._key, body, "sha256")


def is_ours(ticket: str | None) -> bool:
    return ticket is not None and ticket.startswith(PREFIX)


def binding(party: str, method: str, target: str, arguments: bytes) -> bytes:
    """Return the digest a Ticket is bound to: host, method, tool and arguments."""
    digest = sha256()
    for part in (party.encode(), method.encode(), target.encode(), arguments):
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.digest()[:16]
