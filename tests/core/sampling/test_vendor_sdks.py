"""The SDKs of OpenAI and Anthropic judge the request bodies and schemas that the core makes for their APIs.

Importing the SDKs under coverage takes four seconds, so coverage is not measured here.
"""

from __future__ import annotations

import pytest

from bridge.core.sampling.structured import described, strict
from tests.core.sampling.requests import audio, user
from tests.core.sampling.test_bodies import CLAUDE, LOCAL, REQUESTS, body_of
from tests.core.sampling.test_structured import NAME

pytestmark = pytest.mark.no_cover


@pytest.mark.parametrize("name", REQUESTS)
def test_the_openai_sdk_takes_our_bodies(name):
    types = pytest.importorskip("openai.types.chat.completion_create_params")
    from pydantic import TypeAdapter

    judge = TypeAdapter(types.CompletionCreateParamsStreaming)
    body = body_of(LOCAL, **REQUESTS[name])
    judge.validate_python(body, strict=True)
    assert body.keys() <= types.CompletionCreateParamsStreaming.__annotations__.keys()


def test_the_openai_sdk_takes_sound():
    types = pytest.importorskip("openai.types.chat.completion_create_params")
    from pydantic import TypeAdapter

    body = body_of(LOCAL, messages=[user(audio())])
    TypeAdapter(types.CompletionCreateParamsStreaming).validate_python(body, strict=True)
    assert body["messages"][0]["content"][0]["input_audio"]["format"] == "wav"


@pytest.mark.parametrize("name", REQUESTS)
def test_the_anthropic_sdk_takes_our_bodies(name):
    types = pytest.importorskip("anthropic.types.message_create_params")
    from pydantic import TypeAdapter

    judge = TypeAdapter(types.MessageCreateParamsStreaming)
    body = body_of(CLAUDE, **REQUESTS[name])
    judge.validate_python(body)
    known = types.MessageCreateParamsBase.__annotations__.keys() | {"stream"}
    assert body.keys() <= known


def test_anthropics_own_transformation_gives_the_same():
    transform = pytest.importorskip("anthropic.lib._parse._transform")
    theirs = {
        "type": "object",
        "properties": {"n": {"type": "integer"}, "list": {"type": "array", "items": NAME, "minItems": 1}},
        "required": ["n"],
    }
    assert described(theirs) == transform.transform_schema(theirs)


def test_openais_own_transformation_gives_the_same_where_all_is_required():
    library = pytest.importorskip("openai.lib._pydantic")
    theirs = {
        "type": "object",
        "properties": {"n": {"type": "integer"}, "list": {"type": "array", "items": {"type": "string"}}},
        "required": ["n", "list"],
    }
    assert strict(theirs) == library._ensure_strict_json_schema(dict(theirs), path=(), root=theirs)
