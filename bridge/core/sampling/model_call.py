"""One request to one model, as a state machine: which body to send next, and when the answer is good. Pure.

call = ModelCall(request, provider, dialect)
send call.body(); then
    call.rejected(status, words)  → True: adapted, send again      (HTTP 400: parameters it does not know)
    call.completed(completion)    → the MCP result; None: send again, with a hint
ModelFailed ends it: the server gets an error, never a made-up text.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bridge.core.sampling import completion as completions
from bridge.core.sampling import structured
from bridge.core.sampling.completion import LENGTH, Completion
from bridge.core.sampling.dialect import FORCED_TOOL, PROMPTED, SCHEMA_MODE, Dialect, Provider
from bridge.core.sampling.params import SCHEMA_TOOL, Message, SamplingRequest

RETRIES = 2
TOOL_HINT = (
    "\n\n[IMPORTANT: You must call one of the available tools. "
    "Your previous response did not include a tool call.]"
)
SCHEMA_HINT = (
    "\n\n[IMPORTANT: Your previous response was invalid: {problem}. "
    "Please respond with valid JSON matching the schema.]"
)
_NEXT = {SCHEMA_MODE: FORCED_TOOL, FORCED_TOOL: PROMPTED}


class ModelFailed(Exception):
    """The model gave no answer that can be returned; the text is for the server."""


class ModelCall:
    def __init__(self, request: SamplingRequest, provider: Provider, dialect: Dialect) -> None:
        self.request = request
        self.dialect = dialect
        self.learnt = dialect  # what holds for later requests, too
        self._provider = provider
        self._hint = ""
        self._retries = 0

    def body(self) -> dict[str, Any]:
        """Return the body to send next. Raises BadParams."""
        return self._provider.body(_hinted(self.request, self._hint), self.dialect)

    def rejected(self, status: int, words: str) -> bool:
        """Adapt to an HTTP 400 or 422; False if nothing is left to try without."""
        if status not in (400, 422):
            return False
        before, request = self.dialect, self.request
        if "max_completion_tokens" in words and not before.renamed_cap:
            self.dialect = replace(before, renamed_cap=True)
        elif not before.bare and (request.temperature is not None or request.stop or request.metadata):
            self.dialect = replace(before, bare=True)
        elif request.schema is not None and before.structured in _NEXT:
            self.dialect = replace(before, structured=_NEXT[before.structured])
        self.learnt = replace(self.dialect, bare=False)  # another temperature may be fine
        return self.dialect != before

    def completed(self, completion: Completion) -> dict[str, Any] | None:
        """Return the result; None: send `body` again. Raises ModelFailed."""
        if self.request.schema is not None:
            return self._structured(completion, self.request.schema)
        silent = self.request.choice == "required" and not completion.calls and not completion.refused
        problem = completion.problem or ("the model did not call a tool" if silent else "")
        if problem:
            self._again(completion, TOOL_HINT, problem)
            return None
        return completions.result(self.request, completion, self.dialect.model)

    def _structured(self, completion: Completion, schema: structured.Schema) -> dict[str, Any] | None:
        if completion.refused:
            raise ModelFailed(f"The model refused: {completion.text or 'it gave no reason'}")
        called = [call.input for call in completion.calls if call.name == SCHEMA_TOOL]
        try:
            value, problem = structured.check(
                called[0] if called else structured.read(completion.text), schema
            )
        except structured.NotJson as error:
            self.dialect = replace(
                self.dialect, structured=_NEXT.get(self.dialect.structured, self.dialect.structured)
            )
            problem = str(error)
        if problem:
            self._again(completion, SCHEMA_HINT.format(problem=problem.rstrip(".")), problem)
            return None
        return completions.structured_result(self.request, value, completion.model or self.dialect.model)

    def _again(self, completion: Completion, hint: str, problem: str) -> None:
        if completion.stop == LENGTH:
            cap = self.dialect.cap(self.request)
            raise ModelFailed(f"The model was cut off at {cap} tokens. Allow more by maxTokens.")
        if self._retries == RETRIES:
            raise ModelFailed(f"The model failed {RETRIES + 1} times: {problem.rstrip('.')}.")
        self._retries += 1
        self._hint = hint


def _hinted(request: SamplingRequest, hint: str) -> SamplingRequest:
    """Return the request with a hint at its end."""
    if not hint:
        return request
    *before, last = request.messages
    if last.role == "user" and last.blocks[-1]["type"] == "text":
        block = {**last.blocks[-1], "text": last.blocks[-1]["text"] + hint}
        changed = [Message("user", (*last.blocks[:-1], block))]
    else:
        changed = [last, Message("user", ({"type": "text", "text": hint.strip()},))]
    return replace(request, messages=(*before, *changed))
