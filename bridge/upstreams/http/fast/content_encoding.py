"""Decode a body in gzip or deflate as it arrives. Pure: no I/O."""

from __future__ import annotations

import zlib

from bridge.i18n import say

MAX_BYTES = 64 << 20  # that one part may become
ENCODINGS = ("gzip", "x-gzip", "deflate")
_GZIP = b"\x1f"  # first byte of each gzip member


class BadEncoding(Exception):
    """The body cannot be decoded; its argument says why."""


class Decoder:
    """Decodes gzip and deflate. Several gzip members in a row are one body (RFC 1952 §2.2); other bytes after
    the end are ignored."""

    def __init__(self) -> None:
        self._started = False
        self._begin()

    def feed(self, part: bytes) -> bytes:
        self._started = self._started or bool(part)
        decoded: list[bytes] = []
        left = MAX_BYTES
        while part and left > 0:
            if self._member.eof:
                if not part.startswith(_GZIP):
                    break
                self._begin()
            decoded.append(self._decompress(part, left))
            left -= len(decoded[-1])
            part = self._member.unused_data or self._member.unconsumed_tail
        else:
            if part:
                raise BadEncoding(say("it is too large once unpacked"))
        return decoded[0] if len(decoded) == 1 else b"".join(decoded)

    @property
    def is_truncated(self) -> bool:
        return self._started and not self._member.eof

    def _begin(self) -> None:
        self._member = zlib.decompressobj(47)  # 32 + 15: recognises gzip and zlib by their first bytes

    def _decompress(self, part: bytes, limit: int) -> bytes:
        try:
            return self._member.decompress(part, limit)
        except zlib.error as error:
            raise BadEncoding(say("it is badly packed")) from error
