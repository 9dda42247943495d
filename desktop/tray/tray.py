"""The tray icon with count, tooltip and menu. Drawn from Status.

A StatusNotifier tray reports geometry (0,0,0,0): nothing is placed by it.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from bridge.api import Status, app_of
from desktop.language import translated
from desktop.lazy.time_slices import SlicedTask, Steps
from desktop.tray.availability import may_look
from desktop.widgets.icons import TrayState, draw_tray_icon, tray_variant
from desktop.widgets.snooze_menu import fill_snooze_menu
from desktop.widgets.text.safe_text import escape_mnemonic, one_line
from desktop.widgets.text.time_text import format_time

RETRY = 3000  # milliseconds between two searches for a tray


def tray_state(status: Status) -> TrayState:
    if status.snoozed:
        return TrayState.SNOOZED
    if status.waiting:
        return TrayState.WAITING
    failed = any(server.state in ("failed", "back-off") for server in status.servers)
    return TrayState.PROBLEM if status.problems or failed else TrayState.IDLE


def _signed_out(status: Status) -> list[str]:
    """Return the handles of accounts whose sign-in has expired."""
    return [account.handle for account in status.bluesky.accounts if account.problem]


class Tray(QObject):
    """`found`: the desktop has a tray, and the icon is in it."""

    next_wanted = Signal()
    window_wanted = Signal()
    page_wanted = Signal(str)
    snooze_wanted = Signal(float)  # seconds; 0: until resumed
    resume_wanted = Signal()
    quit_wanted = Signal()
    found = Signal()
    balloon_clicked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._status = Status()
        self._shown: tuple[TrayState, int, str] | None = None
        self._drawing = SlicedTask(self)
        self._icon: QSystemTrayIcon | None = None  # None: Qt must not search yet
        self._menu = QMenu()  # from the start: GNOME hides an icon without one
        self._menu.setObjectName("trayMenu")
        self._pages: dict[str, QAction] = {}
        self._line = self._menu.addAction("")
        self._line.setEnabled(False)
        self._menu.addSeparator()
        self._next = self._menu.addAction("", self.next_wanted.emit)
        self._menu.addAction(self.tr("&Open Deskbell"), self.window_wanted.emit)
        self._menu.addSeparator()
        for name, words in (
            ("hosts", ""),
            ("servers", ""),
            ("activity", self.tr("Ac&tivity…")),
            ("accounts", self.tr("&Bluesky…")),
        ):
            self._add_page(name, words)
        self._menu.addSeparator()
        self._snooze = self._menu.addMenu(self.tr("S&nooze"))
        self._resume = self._menu.addAction(self.tr("&Resume"), self.resume_wanted.emit)
        fill_snooze_menu(self._snooze, self.snooze_wanted.emit)
        self._add_page("preferences", self.tr("S&ettings…"))
        self._menu.addSeparator()
        self._menu.addAction(self.tr("&Quit"), self.quit_wanted.emit)
        self._menu.aboutToShow.connect(self._draw_menu)
        self._clicked = QTimer(
            self, singleShot=True, interval=QGuiApplication.styleHints().mouseDoubleClickInterval()
        )
        self._retry = QTimer(self)
        self._retry.timeout.connect(self.look)
        self._make_icon()
        self.draw(self._status)

    def _make_icon(self) -> None:
        if self._icon is None and may_look():
            icon = self._icon = QSystemTrayIcon(self)
            icon.activated.connect(self._activated)
            icon.messageClicked.connect(self.balloon_clicked)
            icon.setContextMenu(self._menu)

    def look(self) -> bool:
        """Put the icon into the tray; without a tray, retry every few seconds and return False."""
        self._make_icon()
        if self._icon is None or not QSystemTrayIcon.isSystemTrayAvailable():
            self._retry.start(RETRY)
            return False
        self._retry.stop()
        self.draw_icon()
        self._icon.show()
        self.found.emit()
        return True

    @property
    def there(self) -> bool:
        return self._icon is not None and self._icon.isVisible()

    def draw(self, status: Status) -> None:
        done = status.bluesky.done
        if done and done != self._status.bluesky.done:
            self.balloon("Deskbell", one_line(done, 200))
        known = _signed_out(self._status)
        for handle in (handle for handle in _signed_out(status) if handle not in known):
            again = self.tr("Please sign in to Bluesky again as {account}.")
            self.balloon("Deskbell", again.format(account=one_line(f"@{handle}", 100)))
        self._status = status
        self.draw_icon()
        if not self._menu.isVisible():
            self._draw_menu()  # some trays fetch the menu once, then follow changes only

    def hide(self) -> None:
        self._retry.stop()
        self._clicked.stop()
        if self._icon is not None:
            self._icon.hide()

    def balloon(self, title: str, text: str) -> None:
        """Show a balloon, where there is no notification daemon."""
        if self._icon is not None and self._icon.isVisible():
            self._icon.showMessage(title, text, self._icon.icon())

    def draw_icon(self) -> None:
        """Draw icon and tooltip; also called when the palette has changed."""
        if self._icon is None:
            return
        self._icon.setToolTip(f"Deskbell\n{self._sentence()}")
        look = tray_state(self._status), len(self._status.waiting), tray_variant(self._status.icon)
        if look != self._shown:
            is_first, self._shown = self._shown is None, look
            self._drawing.start(self._draw_steps(*look))
            if is_first:  # no tray accepts an icon without a picture
                self._drawing.finish()

    def _draw_steps(self, state: TrayState, count: int, variant: str) -> Steps:
        icon = yield from draw_tray_icon(state, count, variant)
        if self._icon is not None:
            self._icon.setIcon(icon)

    def _add_page(self, name: str, words: str) -> None:
        entry = self._pages[name] = self._menu.addAction(words)
        entry.setObjectName(f"tray:{name}")
        entry.triggered.connect(lambda: self.page_wanted.emit(name))

    def _draw_menu(self) -> None:
        waiting = len(self._status.waiting)
        self._line.setText(escape_mnemonic(self._sentence()))
        label = self.tr("&Answer next question")
        self._next.setText(f"{label} ({waiting})" if waiting else label)
        self._next.setEnabled(waiting > 0)
        self._pages["hosts"].setText(self._apps())
        self._pages["servers"].setText(self._servers())
        bluesky = self._status.bluesky
        self._pages["accounts"].setVisible(bool(bluesky.accounts or bluesky.signing_in or bluesky.chosen))
        self._snooze.menuAction().setVisible(not self._status.snoozed)
        self._resume.setVisible(self._status.snoozed)

    def _apps(self) -> str:
        names = tuple(dict.fromkeys(app_of(host.name).name for host in self._status.apps))
        if not names:
            return self.tr("AI a&pps…")
        shown = names[0] if len(names) == 1 else self.tr("{count} connected").format(count=len(names))
        return self.tr("AI a&pps: {state}").format(state=escape_mnemonic(one_line(shown, 40)))

    def _servers(self) -> str:
        states = [server.state for server in self._status.servers if server.kind != "built-in"]
        failed, running = sum(one in ("failed", "back-off") for one in states), states.count("ready")
        if failed:
            return self.tr("&Servers: {count} failed").format(count=failed)
        if running:
            return self.tr("&Servers: {count} running").format(count=running)
        return self.tr("&Servers…")

    def _sentence(self) -> str:
        status = self._status
        if status.snoozed:
            return self._snoozed(status)
        for flood in status.floods:
            return self.tr("{server} is asking a lot").format(server=one_line(flood.server, 40))
        if status.waiting:
            return self.tr("Questions waiting: {count}").format(count=len(status.waiting))
        if status.problems:
            return one_line(translated(status.problems[0]))
        for server in status.servers:
            if server.state in ("failed", "back-off"):
                return self.tr("{server} has failed").format(server=one_line(server.name, 40))
        if not status.version:
            return self.tr("Starting…")
        if not status.apps:
            return self.tr("Ready · no apps connected")
        names = tuple(dict.fromkeys(one_line(app_of(host.name).name, 30) for host in status.apps))
        return self.tr("Ready · {names}").format(names=", ".join(names))

    def _snoozed(self, status: Status) -> str:
        until, snoozed = status.snoozed_until, self.tr("Snoozed")
        if until:
            snoozed = self.tr("Snoozed until {time}").format(time=format_time(until))
        waiting = self.tr("Questions waiting: {count}").format(count=len(status.waiting))
        return f"{snoozed}. {waiting}" if status.waiting else snoozed

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        """Open the waiting question, else the window, on a click; the window on a middle click.

        Where a tray reports double clicks, it reports a click before.
        """
        why = QSystemTrayIcon.ActivationReason
        if reason is why.Trigger:
            self._clicked.start()
        elif reason is why.DoubleClick and self._clicked.isActive():
            return
        if reason is why.MiddleClick or (
            reason in (why.Trigger, why.DoubleClick) and not self._status.waiting
        ):
            self.window_wanted.emit()
        elif reason in (why.Trigger, why.DoubleClick):
            self.next_wanted.emit()
