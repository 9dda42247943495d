"""Questions, outcomes and constructors that the stories of the Exchange share."""

from __future__ import annotations

from bridge.core.exchange.events import (
    UpstreamSentAway,
)
from bridge.core.exchange.state_machine import Exchange
from bridge.core.exchange.who_asks import AskChannel
from bridge.core.protocol.elicitation import ServerQuestion
from bridge.core.protocol.jsonrpc import OwnReply
from bridge.core.questions.question import Mode, Question


def asked(mode: Mode, name: str, method: str = "elicitation/create") -> ServerQuestion:
    return ServerQuestion(Question(name, mode, "files", "Host"), method, b"{}")


WHO = asked(Mode.FORM, "who")
WHEN = asked(Mode.FORM, "when")
LOGIN = asked(Mode.URL, "login")
SAMPLE = asked(Mode.SAMPLING, "sample", "sampling/createMessage")
ROOTS = asked(Mode.ROOTS, "roots", "roots/list")
YES = OwnReply(b'{"action":"accept","content":{"name":"Ada"}}')
SOON = OwnReply(b'{"action":"accept","content":{"when":"soon"}}')
DONE = OwnReply(b'{"content":[]}')
NO = OwnReply(b'{"isError":true}')
GONE = OwnReply(error=b'{"code":-32603,"message":"files is gone"}')
LATE = OwnReply(error=b'{"code":-32001,"message":"no answer"}')
MAY_I = Question("q1", Mode.CONFIRM, "files", "Host")
FORMS = frozenset({Mode.FORM})


def new(via: AskChannel = AskChannel.DESK, can: frozenset[Mode] = frozenset(Mode)) -> Exchange:
    return Exchange(b"1", via, can)


# Links to visit first


def link(name: str, elicitation_id: str) -> ServerQuestion:
    return ServerQuestion(Question(name, Mode.URL, "files", "Host", elicitation_id=elicitation_id), "", b"")


PAY, SIGN = link("pay", "e1"), link("sign", "e2")
READY = asked(Mode.FORM, "ready")
SENT_AWAY = UpstreamSentAway({"pay": PAY}, READY, NO)
