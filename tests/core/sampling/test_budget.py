"""Limits beyond which the person is asked again."""

from __future__ import annotations

import msgspec

from bridge.core.sampling.budget import DAY, HOUR, TOKENS_PER_FILE, Budget, Limits, Usage, estimate
from tests.core.sampling.requests import WEATHER, assistant, image, request, text, tool_result, tool_use, user

NOON = DAY * 20_000 + DAY / 2


def budget(**limits: int) -> Budget:
    made = Budget()
    made.limits = Limits(**{"per_call": 0, "per_hour": 0, **limits})
    return made


def test_within_its_limits_a_server_needs_no_leave():
    assert Budget().exceeded("github", NOON, 0) == ""
    assert budget().exceeded("github", NOON, 1_000) == ""


def test_the_21st_request_of_a_call_asks_the_person():
    assert Budget().exceeded("github", NOON, 19) == ""
    assert (
        Budget().exceeded("github", NOON, 20)
        == "This call has reached its limit of requests to a model: 20 so far."
    )


def test_requests_within_an_hour_are_counted_by_server():
    used = budget(per_hour=2)
    used.sent("github", NOON - HOUR)
    used.sent("github", NOON - 10)
    assert used.exceeded("github", NOON, 0) == ""
    used.sent("github", NOON)
    assert (
        used.exceeded("github", NOON, 0)
        == "github has reached its limit of requests within an hour: 2 so far."
    )
    assert used.exceeded("linear", NOON, 0) == ""


def test_tokens_are_counted_by_day_and_in_all():
    used = budget(tokens_per_day=100)
    used.spend("github", 60, 50, NOON)
    assert used.exceeded("github", NOON, 0) == "github has used 110 tokens today."
    assert used.exceeded("github", NOON + DAY, 0) == ""
    used.spend("github", 1, 2, NOON + DAY)
    assert used.usage["github"] == Usage(2, 61, 52, 20_001, 3)


def test_tokens_are_estimated_by_four_characters():
    asked = request(user(text("Hello")), systemPrompt="Be brief")
    assert asked.estimated_tokens == 2 + 2
    assert [estimate(text) for text in ("", "abc", "abcde")] == [0, 1, 2]


def test_calls_their_results_pictures_and_tools_count_too():
    before = request(user(text("Hello")), assistant(tool_use("a")), user(tool_result("a")))
    assert before.estimated_tokens == 2 + estimate("weather{}")
    result = tool_result("a", text("Sunny, all day"), image())
    more = request(user(text("Hello")), assistant(tool_use("a")), user(result), tools=[WEATHER])
    schema = msgspec.json.encode(WEATHER["inputSchema"]).decode()
    offered = estimate(f"weather{WEATHER['description']}{schema}")
    assert more.estimated_tokens == before.estimated_tokens + 4 + TOKENS_PER_FILE + offered
