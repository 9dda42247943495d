"""Plain-text labels in colours that stay readable in any palette."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QColor, QPalette
from PySide6.QtWidgets import QLabel, QWidget

from desktop.theme.colours import current
from desktop.theme.metrics import scaled_font
from desktop.widgets.text.bidi import strip_isolates
from desktop.widgets.text.safe_text import allow_breaks


class Tone(Enum):
    """The purpose of a text: a field of Colours."""

    PLAIN = "text"
    MUTED = "muted"
    WARNING = "warning"
    ERROR = "error"
    SUCCESS = "success"
    INFO = "info"


def colour_of(tone: Tone) -> QColor:
    """Return the colour of a tone in the windows as they are now."""
    colour: QColor = getattr(current(), tone.value)
    return colour


def announce(widget: QWidget, text: str) -> None:
    """Make a screen reader announce `text`, wherever the focus is."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, strip_isolates(text)))


class Label(QLabel):
    """Plain text that wraps. `scale` is relative to the system's font size.

    `announced`: screen readers announce new text; texts in Tone.ERROR always are. `centred`: keeps the
    alignment it is given.
    """

    centred = False

    def __init__(
        self,
        text: str = "",
        *,
        name: str = "",
        tone: Tone = Tone.PLAIN,
        bold: bool = False,
        scale: float = 1.0,
        selectable: bool = False,
        announced: bool = False,
    ) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setObjectName(name)
        self._selectable = selectable
        self._announced = announced
        if selectable:
            flags = Qt.TextInteractionFlag.TextSelectableByMouse
            self.setTextInteractionFlags(flags | Qt.TextInteractionFlag.TextSelectableByKeyboard)
        if bold or scale != 1.0:
            self.setFont(scaled_font(scale, bold=bold, base=self.font()))
        self._tone = tone
        self._colour()
        self._align()
        self.show_text(text)

    def show_text(self, text: str) -> None:
        """Show `text`, or hide the label if it is empty. Selectable text has no isolates (bidi.py)."""
        words = strip_isolates(text)
        is_new = words != self.accessibleName()
        self.setText(words if self._selectable else allow_breaks(text))
        self.setAccessibleName(words)
        if not text:
            self.hide()
        elif self.isHidden() and self.parentWidget() is not None:
            self.show()
        if text and is_new and (self._announced or self._tone is Tone.ERROR) and self.isVisible():
            announce(self, text)

    def set_tone(self, tone: Tone) -> None:
        self._tone = tone
        self._colour()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.PaletteChange:
            self._colour()
        elif event.type() is QEvent.Type.LayoutDirectionChange:
            self._align()
        super().changeEvent(event)

    def _align(self) -> None:
        """Align by the window's direction, not by each text's, so that a column of labels has one edge."""
        if self.centred:
            return
        side = Qt.AlignmentFlag.AlignRight if self.isRightToLeft() else Qt.AlignmentFlag.AlignLeft
        self.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter)

    def _colour(self) -> None:
        if self._tone is Tone.PLAIN:
            if self.testAttribute(Qt.WidgetAttribute.WA_SetPalette):
                self.setPalette(QPalette())  # the inherited palette
            return
        palette = self.palette()
        wanted = colour_of(self._tone)
        if palette.color(QPalette.ColorRole.WindowText) != wanted:  # setPalette calls changeEvent
            palette.setColor(QPalette.ColorRole.WindowText, wanted)
            self.setPalette(palette)
