"""What is loaded only when it is first used."""

from __future__ import annotations

import subprocess
import sys

from bridge.system.fast.lazy_import import lazy_import

HEAVY = (
    "aiohttp atproto cryptography httpx jsonschema keyring libipld mcp ruamel starlette.applications tomlkit "
    "bridge.hosts.host_configs bridge.servers.drafts bridge.tools.bluesky.posts bridge.cli.parser"
)


def test_a_late_module_is_loaded_with_the_first_thing_that_is_wanted_of_it():
    sys.modules.pop("colorsys", None)
    colours = lazy_import("colorsys")
    assert "colorsys" not in sys.modules
    assert colours.rgb_to_hsv(0, 0, 0) == (0, 0, 0)
    assert "colorsys" in sys.modules


def test_an_engine_that_nobody_has_asked_for_anything_is_light():
    code = f"import bridge.cli.start, bridge.app, sys; print({set(HEAVY.split())} & {{*sys.modules}})"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "set()"
