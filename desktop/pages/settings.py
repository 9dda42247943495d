"""The Settings page: alerts, appearance, start, history, help; HTTP, keys and updates behind *Advanced*.

Shows the settings in force; changes go to SettingsService, which writes config.toml. Autostart, token and log
are requested by signals.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import attrgetter

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from bridge.api import Services, Status, VaultStatus, interruption
from desktop.language import LANGUAGES, label_text
from desktop.lazy.time_slices import SlicedTask, Steps
from desktop.pages.base_page import StatusPage
from desktop.theme.metrics import GRID
from desktop.widgets.controls import Disclosure, make_button
from desktop.widgets.dialogs import confirm
from desktop.widgets.inputs.shortcut import KeysField
from desktop.widgets.labels import Tone
from desktop.widgets.layouts import NO_MARGINS, PAGE, column, widget_with
from desktop.widgets.page_head import PageHead
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.settings_grid import NumberField, SettingsGrid, select_value, set_checked
from desktop.widgets.snooze_menu import fill_snooze_menu
from desktop.widgets.text.bidi import isolate
from desktop.widgets.text.time_text import format_time

_MINUTE, _HOUR = 60.0, 3600.0
_PATIENCE = (_MINUTE, 2 * _MINUTE, 5 * _MINUTE, 10 * _MINUTE, 30 * _MINUTE, _HOUR, 8 * _HOUR)
_PORT_MOST = 65535
_SHEET = (0, 0, 0, PAGE[3])


class SettingsPage(StatusPage):
    autostart_wanted = Signal(bool)
    token_wanted = Signal()  # copy it
    window_wanted = Signal(str)  # log, diagnostics or about

    def __init__(self, services: Services) -> None:
        super().__init__("preferences")
        self._service = services.settings
        self._questions = services.questions
        self._seen: Status | None = None
        self._sheet = self._plain = SettingsGrid(NO_MARGINS)
        self._advanced = SettingsGrid((0, GRID, 0, 0))
        self._building = SlicedTask(self)
        self._building.start(self._build())

    def _build(self) -> Steps:
        for add in (self._add_attention, self._add_looks, self._add_start, self._add_history, self._add_help):
            add()
            yield None
        self._sheet = self._advanced
        for add in (self._add_more, self._add_http, self._add_keys, self._add_updates):
            add()
            yield None
        self._more = Disclosure(
            self.tr("Advanced"), self.tr("Settings that few people need"), name="advanced"
        )
        self._more.toggled.connect(self._turn)
        self._advanced.hide()
        content = widget_with(
            column(self._plain, self._more, self._advanced, 1, margins=_SHEET, spacing=GRID)
        )
        head = PageHead(self.tr("Settings"), self.tr("Changes apply at once."))
        scroll = FittingScroll(content, name="scroll")
        self.setLayout(column(head, (scroll, 1), margins=(*PAGE[:3], 0), spacing=2 * GRID))
        self._redraw()
        self.grew.emit()

    def _turn(self, advanced: bool) -> None:
        self._advanced.setVisible(advanced)
        self.grew.emit()

    def _save(self, table: str, key: str) -> Callable[[object], None]:
        """Return the function that saves a value of this setting."""
        return lambda value: self._service.change(table, key, value)

    def _redraw(self) -> None:
        status = self._status
        if status == self._seen or self._building.running:
            return
        self._seen = status
        self._plain.draw(status)
        self._advanced.draw(status)
        self._snooze.setVisible(not status.snoozed)
        self._resume.setVisible(status.snoozed)
        self._keys.draw(status.shortcut)
        self._tell(status)

    def show_autostart(self, on: bool, problem: str = "") -> None:
        """Show whether autostart is on."""
        self._building.when_done(partial(self._show_autostart, on, problem))

    def show_shortcut(self, state: str) -> None:
        """Show whether the shortcut works: "works", "taken" or "off"."""
        self._building.when_done(partial(self._show_shortcut, state))

    def _show_shortcut(self, state: str) -> None:
        taken = self.tr("These keys are used by another program. Choose others.")
        self._keys_note.show_text(taken if state == "taken" else "")

    def _show_autostart(self, on: bool, problem: str) -> None:
        set_checked(self._autostart, on)
        self._autostart_problem.show_text(problem)

    def _tell(self, status: Status) -> None:
        """Show what cannot be chosen: notes, address, problems."""
        until = self.tr("Snoozed until you resume.")
        if status.snoozed_until:
            until = self.tr("Snoozed until {time}.").format(time=format_time(status.snoozed_until))
        self._snoozed.show_text(until if status.snoozed else "")
        self._address.show_text(status.address or self.tr("none"))
        self._copy.setEnabled(bool(status.address))
        port = next((problem for problem in status.problems if problem.startswith("Port ")), "")
        self._port_problem.show_text(label_text(port))
        if port:
            self._more.setChecked(True)
        self._renewed.set_tone(Tone.WARNING if status.endpoint.outdated else Tone.MUTED)
        self._renewed.show_text(self._about_token(status))
        self._draw_vault(status.vault)
        self._updates.set_tone(Tone.PLAIN if status.updates.newer else Tone.MUTED)
        self._updates.show_text(self._about_updates(status))
        self._look.setEnabled(status.updates.check and bool(status.updates.url))
        self._install.setVisible(status.updates.can_install)
        self._install.setEnabled(status.updates.check)
        self._no_key.setVisible(status.updates.lacks_key)
        self._about.setText(
            self.tr("About Deskbell {version}…").format(version=status.version).replace(" …", "…")
        )

    def _draw_vault(self, vault: VaultStatus) -> None:
        self._store.setEnabled(not vault.moving)
        self._vault.set_tone({"unusable": Tone.ERROR, "asking": Tone.WARNING}.get(vault.state, Tone.MUTED))
        self._vault.show_text(label_text(vault.words()))
        moving = self.tr("Moving keys… Your keychain may ask you to unlock it.") if vault.moving else ""
        self._moved.set_tone(Tone.ERROR if vault.refused else Tone.MUTED)
        self._moved.show_text(moving or label_text(vault.refused or vault.moved))

    def _choose_store(self, store: str) -> None:
        if store == self._status.vault.wanted:
            return
        if store not in ("memory", "refuse"):
            self._service.choose_vault(store)
            return
        confirm(
            self,
            self.tr("Forget keys when Deskbell ends?") if store == "memory" else self.tr("Store no keys?"),
            self.tr(
                "Servers and accounts lose access to the keys that are stored now. They stay where they are, "
                "for when you choose that place again."
            ),
            self.tr("&Change"),
            lambda: self._service.choose_vault(store),
            name="vaultBox",
            otherwise=lambda: select_value(self._store, self._status.vault.wanted),
        )

    def _about_token(self, status: Status) -> str:
        door = status.endpoint
        replaced = ""
        if door.renewed:
            replaced = self.tr("The token was replaced at {time}.").format(time=format_time(door.renewed))
        if not door.outdated:
            return replaced
        still = self.tr("These files still contain the old token:")
        return "\n".join(filter(None, (replaced, still, *map(isolate, door.outdated))))

    def _about_updates(self, status: Status) -> str:
        updates = status.updates
        if not updates.check:
            return ""
        if updates.problem:
            return label_text(updates.problem)
        if updates.ready:
            ready = self.tr("Deskbell {version} is ready; it is installed when Deskbell starts next.")
            return ready.format(version=updates.ready)
        if updates.newer and updates.command:
            newer = self.tr("Deskbell {version} is available. Update with: {command}")
            return newer.format(version=updates.newer, command=isolate(updates.command))
        if updates.newer:
            newer = self.tr("Deskbell {version} is available.")
            return newer.format(version=updates.newer)
        if updates.asked:
            return self.tr("Up to date, checked at {time}.").format(time=format_time(updates.asked))
        return self.tr("Not checked yet.")

    def _for_so_long(self, seconds: float) -> str:
        if seconds in (_MINUTE, _HOUR):
            return self.tr("1 minute") if seconds == _MINUTE else self.tr("1 hour")
        if seconds > _HOUR and not seconds % _HOUR:
            return self.tr("{count} hours").format(count=round(seconds / _HOUR))
        if seconds > _MINUTE and not seconds % _MINUTE:
            return self.tr("{count} minutes").format(count=round(seconds / _MINUTE))
        return self.tr("{count} seconds").format(count=round(seconds))

    # confirmations

    def _save_days(self, days: int) -> None:
        save = self._save("history", "days")
        if days:
            save(days)
            return
        confirm(
            self,
            self.tr("Keep no history?"),
            self.tr("All activity is deleted. This can't be undone."),
            self.tr("&Delete"),
            lambda: save(0),
            name="forgetBox",
            otherwise=lambda: self._days.draw(self._status.history_days),
        )

    def _ask_before_renewing(self) -> None:
        confirm(
            self,
            self.tr("Replace the token?"),
            self.tr(
                "AI apps that connect by HTTP can't connect until you give them the new token. Other apps "
                "keep working."
            ),
            self.tr("&Replace"),
            self._service.renew_token,
            name="tokenBox",
        )

    # building

    def _add_attention(self) -> None:
        sheet = self._sheet
        sheet.heading("attentionTitle", self.tr("When a question comes"))
        for key, text in (
            ("windows", self.tr("Show question &windows automatically")),
            ("notifications", self.tr("Show a &notification that tells who asks")),
            ("sound", self.tr("Play a &sound")),
            ("do_not_disturb", self.tr("Stay quiet while the desktop is set to do not &disturb")),
        ):
            read = attrgetter(f"wishes.{key}")
            sheet.check(f"prefer:{key}", text, self._save("desktop", key), read)
        fronts = (
            (self.tr("Never"), interruption.RaiseWindow.NEVER.value),
            (self.tr("When I'm idle"), interruption.RaiseWindow.IDLE.value),
            (self.tr("Always"), interruption.RaiseWindow.ALWAYS.value),
        )
        read, save = attrgetter("wishes.front.value"), self._save("desktop", "raise")
        sheet.choice("prefer:raise", self.tr("Bring to &front"), fronts, read, save)
        times = [(self._for_so_long(seconds), seconds) for seconds in _PATIENCE]
        title, read = self.tr("Expire &unanswered questions after"), attrgetter("question_timeout")
        save = self._save("", "question_timeout")
        sheet.choice("prefer:question_timeout", title, times, read, save, self._for_so_long)
        self._keys = KeysField(self._save("desktop", "shortcut"))
        sheet.field("prefer:shortcut", self.tr("Shortcut to answer"), self._keys)
        self._keys_note = sheet.note("shortcutNote", tone=Tone.WARNING)
        menu = QMenu(self)
        fill_snooze_menu(menu, self._questions.snooze)
        self._snooze = make_button("snooze", self.tr("Snoo&ze"), lambda: None)
        self._snooze.setMenu(menu)
        self._resume = make_button("resume", self.tr("&Resume"), self._questions.resume)
        sheet.buttons(self._snooze, self._resume)
        self._snoozed = sheet.note("snoozedNote")

    def _add_looks(self) -> None:
        sheet = self._sheet
        sheet.heading("looksTitle", self.tr("Appearance"))
        languages = [(self.tr("Follow system"), ""), *((name, code) for code, name in LANGUAGES.items())]
        language, read = self.tr("Lan&guage"), attrgetter("language")
        sheet.choice("prefer:language", language, languages, read, self._choose_language, str)
        self._restart = sheet.note("restartNote", tone=Tone.WARNING)
        themes = (
            (self.tr("Follow system"), "system"),
            (self.tr("Light"), "light"),
            (self.tr("Dark"), "dark"),
        )
        save = self._save("desktop", "theme")
        sheet.choice("prefer:theme", self.tr("&Theme"), themes, attrgetter("theme"), save)

    def _choose_language(self, language: str) -> None:
        self._restart.show_text(self.tr("Restart Deskbell to change the language."))
        self._service.change("desktop", "language", language)

    def _add_start(self) -> None:
        self._sheet.heading("startTitle", self.tr("Start"))
        text = self.tr("St&art Deskbell when I log in")
        self._autostart = self._sheet.check("autostart", text, self.autostart_wanted.emit)
        self._autostart_problem = self._sheet.note("autostartProblem", tone=Tone.ERROR)

    def _add_history(self) -> None:
        self._sheet.heading("historyTitle", self.tr("History"))
        days, day = self.tr(" days"), self.tr(" day")
        self._days = NumberField(3650, self._save_days, self.tr("Keep no history"), days, day)
        read = attrgetter("history_days")
        self._sheet.number("prefer:days", self.tr("&Keep it for"), self._days, read)
        save, never = self._save("history", "contents"), self.tr("Never keep it")
        contents, read = NumberField(3650, save, never, days, day), attrgetter("contents_days")
        self._sheet.number("prefer:contents", self.tr("Keep call contents for"), contents, read)

    def _add_more(self) -> None:
        sheet = self._sheet
        save, per_minute = self._save("desktop", "questions_per_minute"), self.tr(" questions per minute")
        limit = NumberField(1000, save, self.tr("No limit"), per_minute)
        read = attrgetter("questions_per_minute")
        sheet.number("prefer:questions_per_minute", self.tr("Limit each server to"), limit, read)
        icons = ((self.tr("In colour"), "colour"), (self.tr("Monochrome"), "mono"))
        by_panel = {  # chosen in the settings file
            "mono-light": self.tr("Monochrome, for a light panel"),
            "mono-dark": self.tr("Monochrome, for a dark panel"),
        }
        save, read = self._save("desktop", "icon"), attrgetter("icon")
        sheet.choice("prefer:icon", self.tr("Tray &icon"), icons, read, save, by_panel.__getitem__)

    def _add_http(self) -> None:
        sheet = self._sheet
        sheet.heading("httpTitle", self.tr("AI apps that connect by HTTP"))
        self._address = sheet.shown("address", self.tr("Address"))
        port = NumberField(_PORT_MOST, self._save("", "port"), self.tr("Any free one"))
        sheet.number("prefer:port", self.tr("&Port"), port, attrgetter("endpoint.port"))
        self._port_problem = sheet.note("portProblem", tone=Tone.ERROR)
        self._copy = make_button(
            "copyAddress",
            self.tr("&Copy address"),
            lambda: QGuiApplication.clipboard().setText(self._status.address),
        )
        token = make_button("copyToken", self.tr("Cop&y token"), self.token_wanted.emit)
        renew = make_button("renewToken", self.tr("Replace the t&oken…"), self._ask_before_renewing)
        sheet.buttons(self._copy, token, renew)
        self._renewed = sheet.note("tokenNote")

    def _add_keys(self) -> None:
        self._sheet.heading("secretsTitle", self.tr("Keys"))
        stores = (
            (self.tr("Keychain; a file where there is none"), "auto"),
            (self.tr("System keychain"), "keyring"),
            (self.tr("Encrypted file"), "file"),
            (self.tr("Memory, until Deskbell ends"), "memory"),
            (self.tr("Nowhere"), "refuse"),
        )
        title, read = self.tr("Store keys in"), attrgetter("vault.wanted")
        self._store = self._sheet.choice("vaultStore", title, stores, read, self._choose_store)
        self._moved = self._sheet.note("vaultMoved")
        self._vault = self._sheet.note("vault")

    def _add_updates(self) -> None:
        sheet = self._sheet
        sheet.heading("updatesTitle", self.tr("Updates"))
        daily = self.tr("Check for new versions daily")
        sheet.check("prefer:check", daily, self._save("updates", "check"), attrgetter("updates.check"))
        install = self.tr("Download them, and install them when Deskbell starts next")
        save, read = self._save("updates", "install"), attrgetter("updates.install")
        self._install = sheet.check("prefer:install", install, save, read)
        title, read = self.tr("Update addr&ess"), attrgetter("updates.url")
        sheet.line("prefer:url", title, read, self._save_update_url).setPlaceholderText("https://")
        self._look = make_button("lookNow", self.tr("Check now"), self._service.check_for_updates)
        sheet.buttons(self._look)
        self._updates = sheet.note("updatesNote")
        no_key = self.tr("Deskbell cannot update itself: this build has no key to verify a download with.")
        self._no_key = sheet.note("updatesKey", no_key)
        sheet.note(
            "updatesPrivacy",
            self.tr("The request contains nothing about you. Nothing is installed unless you say so."),
        )

    def _save_update_url(self, url: str) -> None:
        if url != self._status.updates.url:
            self._service.change("updates", "url", url)

    def _add_help(self) -> None:
        self._sheet.heading("helpTitle", self.tr("Help"))
        windows = (
            ("log", self.tr("S&how the log…")),
            ("diagnostics", self.tr("Diagnostics…")),
            ("about", self.tr("About Deskbell…")),
        )
        show = self.window_wanted.emit
        buttons = [make_button(name, text, partial(show, name)) for name, text in windows]
        self._about = buttons[-1]
        self._sheet.buttons(*buttons)
