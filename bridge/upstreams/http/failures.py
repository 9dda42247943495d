"""What can go wrong with a request to a server: the exceptions, and their words for a person."""

from __future__ import annotations

import errno
import socket
import ssl
from urllib.parse import urlsplit

from bridge.http_client.proxy_and_tls import CONNECT_TIMEOUT, UnusableProxy
from bridge.i18n import Words, say


class ConnectionLost(OSError):
    """The connection ended before the reply was complete."""


class UnreadableReply(ConnectionLost):
    """The reply is not valid HTTP; its argument says why. The connection was closed."""


class ProxyRefused(OSError):
    """The proxy cannot be reached, or refuses the connection."""


class RequestFailed(Exception):
    """A failure, in words for a person. `status` is the HTTP status, 0 if there was no reply."""

    def __init__(self, words: str, status: int = 0) -> None:
        super().__init__(words)
        self.words = words
        self.status = status


class ReplyBrokenOff(RequestFailed):
    """The connection was lost in the middle of a reply."""


class ReplyTooLarge(RequestFailed):
    """A reply beyond the limit; it is noted in the history."""


def unreachable(server: str, error: Exception, url: str) -> Words:
    return say("Could not reach {server}: {why}", server=server, why=_words(error, url))


def _words(error: Exception, url: str) -> Words:
    host = urlsplit(url).hostname or ""
    match error:
        case ssl.SSLCertVerificationError():
            return say("the certificate of {host} is not trusted.", host=host)
        case ssl.SSLError():
            return say("no secure connection to {host} could be made.", host=host)
        case socket.gaierror():
            return say("{host} was not found. Check the address and the network.", host=host)
        case UnusableProxy():
            return error.words
        case ProxyRefused():
            return say("the proxy does not let us through. Check HTTP_PROXY and HTTPS_PROXY.")
        case TimeoutError():
            limit = round(CONNECT_TIMEOUT)
            return say("{host} did not accept a connection within {limit} s.", host=host, limit=limit)
        case UnreadableReply():
            return say("the answer of {host} cannot be read: {why}.", host=host, why=error.args[0])
        case ConnectionLost() | ConnectionResetError() | BrokenPipeError():
            return say("{host} broke off the connection.", host=host)
        case OSError():
            return _refusal(error, url)
        case _:
            return say(
                "the request could not be made. Check the server's address, its headers and the proxy."
            )


def _refusal(error: OSError, url: str) -> Words:
    host = urlsplit(url).netloc.rpartition("@")[2]  # with its port, if that was given
    if error.errno == errno.ECONNREFUSED:
        return say("nothing listens at {host}. Is it running?", host=host)
    return say("{host} cannot be reached ({why}).", host=host, why=error.strerror or say("no route"))
