"""The list of servers that can be added: check box, name, and where keys are kept. Draws a Draft."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from bridge.api import Draft, Proposal, ProposalChoice, ServerForm
from desktop.language import label_text
from desktop.lazy.time_slices import SlicedTask, Steps
from desktop.widgets.bidi import isolate, isolate_all, strip_isolates
from desktop.widgets.cached_column import CachedColumn, insert_row
from desktop.widgets.labels import Label, Tone
from desktop.widgets.panel import Panel
from desktop.widgets.safe_text import one_line

_MANY = 4  # with so many there is a check box for all


class ProposalRow(Panel):
    changed = Signal()

    def __init__(self, proposal: Proposal, plan: ServerForm) -> None:
        super().__init__()
        self.proposal = proposal
        self.setObjectName(f"proposal:{proposal.place}")
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 8, 10, 8)
        column.setSpacing(4)
        row = QHBoxLayout()
        self._wanted = QCheckBox(self.tr("Add as"))
        self._wanted.setObjectName(f"wanted:{proposal.place}")
        self._wanted.setChecked(True)
        self._wanted.setAccessibleName(self.tr("Add {name}").format(name=one_line(proposal.called, 60)))
        self._wanted.toggled.connect(self._turn)
        self._name = QLineEdit(plan.name)
        self._name.setObjectName(f"name:{proposal.place}")
        self._name.setAccessibleName(self.tr("Name of {name}").format(name=one_line(proposal.called, 60)))
        self._name.textChanged.connect(self.changed)
        row.addWidget(self._wanted)
        row.addWidget(self._name, 1)
        if proposal.source:
            row.addWidget(Label(self.tr("from {app}").format(app=isolate(proposal.source)), tone=Tone.MUTED))
        column.addLayout(row)
        what = Label(one_line(plan.command or plan.url, 300), name=f"what:{proposal.place}", selectable=True)
        column.addWidget(what)
        values = "\n".join(one_line(f"{key} = {value}", 160) for key, value in (*plan.env, *plan.headers))
        column.addWidget(Label(values, name=f"values:{proposal.place}", tone=Tone.MUTED))
        self._replace = self._add_clash(column)
        self._vault = self._add_vault(column)
        for remark in proposal.remarks:
            column.addWidget(Label(label_text(remark), tone=Tone.WARNING))

    @property
    def wanted(self) -> bool:
        return self._wanted.isChecked()

    def want(self, on: bool) -> None:
        self._wanted.setChecked(on)

    def choice(self) -> ProposalChoice | None:
        """Return the choice; None if it is not checked."""
        if not self._wanted.isChecked():
            return None
        replace = self._replace is not None and self._replace.isChecked()
        name = self.proposal.clash if replace else self._name.text().strip()
        vault = self._vault is None or self._vault.isChecked()
        return ProposalChoice(self.proposal.place, name, vault, replace)

    def _add_clash(self, column: QVBoxLayout) -> QCheckBox | None:
        clash = self.proposal.clash
        if not clash:
            return None
        words = self.tr("There is already a server named {name}.").format(name=isolate(clash))
        column.addWidget(Label(words, name=f"clash:{self.proposal.place}", tone=Tone.WARNING))
        box = QCheckBox(self.tr("&Replace that one"))
        box.setObjectName(f"replace:{self.proposal.place}")
        box.setAccessibleDescription(strip_isolates(words))
        box.toggled.connect(lambda on: self._name.setEnabled(not on))
        box.toggled.connect(self.changed)
        column.addWidget(box)
        return box

    def _add_vault(self, column: QVBoxLayout) -> QCheckBox | None:
        if not self.proposal.secrets:
            return None
        keys = ", ".join(one_line(key, 60) for key in self.proposal.secrets)
        box = QCheckBox(self.tr("Keep {keys} in the &vault, not in config.toml").format(keys=keys))
        box.setObjectName(f"vault:{self.proposal.place}")
        box.setChecked(True)
        column.addWidget(box)
        return box

    def _turn(self, on: bool) -> None:
        for part in (self._name, self._replace, self._vault):
            if part is not None:
                part.setEnabled(on)
        self.changed.emit()


class ProposalList(QWidget):
    """Built in time slices. `changed`: the choices have changed; `grew`: all rows are built.
    `tells_known`: whether it names servers that are configured already."""

    changed = Signal()
    grew = Signal()

    def __init__(self, *, tells_known: bool = True) -> None:
        super().__init__()
        self.setObjectName("proposals")
        self._tells_known = tells_known
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
        for part in self._parts:
            part.hide()
            part.deleteLater()
        self.rows, self._parts, self._all = [], [], None
        self._slices.start(self._fill(draft))

    def _fill(self, draft: Draft) -> Steps:
        many = sum(one.plan is not None for one in draft.proposals)
        if many >= _MANY:
            self._all = self._make_all(many)
            self._put(self._all)
        for one in draft.proposals:
            if one.plan is not None:
                row = ProposalRow(one, one.plan)
                row.changed.connect(self.changed)
                self.rows.append(row)
                self._put(row)
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
        if known and self._tells_known:
            names = isolate_all(dict.fromkeys(one_line(one.same, 60) for one in known))
            words = self.tr("Already here: {names}.").format(names=names)
            yield Label(words, name="alreadyHere", tone=Tone.MUTED)
        for one in draft.proposals:
            if one.plan is None and one not in known:
                yield self._skipped(one, twice=one.same in found)

    def _make_all(self, count: int) -> QCheckBox:
        box = QCheckBox(self.tr("All {count} of them").format(count=count))
        box.setObjectName("wantAll")
        box.setChecked(True)
        box.clicked.connect(self._want_all)
        return box

    def _want_all(self) -> None:
        on = not all(row.wanted for row in self.rows)
        for row in self.rows:
            row.want(on)
        self._draw_all()

    def _draw_all(self) -> None:
        if self._all is not None and not self._slices.running:
            some, every = any(row.wanted for row in self.rows), all(row.wanted for row in self.rows)
            self._all.setCheckState(
                Qt.CheckState.Checked
                if every
                else Qt.CheckState.PartiallyChecked
                if some
                else Qt.CheckState.Unchecked
            )

    def _put(self, part: QWidget) -> None:
        insert_row(self._column, len(self._parts), part)
        self._parts.append(part)

    def choices(self) -> tuple[ProposalChoice, ...]:
        """Return the choices; none until all rows are built."""
        if self._slices.running:
            return ()
        return tuple(choice for row in self.rows if (choice := row.choice()) is not None)

    def _skipped(self, one: Proposal, twice: bool) -> Label:
        called, same = isolate(one_line(one.called, 60)), isolate(one_line(one.same, 60))
        words = (
            self.tr("{name} is the same as {other}.").format(name=called, other=same)
            if twice
            else self.tr("{name} cannot be added: {reason}.").format(
                name=called, reason=isolate(label_text(one.reason))
            )
        )
        from_ = f" ({isolate(one.source)})" if one.source else ""
        return Label(words + from_, name=f"skipped:{one.place}", tone=Tone.MUTED)
