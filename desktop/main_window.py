"""The main window: the sidebar, the chosen page beside it, and a banner while a question waits.

A page is made when it is first seen, or soon after the window opened, and gets every Status from then on.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from bridge.api import Question, Status
from desktop.language import translated
from desktop.lazy.module_loading import load
from desktop.lazy.time_slices import END_SLICE, SlicedTask, Steps
from desktop.pages.base_page import StatusPage
from desktop.theme.metrics import GRID
from desktop.widgets.controls import preload_clear_button
from desktop.widgets.icons import app_icon
from desktop.widgets.labels import Tone
from desktop.widgets.layouts import column, discard, row, widget_with
from desktop.widgets.message_bar import MessageBar
from desktop.widgets.sidebar import Sidebar
from desktop.widgets.tab_order import set_tab_order, tab_stops
from desktop.widgets.text.bidi import isolate
from desktop.widgets.text.safe_text import one_line, strip_markdown

_LATER = 500  # milliseconds after a page is first shown, until the others are made
_SIZE = QSize(1000, 680)
_SHOW_WAITING = ("home", "questions")  # pages that show waiting questions themselves
_READ = 500  # characters of a message that are read


class MainWindow(QWidget):
    quit_wanted = Signal()
    help_wanted = Signal()
    question_wanted = Signal(str)  # Question id

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("home")
        self.setWindowTitle("Deskbell")
        self.setWindowIcon(app_icon())
        self._makers: dict[str, tuple[str, Callable[[], StatusPage]]] = {}  # page → module, function
        self._pages: dict[str, StatusPage] = {}
        self._coming: dict[str, StatusPage] = {}  # pages that are still being built
        self._slices = SlicedTask(self)
        self._later = QTimer(self, singleShot=True, interval=_LATER)
        self._later.timeout.connect(lambda: self._slices.start(self._build_rest()))
        self._status: Status | None = None
        self._sidebar = Sidebar()
        self._stack = QStackedWidget()
        self._stack.setObjectName("page")
        self._banner: MessageBar | None = None
        self._banner_for = ""  # Question id
        self._sidebar.turned.connect(self._turn)
        self._stack.currentChanged.connect(self._keep_order)
        self._banner_place = column(margins=(3 * GRID, 2 * GRID, 3 * GRID, 0))
        self._banner_box = widget_with(self._banner_place)
        self._banner_box.hide()
        beside = column(self._banner_box, (self._stack, 1), spacing=0)
        self.setLayout(row(self._sidebar, (beside, 1), spacing=0))
        keys = (("Ctrl+W", self.close), ("Ctrl+Q", self.quit_wanted.emit), ("F1", self.help_wanted.emit))
        for key, act in keys:
            QShortcut(QKeySequence(key), self, act)
        self.resize(_SIZE.boundedTo(self.screen().availableSize() * 0.9))
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._guard_focus)

    def add(
        self,
        name: str,
        title: str,
        make: Callable[[], StatusPage],
        module: str = "",
        *,
        symbol: str = "app-window",
        begins: bool = False,
    ) -> None:
        """Add a page at the end of the list. `make` imports `module` and returns the page. `begins`: a group
        of pages begins with it."""
        self._makers[name] = module, make
        self._sidebar.add(name, title, symbol, begins=begins)
        number = len(self._makers)
        QShortcut(QKeySequence(f"Alt+{number}"), self, partial(self._turn_to_place, number - 1))
        if number == 1:
            self._sidebar.turn_to(name)

    def _turn_to_place(self, place: int) -> None:
        """Turn to the page at this place of those that can be seen."""
        names = self._sidebar.names()
        if place < len(names):
            self._sidebar.turn_to(names[place])

    @property
    def pages(self) -> frozenset[str]:
        return frozenset(self._makers)

    def turn_to(self, name: str) -> None:
        self._sidebar.turn_to(name)

    def draw(self, status: Status) -> None:
        self._status = status
        for page in self._pages.values():
            page.draw(status)
        if "questions" in self._makers:
            self._sidebar.show_count("questions", len(status.waiting))
        if "accounts" in self._makers:
            bluesky = status.bluesky
            self._sidebar.set_shown(
                "accounts", bool(bluesky.accounts or bluesky.signing_in or bluesky.chosen)
            )
        self._draw_banner()

    def build(self) -> Steps:
        """Build the chosen page before the window is shown."""
        preload_clear_button()
        yield END_SLICE
        yield from self.make(self._sidebar.current)

    def showEvent(self, event: QShowEvent) -> None:
        self._turn(self._sidebar.current)
        super().showEvent(event)
        self._later.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._later.stop()

    def _build_rest(self) -> Steps:
        """Build the other pages while the first one is shown, so that turning to one is quick."""
        for name in self._makers:
            yield from self.make(name)

    def _turn(self, name: str) -> None:
        """Show a page; build it first if it is not built."""
        self._draw_banner()
        if name and self.isVisible():
            if name in self._pages:
                self._stack.setCurrentWidget(self._pages[name])
            else:
                self._slices.start(self._make_and_turn(name))

    def _make_and_turn(self, name: str) -> Steps:
        yield from self.make(name)
        self._turn(self._sidebar.current)  # another page may be chosen by now
        self._later.start()

    def make(self, name: str) -> Steps:
        """Build a page, or continue a build that has begun."""
        module, make = self._makers[name]
        if module:
            yield from load(module)
        if name not in self._pages:
            if name not in self._coming:
                self._coming[name] = make()
            building = self._coming[name].building
            while building.running:
                yield None
                building.step(blocking=True)
        if name in self._coming:
            self._take(name, self._coming.pop(name))
        yield None

    def page(self, name: str) -> StatusPage:
        """Return a page that is built."""
        return self._pages[name]

    def _take(self, name: str, page: StatusPage) -> None:
        self._pages[name] = page
        page.grew.connect(self._keep_order)
        if self._status is not None:
            page.draw(self._status)
        self._stack.addWidget(page)

    def _keep_order(self) -> None:
        """Set the tab order: the sidebar, the banner, the page."""
        page = self._stack.currentWidget()
        if page is not None:
            set_tab_order(self._sidebar.list, self._banner_box, tab_stops(page))

    def _guard_focus(self, before: QWidget | None, now: QWidget | None) -> None:
        """Give the focus to the page if the control that had it went away: the next one may delete something,
        and the person may be about to press a key."""
        page = self._stack.currentWidget()
        if before is None or now is None or page is None or now is page:
            return
        left_alone = before.isVisible() and before.isEnabled()
        if not left_alone and page.isAncestorOf(before) and not before.isAncestorOf(now):
            QTimer.singleShot(0, page, partial(self._move_focus, page, now))

    def _move_focus(self, page: QWidget, at: QWidget) -> None:
        """Move the focus from `at`, unless a page has moved it on its own."""
        if QApplication.focusWidget() is at and at.property("kind") != "primary":
            page.setFocus()

    # the banner

    def _draw_banner(self) -> None:
        """Show the oldest waiting Question, on pages that do not."""
        waiting = self._status.waiting if self._status is not None else ()
        hidden = self._sidebar.current in _SHOW_WAITING or (self._status and self._status.snoozed)
        question = waiting[0] if waiting and not hidden else None
        if (question.id if question else "") == self._banner_for:
            return
        self._banner_for = question.id if question else ""
        if self._banner is not None:
            discard(self._banner)
            self._banner = None
        if question is not None:
            self._banner = self._make_banner(question)
            self._banner_place.addWidget(self._banner)
        self._banner_box.setVisible(question is not None)
        self._keep_order()

    def _make_banner(self, question: Question) -> MessageBar:
        message = one_line(strip_markdown(translated(question.message)[:_READ]), 100)
        server = isolate(one_line(question.server, 40))
        words = self.tr("{server} is asking: {question}").format(server=server, question=isolate(message))
        if not message:
            words = self.tr("{server} is waiting for your answer.").format(server=server)
        answer = partial(self.question_wanted.emit, question.id)
        return MessageBar("waitingBanner", words, (("answer", self.tr("Answer"), answer),), Tone.INFO)
