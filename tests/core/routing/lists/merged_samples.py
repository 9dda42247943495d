"""Servers behind one endpoint, for tests."""

from __future__ import annotations

from typing import Any

from tests.core.fake_peers import Host, Script, Wire, script

EVERYTHING: dict[str, Any] = {"tools": {}, "prompts": {}, "resources": {}, "logging": {}, "completions": {}}


def server(name: str, *eras: str, **more: Any) -> Script:
    """A server that lists one of each."""
    answers = {
        "tools/list": {"tools": [{"name": "save", "of": name}]},
        "prompts/list": {"prompts": [{"name": "greet"}]},
        "resources/list": {"resources": [{"uri": f"{name}://one", "name": "One"}]},
        "resources/templates/list": {"resourceTemplates": [{"uriTemplate": f"{name}://more/{{id}}"}]},
    }
    return script(name, *eras, **{"capabilities": EVERYTHING, "answers": answers, **more})


def merged(*plots: Script, **more: Any) -> tuple[Wire, Host]:
    wire = Wire(*plots, **more)
    host = wire.legacy_host(server="")
    host.new()
    return wire, host


def listed(host: Host, method: str = "tools/list") -> Any:
    request = host.requests(method)
    return host.replies[request].result[method.split("/")[0]]


def names(host: Host, method: str = "tools/list") -> list[str]:
    return [item["name"] for item in listed(host, method)]
