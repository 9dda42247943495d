"""Status from the Book: the one place that turns the core's state into what a person looks at. Reads only."""

from __future__ import annotations

from bridge import __version__
from bridge.core.ports import OWN_WINDOWS, ServerSpec
from bridge.core.questions.question import Mode
from bridge.core.routing.sign_in_state import UNDER_WAY
from bridge.core.routing.state import Book, Conn
from bridge.core.status import Flood, HostStatus, Mute, ServerStatus, Status, VaultStatus
from bridge.i18n import say, together
from bridge.settings import Settings

_SHOWN = (Mode.FORM, Mode.URL, Mode.SAMPLING)


def status_of(
    book: Book,
    settings: Settings,
    address: str,
    presenter: str,
    problems: tuple[str, ...],
    vault: VaultStatus,
) -> Status:
    return Status(
        version=__version__,
        address=address,
        presenter=presenter,
        waiting=book.desk.waiting(),
        visits=book.visits.ids(),
        hosts=tuple(_hosts(book)),
        servers=tuple(_servers(book)),
        problems=problems,
        snoozed=book.snoozed,
        snoozed_until=book.snoozed_until,
        floods=tuple(Flood(name, book.desk.count(name)) for name in book.floods.flooding),
        mutes=tuple(Mute(name, until) for name, until in book.floods.mutes),
        wishes=settings.wishes,
        questions_per_minute=settings.questions_per_minute,
        history_days=settings.history_days,
        contents_days=settings.contents_days,
        language=settings.language,
        theme=settings.theme,
        icon=settings.icon,
        question_timeout=settings.question_timeout,
        notices=book.suspicion.notices(book.policy),
        vault=vault,
    )


def _hosts(book: Book) -> list[HostStatus]:
    return [
        HostStatus(
            name=book.host_name(party),
            version=party.presence.who.version,
            wire=party.key.partition(":")[0]
            if not party.private
            else next((link.caller.wire for link in party.links.values()), ""),
            revision=party.presence.revision,
            can_ask=Mode.FORM in party.presence.can,
            servers=tuple(party.conns),
            calls=sum(link.calls for link in party.links.values()),
            can=tuple(mode.value for mode in _SHOWN if mode in party.presence.can),
        )
        for party in book.parties.values()
        if not party.shared and party.key != OWN_WINDOWS
    ]


def _servers(book: Book) -> list[ServerStatus]:
    """Every configured server, and those that hosts wrapped; one line each, the best state it has."""
    open_: dict[str, Conn] = {}
    for conn in book.conns.values():
        known = open_.get(conn.spec.name)
        if known is None or known.introduction is None:
            open_[conn.spec.name] = conn
    wrapped = [link.caller.wrap for link in book.links.values() if link.caller.wrap is not None]
    specs = {**book.servers, **{spec.name: spec for spec in wrapped}}
    specs |= {name: conn.spec for name, conn in open_.items()}
    return [_server(book, spec, open_.get(name)) for name, spec in specs.items()]


def _server(book: Book, spec: ServerSpec, conn: Conn | None) -> ServerStatus:
    kind = "built-in" if spec.builtin else "http" if spec.url else "stdio"
    if not spec.enabled:
        return ServerStatus(spec.name, kind, "disabled")
    failure = book.failures.get(spec.name, "")
    if sign_in := book.sign_ins.get(spec.name):
        command = f"deskbell servers login {spec.name}"
        way = say("Sign in: {command}", command=command)
        if sign_in == UNDER_WAY:
            way = say("It waits for you to sign in.")
        problem = failure if failure.endswith(command) else together(failure, way)
        return ServerStatus(spec.name, kind, "sign-in", problem=problem, sign_in=sign_in)
    if conn is None:
        rests = book.rests.until(spec.name, book.now)
        state = "resting" if rests else "failed" if failure else "idle"
        until = rests + book.offset if rests else 0.0
        return ServerStatus(spec.name, kind, state, problem=failure, rests_until=until)
    if conn.introduction is None:
        return ServerStatus(spec.name, kind, "failed" if conn.overdue else "starting", problem=conn.overdue)
    return ServerStatus(spec.name, kind, "ready", conn.introduction.revision)
