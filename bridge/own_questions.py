"""Ask Questions of Deskbell's own: for the vault's passphrase, the use of a secret, a server's sign-in."""

from __future__ import annotations

import asyncio
import secrets
import shlex
from collections.abc import Callable
from typing import Any

import msgspec

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.ports import ServerSpec
from bridge.core.questions.question import Action, Answer, Mode, Question
from bridge.i18n import say, together

_PASSPHRASE_FORM = (
    b'{"type":"object","properties":{"passphrase":{"type":"string","title":"Passphrase","minLength":1}},'
    b'"required":["passphrase"]}'
)
OURS = "Deskbell"  # the asking server in Questions of our own


class OwnQuestions:
    def __init__(self, feed: Callable[[ev.Event], None]) -> None:
        self._feed = feed
        self._waiting: dict[str, asyncio.Future[Answer]] = {}

    async def ask(self, mode: Mode, message: str, **more: Any) -> Answer:
        """Ask the person; cancelling the task withdraws the Question."""
        question_id = f"own-{secrets.token_hex(8)}"
        waiting: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[question_id] = waiting
        question = Question(
            question_id, mode, **{"server": OURS, "host": "", **more}, message=message, ours=True
        )
        self._feed(ev.DeskbellAsked(question))
        try:
            return await waiting
        finally:
            if self._waiting.pop(question_id, None) is not None:
                self._feed(ev.DeskbellWithdrew(question_id))

    def receive_answer(self, command: do.ReturnAnswer) -> None:
        """Hand the person's Answer to the `ask` that waits for it."""
        waiting = self._waiting.pop(command.question, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(command.answer)

    async def passphrase(self, wrong: str) -> str | None:
        message = together(
            say("{title}.", title=wrong) if wrong else "", say("Your secrets are locked. Unlock them?")
        )
        answer = await self.ask(Mode.FORM, message, schema=_PASSPHRASE_FORM)
        if answer.action is not Action.ACCEPT or not answer.content:
            return None
        return msgspec.json.decode(answer.content, type=dict[str, str])["passphrase"]

    async def sign_in(self, spec: ServerSpec, url: str) -> Answer:
        message = say(
            "{server} wants you to sign in. Deskbell then acts for you there, until you sign out.",
            server=spec.name,
        )
        return await self.ask(Mode.URL, message, server=spec.name, url=url)

    async def secret_use(self, spec: ServerSpec, name: str, record: Callable[[do.Record], None]) -> bool:
        """Ask whether a program outside config.toml may have a secret, and record the answer."""
        program = shlex.join((spec.command, *spec.args))
        message = say(
            "{program} wants your secret {name}. May it have it, now and later?", program=program, name=name
        )
        answer = await self.ask(Mode.CONFIRM, message, server=spec.name, tool=name)
        allowed = answer.action is Action.ACCEPT
        outcome = "secret given" if allowed else "secret refused"
        record(do.Record("notice", server=spec.name, outcome=outcome, detail=str(message)))
        return allowed
