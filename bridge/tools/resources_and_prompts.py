"""Resources, resource templates and prompts of a Toolbox, made of typed functions like tools."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

import msgspec

from bridge.tools.base import Arguments, Completer

_VARIABLE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Resource:
    """A resource, or a template if `uri` has variables such as {name}, which match up to the next slash."""

    uri: str
    name: str
    title: str
    description: str
    mime_type: str
    run: Callable[[Any, Arguments], Awaitable[Any]]
    completers: Mapping[str, Completer] = field(default_factory=dict)

    @property
    def variables(self) -> list[str]:
        return _VARIABLE.findall(self.uri)

    @property
    def is_template(self) -> bool:
        return bool(self.variables)

    def match(self, uri: str) -> dict[str, str] | None:
        """Return the variables in a URI of this resource, percent-decoded; None for another resource."""
        parts = _VARIABLE.split(self.uri)
        pattern = "".join(f"(?P<{p}>[^/]+)" if i % 2 else re.escape(p) for i, p in enumerate(parts))
        found = re.fullmatch(pattern, uri)
        return None if found is None else {name: unquote(text) for name, text in found.groupdict().items()}

    def listing(self) -> dict[str, Any]:
        """Return the entry of resources/list or resources/templates/list."""
        address = {"uriTemplate" if self.is_template else "uri": self.uri}
        texts = {"description": self.description, "mimeType": self.mime_type}
        return {**address, "name": self.name, "title": self.title, **{k: v for k, v in texts.items() if v}}

    def contents(self, uri: str, value: Any) -> dict[str, Any]:
        """Return the result of resources/read: bytes as a blob, a text as it is, other values as JSON."""
        mime = {"mimeType": self.mime_type} if self.mime_type else {}
        if isinstance(value, bytes):
            return {"contents": [{"uri": uri, **mime, "blob": b64encode(value).decode()}]}
        text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
        return {"contents": [{"uri": uri, **mime, "text": str(text)}]}


@dataclass(frozen=True, slots=True)
class Prompt:
    name: str
    title: str
    description: str
    input_schema: Mapping[str, Any]
    run: Callable[[Any, Arguments], Awaitable[Any]]
    completers: Mapping[str, Completer] = field(default_factory=dict)

    def listing(self) -> dict[str, Any]:
        """Return the entry of prompts/list."""
        required = self.input_schema.get("required", ())
        arguments = [
            {"name": name, "description": one.get("description", ""), "required": name in required}
            for name, one in self.input_schema["properties"].items()
        ]
        texts = {"name": self.name, "title": self.title, "description": self.description}
        return {**texts, "arguments": arguments}

    def messages(self, value: Any) -> dict[str, Any]:
        """Return the result of prompts/get; a text is one message of the user."""
        if isinstance(value, str):
            value = [{"role": "user", "content": {"type": "text", "text": str(value)}}]
        return {"description": self.description, "messages": value}
