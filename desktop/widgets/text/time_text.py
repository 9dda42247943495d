"""Durations and times of day as text, in the system's format."""

from __future__ import annotations

import time

from PySide6.QtCore import QDateTime, QLocale

_HALF_A_DAY = 12 * 3600.0


def format_duration(seconds: float) -> str:
    """Format seconds as 4:05 or 1:04:05."""
    left = max(0, round(seconds))
    hours, rest = divmod(left, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def format_time(moment: float) -> str:
    """Format a Unix time as time of day, with the date unless it is today or within the next 12 hours."""
    when = QDateTime.fromSecsSinceEpoch(round(moment))
    today = time.localtime(moment)[:3] == time.localtime()[:3]
    soon = 0 <= moment - time.time() < _HALF_A_DAY
    short = QLocale.FormatType.ShortFormat
    if today or soon:
        return QLocale().toString(when.time(), short)
    if QLocale().language() is QLocale.Language.C:  # Qt's format would be 14 11 2023
        return when.toString("yyyy-MM-dd HH:mm")
    return QLocale().toString(when, short)
