"""Split a byte stream into lines, and make messages fit for one line. Pure."""

from __future__ import annotations

_NEWLINE = ord("\n")


class LineTooLong(Exception):
    """A line is longer than the limit."""


class LineBuffer:
    """Split a stream at newlines. The parts of a long line are joined once, at its end."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._parts: list[bytes] = []
        self._size = 0

    def feed(self, data: bytes) -> list[bytes]:
        """Return the lines that `data` completes, without newlines. Raises LineTooLong."""
        if b"\n" not in data:  # part of a long line: split() would copy it
            self._keep(data)
            return []
        if not self._parts and data[-1] == _NEWLINE and len(data) <= self.limit:  # whole lines, nearly always
            return data[:-1].split(b"\n")
        *lines, rest = data.split(b"\n")
        self._keep(lines[0])
        lines[0] = self.rest()
        self._keep(rest)
        return lines

    def rest(self) -> bytes:
        """Return and forget what came after the last newline."""
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
    """Split a server's stderr into text lines, each cut at the limit so that memory stays bounded."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._rest = b""

    def feed(self, data: bytes) -> list[str]:
        *lines, rest = (self._rest + data).split(b"\n")
        self._rest = rest[: self._limit]
        return [text for line in lines if (text := self._text(line))]

    def rest(self) -> list[str]:
        """Return and forget a last line without newline."""
        text, self._rest = self._text(self._rest), b""
        return [text] if text else []

    def _text(self, line: bytes) -> str:
        return line[: self._limit].decode("utf-8", "replace").rstrip()


def without_newlines(message: bytes) -> bytes:
    """Replace newlines in JSON by spaces: between tokens they mean nothing, on stdio they end a message."""
    if b"\n" in message or b"\r" in message:
        return message.replace(b"\r", b" ").replace(b"\n", b" ")
    return message


def clean_line(message: bytes) -> bytes:
    """Make a message one line of valid UTF-8."""
    return replace_invalid_utf8(without_newlines(message))


def replace_invalid_utf8(message: bytes) -> bytes:
    """Replace invalid UTF-8, as written by servers that use the system's code page: many hosts would close
    the whole connection over it, with all other servers."""
    if message.isascii():
        return message
    try:
        message.decode()
    except UnicodeDecodeError:
        return message.decode("utf-8", "replace").encode()
    return message
