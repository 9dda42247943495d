"""Check which addresses may be requested: https, or http on this machine; a server on the internet must not
lead to a private address."""

from __future__ import annotations

from urllib.parse import urlsplit

from bridge.core.policy.network_addresses import is_loopback, is_public
from bridge.core.policy.url_safety import check_url
from bridge.errors import NetworkError
from bridge.i18n import say


def check(url: str) -> str:
    """Return `url` if it may be requested: https, or http on this machine. Raises NetworkError."""
    address = check_url(url)
    if address.refusal is not None or "@" in urlsplit(url).netloc:
        hint = say("It must begin with https:// (http:// is for this computer only).")
        raise NetworkError(say("Deskbell sends no request to {address}", address=repr(url[:200])), hint)
    return url


def check_named_by(source: str, url: str) -> str:
    """Return `url` if `source` may name it: a server on the internet must not name a private address.

    Raises NetworkError.
    """
    check(url)
    if names_private_address(source, url):
        words = say("{address} is on this computer or in the network around it", address=repr(url[:200]))
        hint = say(
            "Nothing on the internet may lead there. If it is yours, name it as `service` in config.toml."
        )
        raise NetworkError(words, hint)
    return url


def names_private_address(source: str, url: str) -> bool:
    """True if `source` is on the internet and `url` is on this machine or in a network around it."""
    return is_public(urlsplit(source).hostname or "") and not is_public(urlsplit(url).hostname or "")


def may_carry_secrets(url: str) -> bool:
    """True if a secret may be sent there: encrypted, or to this machine."""
    parts = urlsplit(url)
    return parts.scheme == "https" or (parts.scheme == "http" and is_loopback(parts.hostname or ""))


def host(url: str) -> str:
    """Return the host of `url`, with its port if it names one."""
    return urlsplit(url).netloc


def origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}".lower()
