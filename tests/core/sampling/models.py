"""Models of each provider, and requests to them that are sent or refused."""

from __future__ import annotations

import pytest

from bridge.core.sampling.content import BadParams
from bridge.core.sampling.model_call import ModelCall
from bridge.core.sampling.model_choice import ModelSpec
from tests.core.sampling.requests import request

LOCAL = ModelSpec("local", "openai", "http://127.0.0.1:1/v1", "qwen3")
OLLAMA = ModelSpec("ollama", "ollama", "http://127.0.0.1:1", "llama3")
CLAUDE = ModelSpec("claude", "anthropic", "https://api.anthropic.com", "claude-opus")


def called(spec=LOCAL, *messages, **more):
    return ModelCall(request(*messages, **more), spec.provider, spec.dialect)


def refusal(*messages, **more) -> str:
    with pytest.raises(BadParams) as raised:
        request(*messages, **more)
    return str(raised.value)
