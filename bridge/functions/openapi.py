"""Describe tools as an OpenAPI 3.1 document: one operation for each tool, under its public name. Pure.

The schemas of servers are cleaned first (schema_cleanup.py): one invalid schema would make the document
invalid.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bridge.functions.schema_cleanup import clean_schema, move_schema
from bridge.tools.results import is_answer

VERSION = "3.1.0"
SEE_REASON = "`deskbell tools` says why."


@dataclass(frozen=True, slots=True)
class Function:
    """A tool as callers without MCP see it. `tool` is its entry of tools/list."""

    server: str
    name: str  # of the tool, at its server
    public: str  # name that is unique among all servers
    tool: Mapping[str, Any]

    @property
    def input_schema(self) -> Mapping[str, Any]:
        schema = self.tool.get("inputSchema")
        return schema if isinstance(schema, dict) else {}

    @property
    def title(self) -> str:
        return _text(self.tool.get("title")) or self.name

    @property
    def description(self) -> str:
        return _text(self.tool.get("description"))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


# --- the document ----------------------------------------------------------------------------------------


def document(
    functions: Iterable[Function],
    version: str,
    base: str = "/",
    needs_token: bool = True,
    missing: Iterable[str] = (),
) -> dict[str, Any]:
    """Return the OpenAPI document. `base`: URL of the paths; `missing`: servers whose tools are unknown."""
    functions = list(functions)
    missing_names = ", ".join(missing)
    about = f"{_ABOUT}\n\nNot in this document: {missing_names}, as no list came from there. {SEE_REASON}"
    schemas: dict[str, Any] = {"Error": _ERROR}
    paths = {f"/functions/{each.public}": {"post": _operation(each, schemas)} for each in functions}
    servers = dict.fromkeys(each.server for each in functions)
    return {
        "openapi": VERSION,
        "info": {"title": "Deskbell", "version": version, "description": about if missing_names else _ABOUT},
        "servers": [{"url": base}],
        "security": [{"token": []}] if needs_token else [],
        "tags": [{"name": name, "description": f"Tools of the server {name}."} for name in servers],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": _TOKEN}},
            "schemas": schemas,
            "responses": {name: _failure(text) for name, text in _FAILURES.items()},
        },
    }


_ABOUT = (
    "Every tool of the servers behind Deskbell as a function. A call that needs the person asks on the "
    "desktop and waits for the answer."
)
_TOKEN = "The token in the file `token` of Deskbell's folder."  # noqa: S105 - a description
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


def _failure(text: str) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Error"}
    return {"description": text, "content": {"application/json": {"schema": schema}}}


def _operation(function: Function, schemas: dict[str, Any]) -> dict[str, Any]:
    arguments = _add_schema(schemas, f"{function.public}.arguments", _arguments(function.input_schema))
    answer = _add_schema(schemas, f"{function.public}.answer", _answer(function.tool.get("outputSchema")))
    failures = {name: {"$ref": f"#/components/responses/{name}"} for name in _FAILURES}
    texts = {"summary": function.title, "description": function.description}
    return {
        "operationId": function.public,
        "tags": [function.server],
        **{key: text for key, text in texts.items() if text},
        "requestBody": {
            "required": bool(schemas[f"{function.public}.arguments"].get("required")),
            "content": {"application/json": arguments},
        },
        "responses": {
            "200": {"description": "What it returned.", "content": {"application/json": answer}},
            **failures,
        },
    }


def _add_schema(schemas: dict[str, Any], name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Add a component and return the media type object that refers to it."""
    pointer = f"#/components/schemas/{name}"
    schemas[name] = move_schema(schema, pointer)
    return {"schema": {"$ref": pointer}}


def _arguments(schema: object) -> dict[str, Any]:
    return {**clean_schema(schema), "type": "object"}


def _answer(schema: object) -> dict[str, Any]:
    """Return the schema of the JSON that results.call_result makes of a result with this outputSchema."""
    cleaned = clean_schema(schema)
    known = cleaned.get("properties")
    if known is not None and is_answer(known):
        return cleaned
    if schema is None:
        return {"type": "object", "description": "`result`, or of several `result0`, `result1`…; or nothing."}
    inner = move_schema(cleaned, "#/properties/result")
    return {"type": "object", "properties": {"result": inner}}
