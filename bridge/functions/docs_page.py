"""The page /docs: all functions as HTML without scripts, images or external links."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from itertools import groupby
from typing import Any

import msgspec

from bridge.functions.openapi import SEE_REASON, Function
from bridge.functions.tool_caller import FunctionList
from bridge.tools import arguments

_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { border-bottom: 1px solid; padding-bottom: .2rem; margin-top: 2.5rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; overflow-wrap: anywhere; }
p { white-space: pre-wrap; overflow-wrap: anywhere; }
details { border: 1px solid #8886; border-radius: .4rem; padding: .5rem 1rem; margin: .5rem 0; }
summary { cursor: pointer; font-weight: 600; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; }
tr + tr > * { border-top: 1px solid #8884; }
td:last-child { overflow-wrap: anywhere; }
""".strip()


def render_page(found: FunctionList) -> str:
    servers = groupby(found.functions, key=lambda function: function.server)
    parts = [f"<h2>{escape(server)}</h2>\n" + "\n".join(map(_function, tools)) for server, tools in servers]
    parts += [_missing(server) for server in found.missing]
    body = "\n".join(parts) or "<p>No server offers a tool just now.</p>"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        "<title>Deskbell: functions</title>\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<h1>Deskbell: functions</h1>\n"
        "<p>Call each with <code>POST /functions/NAME</code>, its arguments as a JSON object and the header "
        "<code>Authorization: Bearer TOKEN</code>; or with <code>deskbell call NAME key=value</code>. "
        "For programs: <code>/openapi.json</code>.</p>\n"
        f"{body}\n</body>\n</html>\n"
    )


def _missing(server: str) -> str:
    """Format a server without tools. The reason is left out: it may quote stderr."""
    return f"<h2>{escape(server)}</h2>\n<p>{escape(server)} did not tell its tools. {SEE_REASON}</p>"


def _function(function: Function) -> str:
    rows = "\n".join(_rows(function.input_schema))
    head = "<tr><th>argument</th><th>type</th><th></th><th>meaning</th></tr>"
    table = f"<table>\n{head}\n{rows}\n</table>\n" if rows else "<p>It takes no arguments.</p>\n"
    return (
        f'<details id="{escape(function.public)}">\n<summary><code>{escape(function.public)}</code>: '
        f"{escape(function.title)}</summary>\n<p>{escape(function.description)}</p>\n{table}</details>"
    )


def _rows(schema: Mapping[str, Any]) -> Iterable[str]:
    required = arguments.required(schema)
    for name, raw in arguments.properties(schema).items():
        node = arguments.resolve(raw, schema)
        note = "required" if name in required else _default(node)
        meaning = node.get("description") or (raw.get("description") if isinstance(raw, dict) else "") or ""
        cells = (
            f"<code>{escape(name)}</code>",
            escape(_kind(node, schema)),
            escape(note),
            escape(str(meaning)),
        )
        yield "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _kind(node: Mapping[str, Any], root: Mapping[str, Any]) -> str:
    listed = [choice for option in arguments.alternatives(node, root) for choice in arguments.choices(option)]
    if listed:
        return " | ".join(str(choice) for choice in listed)
    return " | ".join(sorted(arguments.types(node, root))) or "any"


def _default(node: Mapping[str, Any]) -> str:
    return f"default {msgspec.json.encode(node['default']).decode()}" if "default" in node else ""
