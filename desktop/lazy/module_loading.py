"""Import the modules of a window one at a time, in time slices of the GUI thread.

Not in another thread: PySide creates each of its classes when it is first used, and two threads doing that
crash. NEEDS lists what each window imports; `tests/desktop/lazy/test_module_loading.py` keeps it complete.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module

from PySide6.QtCore import QObject

from desktop.lazy.time_slices import SlicedTask, Steps

_WIDGETS = (
    "theme.symbols",
    "widgets.labels",
    "widgets.chip",
    "widgets.controls",
    "widgets.layouts",
    "widgets.dialogs",
    "widgets.panel",
    "widgets.scroll",
    "widgets.message_bar",
    "widgets.text.text_box",
    "widgets.tab_order",
    "widgets.inputs.base",
    "widgets.table",
    "pages.base_page",
)
_LISTS = ("widgets.card", "widgets.section", "pages.texts")
_FORM = (
    "widgets.text.markdown_view",
    "widgets.inputs.choice",
    "widgets.inputs.date_time",
    "widgets.inputs.search_list",
    "widgets.inputs.text",
    "widgets.inputs.scale",
    "widgets.inputs.file",
    "widgets.inputs.factory",
    "questions.fields",
)
_CARDS = ("widgets.card", "widgets.avatar", "widgets.page_head", "questions.waiting_cards")
_HISTORY = (
    "widgets.card",
    "widgets.section",
    "pages.activity.history_texts",
    "pages.activity.history_model",
    "pages.activity.last_entries",
)
_PROPOSALS = ("pages.servers.proposals", "pages.servers.add_dialog")
_APP_CARDS = ("widgets.avatar", "widgets.chip", "widgets.switch", "widgets.empty_state", "widgets.page_head")
_HOSTS = (
    *_APP_CARDS,
    "widgets.text.diff_view",
    "pages.hosts.change_sheet",
    "pages.hosts.texts",
    "pages.hosts.app_cards",
)

# window module → modules to import before it, each after those it imports itself
NEEDS: dict[str, tuple[str, ...]] = {
    "desktop.questions.window_kinds": (
        *_FORM,
        "widgets.text.paged_text",
        "widgets.avatar",
        "widgets.chip",
        "widgets.message_bar",
        "widgets.card",
        "questions.readable_data",
        "widgets.flow_layout",
        "questions.byline",
        "questions.refuse_button",
        "questions.countdown",
        "questions.base_window",
        "questions.confirm",
        "questions.option_buttons",
        "questions.earlier_bar",
        "questions.form",
        "system.x11",
        "questions.popup_card",
        "widgets.picture",
        "questions.sampling_view",
        "questions.sampling_consent",
        "questions.sampling_answers",
        "questions.url_window",
    ),
    "desktop.text_windows": (),
    "desktop.main_window": ("widgets.sidebar",),
    "desktop.pages.home": (*_LISTS, *_FORM, *_CARDS, *_HISTORY, "widgets.empty_state"),
    "desktop.pages.questions": (*_LISTS, *_FORM, *_CARDS, *_HISTORY, "widgets.empty_state"),
    "desktop.pages.servers.page": (
        *_LISTS,
        *_APP_CARDS,
        "widgets.flow_layout",
        "pages.servers.cards",
        *_FORM,
        *_PROPOSALS,
        "widgets.picture",
        "pages.servers.tool_result",
        "pages.servers.details",
        "pages.servers.pairs_table",
        "pages.servers.edit_dialog",
        "pages.servers.secrets_dialog",
        "pages.servers.tools",
        "pages.servers.try_tool",
    ),
    "desktop.pages.hosts.page": (*_LISTS, *_HOSTS),
    "desktop.pages.activity.page": (
        *_HISTORY,
        "widgets.card",
        "widgets.page_head",
        "widgets.empty_state",
        "pages.activity.history_view",
        "pages.activity.call_list",
        "pages.activity.details",
        "pages.activity.details_pane",
        "pages.activity.filters",
        "pages.activity.held_calls",
        "pages.activity.running_calls",
    ),
    "desktop.pages.approvals.page": (
        *_LISTS,
        *_APP_CARDS,
        "widgets.flow_layout",
        "pages.approvals.rule_dialog",
        "pages.approvals.tables",
        "pages.approvals.presets",
    ),
    "desktop.pages.models.page": (
        "widgets.card",
        "widgets.section",
        "widgets.empty_state",
        "widgets.page_head",
        "widgets.settings_grid",
        "pages.models.model_dialog",
    ),
    "desktop.pages.accounts": (*_LISTS, *_APP_CARDS),
    "desktop.pages.settings": ("widgets.page_head", "widgets.inputs.shortcut", "widgets.settings_grid"),
    "desktop.pages.welcome.window": (
        *_LISTS,
        *_HOSTS,
        "pages.welcome.question_step",
        "pages.welcome.apps_step",
    ),
}


def load(window: str) -> Steps:
    """Import a window's module, one module in each step."""
    if window in sys.modules:
        return
    for module in (*_WIDGETS, *NEEDS[window]):
        import_module(f"desktop.{module}")
        yield None
    import_module(window)
    yield None


def when_loaded(parent: QObject, window: str, act: Callable[[], object]) -> None:
    """Call `act` once the window's module is imported; at once if it is already."""
    if window in sys.modules:
        act()
        return
    task = SlicedTask(parent)
    task.done.connect(act)
    task.done.connect(task.deleteLater)
    task.start(load(window))
