"""The policy of every outgoing HTTP request: which proxy, which certificates, how long, which user agent.

Proxies come from HTTP_PROXY, HTTPS_PROXY and ALL_PROXY (or lower case, which wins), else from the settings of
Windows or macOS. NO_PROXY lists exceptions: `*`, names with all their subdomains, IP addresses and networks,
each with an optional port. This machine is always reached directly. A proxy that cannot be used is refused in
words: no request goes out directly where a proxy is configured.
"""

from __future__ import annotations

import ipaddress
import os
import re
import ssl
import sys
from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import urlsplit

from bridge.core.policy.network_addresses import is_loopback
from bridge.i18n import Words, say

USER_AGENT = "Deskbell"  # without a version: the update check promises that all requests look alike
CONNECT_TIMEOUT = 10.0  # seconds
_PORTS = {"http": 80, "https": 443}
# Where distributions keep certificates, should OpenSSL's own paths be empty (an OpenSSL built elsewhere).
_BUNDLES = (
    "/etc/ssl/cert.pem",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/pki/tls/cert.pem",
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/ssl/ca-bundle.pem",
)


class UnusableProxy(OSError):
    """A proxy is configured that Deskbell cannot use; `words` say what to do."""

    def __init__(self, words: Words) -> None:
        super().__init__(words)
        self.words = words


def proxy_for(url: str) -> str | None:
    """Return the address of the proxy for `url`, None for a direct connection. Raises UnusableProxy."""
    parts = urlsplit(url)
    host = (parts.hostname or "").rstrip(".")
    if is_loopback(host):
        return None
    setting, proxy = _configured(parts.scheme)
    if not proxy or _is_exempt(host, parts.port or _PORTS.get(parts.scheme, 0)):
        return None
    proxy = proxy if "://" in proxy else f"http://{proxy}"
    if urlsplit(proxy).scheme.lower() not in _PORTS or setting == "socks":
        words = say(
            "{setting} names a SOCKS proxy, which Deskbell cannot use. Set HTTPS_PROXY to an HTTP proxy, or "
            "add {host} to NO_PROXY.",
            setting=f"{setting.upper()}_PROXY",
            host=host,
        )
        raise UnusableProxy(words)
    return proxy


def _configured(scheme: str) -> tuple[str, str]:
    """Return the setting that applies to `scheme` (http, https, all or socks), and its value."""
    settings = _environment() or _system()
    for name in (scheme, "all", "socks"):
        if name in settings:
            return name, settings[name]
    return "", ""


def _environment() -> Mapping[str, str]:
    found = {name: _variable(f"{name}_proxy") for name in ("http", "https", "all")}
    if "REQUEST_METHOD" in os.environ:  # in a CGI script, HTTP_PROXY is a header of the client (httpoxy)
        found["http"] = os.environ.get("http_proxy", "")
    return {name: value for name, value in found.items() if value}


def _variable(name: str) -> str:
    return os.environ.get(name, os.environ.get(name.upper(), "")).strip()


def _system() -> Mapping[str, str]:
    if sys.platform not in ("win32", "darwin"):
        return {}
    from urllib.request import getproxies  # late: a megabyte

    return getproxies()


def _is_exempt(host: str, port: int) -> bool:
    if not _environment() and sys.platform in ("win32", "darwin"):
        from urllib.request import proxy_bypass  # late: a megabyte

        return bool(proxy_bypass(host))
    return any(_matches(entry, host, port) for entry in re.split(r"[,\s]+", _variable("no_proxy")) if entry)


def _matches(entry: str, host: str, port: int) -> bool:
    """True if one entry of NO_PROXY covers this host and port."""
    if entry == "*":
        return True
    name, wanted = _split_port(entry.lower())
    if wanted and wanted != str(port):
        return False
    try:
        return ipaddress.ip_address(host) in ipaddress.ip_network(name, strict=False)
    except ValueError:
        name = name.removeprefix("*").strip(".")
        return bool(name) and (host == name or host.endswith(f".{name}"))


def _split_port(entry: str) -> tuple[str, str]:
    if entry.startswith("["):
        name, _, port = entry[1:].partition("]")
        return name, port.removeprefix(":")
    if entry.count(":") == 1:
        name, _, port = entry.partition(":")
        return name, port
    return entry, ""  # also a bare IPv6 address


def tls_context() -> ssl.SSLContext:
    """Return the TLS settings for all connections: certificates are checked against the system's store.

    SSL_CERT_FILE and SSL_CERT_DIR count everywhere. Slow the first time: it reads the store.
    """
    return _context(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


@lru_cache(maxsize=1)
def _context(file: str | None, folder: str | None) -> ssl.SSLContext:
    if sys.platform in ("win32", "darwin"):
        context = _native_context(file, folder)
    else:
        context = ssl.create_default_context()
        # Python 3.13 refuses certificates without an Authority Key Identifier, which browsers and curl
        # accept, and which many a company's own authority signs.
        context.verify_flags &= ~ssl.VERIFY_X509_STRICT
        paths = ssl.get_default_verify_paths()
        if not paths.cafile and not (paths.capath and os.listdir(paths.capath)):
            for bundle in filter(os.path.isfile, _BUNDLES):
                context.load_verify_locations(bundle)
                break
    context.set_alpn_protocols(["http/1.1"])
    return context


def _native_context(file: str | None, folder: str | None) -> ssl.SSLContext:
    """Return a context that asks Windows or macOS about certificates.

    Elsewhere OpenSSL reads the system's store itself; there truststore would read all of it again for each
    connection, which blocks the loop for 40 ms.
    """
    import truststore

    context = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if file or folder:
        context.load_verify_locations(file or None, folder or None)
    return context
