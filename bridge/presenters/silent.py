"""A Presenter that cancels every Question: nobody can be asked."""

from __future__ import annotations

from bridge.core.questions.question import NOBODY, Answer, Question


class SilentPresenter:
    async def ask(self, question: Question) -> Answer:
        return NOBODY

    async def close(self) -> None:
        """No-op: nothing is open."""
