"""Words for stories on the wire: messages as peers write and read them, and what a server may ask."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


def strict(data: bytes, repeats: bool = False) -> Any:
    """JSON that every reader understands alike."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert repeats or len(dict(pairs)) == len(pairs), f"a key appears twice: {data!r}"
        return dict(pairs)

    def whole(digits: str) -> int | str:
        return int(digits) if len(digits) < 100 else digits

    return json.loads(data.decode(), object_pairs_hook=unique, parse_int=whole)


def raw(value: Any) -> bytes:
    return value if isinstance(value, bytes) else json.dumps(value, separators=(",", ":")).encode()


@dataclass(frozen=True)
class Message:
    """One message as it was heard."""

    data: bytes
    about: bytes = b""
    final: bool = False

    @property
    def json(self) -> Any:
        return strict(self.data, repeats=True)

    @property
    def id(self) -> bytes:
        return raw(self.json["id"])

    @property
    def method(self) -> str:
        return str(self.json.get("method", ""))

    @property
    def params(self) -> Any:
        return self.json.get("params")

    @property
    def result(self) -> Any:
        return self.json["result"]

    @property
    def error(self) -> Any:
        return self.json["error"]


def response(request_id: bytes, result: Any) -> bytes:
    return b'{"jsonrpc":"2.0","id":' + request_id + b',"result":' + raw(result) + b"}"


def failure(request_id: bytes, error: Any) -> bytes:
    return b'{"jsonrpc":"2.0","id":' + request_id + b',"error":' + raw(error) + b"}"


def call(request_id: bytes, method: str, params: Any = None) -> bytes:
    tail = b"" if params is None else b',"params":' + raw(params)
    return b'{"jsonrpc":"2.0","id":' + request_id + b',"method":' + raw(method) + tail + b"}"


def note(method: str, params: Any = None) -> bytes:
    tail = b"" if params is None else b',"params":' + raw(params)
    return b'{"jsonrpc":"2.0","method":' + raw(method) + tail + b"}"


FORM = {"message": "Who?", "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}}}
URL = {"mode": "url", "message": "Sign in", "url": "https://example.com/login"}
ELICIT: dict[str, Any] = {"elicitation": {}}
ELICIT_ALL: dict[str, Any] = {"elicitation": {"form": {}, "url": {}}}


def wants(state: str | None = "theirs", **asked: Any) -> dict[str, Any]:
    """A modern server's `input_required`: by key the params of an elicitation, or (method, params)."""
    pairs = {
        key: one if isinstance(one, tuple) else ("elicitation/create", one) for key, one in asked.items()
    }
    requests = {key: {"method": method, "params": params} for key, (method, params) in pairs.items()}
    result: dict[str, Any] = {"resultType": "input_required", "inputRequests": requests}
    return result if state is None else {**result, "requestState": state}
