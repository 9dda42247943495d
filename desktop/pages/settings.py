"""The Settings page: alerts, appearance, start, history, HTTP, secrets, updates, help.

Shows the settings in force; changes go to SettingsService, which writes config.toml. Autostart, token and log
are requested by signals.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QComboBox, QMenu, QSpinBox, QVBoxLayout, QWidget

from bridge.api import Status, VaultStatus, interruption
from desktop.language import LANGUAGES, label_text
from desktop.lazy.time_slices import SlicedTask, Steps
from desktop.widgets.bidi import isolate
from desktop.widgets.controls import make_button
from desktop.widgets.dialogs import confirm
from desktop.widgets.labels import Tone
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.settings_grid import SettingsGrid, select_value
from desktop.widgets.time_text import format_time

if TYPE_CHECKING:
    from bridge.api import QuestionService, SettingsService

_MINUTE, _HOUR = 60.0, 3600.0
_PATIENCE = (_MINUTE, 2 * _MINUTE, 5 * _MINUTE, 10 * _MINUTE, 30 * _MINUTE, _HOUR, 8 * _HOUR)
_PORT_MOST = 65535


class SettingsPage(QWidget):
    autostart_wanted = Signal(bool)
    token_wanted = Signal()  # copy it
    log_wanted = Signal()
    diagnostics_wanted = Signal()
    about_wanted = Signal()
    shown = Signal()  # autostart may have changed
    grew = Signal()  # its tab stops have changed

    def __init__(
        self, settings: SettingsService, questions: QuestionService, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._service = settings
        self._questions = questions
        self.setObjectName("preferences")
        self._status = Status()
        self._seen: Status | None = None
        self._drawn: dict[QSpinBox, int] = {}
        self._sheet = SettingsGrid()
        self._building = SlicedTask(self)
        self._building.start(self._build())

    def _build(self) -> Steps:
        parts = (self._add_attention, self._add_looks, self._add_start, self._add_history)
        for add in (*parts, self._add_http, self._add_secrets, self._add_updates, self._add_help):
            add()
            yield None
        self._sheet.end()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(FittingScroll(self._sheet, name="scroll"))
        self._redraw()
        self.grew.emit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._redraw()
        self.shown.emit()

    def draw(self, status: Status) -> None:
        """Redraw only while visible: a Status comes with every call."""
        self._status = status
        if self.isVisible():
            self._redraw()

    def _redraw(self) -> None:
        status = self._status
        if status == self._seen or self._building.running:
            return
        self._seen = status
        for key, box in self._checks.items():
            with QSignalBlocker(box):
                box.setChecked(bool(getattr(status.wishes, key)))
        with QSignalBlocker(self._newer):
            self._newer.setChecked(status.updates.check)
        select_value(self._front, status.wishes.front.value)
        select_value(self._language, status.language, status.language)
        select_value(self._theme, status.theme)
        select_value(self._icon, status.icon)
        select_value(self._patience, status.question_timeout, self._for_so_long(status.question_timeout))
        for spin, value in (
            (self._limit, status.questions_per_minute),
            (self._days, round(status.history_days)),
            (self._contents, round(status.contents_days)),
            (self._port, status.endpoint.port),
        ):
            self._show_number(spin, value)
        if not self._where.hasFocus():
            self._where.setText(status.updates.url)
        self._snooze.setVisible(not status.snoozed)
        self._resume.setVisible(status.snoozed)
        self._tell(status)

    def tell_autostart(self, on: bool, problem: str = "") -> None:
        """Show whether autostart is on."""
        self._building.when_done(partial(self._tell_autostart, on, problem))

    def _tell_autostart(self, on: bool, problem: str) -> None:
        with QSignalBlocker(self._autostart):
            self._autostart.setChecked(on)
        self._autostart_problem.show_text(problem)

    def _tell(self, status: Status) -> None:
        """Show what cannot be chosen: notes, address, problems."""
        self._snoozed.show_text(
            self.tr("Snoozed until {time}.").format(time=format_time(status.snoozed_until))
            if status.snoozed and status.snoozed_until
            else self.tr("Snoozed until you resume.")
            if status.snoozed
            else ""
        )
        self._address.show_text(status.address or self.tr("none"))
        self._copy.setEnabled(bool(status.address))
        port = next((problem for problem in status.problems if problem.startswith("Port ")), "")
        self._port_problem.show_text(label_text(port))
        self._renewed.set_tone(Tone.WARNING if status.endpoint.outdated else Tone.MUTED)
        self._renewed.show_text(self._about_token(status))
        self._tell_vault(status.vault)
        self._updates.set_tone(Tone.PLAIN if status.updates.newer else Tone.MUTED)
        self._updates.show_text(self._about_updates(status))
        self._look.setEnabled(status.updates.check and bool(status.updates.url))
        self._about.setText(
            self.tr("About Deskbell {version}…").format(version=status.version).replace(" …", "…")
        )

    def _tell_vault(self, vault: VaultStatus) -> None:
        select_value(self._store, vault.wanted)
        self._store.setEnabled(not vault.moving)
        self._vault.set_tone({"unusable": Tone.ERROR, "asking": Tone.WARNING}.get(vault.state, Tone.MUTED))
        self._vault.show_text(label_text(vault.words()))
        moving = self.tr("Moving them… Your keyring may ask you to unlock it.") if vault.moving else ""
        self._moved.set_tone(Tone.ERROR if vault.refused else Tone.MUTED)
        self._moved.show_text(moving or label_text(vault.refused or vault.moved))

    def _choose_store(self) -> None:
        store = self._store.currentData()
        if store == self._status.vault.wanted:
            return
        if store not in ("memory", "refuse"):
            self._service.choose_vault(store)
            return
        confirm(
            self,
            self.tr("Keep no secrets after this run?") if store == "memory" else self.tr("Keep no secrets?"),
            self.tr(
                "Servers and accounts whose keys are kept now cannot use them any more. What is kept stays "
                "where it is, until you choose that again."
            ),
            self.tr("&Change it"),
            lambda: self._service.choose_vault(store),
            name="vaultBox",
            otherwise=lambda: select_value(self._store, self._status.vault.wanted),
        )

    def _about_token(self, status: Status) -> str:
        door = status.endpoint
        if not door.renewed and not door.outdated:
            return ""
        said = (
            self.tr("The token was replaced at {time}.").format(time=format_time(door.renewed))
            if door.renewed
            else ""
        )
        if not door.outdated:
            return said
        still = self.tr("These files still hold what was before; change it there:")
        return "\n".join(filter(None, (said, still, *map(isolate, door.outdated))))

    def _about_updates(self, status: Status) -> str:
        updates = status.updates
        if not updates.check:
            return ""
        if updates.problem:
            return label_text(updates.problem)
        if updates.newer:
            return self.tr("Deskbell {version} is out. Get it where you got this one.").format(
                version=updates.newer
            )
        if updates.asked:
            return self.tr("This is the newest one, as of {time}.").format(time=format_time(updates.asked))
        return self.tr("It is asked soon, then once a day.")

    # numbers

    def _show_number(self, spin: QSpinBox, value: int) -> None:
        if not spin.hasFocus():  # not while the user edits it
            self._drawn[spin] = value
            spin.setValue(value)  # only `editingFinished` saves

    def _entered(self, spin: QSpinBox, table: str, key: str) -> None:
        """Save a changed number; passing through with Tab must not round half a day to 0."""
        if spin.value() == self._drawn.get(spin):
            return
        if spin is self._days and not spin.value():
            self._ask_before_forgetting()
            return
        self._drawn[spin] = spin.value()
        self._service.change(table, key, spin.value())

    def _for_so_long(self, seconds: float) -> str:
        if seconds in (_MINUTE, _HOUR):
            return self.tr("1 minute") if seconds == _MINUTE else self.tr("1 hour")
        if seconds > _HOUR and not seconds % _HOUR:
            return self.tr("{count} hours").format(count=round(seconds / _HOUR))
        if seconds > _MINUTE and not seconds % _MINUTE:
            return self.tr("{count} minutes").format(count=round(seconds / _MINUTE))
        return self.tr("{count} seconds").format(count=round(seconds))

    # confirmations

    def _ask_before_forgetting(self) -> None:
        confirm(
            self,
            self.tr("Keep no history?"),
            self.tr("What there is will be deleted for good."),
            self.tr("&Delete it"),
            self._forget,
            name="forgetBox",
            otherwise=lambda: self._days.setValue(self._drawn[self._days]),
        )

    def _forget(self) -> None:
        self._drawn[self._days] = 0
        self._service.change("history", "days", 0)

    def _ask_before_renewing(self) -> None:
        confirm(
            self,
            self.tr("Replace the token?"),
            self.tr(
                "AI apps that reach Deskbell by HTTP are turned away until you give them the new one. "
                "Those that start “deskbell” themselves go on."
            ),
            self.tr("&Replace it"),
            self._service.renew_token,
            name="tokenBox",
        )

    # building

    def _add_attention(self) -> None:
        sheet = self._sheet
        sheet.heading("attentionTitle", self.tr("When a question comes"))
        self._checks = {
            key: sheet.check(f"prefer:{key}", words)
            for key, words in (
                ("windows", self.tr("Show question &windows automatically")),
                ("notifications", self.tr("Show a &notification that tells who asks")),
                ("sound", self.tr("Play a &sound")),
                ("do_not_disturb", self.tr("Stay quiet while the desktop is set to do not &disturb")),
            )
        }
        for key, box in self._checks.items():
            box.toggled.connect(lambda on, key=key: self._service.change("desktop", key, on))
        fronts = (
            (self.tr("Never"), interruption.RaiseWindow.NEVER),
            (self.tr("When I'm idle"), interruption.RaiseWindow.IDLE),
            (self.tr("Always"), interruption.RaiseWindow.ALWAYS),
        )
        self._front = sheet.choice(
            "prefer:raise", self.tr("Bring to &front"), [(words, one.value) for words, one in fronts]
        )
        self._chosen(self._front, "desktop", "raise")
        patience = [(self._for_so_long(seconds), seconds) for seconds in _PATIENCE]
        self._patience = sheet.choice(
            "prefer:question_timeout", self.tr("Expire &unanswered questions after"), patience
        )
        self._chosen(self._patience, "", "question_timeout")
        self._limit = sheet.number(
            "prefer:questions_per_minute",
            self.tr("Limit each server to"),
            1000,
            zero=self.tr("No limit"),
            suffix=self.tr(" questions per minute"),
        )
        self._limit.editingFinished.connect(
            lambda: self._entered(self._limit, "desktop", "questions_per_minute")
        )
        self._snooze = make_button("snooze", self.tr("Snoo&ze"), lambda: None)
        self._snooze.setMenu(self._snooze_menu())
        self._resume = make_button("resume", self.tr("&Resume"), self._questions.resume)
        sheet.buttons((self._snooze, self._resume))
        self._snoozed = sheet.note("snoozedNote")

    def _snooze_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setObjectName("snoozeMenu")
        for seconds, words in (
            (1800.0, self.tr("For &30 minutes")),
            (3600.0, self.tr("For &1 hour")),
            (28800.0, self.tr("For &8 hours")),
            (0.0, self.tr("&Until I resume")),
        ):
            entry = menu.addAction(words)
            entry.triggered.connect(lambda _=False, wanted=seconds: self._questions.snooze(wanted))
        return menu

    def _add_looks(self) -> None:
        sheet = self._sheet
        sheet.heading("looksTitle", self.tr("Appearance"))
        languages = [(self.tr("Follow system"), ""), *((name, code) for code, name in LANGUAGES.items())]
        self._language = sheet.choice("prefer:language", self.tr("Lan&guage"), languages)
        self._language.activated.connect(self._speak)
        self._restart = sheet.note("restartNote", tone=Tone.WARNING)
        themes = (
            (self.tr("Follow system"), "system"),
            (self.tr("Light"), "light"),
            (self.tr("Dark"), "dark"),
        )
        self._theme = sheet.choice("prefer:theme", self.tr("&Theme"), themes)
        self._chosen(self._theme, "desktop", "theme")
        icons = (
            (self.tr("In colour"), "colour"),
            (self.tr("Monochrome"), "mono"),
            (self.tr("Monochrome, for a light panel"), "mono-light"),
            (self.tr("Monochrome, for a dark panel"), "mono-dark"),
        )
        self._icon = sheet.choice("prefer:icon", self.tr("Tray &icon"), icons)
        self._chosen(self._icon, "desktop", "icon")

    def _speak(self) -> None:
        self._restart.show_text(self.tr("Deskbell speaks it from its next start on."))
        self._service.change("desktop", "language", self._language.currentData())

    def _add_start(self) -> None:
        self._sheet.heading("startTitle", self.tr("Start"))
        self._autostart = self._sheet.check("autostart", self.tr("St&art Deskbell when I log in"))
        self._autostart.toggled.connect(self.autostart_wanted)
        self._autostart_problem = self._sheet.note("autostartProblem", tone=Tone.ERROR)

    def _add_history(self) -> None:
        self._sheet.heading("historyTitle", self.tr("History"))
        self._days = self._sheet.number(
            "prefer:days",
            self.tr("&Keep it for"),
            3650,
            zero=self.tr("Keep no history"),
            suffix=self.tr(" days"),
            one=self.tr(" day"),
        )
        self._days.editingFinished.connect(lambda: self._entered(self._days, "history", "days"))
        self._contents = self._sheet.number(
            "prefer:contents",
            self.tr("Keep call contents for"),
            3650,
            zero=self.tr("Never keep it"),
            suffix=self.tr(" days"),
            one=self.tr(" day"),
        )
        self._contents.editingFinished.connect(lambda: self._entered(self._contents, "history", "contents"))

    def _add_http(self) -> None:
        sheet = self._sheet
        sheet.heading("httpTitle", self.tr("AI apps that connect by HTTP"))
        self._address = sheet.shown("address", self.tr("Address"))
        self._port = sheet.number("prefer:port", self.tr("&Port"), _PORT_MOST, zero=self.tr("Any free one"))
        self._port.setGroupSeparatorShown(False)
        self._port.editingFinished.connect(lambda: self._entered(self._port, "", "port"))
        self._port_problem = sheet.note("portProblem", tone=Tone.ERROR)
        self._copy = make_button(
            "copyAddress",
            self.tr("&Copy address"),
            lambda: QGuiApplication.clipboard().setText(self._status.address),
        )
        token = make_button("copyToken", self.tr("Cop&y token"), self.token_wanted.emit)
        renew = make_button("renewToken", self.tr("Replace the t&oken…"), self._ask_before_renewing)
        sheet.buttons((self._copy, token, renew))
        self._renewed = sheet.note("tokenNote")

    def _add_secrets(self) -> None:
        self._sheet.heading("secretsTitle", self.tr("Secrets"))
        stores = (
            (self.tr("The keyring; a file where there is none"), "auto"),
            (self.tr("The system's keyring"), "keyring"),
            (self.tr("An encrypted file"), "file"),
            (self.tr("Memory: gone when Deskbell ends"), "memory"),
            (self.tr("Nowhere: refuse them"), "refuse"),
        )
        self._store = self._sheet.choice("vaultStore", self.tr("Store the&m in"), stores)
        self._store.activated.connect(lambda: self._choose_store())
        self._moved = self._sheet.note("vaultMoved")
        self._vault = self._sheet.note("vault")

    def _add_updates(self) -> None:
        sheet = self._sheet
        sheet.heading("updatesTitle", self.tr("Updates"))
        self._newer = sheet.check("prefer:check", self.tr("Check for new &versions daily"))
        self._newer.toggled.connect(lambda on: self._service.change("updates", "check", on))
        self._where = sheet.line("prefer:url", self.tr("Update addr&ess"))
        self._where.setPlaceholderText("https://")
        self._where.editingFinished.connect(self._entered_where)
        self._look = make_button("lookNow", self.tr("Check now"), self._service.check_for_updates)
        sheet.buttons((self._look,))
        self._updates = sheet.note("updatesNote")
        sheet.note(
            "updatesPrivacy",
            self.tr("The request contains nothing about you. Nothing is installed automatically."),
        )

    def _entered_where(self) -> None:
        if self._where.text().strip() != self._status.updates.url:
            self._service.change("updates", "url", self._where.text().strip())

    def _add_help(self) -> None:
        self._sheet.heading("helpTitle", self.tr("Help"))
        self._about = make_button("about", self.tr("About Deskbell…"), self.about_wanted.emit)
        self._sheet.buttons(
            (
                make_button("log", self.tr("S&how the log…"), self.log_wanted.emit),
                make_button("diagnostics", self.tr("Diagnostics…"), self.diagnostics_wanted.emit),
                self._about,
            )
        )

    def _chosen(self, box: QComboBox, table: str, key: str) -> None:
        box.activated.connect(lambda: self._service.change(table, key, box.currentData()))
