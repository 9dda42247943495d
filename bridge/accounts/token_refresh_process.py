"""The process that asks for new tokens and writes them down: see token_refresh.py. It never looks at the
Vault.

`deskbell renew-token FILE`: not for people. Says `ready` once it holds the lock, reads one Order, obeys it,
seals the answer into FILE and only then says what came of it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from bridge.accounts import oauth
from bridge.accounts.account import Secret
from bridge.accounts.dpop import Key, Nonces, post_form
from bridge.accounts.token_refresh import Order, Outcome, seal
from bridge.errors import AccountError, DeskbellError, VaultError
from bridge.http_client.client import HttpClient, Reply
from bridge.http_client.urls import host
from bridge.token_refresh import worker

_OVER = ("invalid_grant",)


def main(argv: Sequence[str]) -> int:
    place = Path(argv[1])

    def work(told: bytes) -> bytes:
        order = msgspec.json.decode(told, type=Order)
        return msgspec.json.encode(asyncio.run(obey(order, place)))

    return worker.obey(place, work)


async def obey(order: Order, place: Path) -> Outcome:
    http, nonces = HttpClient(), Nonces()
    if order.nonce:
        nonces.learn(Reply(order.endpoint, 200, {"DPoP-Nonce": order.nonce}, b""))
    try:
        form = oauth.renewal_form(order.secret.refresh)
        reply = await post_form(http, order.endpoint, form, Key.load(order.secret.key), nonces)
        return _judge(order.secret, reply, place, nonces.of(order.endpoint))
    except DeskbellError as error:
        return Outcome(title=str(error.title), message=str(error.message))
    finally:
        await http.close()


def _judge(secret: Secret, reply: Reply, place: Path, nonce: str) -> Outcome:
    if reply.error in _OVER:
        return Outcome(over=f"{reply.words}.")
    if not reply.ok:
        raise AccountError(f"{host(reply.url)} did not renew the sign-in", f"{reply.words}. Try again later.")
    tokens = oauth.tokens_in(reply)
    if tokens.did != secret.did:
        raise AccountError("Another account answered", f"{host(reply.url)} renewed {tokens.did}.")
    with contextlib.suppress(VaultError):  # a full disk; Deskbell, if it lives, has the Vault to try
        seal(place, secret, tokens)
    return Outcome(tokens, nonce)
