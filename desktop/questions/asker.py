"""Who asks a question, as words and as a picture: a server through an AI app, or the app alone."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from bridge.api import Mode, Question, app_of
from desktop.widgets.avatar import Avatar
from desktop.widgets.text.bidi import isolate
from desktop.widgets.text.safe_text import one_line

AVATAR = 28


def app_name(question: Question) -> str:
    """Return the name of the AI app, on one line; "" if it is not known."""
    return one_line(app_of(question.host).name, 60) if question.host else ""


def asker(question: Question) -> tuple[str, str]:
    """Return the server that asks, and the AI app through which; no server if the app itself asks."""
    app = app_name(question)
    if app and is_app_asking(question):
        return "", app
    return server_title(question), app


def asker_line(question: Question) -> str:
    """Return in one line who asks."""
    server, app = map(isolate, asker(question))
    if server and app and server != app:
        return QCoreApplication.translate("Asker", "{server} · via {app}").format(server=server, app=app)
    return server or app


def avatar_of(question: Question, size: int = AVATAR) -> Avatar:
    """Return the avatar of the AI app for an approval or if it asks itself, else of the server."""
    if question.host and (question.mode is Mode.CONFIRM or is_app_asking(question)):
        app = app_of(question.host)
        return Avatar(one_line(app.name, 60), size=size, app=app.id)
    return Avatar(server_title(question), size=size, server=question.server)


def is_app_asking(question: Question) -> bool:
    """True if a model asks on purpose: by the tools of the built-in server `desk`."""
    return question.server == "desk" and question.wants_reason


def server_title(question: Question) -> str:
    if question.server == "bluesky" and question.wants_reason:
        return "Bluesky"
    return one_line(question.server, 60)
