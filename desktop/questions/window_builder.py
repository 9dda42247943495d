"""Builds the window of one question in slices, so that nothing else has to wait for it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from bridge.api import Mode, Question
from desktop.lazy.module_loading import load
from desktop.lazy.time_slices import SlicedTask, Steps
from desktop.questions.window_options import ShowOptions
from desktop.system.window_placement import pointer_screen

if TYPE_CHECKING:
    from desktop.questions.base_window import QuestionWindow

_KINDS = "desktop.questions.window_kinds"  # imported when first needed


class WindowBuilder(QObject):
    loaded = Signal(object)  # ShowOptions; the window classes are imported: build again
    built = Signal(object, object)  # QuestionWindow, ShowOptions

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._window: QuestionWindow | None = None  # being built
        self._options = ShowOptions()  # of the window that is being built, or waits for the import
        self._loading = SlicedTask(self)

    def build(self, question: Question, options: ShowOptions) -> None:
        """Build the window of this Question in place of any other."""
        windows = window_classes()
        if windows is None:
            self._options = self._options.merged(options)
            if not self._loading.running:
                self._loading.start(self._load())
            return
        if self._window is not None:
            if self._window.question.id == question.id and self._window.building.running:
                self._options = self._options.merged(options)
                return
            self._window.deleteLater()
        window = windows[question.mode](question, in_slices=True)
        window.setScreen(pointer_screen())
        self._window, self._options = window, options
        window.building.when_done(partial(self._complete, window))

    def discard(self) -> None:
        """Drop the window that is being built."""
        if self._window is not None:
            self._window.deleteLater()
            self._window = None

    def _load(self) -> Steps:
        yield from load(_KINDS)
        options, self._options = self._options, ShowOptions()
        self.loaded.emit(options)

    def _complete(self, window: QuestionWindow) -> None:
        if self._window is window:  # not replaced by another
            self._window = None
            self.built.emit(window, self._options)


def window_classes() -> Mapping[Mode, Callable[..., QuestionWindow]] | None:
    """Return the window classes; None if they are not imported yet."""
    return getattr(sys.modules.get(_KINDS), "WINDOWS", None)
