"""A server wants the person to sign in: nobody's time runs out meanwhile, and Status tells how far it is."""

from __future__ import annotations

from bridge.core import events as ev
from bridge.core.protocol.handshake import PATIENCE
from bridge.core.routing.connections.sign_in_state import NEEDED, SETTLED, UNDER_WAY
from bridge.core.status import ServerStatus, VaultStatus
from bridge.settings import Settings
from bridge.snapshot import status_of
from tests.core.fake_peers import Wire, script


def told(wire: Wire) -> ServerStatus:
    (one,) = status_of(wire.router, Settings(), "", "", (), VaultStatus()).servers
    return one


def test_while_the_person_signs_in_the_clock_stands_and_starts_anew_after_it():
    wire = Wire(script(timeout=30.0))
    host = wire.legacy_host()
    call = host.calls()
    wire.feed(ev.SignInChanged("files", UNDER_WAY))
    wire.passes(500.0)
    assert call not in host.replies
    wire.feed(ev.SignInChanged("files", SETTLED))
    wire.passes(29.0)
    assert call not in host.replies
    wire.passes(1.0)
    assert host.replies[call].error["code"] == -32001


def test_a_sign_in_to_another_server_stops_no_clock():
    wire = Wire(script(timeout=30.0))
    host = wire.legacy_host()
    call = host.calls()
    wire.feed(ev.SignInChanged("mail", UNDER_WAY))
    wire.feed(ev.SignInChanged("mail", NEEDED))
    wire.passes(30.0)
    assert call in host.replies


def test_an_introduction_that_waits_for_the_person_is_not_hurried():
    wire = Wire(script(mute=True))
    host = wire.modern_host()
    host.calls()
    wire.feed(ev.SignInChanged("files", UNDER_WAY))
    said = len(wire.upstreams["files"].heard)
    wire.passes(PATIENCE + 1)
    assert len(wire.upstreams["files"].heard) == said
    wire.feed(ev.SignInChanged("files", SETTLED))
    wire.passes(PATIENCE - 1)
    assert len(wire.upstreams["files"].heard) == said
    wire.passes(1.0)
    assert len(wire.upstreams["files"].heard) == said + 1


def test_status_tells_how_far_it_is_and_what_to_do():
    wire = Wire(script())
    wire.feed(ev.SignInChanged("files", UNDER_WAY))
    assert (told(wire).state, told(wire).problem) == ("sign-in", "It waits for you to sign in.")
    wire.feed(ev.SignInChanged("files", NEEDED))
    assert (told(wire).problem, told(wire).sign_in) == ("Sign in: deskbell servers login files", NEEDED)
    wire.feed(ev.SignInChanged("files", NEEDED, "Nobody came back."))
    assert told(wire).problem == "Nobody came back. Sign in: deskbell servers login files"
    wire.feed(ev.SignInChanged("files", NEEDED, "Nobody came back: deskbell servers login files"))
    assert told(wire).problem == "Nobody came back: deskbell servers login files"
    wire.feed(ev.SignInChanged("files", SETTLED))
    wire.feed(ev.SignInChanged("files", SETTLED))
    assert told(wire).state == "idle"


def test_while_the_person_may_be_unlocking_secrets_the_clock_stands():
    wire = Wire(script(timeout=30.0))
    host = wire.legacy_host()
    call = host.calls()
    wire.feed(ev.SecretsAwaited("files", True))
    wire.feed(ev.SecretsAwaited("files", True))  # for another connection
    wire.passes(500.0)
    wire.feed(ev.SecretsAwaited("files", False))
    wire.passes(500.0)
    assert call not in host.replies
    wire.feed(ev.SecretsAwaited("files", False))
    wire.passes(29.0)
    assert call not in host.replies
    wire.passes(1.0)
    assert host.replies[call].error["code"] == -32001


def test_unlocked_secrets_do_not_end_the_wait_for_a_sign_in():
    wire = Wire(script(timeout=30.0))
    host = wire.legacy_host()
    call = host.calls()
    wire.feed(ev.SignInChanged("files", UNDER_WAY))
    wire.feed(ev.SecretsAwaited("files", True))
    wire.feed(ev.SecretsAwaited("files", False))
    wire.passes(500.0)
    assert call not in host.replies
