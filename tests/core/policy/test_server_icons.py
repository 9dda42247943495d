"""Which of the icons that a server declares is shown, and where it may come from."""

from __future__ import annotations

import base64
import json

import pytest

from bridge.core.policy.server_icons import MAX_BYTES, ServerIcon, choose_icon, is_picture
from bridge.core.protocol.handshake import ServerIdentity
from bridge.core.protocol.revisions import SERVER_INFO_KEY, Era

PNG = b"\x89PNG\r\n\x1a\n and the rest"
JPEG = b"\xff\xd8\xff\xe0 and the rest"
SERVER = "https://mcp.example.com/mcp"
ICON = "https://example.com/icon.png"


def data_uri(data: bytes, kind: str = "image/png") -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def registrable(host: str) -> str:
    return ".".join(host.split(".")[-2:]) if "." in host else ""


def chosen(*icons: object, server: str = SERVER, info: object = None) -> ServerIcon | None:
    told = {"name": "x", "icons": list(icons)} if info is None else info
    legacy = ServerIdentity(Era.LEGACY, json.dumps({"serverInfo": told}).encode(), "", frozenset())
    meta = json.dumps({"_meta": {SERVER_INFO_KEY: told}}).encode()
    modern = ServerIdentity(Era.MODERN, meta, "", frozenset())
    found = [choose_icon(one, server, registrable) for one in (legacy, modern)]
    assert found[0] == found[1]
    return found[0]


@pytest.mark.parametrize("server", [SERVER, "http://127.0.0.1:9/mcp", ""])
def test_a_picture_in_the_introduction_itself_is_shown_for_every_server(server: str) -> None:
    assert chosen({"src": data_uri(PNG)}, server=server) == ServerIcon(data=PNG)
    assert chosen({"src": data_uri(JPEG, "image/jpeg")}, server=server) == ServerIcon(data=JPEG)


@pytest.mark.parametrize(
    "src",
    [
        data_uri(b"<svg onload='alert(1)'/>", "image/svg+xml"),
        data_uri(b"<svg/>"),  # it only says that it is a PNG
        data_uri(PNG, "text/html"),
        data_uri(PNG + bytes(MAX_BYTES)),
        data_uri(PNG + bytes(2 * MAX_BYTES)),
        "data:image/png;base64,iVBORw0KGgo",  # cut off
        "data:image/png,plain",
        "data:",
    ],
)
def test_other_data_is_no_picture(src: str) -> None:
    assert chosen({"src": src}) is None


@pytest.mark.parametrize(
    ("server", "icon"),
    [
        (SERVER, ICON),
        (SERVER, "https://cdn.example.com/a/b.jpg?v=2"),
        ("https://[2606:4700::1]/mcp", "https://[2606:4700::1]/i.png"),
        ("https://localhost:8443/mcp", "https://localhost:8443/icon.png"),
        ("https://10.0.0.7/mcp", "https://10.0.0.7/icon.png"),
    ],
)
def test_an_https_icon_of_the_servers_own_site_is_fetched(server: str, icon: str) -> None:
    assert chosen({"src": icon}, server=server) == ServerIcon(url=icon)


@pytest.mark.parametrize(
    ("server", "icon"),
    [
        (SERVER, "https://tracker.example.org/icon.png"),  # another site learns who uses the server
        (SERVER, "https://evil-example.com/icon.png"),
        (SERVER, "http://example.com/icon.png"),
        (SERVER, "https://user@example.com/icon.png"),
        (SERVER, "https://localhost/icon.png"),
        (SERVER, "https://192.168.1.1/reboot"),
        (SERVER, "https://169.254.169.254/latest"),
        (SERVER, "https://router.local/icon.png"),
        ("https://printer.local/mcp", "https://other.local/icon.png"),
        ("https://localhost:8443/mcp", "https://localhost:9000/icon.png"),
        ("https://10.0.0.7/mcp", "https://10.0.0.8/icon.png"),
        ("http://localhost:8080/mcp", "http://localhost:8080/icon.png"),
        ("", ICON),  # a program on this machine
        (SERVER, "/icon.png"),
        (SERVER, "file:///etc/passwd"),
        (SERVER, "javascript:alert(1)"),
        (SERVER, ""),
    ],
)
def test_an_icon_of_any_other_place_is_not_fetched(server: str, icon: str) -> None:
    assert chosen({"src": icon}, server=server) is None


def test_data_comes_before_addresses_and_the_smallest_that_is_large_enough_before_others() -> None:
    assert chosen({"src": ICON, "sizes": ["96x96"]}, {"src": data_uri(PNG)}) == ServerIcon(data=PNG)
    sizes = {side: {"src": f"{ICON}?{side}", "sizes": [f"{side}x{side}"]} for side in (16, 48, 128, 1024)}
    assert chosen(*sizes.values()) == ServerIcon(f"{ICON}?128")
    assert chosen(sizes[16], sizes[48]) == ServerIcon(f"{ICON}?48")
    assert chosen({"src": f"{ICON}?any", "sizes": "any"}, sizes[1024]) == ServerIcon(f"{ICON}?any")


def test_an_icon_for_dark_grounds_is_the_last_choice() -> None:
    dark, light = {"src": f"{ICON}?d", "theme": "dark"}, {"src": f"{ICON}?l", "theme": "light"}
    assert chosen(dark, light) == ServerIcon(f"{ICON}?l")
    assert chosen(dark, {"src": f"{ICON}?plain"}) == ServerIcon(f"{ICON}?plain")
    assert chosen(dark) == ServerIcon(f"{ICON}?d")


def test_what_is_not_an_icon_does_not_hide_the_others() -> None:
    odd: tuple[object, ...] = (
        None,
        7,
        "x",
        {},
        {"src": 7},
        {"src": ICON, "sizes": 5},
        {"src": ICON, "mimeType": "image/svg+xml"},
    )
    assert chosen(*odd) is None
    assert chosen(*odd, {"src": ICON, "mimeType": "image/PNG"}) == ServerIcon(ICON)


@pytest.mark.parametrize("info", ["text", 7, [], {"name": "x"}, {"icons": "all"}, {"icons": None}])
def test_a_server_that_declares_none_or_nonsense_has_none(info: object) -> None:
    assert chosen(info=info) is None


def test_bytes_are_judged_by_their_beginning() -> None:
    assert is_picture(PNG)
    assert is_picture(JPEG)
    assert not is_picture(b"GIF89a")
    assert not is_picture(b"")
