"""Nobody is there to ask: every Question is cancelled at once. The absence of a Presenter, as a class."""

from __future__ import annotations

from bridge.core.questions.question import NOBODY, Answer, Question


class SilentPresenter:
    async def ask(self, question: Question) -> Answer:
        return NOBODY

    async def close(self) -> None:
        """There is nothing to close."""
