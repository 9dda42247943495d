"""The process that refreshes a server's tokens and seals the answer: see token_refresh.py. It sees no vault.

`deskbell refresh-token FILE`: not for people.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path

import httpx2
import msgspec

from bridge.errors import VaultError
from bridge.token_refresh import worker
from bridge.upstreams.oauth.token_refresh import Order, Said, seal

_LIMIT = 30.0  # seconds for each step of the request
_LARGEST = 1 << 20


def main(argv: Sequence[str]) -> int:
    place = Path(argv[1])

    def work(told: bytes) -> bytes:
        order = msgspec.json.decode(told, type=Order)
        said = ask(order)
        if 200 <= said.status < 300:
            with contextlib.suppress(VaultError):  # a full disk; Deskbell, if it lives, has the vault to try
                seal(place, order, said)
        return msgspec.json.encode(said)

    return worker.obey(place, work)


def ask(order: Order) -> Said:
    try:
        with (
            httpx2.Client(timeout=_LIMIT, follow_redirects=False) as http,
            http.stream("POST", order.url, headers=order.headers, content=order.body) as answer,
        ):
            body = b""
            for part in answer.iter_bytes():
                body += part
                if len(body) > _LARGEST:
                    return Said()
            kept = [(k, v) for k, v in answer.headers.multi_items() if k.lower() == "content-type"]
            return Said(answer.status_code, kept, body)
    except httpx2.HTTPError:
        return Said()
