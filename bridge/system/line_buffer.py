"""Bytes in, whole lines out. Pure: no I/O; what a line means is not known here."""

from __future__ import annotations


class LineTooLong(Exception):
    """More bytes without a newline than the limit allows."""


class LineBuffer:
    """Splits a stream at its newlines. A long line is collected in parts and joined once."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._parts: list[bytes] = []
        self._size = 0

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that `data` completes, without their newlines."""
        if b"\n" not in data:  # one of many parts of a long line: splitting it would copy it
            self._keep(data)
            return []
        *lines, rest = data.split(b"\n")
        self._keep(lines[0])
        lines[0] = self.rest()
        self._keep(rest)
        return lines

    def rest(self) -> bytes:
        """Hands over what came after the last newline."""
        parts, self._parts, self._size = self._parts, [], 0
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _keep(self, part: bytes) -> None:
        if not part:
            return
        self._size += len(part)
        if self._size > self.limit:
            raise LineTooLong
        self._parts.append(part)


class StderrLines:
    """Splits what a server writes to stderr. A line is cut at the limit, so memory stays bounded."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._rest = b""

    def feed(self, data: bytes) -> list[str]:
        *lines, rest = (self._rest + data).split(b"\n")
        self._rest = rest[: self._limit]
        return [text for line in lines if (text := self._text(line))]

    def rest(self) -> list[str]:
        """A last line that never got its newline."""
        text, self._rest = self._text(self._rest), b""
        return [text] if text else []

    def _text(self, line: bytes) -> str:
        return line[: self._limit].decode("utf-8", "replace").rstrip()


def without_newlines(message: bytes) -> bytes:
    """The same JSON without newlines: white space between its tokens, but the end of a message on stdio."""
    if b"\n" in message or b"\r" in message:
        return message.replace(b"\r", b" ").replace(b"\n", b" ")
    return message


def clean_line(message: bytes) -> bytes:
    """A message as it may be passed on: one line of UTF-8."""
    return replace_invalid_utf8(without_newlines(message))


def replace_invalid_utf8(message: bytes) -> bytes:
    """The same, unless it is no UTF-8, as of a server that writes its system's code page: many a host would
    lose its whole connection over it, and with that all other servers."""
    if message.isascii():
        return message
    try:
        message.decode()
    except UnicodeDecodeError:
        return message.decode("utf-8", "replace").encode()
    return message
