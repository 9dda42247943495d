"""Questions to the person and their answers, as messages of a conversation with a model. Frozen values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bridge.core.questions.question import Action
from bridge.core.sampling.kept_messages import elicited

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ElicitExchange:
    """`request`: the question as a tool_use of the assistant; `response`: the answer as its tool_result.

    `context` is private: `with_arguments` chooses the part that goes into the tool_use."""

    context: Mapping[str, Any]
    request: Mapping[str, Any]
    response: Mapping[str, Any]

    @property
    def messages(self) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        return (self.request, self.response)

    def with_arguments(
        self, fill: Callable[[Mapping[str, Any]], Mapping[str, Any]]
    ) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """Return the two messages with the input that `fill` makes of the context."""
        words, call = self.request["content"]
        filled = {**self.request, "content": [words, {**call, "input": dict(fill(self.context))}]}
        return (filled, self.response)

    @classmethod
    def of(
        cls, key: str, message: str, context: Mapping[str, Any], answer: Mapping[str, Any], number: int
    ) -> ElicitExchange:
        return cls(dict(context), *elicited(key, f"elicit_{key}_{number}", message, answer))


@dataclass(frozen=True, slots=True)
class ElicitReply(Generic[T]):
    """The answer to a question by key; `content` and `exchange` only if it was accepted."""

    action: Action
    content: T | None = None
    exchange: ElicitExchange | None = None
