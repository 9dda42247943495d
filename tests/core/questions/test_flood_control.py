"""Who asks too often, and whom the person has muted."""

from __future__ import annotations

from bridge.core.questions import flood_control
from bridge.core.questions.flood_control import FloodControl


def asks(by: FloodControl, times: int, server: str = "files", since: float = 0.0) -> list[bool]:
    return [by.asked(server, since + n) for n in range(times)]


def test_a_flood_begins_with_one_question_too_many_and_begins_once():
    flood = FloodControl()
    assert asks(flood, flood_control.LIMIT) == [False] * flood_control.LIMIT
    assert asks(flood, 3, since=20.0) == [True, False, False]
    assert flood.flooding == ("files",)


def test_questions_that_came_slowly_are_no_flood():
    flood = FloodControl()
    assert not any(flood.asked("files", 7.0 * n) for n in range(50))


def test_every_server_is_counted_for_itself():
    flood = FloodControl()
    asks(flood, flood_control.LIMIT)
    assert not any(asks(flood, flood_control.LIMIT, "github"))


def test_what_was_accepted_was_wanted():
    flood = FloodControl()
    for n in range(50):
        assert not flood.asked("files", n / 10)
        flood.left("files", 0, accepted=True)
    flood.left("files", 0, accepted=True)
    flood.left("never heard of", 0, accepted=True)
    assert flood.flooding == ()


def test_when_nothing_waits_it_subsides_but_the_minute_is_not_forgotten():
    flood = FloodControl()
    asks(flood, flood_control.LIMIT + 1)
    flood.left("files", 1, accepted=False)
    assert "files" in flood.flooding
    flood.left("files", 0, accepted=False)
    flood.left("files", 0, accepted=False)
    assert flood.flooding == ()
    assert flood.asked("files", 20.0)


def test_a_server_that_was_spared_starts_afresh():
    flood = FloodControl()
    asks(flood, flood_control.LIMIT + 1)
    flood.spare("files")
    flood.spare("never heard of")
    assert flood.flooding == ()
    assert not flood.asked("files", 20.0)


def test_without_a_limit_nothing_is_a_flood():
    flood = FloodControl()
    flood.limit = 0
    assert not any(asks(flood, 100))


def test_a_mute_ends_by_itself_or_when_the_person_says_so():
    flood = FloodControl()
    asks(flood, flood_control.LIMIT + 1)
    flood.mute("files", 100.0)
    assert (flood.flooding, flood.mutes) == ((), (("files", 100.0),))
    assert flood.is_muted("files", 99.0)
    assert not flood.is_muted("files", 100.0)
    assert not flood.is_muted("github", 1.0)
    assert (flood.over(99.0), flood.over(100.0)) == ((), ("files",))
    assert flood.unmute("files")
    assert not flood.unmute("files")


def test_names_are_the_hosts_to_choose_and_do_not_fill_the_memory():
    flood = FloodControl()
    for n in range(3 * flood_control.MOST_SERVERS):
        flood.asked(str(n), 0.0)
    assert len(flood._recent) <= flood_control.MOST_SERVERS
