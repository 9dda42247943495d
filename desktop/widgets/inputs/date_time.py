"""Inputs for a date and for a date with time, typed or picked from a calendar.

A date-time has a time zone; its offset is the zone's at that time. The value is RFC 3339 and is shown below
the input. Line edits, not Qt's date edits: those cannot be blank.
"""

from __future__ import annotations

import re
from functools import cache

from PySide6.QtCore import QByteArray, QDate, QDateTime, QLocale, QPoint, Qt, QTime, QTimeZone
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QCalendarWidget, QComboBox, QCompleter, QFrame, QLineEdit

from bridge.api import schema
from desktop.theme.symbols import symbol
from desktop.widgets.controls import (
    add_hidden_label,
    make_choice,
    make_clearable,
    make_line,
    make_tool_button,
)
from desktop.widgets.inputs.base import Input, entered_text
from desktop.widgets.labels import Label, Tone, colour_of
from desktop.widgets.layouts import column, row
from desktop.widgets.panel import Panel

_TIME_WIDTH = 12  # average characters
_ISO = "yyyy-MM-dd"
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d(?:\.\d+)?)([Zz]|[+-]\d\d:\d\d)")
_TIME = re.compile(r"(\d?\d):(\d\d)(?::(\d\d)(\.\d+)?)?")
_OFFSET = re.compile(r"[+-]\d\d:\d\d")
_STEPS = {
    Qt.Key.Key_Up: (1, 0),
    Qt.Key.Key_Down: (-1, 0),
    Qt.Key.Key_PageUp: (0, 1),
    Qt.Key.Key_PageDown: (0, -1),
}
_Transition = QDateTime.TransitionResolution


class DateLine(QFrame):
    """A line for a date as YYYY-MM-DD, and a calendar. Up and Down change the day, PgUp, PgDn the month."""

    def __init__(self, name: str, title: str, text: str) -> None:
        super().__init__()
        self.line = QLineEdit(text)
        self.line.setPlaceholderText(self.tr("YYYY-MM-DD"))
        make_clearable(self.line, f"clear:{name}", self.tr("Clear {field}").format(field=title))
        metrics = self.line.fontMetrics()
        self.line.setMinimumWidth(metrics.horizontalAdvance("0000-00-00") + 3 * metrics.height())
        spoken = self.tr("Calendar for {field}").format(field=title)
        button = make_tool_button(f"calendar:{name}", "", spoken, self._open)
        button.setIcon(symbol("calendar"))
        button.setToolTip(self.tr("Calendar"))
        self.setLayout(row((self.line, 1), button, spacing=4))

    def step(self, key: int) -> bool:
        """Change the date by a key of _STEPS; False for other keys."""
        if key not in _STEPS:
            return False
        days, months = _STEPS[Qt.Key(key)]
        known = QDate.fromString(self.line.text().strip(), _ISO)
        stepped = known.addDays(days).addMonths(months) if known.isValid() else QDate.currentDate()
        self._take(stepped)
        return True

    def _take(self, day: QDate) -> None:
        self.line.selectAll()
        self.line.insert(day.toString(_ISO))  # as if typed: it can be undone

    def _open(self) -> None:
        popup = Panel(self)
        popup.setWindowFlags(Qt.WindowType.Popup)
        popup.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        popup.setObjectName("calendarPopup")
        QShortcut(QKeySequence(Qt.Key.Key_Escape), popup, popup.close)
        calendar = QCalendarWidget()
        calendar.setObjectName("calendar")
        calendar.setFirstDayOfWeek(QLocale.system().firstDayOfWeek())
        known = QDate.fromString(self.line.text().strip(), _ISO)
        calendar.setSelectedDate(known if known.isValid() else QDate.currentDate())
        popup.setLayout(column(calendar, margins=(2, 2, 2, 2)))
        weekend = calendar.weekdayTextFormat(Qt.DayOfWeek.Sunday)
        weekend.setForeground(colour_of(Tone.ERROR))  # Qt's red is hard to read
        for day in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):
            calendar.setWeekdayTextFormat(day, weekend)

        def take(day: QDate) -> None:
            self._take(day)
            popup.close()
            self.line.setFocus()

        calendar.clicked.connect(take)
        calendar.activated.connect(take)
        popup.adjustSize()
        start = self.width() - popup.width() if self.isRightToLeft() else 0
        corner = self.mapToGlobal(QPoint(start, self.height()))
        room = self.screen().availableGeometry()
        left = max(room.left(), min(corner.x(), room.right() - popup.width()))
        fits = corner.y() + popup.height() <= room.bottom()
        top = corner.y() if fits else self.mapToGlobal(QPoint(0, 0)).y() - popup.height()
        popup.move(left, top)
        popup.show()
        calendar.setFocus()


class DateInput(Input):
    def __init__(self, field: schema.Field) -> None:
        super().__init__(field)
        self._day = DateLine(field.name, self.title, entered_text(field.initial))
        self.setLayout(column(self._day, spacing=4))
        self._day.line.installEventFilter(self)
        self._day.line.textChanged.connect(self.changed)
        self.set_main_widget(self._day.line)

    def entered(self) -> schema.Entered:
        return self._day.line.text()

    def enter(self, entered: schema.Entered) -> None:
        self._day.line.setText(entered_text(entered))

    def takes_key(self, event: QKeyEvent) -> bool:
        return self._day.step(event.key()) or super().takes_key(event)


class DateTimeInput(Input):
    """Date, time and zone, with the resulting value below."""

    def __init__(self, field: schema.Field) -> None:
        super().__init__(field)
        day, time, zone = _parts(entered_text(field.initial))
        self._day = DateLine(field.name, self.title, day)
        self._time = self._make_time(time)
        self._zone = self._make_zone(zone)
        self._value_label = Label("", name=f"moment:{field.name}", tone=Tone.MUTED)
        parts = row((self._day, 3), (self._time, 1), (self._zone, 3), spacing=6)
        self.setLayout(column(parts, self._value_label, spacing=4))
        add_hidden_label(self._zone)
        self.set_main_widget(self._day.line)
        self._day.line.installEventFilter(self)
        for line in (self._day.line, self._time, self._zone.lineEdit()):
            if line is not None:
                line.textChanged.connect(self._change)
        self._show_value()

    def entered(self) -> schema.Entered:
        day, time = self._day.line.text().strip(), self._time.text().strip()
        if not day and not time:
            return ""
        return f"{day}T{_with_seconds(time)}{self._offset()}"

    def enter(self, entered: schema.Entered) -> None:
        day, time, zone = _parts(entered_text(entered))
        self._day.line.setText(day)
        self._time.setText(time)
        if zone:
            self._zone.setCurrentText(zone)

    def explain(self, reason: str) -> str:
        """Name the part that is missing or wrong: the user does not see the RFC 3339 form."""
        day, time = self._day.line.text().strip(), self._time.text().strip()
        if not reason or not (day or time):
            return reason
        if not day:
            return self.tr("The day is missing. Choose one, or write it such as 2026-03-31.")
        if not QDate.fromString(day, _ISO).isValid():
            return self.tr("There is no day {day}. Write it such as 2026-03-31.").format(day=day)
        if not time:
            return self.tr("The time is missing. Write it such as 14:30.")
        if not _time(time).isValid():
            return self.tr("There is no time {time}. Write it such as 14:30.").format(time=time)
        if self._offsets():
            return reason
        return self.tr("There is no such moment: choose another time or time zone.")

    def takes_key(self, event: QKeyEvent) -> bool:
        if self._day.line.hasFocus() and self._day.step(event.key()):
            return True
        return super().takes_key(event)

    def _make_time(self, text: str) -> QLineEdit:
        title = self.tr("Time for {field}").format(field=self.title)
        line = make_line(f"time:{self.field.name}", title, text, placeholder=self.tr("hh:mm"))
        line.setMinimumWidth(line.fontMetrics().averageCharWidth() * _TIME_WIDTH)
        line.installEventFilter(self)
        return line

    def _make_zone(self, text: str) -> QComboBox:
        here = bytes(QTimeZone.systemTimeZoneId().data()).decode().removeprefix("Etc/") or "UTC"
        title = self.tr("Time zone for {field}").format(field=self.title)
        box = make_choice(f"zone:{self.field.name}", title)
        box.setEditable(True)
        box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(14)
        box.setMaxVisibleItems(14)
        box.addItems(list(dict.fromkeys(filter(None, (text, here, "UTC", *time_zones())))))
        box.setCurrentIndex(0)
        names = QCompleter(box.model(), box)
        names.setFilterMode(Qt.MatchFlag.MatchContains)
        names.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        box.setCompleter(names)
        box.setToolTip(self.tr("A time zone, such as Europe/Berlin, or an offset, such as +02:00"))
        line = box.lineEdit()
        if line is not None:
            line.setObjectName(f"zoneName:{self.field.name}")
            line.setAccessibleName(title)
            line.installEventFilter(self)
        return box

    def _offset(self) -> str:
        """Return the UTC offset in the chosen zone at the entered time; "" if there is none."""
        offsets = self._offsets()
        return offsets[0] if offsets else ""

    def _offsets(self) -> list[str]:
        """Return the possible offsets: none for a skipped time or unknown zone, two for a repeated one."""
        zone = self._zone.currentText().strip()
        if zone.upper() in ("UTC", "Z"):
            return ["Z"]
        if _OFFSET.fullmatch(zone):
            return [zone]
        day = QDate.fromString(self._day.line.text().strip(), _ISO)
        time = _time(self._time.text().strip())
        known = _zone(zone)
        if not known.isValid() or not day.isValid() or not time.isValid():
            return []
        if not QDateTime(day, time, known, _Transition.Reject).isValid():
            before = QDateTime(day, time, known, _Transition.PreferBefore)
            after = QDateTime(day, time, known, _Transition.PreferAfter)
            if before.time() != time or after.time() != time:
                return []
            return [_format_offset(before.offsetFromUtc()), _format_offset(after.offsetFromUtc())]
        return [_format_offset(QDateTime(day, time, known).offsetFromUtc())]

    def _change(self) -> None:
        self._show_value()
        self.changed.emit()

    def _show_value(self) -> None:
        self._value_label.show_text(self._in_words())

    def _in_words(self) -> str:
        entered = str(self.entered())
        day_known = QDate.fromString(self._day.line.text().strip(), _ISO).isValid()
        if not entered or not day_known or not _time(self._time.text().strip()).isValid():
            return ""
        offsets = self._offsets()
        zone = self._zone.currentText().strip()
        if not offsets and not _zone(zone).isValid():
            return self.tr("There is no time zone {zone}.").format(zone=zone)
        if not offsets:
            return self.tr("Clocks in {zone} skip this time on that day.").format(zone=zone)
        if len(offsets) == 2:
            return self.tr(
                "{moment}. Clocks in {zone} show this time twice that day; for the second, choose {offset}."
            ).format(moment=entered, zone=zone, offset=offsets[1])
        return entered


@cache
def time_zones() -> tuple[str, ...]:
    """Return the time zones named after a place, without legacy names."""
    known = (bytes(name.data()).decode() for name in QTimeZone.availableTimeZoneIds())
    return tuple(
        name for name in known if "/" in name and not name.startswith(("Etc/", "SystemV/", "posix/"))
    )


def _zone(name: str) -> QTimeZone:
    """Return a zone by name, ignoring case."""
    known = next((zone for zone in time_zones() if zone.casefold() == name.casefold()), name)
    return QTimeZone(QByteArray(known.encode()))


def _parts(moment: str) -> tuple[str, str, str]:
    found = _MOMENT.fullmatch(moment)
    return (found[1], found[2], found[3].upper().replace("Z", "UTC")) if found else (moment, "", "")


def _time(text: str) -> QTime:
    found = _TIME.fullmatch(text)
    if found is None:
        return QTime()
    return QTime(int(found[1]), int(found[2]), min(int(found[3] or 0), 59))  # a leap second is :60


def _with_seconds(text: str) -> str:
    """Turn 9:30 into 09:30:00; other text stays as it is."""
    found = _TIME.fullmatch(text)
    if found is None:
        return text
    return f"{found[1]:0>2}:{found[2]}:{found[3] or '00'}{found[4] or ''}"


def _format_offset(seconds: int) -> str:
    sign = "-" if seconds < 0 else "+"
    hours, rest = divmod(abs(seconds) // 60, 60)
    return f"{sign}{hours:02}:{rest:02}"
