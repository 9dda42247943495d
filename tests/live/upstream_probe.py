"""What the client suite drives: a bridge with the suite's server behind it, and the smallest host in front.

upstream_probe.py URL – the suite names the scenario in the environment. The bridge's upstream side is what is
under test; the host here only says what makes it do something. It cannot elicit: questions go to the Desk.
"""

from __future__ import annotations

import base64
import http.client
import itertools
import json
import os
import stat
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.live.conformance import bridge

Json = dict[str, Any]
WHO = {"name": "probe", "version": "1"}
VERSION = os.environ.get("MCP_CONFORMANCE_PROTOCOL_VERSION", "2025-11-25")
MODERN = VERSION >= "2026-07-28"
NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
SAMPLES = {
    "string": "x",
    "integer": 1,
    "number": 1.5,
    "boolean": True,
    "object": {},
    "array": [],
    "null": None,
}
# Says yes and fills in nothing: what the server gets beyond that is the bridge's doing. A link is visited, as
# by a browser in which the person agrees to everything.
YES = f"""#!{sys.executable} -IS
import json, sys, urllib.request
asked = json.load(sys.stdin)
if asked["mode"] == "url":
    urllib.request.urlopen(asked["url"], timeout=20).read()
print(json.dumps({{"action": "accept", "content": {{}}}}))
"""


SCENARIO = os.environ.get("MCP_CONFORMANCE_SCENARIO", "")
CLIENT = "https://conformance-test.local/client-metadata.json"
OAUTH = {
    "client_id": "client_id",
    "client_secret": "client_secret",
    "private_key_pem": "private_key",
    "signing_algorithm": "signing_algorithm",
}


class Host:
    def __init__(self, port: int, token: str) -> None:
        self._port = port
        self._headers = {
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        self._ids = itertools.count(1)
        self._schemas: dict[str, Json] = {}
        if not MODERN:
            self.ask("initialize", protocolVersion=VERSION, capabilities={}, clientInfo=WHO)
            self._post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, **params: Any) -> Json:
        """The result; an error ends the probe."""
        headers = {}
        if MODERN:
            headers = {"MCP-Protocol-Version": VERSION, "Mcp-Method": method}
            headers |= {"Mcp-Name": params[NAMED[method]]} if method in NAMED else {}
            headers |= self._repeated(params) if method == "tools/call" else {}
            prefix = "io.modelcontextprotocol/"
            said = {"protocolVersion": VERSION, "clientInfo": WHO, "clientCapabilities": {}}
            params["_meta"] = {prefix + key: value for key, value in said.items()}
        message = {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": params}
        reply = self._post(message, headers)
        if "result" not in reply:
            sys.exit(f"{method}: {reply}")
        return dict(reply["result"])

    def call(self, name: str, **arguments: Any) -> Json:
        return self.ask("tools/call", name=name, arguments=arguments)

    def tools(self) -> dict[str, Json]:
        self._schemas = {tool["name"]: tool["inputSchema"] for tool in self.ask("tools/list")["tools"]}
        return self._schemas

    def _repeated(self, call: Json) -> dict[str, str]:
        """Always wrapped, as any value may be: how the bridge writes them upstream is its own affair."""
        properties = self._schemas[call["name"]].get("properties", {})
        marked = {key: each["x-mcp-header"] for key, each in properties.items() if each.get("x-mcp-header")}
        given = {key: value for key, value in call["arguments"].items() if value is not None}
        return {f"Mcp-Param-{marked[key]}": _wrapped(given[key]) for key in marked.keys() & given.keys()}

    def _post(self, message: Json, headers: dict[str, str] | None = None) -> Json:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        connection.request("POST", "/mcp/suite", json.dumps(message), self._headers | (headers or {}))
        response = connection.getresponse()
        if key := response.getheader("Mcp-Session-Id"):
            self._headers |= {"Mcp-Session-Id": key, "MCP-Protocol-Version": VERSION}
        if response.status == 202:
            return {}
        if response.getheader("Content-Type") == "application/json":
            return dict(json.load(response))
        data = (json.loads(line[5:]) for line in response if line.startswith(b"data:") and line[5:].strip())
        return next(dict(each) for each in data if each.get("id") == message["id"])


def _wrapped(value: Any) -> str:
    words = value if isinstance(value, str) else json.dumps(value)
    return f"=?base64?{base64.b64encode(words.encode()).decode()}?="


def list_tools(host: Host) -> None:
    host.tools()


def call_everything(host: Host) -> None:
    """Every tool that is offered, with something for every argument."""
    for name, schema in host.tools().items():
        given = schema.get("properties", {})
        host.call(name, **{key: SAMPLES[each.get("type", "string")] for key, each in given.items()})


def call_as_told(host: Host) -> None:
    host.tools()
    for call in json.loads(os.environ["MCP_CONFORMANCE_CONTEXT"])["toolCalls"]:
        host.call(call["name"], **call["arguments"])


def return_schema(host: Host) -> None:
    host.call("json_schema_echo", schema=host.tools()["json_schema_2020_12_tool"])


def use_everything(host: Host) -> None:
    call_everything(host)
    for resource in host.ask("resources/list")["resources"]:
        host.ask("resources/read", uri=resource["uri"])
    for prompt in host.ask("prompts/list")["prompts"]:
        host.ask("prompts/get", name=prompt["name"])


SCENARIOS: dict[str, Callable[[Host], None]] = {
    "initialize": list_tools,
    "request-metadata": list_tools,
    "json-schema-ref-no-deref": list_tools,
    "http-custom-headers": call_as_told,
    "http-standard-headers": use_everything,
    "json-schema-2020-12-preservation": return_schema,
}


def oauth() -> str:
    """What the scenario says of the client it wants, as our settings say it."""
    given = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}"))
    kept = {"client_metadata_url": CLIENT} if "cimd" in SCENARIO else {}
    if "client-credentials" in SCENARIO:
        kept["grant"] = "client_credentials"
    for key, name in OAUTH.items():
        kept |= {name: given[key]} if key in given else {}
    return f"oauth = {{ {', '.join(f'{key} = {json.dumps(value)}' for key, value in kept.items())} }}\n"


def main(url: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        yes = Path(folder) / "yes"
        yes.write_text(YES)
        yes.chmod(stat.S_IRWXU)
        config = f"vault = 'memory'\n[servers.suite]\nurl = '{url}'\n{oauth()}"
        with bridge(Path(folder), config, f"command:{yes}") as (port, token):
            SCENARIOS.get(SCENARIO, call_everything)(Host(port, token))


if __name__ == "__main__":
    main(sys.argv[-1])
