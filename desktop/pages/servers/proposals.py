"""The list of servers that can be added: check box, name, and where keys are kept. Draws a Draft."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from bridge.api import Draft, Proposal, ProposalChoice, ServerForm
from desktop.language import label_text
from desktop.lazy.time_slices import SlicedTask, Steps
from desktop.widgets.controls import make_check, make_line
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import CachedColumn, column, discard, row
from desktop.widgets.panel import Panel
from desktop.widgets.text.bidi import isolate, isolate_all, strip_isolates
from desktop.widgets.text.safe_text import one_line, readable

_MANY = 4  # with so many there is a check box for all


def _whole(text: str) -> str:
    """Return what would run on one line, all of it: what is invisible or reorders text is marked."""
    return " ".join(readable(text).split())


class ProposalRow(Panel):
    changed = Signal()

    def __init__(self, proposal: Proposal, plan: ServerForm) -> None:
        super().__init__()
        self.proposal = proposal
        self.setObjectName(f"proposal:{proposal.place}")
        place, called = proposal.place, one_line(proposal.called, 60)
        self.wanted = make_check(f"wanted:{place}", self.tr("Add as"), self._turn, checked=True)
        self.wanted.setAccessibleName(self.tr("Add {name}").format(name=called))
        self._name = make_line(f"name:{place}", self.tr("Name of {name}").format(name=called), plan.name)
        self._name.textChanged.connect(self.changed)
        source = self.tr("from {app}").format(app=isolate(proposal.source)) if proposal.source else ""
        folder = (("cwd", plan.cwd),) if plan.cwd else ()
        values = "\n".join(_whole(f"{key} = {value}") for key, value in (*plan.env, *plan.headers, *folder))
        self._column = column(
            row(self.wanted, (self._name, 1), Label(source, tone=Tone.MUTED)),
            Label(_whole(plan.command or plan.url), name=f"what:{place}", selectable=True),
            Label(values, name=f"values:{place}", tone=Tone.MUTED),
            margins=(10, 8, 10, 8),
            spacing=4,
        )
        self.setLayout(self._column)
        self._replace = self._add_clash()
        self._vault = self._add_vault()
        for remark in proposal.remarks:
            self._column.addWidget(Label(label_text(remark), tone=Tone.WARNING))

    def choice(self) -> ProposalChoice | None:
        """Return the choice; None if it is not checked."""
        if not self.wanted.isChecked():
            return None
        replace = self._replace is not None and self._replace.isChecked()
        name = self.proposal.clash if replace else self._name.text().strip()
        vault = self._vault is None or self._vault.isChecked()
        return ProposalChoice(self.proposal.place, name, vault, replace)

    def _add_clash(self) -> QCheckBox | None:
        clash = self.proposal.clash
        if not clash:
            return None
        words = self.tr("There is already a server named {name}.").format(name=isolate(clash))
        self._column.addWidget(Label(words, name=f"clash:{self.proposal.place}", tone=Tone.WARNING))
        box = make_check(f"replace:{self.proposal.place}", self.tr("&Replace that one"))
        box.setAccessibleDescription(strip_isolates(words))
        box.toggled.connect(self._name.setDisabled)
        box.toggled.connect(self.changed)
        self._column.addWidget(box)
        return box

    def _add_vault(self) -> QCheckBox | None:
        if not self.proposal.secrets:
            return None
        keys = ", ".join(one_line(key, 60) for key in self.proposal.secrets)
        text = self.tr("Store {keys} in your &keychain").format(keys=keys)
        box = make_check(f"vault:{self.proposal.place}", text, checked=True)
        self._column.addWidget(box)
        return box

    def _turn(self, on: bool) -> None:
        for part in (self._name, self._replace, self._vault):
            if part is not None:
                part.setEnabled(on)
        self.changed.emit()


class ProposalList(QWidget):
    """Built in time slices. `changed`: the choices have changed; `grew`: all rows are built."""

    changed = Signal()
    grew = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("proposals")
        self.rows: list[ProposalRow] = []
        self._parts: list[QWidget] = []
        self._drawn: Draft | None = None
        self._all: QCheckBox | None = None
        self._slices = SlicedTask(self)
        self._slices.done.connect(self.grew)
        self._slices.done.connect(self.changed)
        self.changed.connect(self._draw_all)
        self._column = CachedColumn(self, spacing=8)
        self._column.addStretch(1)

    def draw(self, draft: Draft) -> None:
        if draft == self._drawn:
            return
        self._drawn = draft
        discard(*self._parts)
        self.rows, self._parts, self._all = [], [], None
        self._slices.start(self._fill(draft))

    def _fill(self, draft: Draft) -> Steps:
        many = sum(one.plan is not None for one in draft.proposals)
        if many >= _MANY:
            text = self.tr("All {count} of them").format(count=many)
            self._all = make_check("wantAll", text, checked=True)
            self._all.clicked.connect(self._want_all)
            self._put(self._all)
        for one in draft.proposals:
            if one.plan is not None:
                entry = ProposalRow(one, one.plan)
                entry.changed.connect(self.changed)
                self.rows.append(entry)
                self._put(entry)
                yield None
        for part in self._left_out(draft):
            self._put(part)
            yield None

    def _left_out(self, draft: Draft) -> Iterator[QWidget]:
        """Yield notes on servers that cannot be added, and one line for those that exist already."""
        found = {one.plan.name for one in draft.proposals if one.plan is not None}
        known = [one for one in draft.proposals if one.same and one.same not in found]
        if len(draft.proposals) == 1:
            known = []
        if known:
            names = isolate_all(dict.fromkeys(one_line(one.same, 60) for one in known))
            words = self.tr("Already here: {names}.").format(names=names)
            yield Label(words, name="alreadyHere", tone=Tone.MUTED)
        for one in draft.proposals:
            if one.plan is None and one not in known:
                yield self._skipped(one, twice=one.same in found)

    def _want_all(self) -> None:
        on = not all(entry.wanted.isChecked() for entry in self.rows)
        for entry in self.rows:
            entry.wanted.setChecked(on)
        self._draw_all()

    def _draw_all(self) -> None:
        if self._all is not None and not self._slices.running:
            wanted = {entry.wanted.isChecked() for entry in self.rows}
            states = Qt.CheckState
            each = states.Checked if True in wanted else states.Unchecked
            self._all.setCheckState(states.PartiallyChecked if len(wanted) > 1 else each)

    def _put(self, part: QWidget) -> None:
        self._column.insert_row(len(self._parts), part)
        self._parts.append(part)

    def choices(self) -> tuple[ProposalChoice, ...]:
        """Return the choices; none until all rows are built."""
        if self._slices.running:
            return ()
        return tuple(choice for entry in self.rows if (choice := entry.choice()) is not None)

    def _skipped(self, one: Proposal, twice: bool) -> Label:
        called, same = isolate(one_line(one.called, 60)), isolate(one_line(one.same, 60))
        words = self.tr("{name} cannot be added: {reason}.")
        if twice:
            words = self.tr("{name} is the same as {other}.")
        words = words.format(name=called, other=same, reason=isolate(label_text(one.reason)))
        from_ = f" ({isolate(one.source)})" if one.source else ""
        return Label(words + from_, name=f"skipped:{one.place}", tone=Tone.MUTED)
