"""Draw the app icon, and the tray icon with the count of waiting questions."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from enum import StrEnum
from functools import cache

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QIcon, QPainter, QPixmap

from desktop.theme.colours import is_dark
from desktop.theme.resources import resource

_SIZES = (16, 22, 24, 32, 44, 48, 64, 128)  # pixels; trays use them at 100 and 200 %
_MANY = 100  # from here on the badge reads 99+
_KEPT = 24  # icons in the cache
_BADGE = QColor("#c01c28")
_QUIET_BADGE = QColor("#6e6e73")  # while snoozed
_DARK_PANELS = frozenset({"GNOME", "Unity", "Pantheon"})
_MONO = ("mono-light", "mono-dark")
_INK = {"light": QColor("#2e3440"), "dark": QColor("#f2f2f2")}  # monochrome, by panel
_EDGE = {"light": QColor("#ffffff"), "dark": QColor("#1e1e1e")}
_EDGE_STRENGTH = 0.75


class TrayState(StrEnum):
    IDLE = "idle"
    WAITING = "waiting"
    PROBLEM = "problem"
    SNOOZED = "snoozed"


_drawn: dict[tuple[TrayState, int, str], QIcon] = {}


@cache
def app_icon() -> QIcon:
    return QIcon(resource("icons/deskbell.svg"))


def tray_variant(wanted: str = "colour") -> str:
    """Return the icon variant for this desktop and the `icon` setting.

    macOS colours a mask itself. Elsewhere the panel is assumed to follow the system's colours, except on
    desktops whose panel is always dark.
    """
    if sys.platform == "darwin":
        return "mono"
    if wanted in _MONO:
        return wanted
    desktop = os.environ.get("XDG_CURRENT_DESKTOP", "").split(":")
    is_dark_panel = is_dark(QGuiApplication.palette()) or not _DARK_PANELS.isdisjoint(desktop)
    panel = "dark" if is_dark_panel else "light"
    return f"mono-{panel}" if wanted == "mono" else panel


def draw_tray_icon(state: TrayState, count: int, variant: str) -> Generator[None, None, QIcon]:
    """Draw the tray icon in steps, one size each; the first time takes as long as a window."""
    look = state, min(count, _MANY), variant
    if look not in _drawn:
        icon = QIcon()
        for size in _SIZES:
            icon.addPixmap(_tray_pixmap(*look, size))
            yield
        icon.setIsMask(variant == "mono")
        _drawn[look] = icon
        if len(_drawn) > _KEPT:
            del _drawn[next(iter(_drawn))]
    return _drawn[look]


def _tray_pixmap(state: TrayState, count: int, variant: str, size: int) -> QPixmap:
    look, _, panel = variant.partition("-")
    pixmap = QPixmap(_plain(f"icons/tray-{state}-{look}.svg", size))
    if count:
        _paint_badge(pixmap, count, mask=look == "mono", quiet=state is TrayState.SNOOZED)
    return _inked(pixmap, panel) if panel else pixmap


@cache
def _plain(name: str, size: int) -> QPixmap:
    """Return the icon without a count."""
    return QIcon(resource(name)).pixmap(QSize(size, size), 1.0)


def _inked(pixmap: QPixmap, panel: str) -> QPixmap:
    """Colour the icon for a light or dark panel, with an outline in the panel's colour.

    Whether a panel is dark can only be guessed: on the other kind the outline is what is seen.
    """
    ink, edge = _tinted(pixmap, _INK[panel]), _tinted(pixmap, _EDGE[panel])
    drawn = QPixmap(pixmap.size())
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    painter.setOpacity(_EDGE_STRENGTH)
    far = max(1, round(pixmap.width() / 22))
    for x, y in ((-far, 0), (far, 0), (0, -far), (0, far)):
        painter.drawPixmap(x, y, edge)
    painter.setOpacity(1.0)
    painter.drawPixmap(0, 0, ink)
    painter.end()
    return drawn


def _tinted(pixmap: QPixmap, colour: QColor) -> QPixmap:
    tinted = QPixmap(pixmap)
    painter = QPainter(tinted)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(tinted.rect(), colour)
    painter.end()
    return tinted


def _paint_badge(pixmap: QPixmap, count: int, *, mask: bool, quiet: bool) -> None:
    text = str(count) if count < _MANY else f"{_MANY - 1}+"
    size = pixmap.width()
    height = max(10.0, size * 0.56)
    width = min(size, height * (1.0, 1.5, 1.8)[len(text) - 1])
    box = QRectF(size - width, size - height, width, height)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    gap = max(1.0, size / 20)  # between badge and bell
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationOut)
    painter.setBrush(Qt.GlobalColor.black)
    painter.drawRoundedRect(box.adjusted(-gap, -gap, gap, gap), height / 2 + gap, height / 2 + gap)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
    painter.setBrush(Qt.GlobalColor.black if mask else _QUIET_BADGE if quiet else _BADGE)
    painter.drawRoundedRect(box, height / 2, height / 2)
    font = QFont(QGuiApplication.font())
    font.setBold(True)
    font.setPixelSize(int(height * (0.82, 0.76, 0.66)[len(text) - 1]))
    painter.setFont(font)
    if mask:  # the digit is a hole
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationOut)
    painter.setPen(Qt.GlobalColor.white)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
    painter.end()
