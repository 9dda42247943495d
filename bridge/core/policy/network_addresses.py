"""Classify a host name by itself: loopback, private network or public. Pure.

Nothing is resolved. A public name that resolves to this machine still needs https, and no local server has a
certificate for it.
"""

from __future__ import annotations

import ipaddress
import re
import unicodedata

_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")  # as inet_aton reads it: `127.1`, `0x7f000001`, `2130706433`
_NEAR = ("localhost", "local", "internal", "localdomain", "home.arpa")  # RFC 6761, 6762, 8375; ICANN 2024
_CARRIERS = tuple(map(ipaddress.ip_network, ("::/96", "64:ff9b::/96")))  # RFC 4291, 2.5.5.1; RFC 6052


def is_loopback(host: str) -> bool:
    """True if the name surely means this machine, in a spelling that all programs read alike."""
    name = host.lower().strip("[]")
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")  # RFC 6761, 6.3


def is_public(host: str) -> bool:
    """True if no spelling of the name means this machine or a private network. False for odd numbers."""
    name = unicodedata.normalize("NFKC", host).lower().strip("[]").rstrip(".")
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        near = any(f".{name}".endswith(f".{one}") for one in _NEAR)
        return "." in name and not near and not is_number(name)
    return all(one.is_global and not one.is_multicast for one in _meant(address))


def is_number(host: str) -> bool:
    """True if browsers read the name as an IPv4 address: its last part is a number (WHATWG URL)."""
    return _NUMBER.fullmatch(host.lower().rstrip(".").rpartition(".")[2]) is not None


Ip = ipaddress.IPv4Address | ipaddress.IPv6Address


def _meant(address: Ip) -> list[Ip]:
    """Return the address and the IPv4 addresses embedded in it (mapped, 6to4, Teredo, NAT64)."""
    if isinstance(address, ipaddress.IPv4Address):
        return [address]
    if address.ipv4_mapped is not None:  # some Pythons call none of these global
        return [address.ipv4_mapped]
    inside = [address.sixtofour, *(address.teredo or ())]
    if any(address in network for network in _CARRIERS):
        inside.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return [address, *(one for one in inside if one is not None)]
