"""Read the images of a post; their type and size come from their bytes. Other files are refused."""

from __future__ import annotations

import base64
import binascii
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from struct import unpack
from typing import Annotated

from msgspec import Struct

from bridge.tools.base import BadArguments
from bridge.tools.bluesky.text.quoting import clean
from bridge.tools.signature import described

MAX_IMAGES = 4
MAX_BYTES = 1_000_000  # of one image; limit of app.bsky.embed.images
_MAX_ALT = 2000  # characters
_ALT = "What is to be seen, for those who cannot see it."


class ImageArgument(Struct, frozen=True, forbid_unknown_fields=True):
    """An image as a caller gives it: as a file, or as data."""

    alt: Annotated[str, described(_ALT, min_length=1, max_length=_MAX_ALT)]
    path: Annotated[str, described("A PNG, JPEG, GIF or WebP file on this computer.")] = ""
    data: Annotated[str, described("Instead of a path: the file as base64 or a data: URI.")] = ""


@dataclass(frozen=True, slots=True)
class Image:
    name: str
    alt: str
    mime: str
    data: bytes
    size: tuple[int, int]

    def embed(self, blob: object) -> dict[str, object]:
        width, height = self.size
        ratio = {"aspectRatio": {"width": width, "height": height}} if width and height else {}
        return {"alt": self.alt, "image": blob, **ratio}


def load(argument: ImageArgument, number: int) -> Image:
    """Read an image. Blocks."""
    if bool(argument.path) == bool(argument.data):
        raise BadArguments(f"⚠️ Image {number} needs either `path` or `data`.")
    name = Path(argument.path).name if argument.path else f"image {number}"
    data = _read_file(argument.path) if argument.path else _decode(argument.data, number)
    if len(data) > MAX_BYTES:
        raise BadArguments(
            f"⚠️ {name} is too large: {len(data):,} bytes; Bluesky takes {MAX_BYTES:,}. Scale it down."
        )
    mime = mime_type(data)
    if not mime:
        raise BadArguments(f"⚠️ {name} is not a picture Bluesky takes: use PNG, JPEG, GIF or WebP.")
    return Image(name, clean(argument.alt), mime, data, measure(data, mime))


def _read_file(path: str) -> bytes:
    place = Path(path).expanduser()
    if not place.is_absolute():
        raise BadArguments(f"⚠️ {path[:200]!r} must be an absolute path.")
    try:
        handle = os.open(place, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))  # opening a pipe would block
        with open(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise BadArguments(f"⚠️ {path[:200]!r} is not a file.")
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise BadArguments(f"⚠️ {path[:200]!r} cannot be read: {error.strerror}.") from error


def _decode(data: str, number: int) -> bytes:
    text = data.partition(",")[2] if data.startswith("data:") else data
    if len(text) > MAX_BYTES * 2:
        raise BadArguments(
            f"⚠️ Image {number} is too large: Bluesky takes {MAX_BYTES:,} bytes. Scale it down."
        )
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadArguments(f"⚠️ The data of image {number} is not base64.") from error


def mime_type(data: bytes) -> str:
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    return "image/webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else ""


def measure(data: bytes, mime: str) -> tuple[int, int]:
    """Return width and height; zeros if unknown."""
    if mime == "image/png" and len(data) >= 24:
        return unpack(">II", data[16:24])
    if mime == "image/gif" and len(data) >= 10:
        return unpack("<HH", data[6:10])
    return _jpeg_size(data) if mime == "image/jpeg" else (0, 0)


def _jpeg_size(data: bytes) -> tuple[int, int]:
    """Read the size from the frame header (ITU T.81, B.2.2)."""
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = unpack(">HH", data[at + 5 : at + 9])
            return width, height
        at += 2 + length
    return 0, 0
