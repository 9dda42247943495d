"""The Models page: the models that answer servers, which servers may use them, what they used, limits."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from operator import attrgetter
from urllib.parse import urlsplit

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QLayout

from bridge.api import ModelStatus, ModelTrial, ServerUsage, Services, Status
from desktop.language import label_text
from desktop.pages.base_page import StatusPage
from desktop.pages.models.model_dialog import ModelDialog, kind_of
from desktop.theme.metrics import GRID
from desktop.theme.painting import ButtonKind
from desktop.widgets.controls import make_button, make_check
from desktop.widgets.dialogs import confirm
from desktop.widgets.empty_state import EmptyState
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import PAGE, column, row, widget_with
from desktop.widgets.page_head import PageHead
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.section import Section
from desktop.widgets.settings_grid import NumberField, SettingsGrid
from desktop.widgets.text.bidi import isolate, isolate_all
from desktop.widgets.text.safe_text import one_line, readable

_MOST = 1_000_000_000
_LONGEST = 600  # characters of an answer
_EVERY = "*"
ServerItem = tuple[
    str, ServerUsage | None, tuple[str, ...], bool, bool
]  # name, use, models, always, background


class ModelsPage(StatusPage):
    def __init__(self, services: Services) -> None:
        super().__init__("models")
        self._service = services.models
        self._keys = services.servers
        self._looked = False
        words = self.tr(
            "Some servers ask an AI model for help. You see each request, then Deskbell sends it to "
            "one of your models."
        )
        self._outcome = Label("", name="outcome", tone=Tone.ERROR)
        none = self.tr("Add one, or look for models on this computer.")
        self._empty = EmptyState("noModels", "sparkles", self.tr("No models yet"), none)
        self._models = Section("modelList", "", cards=True)
        self._found = Section("foundModels", self.tr("Found on this computer"), cards=True)
        self._servers = Section("modelServers", self.tr("Servers"))
        for part in (self._models, self._found, self._servers):
            part.grew.connect(self.grew)
        add = make_button(
            "addModel", self.tr("&Add a model…"), self._add, kind=ButtonKind.PRIMARY, icon="plus"
        )
        self._look = make_button(
            "lookForModels", self.tr("&Find on this computer"), self._find, icon="search"
        )
        self._nothing = Label("", name="nothingFound", tone=Tone.MUTED, announced=True)
        head = PageHead(self.tr("Models"), words, self._look, add)
        self._grid = self._settings()
        parts = (self._outcome, self._empty, self._models, self._nothing, self._found, self._servers)
        rows = column(*parts, self._grid, 1, spacing=2 * GRID)
        scroll = FittingScroll(widget_with(rows), name="scroll")
        self.setLayout(column(head, (scroll, 1), margins=PAGE, spacing=2 * GRID))

    def _settings(self) -> SettingsGrid:
        grid = SettingsGrid(margins=(0, 0, 0, 0))
        save = self._service.change
        grid.heading("limitsTitle", self.tr("Ask me again after"))
        limits = (
            ("requests_per_hour", self.tr("Requests an &hour"), self.tr(" requests")),
            ("requests_per_call", self.tr("Requests &within one call"), self.tr(" requests")),
            ("tokens_per_day", self.tr("Tokens a &day"), self.tr(" tokens")),
        )
        for key, title, suffix in limits:
            field = NumberField(_MOST, partial(save, key), self.tr("No limit"), suffix)
            field.setGroupSeparatorShown(True)
            grid.number(f"limit:{key}", title, field, attrgetter(f"models.{key}"))
        grid.note("limitsNote", self.tr("Applies to each server, also to those that send without asking."))
        grid.heading("answersTitle", self.tr("Answers"))
        words = self.tr("&Show me each answer before the server gets it")
        read = attrgetter("models.check_answers")
        grid.check("checkAnswers", words, partial(save, "check_answers"), read)
        words = self.tr("Let me answer &myself where no model can")
        grid.check("person", words, partial(save, "person"), attrgetter("models.person"))
        return grid

    # drawing

    def _redraw(self) -> None:
        status, at = self._status, self._status.models
        trial = at.trial
        items = {one.name: (one, trial if trial and trial.model == one.name else None) for one in at.models}
        self._models.draw(items, lambda item: self._model(*item))
        self._empty.setVisible(not items)
        known = {(one.url, one.model) for one in at.models}
        found = [one for one in at.found if (one.url, one.model) not in known]
        self._found.draw({f"{one.url} {one.model}": one for one in found}, self._found_model)
        self._look.setEnabled(not at.looking)
        none = self._looked and not at.looking and not found
        words = self.tr("Looking…") if at.looking else ""
        self._nothing.show_text(self.tr("No further models found on this computer.") if none else words)
        self._servers.draw(
            {one[0]: one for one in self._server_items(status)}, lambda one: self._server(*one)
        )
        self._grid.draw(status)
        self._outcome.show_text(label_text(at.problem))

    def _server_items(self, status: Status) -> list[ServerItem]:
        at = status.models
        usage = {one.server: one for one in at.usage}
        names = dict.fromkeys(
            (*(server.name for server in status.servers), *usage, *at.allow, *at.background)
        )
        return [
            (
                name,
                usage.get(name),
                tuple(one.name for one in at.models if _EVERY in one.servers or name in one.servers),
                name in at.allow,
                name in at.background,
            )
            for name in names
        ]

    def _model(self, model: ModelStatus, trial: ModelTrial | None) -> QLayout:
        name = model.name
        place = (
            self.tr("on this computer")
            if model.is_local
            else isolate(one_line(urlsplit(model.url).netloc, 80))
        )
        about = " · ".join((isolate(one_line(model.model, 80)), kind_of(model.kind), place))
        servers = isolate_all(one_line(one, 60) for one in model.servers)
        users = self.tr("every server") if _EVERY in model.servers else servers or self.tr("no server")
        lines = [
            Label(one_line(name, 80), name=f"model:{name}", bold=True),
            Label(about, name=f"about:{name}", tone=Tone.MUTED),
            Label(self.tr("For {servers}").format(servers=users), name=f"for:{name}", tone=Tone.MUTED),
        ]
        if trial is not None:
            lines.append(self._trial(trial))
        spoken = one_line(name, 60)
        buttons = (
            ("try", self.tr("Try it…"), partial(self._service.try_model, name)),
            ("edit", self.tr("Edit…"), partial(self._edit, model)),
            ("remove", self.tr("Remove…"), partial(self._remove, name)),
        )
        made = [
            make_button(f"{verb}:{name}", text, act, spoken=f"{text} {spoken}") for verb, text, act in buttons
        ]
        made[0].setEnabled(trial is None or not _runs(trial))
        return row((column(*lines, spacing=1), 1), *made)

    def _trial(self, trial: ModelTrial) -> Label:
        if _runs(trial):
            return Label(self.tr("Waiting for its answer…"), name="trial", tone=Tone.MUTED, announced=True)
        if trial.problem:
            return Label(label_text(trial.problem), name="trial", tone=Tone.ERROR)
        text = self.tr("It answered: “{words}”").format(words=isolate(readable(trial.answer[:_LONGEST])))
        return Label(text, name="trial", announced=True)

    def _found_model(self, found: ModelStatus) -> QLayout:
        model = one_line(found.model, 80)
        lines = column(
            Label(model, name=f"found:{model}", bold=True),
            Label(f"{kind_of(found.kind)} · {found.url}", name=f"foundAt:{model}", tone=Tone.MUTED),
            spacing=1,
        )
        text = self.tr("Add…")
        add = partial(self._add_found, found)
        return row((lines, 1), make_button(f"addFound:{model}", text, add, spoken=f"{text} {model}"))

    def _server(
        self, name: str, usage: ServerUsage | None, models: tuple[str, ...], always: bool, background: bool
    ) -> QLayout:
        title, number = one_line(name, 60), QLocale().toString
        may = self.tr("May use {models}").format(models=isolate_all(one_line(one, 60) for one in models))
        lines = [
            Label(title, name=f"server:{name}", bold=True),
            Label(may if models else self.tr("May use no model"), name=f"may:{name}", tone=Tone.MUTED),
        ]
        if usage is not None:
            words = self.tr("{count} requests · {tokens} tokens in, {more} out · {today} today")
            if usage.requests == 1:
                words = self.tr("1 request · {tokens} tokens in, {more} out · {today} today")
            text = words.format(
                count=number(usage.requests),
                tokens=number(usage.tokens_in),
                more=number(usage.tokens_out),
                today=number(usage.today),
            )
            lines.append(Label(text, name=f"usage:{name}", tone=Tone.MUTED))
        boxes = []
        for key, text, on in (
            ("allow", self.tr("Send without asking me"), always),
            ("background", self.tr("Also when no tool is running"), background),
        ):
            box = make_check(f"{key}:{name}", text, partial(self._service.set_server, key, name), checked=on)
            box.setAccessibleName(f"{text}, {title}")
            boxes.append(box)
        return row((column(*lines, 1, spacing=1), 1), column(*boxes, spacing=2))

    # actions

    def _find(self) -> None:
        self._looked = True
        self._service.look()

    def _add(self) -> None:
        self._open(ModelStatus("", "openai", "", "", servers=(_EVERY,)), new=True)

    def _add_found(self, found: ModelStatus) -> None:
        taken = {one.name for one in self._status.models.models}
        name = plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in found.model).strip("-")[:40]
        number = 1
        while name in taken:
            number += 1
            name = f"{plain}-{number}"
        self._open(replace(found, name=name, servers=(_EVERY,)), new=True)

    def _edit(self, model: ModelStatus) -> None:
        self._open(model, new=False)

    def _open(self, model: ModelStatus, new: bool) -> None:
        servers = tuple(server.name for server in self._status.servers)
        taken = tuple(one.name for one in self._status.models.models) if new else ()
        dialog = ModelDialog(self, model, servers, taken, new=new)
        dialog.made.connect(self._save)
        dialog.open()

    def _save(self, model: ModelStatus, key: str) -> None:
        """Save a model; a key that was typed goes to the vault first, so that the model finds it there."""
        if key:
            self._keys.set_secret(f"models/{model.name}", key)
        self._service.save(model, new_key=bool(key))

    def _remove(self, name: str) -> None:
        title = self.tr("Remove {name}?").format(name=one_line(name, 60))
        text = self.tr("Servers can no longer use it. Its key stays in your keychain.")
        confirm(self, title, text, self.tr("&Remove"), partial(self._service.remove, name))


def _runs(trial: ModelTrial) -> bool:
    return not trial.answer and not trial.problem
