"""OpenAPI 3.1 from lists of tools: one operation for each, under its public name. Pure.

Schemas come from servers, so that each is cleaned first (schema_cleanup.py): one odd tool must not spoil the
others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bridge.functions.schema_cleanup import cleaned, moved
from bridge.tools.results import is_answer

VERSION = "3.1.0"
HOW_TO_KNOW = "`deskbell tools` says why."


@dataclass(frozen=True, slots=True)
class Function:
    """A tool as it is called without MCP. `tool` is its entry of tools/list."""

    server: str
    name: str  # its server's own
    public: str
    tool: Mapping[str, Any]

    @property
    def input_schema(self) -> Mapping[str, Any]:
        schema = self.tool.get("inputSchema")
        return schema if isinstance(schema, dict) else {}

    @property
    def title(self) -> str:
        return _said(self.tool.get("title")) or self.name

    @property
    def description(self) -> str:
        return _said(self.tool.get("description"))


def _said(value: object) -> str:
    return value if isinstance(value, str) else ""


# --- the document ----------------------------------------------------------------------------------------


def document(
    functions: Iterable[Function],
    version: str,
    base: str = "/",
    guarded: bool = True,
    missing: Iterable[str] = (),
) -> dict[str, Any]:
    """`base`: what the paths are relative to. `guarded`: each request needs the token. `missing`: servers
    that did not tell what they have."""
    listed = list(functions)
    gap = ", ".join(missing)
    about = f"{_ABOUT}\n\nNot in this document: {gap}, as no list came from there. {HOW_TO_KNOW}"
    schemas: dict[str, Any] = {"Error": _ERROR}
    paths = {f"/functions/{one.public}": {"post": _operation(one, schemas)} for one in listed}
    servers = dict.fromkeys(one.server for one in listed)
    return {
        "openapi": VERSION,
        "info": {"title": "Deskbell", "version": version, "description": about if gap else _ABOUT},
        "servers": [{"url": base}],
        "security": [{"token": []}] if guarded else [],
        "tags": [{"name": name, "description": f"Tools of the server {name}."} for name in servers],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": _TOKEN}},
            "schemas": schemas,
            "responses": {name: _failure(words) for name, words in _FAILURES.items()},
        },
    }


_ABOUT = (
    "Every tool of the servers behind Deskbell as a function. A call that needs the person asks on the "
    "desktop and waits for the answer."
)
_TOKEN = "The token in the file `token` of Deskbell's folder."  # noqa: S105 - words
_ERROR = {
    "type": "object",
    "properties": {"error": {"type": "string", "description": "What went wrong, in words."}},
    "required": ["error"],
}
_FAILURES = {
    "400": "The body is not JSON, or the arguments do not fit.",
    "401": "The token is missing or wrong.",
    "404": "There is no such function.",
    "413": "The body is too long.",
    "500": "The function failed.",
    "504": "The server did not answer in time, or nobody answered its question.",
}


def _failure(words: str) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Error"}
    return {"description": words, "content": {"application/json": {"schema": schema}}}


def _operation(one: Function, schemas: dict[str, Any]) -> dict[str, Any]:
    schemas[f"{one.public}.arguments"] = moved(
        _arguments(one.input_schema), f"#/components/schemas/{one.public}.arguments"
    )
    schemas[f"{one.public}.answer"] = moved(
        _answer(one.tool.get("outputSchema")), f"#/components/schemas/{one.public}.answer"
    )
    body = {"schema": {"$ref": f"#/components/schemas/{one.public}.arguments"}}
    answer = {"schema": {"$ref": f"#/components/schemas/{one.public}.answer"}}
    failures = {name: {"$ref": f"#/components/responses/{name}"} for name in _FAILURES}
    said = {"summary": one.title, "description": one.description}
    return {
        "operationId": one.public,
        "tags": [one.server],
        **{key: words for key, words in said.items() if words},
        "requestBody": {
            "required": bool(schemas[f"{one.public}.arguments"].get("required")),
            "content": {"application/json": body},
        },
        "responses": {
            "200": {"description": "What it returned.", "content": {"application/json": answer}},
            **failures,
        },
    }


def _arguments(schema: object) -> dict[str, Any]:
    return {**cleaned(schema), "type": "object"}


def _answer(schema: object) -> dict[str, Any]:
    """What functions.answered makes of a result with this outputSchema."""
    said = cleaned(schema)
    known = said.get("properties", {})
    if known and is_answer(known):
        return said
    if schema is None:
        return {"type": "object", "description": "`result`, or of several `result0`, `result1`…; or nothing."}
    inner = moved(said, "#/properties/result")
    return {"type": "object", "properties": {"result": inner}}
