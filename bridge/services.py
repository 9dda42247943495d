"""Services for windows that need no module of their own: questions, history, settings.

Each method returns at once; Status shows the result. They run in the engine's loop (see `bridge.api.Bridge`).
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any, Protocol

import msgspec

from bridge.answer_drafts import AnswerDrafts
from bridge.core import events as ev
from bridge.core.questions.draft import AnswerDraft
from bridge.core.questions.question import Action, Answer, Mode
from bridge.errors import DeskbellError, NotFoundError, UsageError, failure_reply
from bridge.i18n import failure_text, say
from bridge.journal import Journal
from bridge.journal.recorder import Recorder
from bridge.presenters.question_json import AnswerRefused, by_hand_only, is_given_by_hand, read_answer
from bridge.settings import SettingsFile
from bridge.snapshot import StatusPublisher
from bridge.system.background_tasks import BackgroundTasks
from bridge.transports.hello import SCRIPTED
from bridge.transports.http.endpoint import HttpEndpoint
from bridge.updates.check import UpdateCheck
from bridge.vault.service import VaultService

Feed = Callable[[ev.Event], None]


class QuestionService:
    """Answer Questions, or decide which of them are asked at all."""

    def __init__(self, feed: Feed, statuses: StatusPublisher, drafts: AnswerDrafts) -> None:
        self._feed = feed
        self._statuses = statuses
        self._drafts = drafts

    def _tell(self, event: ev.Event) -> None:
        """Feed and publish: an event that only stops a clock or holds an answer back causes no command."""
        self._feed(event)
        self._statuses.request()

    def keep_draft(self, draft: AnswerDraft) -> None:
        """Keep what was typed for a Question that went away."""
        self._drafts.keep(draft)

    def discard_draft(self, question_id: str) -> None:
        self._drafts.discard(question_id)

    def answer(self, question_id: str, answer: Answer, undo: float = 0.0) -> None:
        """Answer a Question that is still waiting; ignore any other. `undo`: seconds to take it back."""
        self._tell(ev.PersonAnswered(question_id, answer, undo))

    def undo(self, question_id: str) -> None:
        """Take back an Answer that is held back."""
        self._tell(ev.AnswerUndone(question_id))

    def set_presence(self, present: bool) -> None:
        """Tell whether the person is at the computer: no Question's time runs while they are not."""
        self._tell(ev.PersonReturned() if present else ev.PersonLeft())

    def working_on(self, question_id: str, on: bool) -> None:
        """Stop this Question's clock while the person works on its answer."""
        self._tell(ev.AnswerBegun(question_id, on))

    def add_time(self, question_id: str, seconds: float) -> None:
        self._tell(ev.TimeAdded(question_id, seconds))

    def missed_seen(self) -> None:
        """Forget the Questions that expired: the person knows of them."""
        self._tell(ev.MissedSeen())

    def snooze(self, seconds: float = 0.0) -> None:
        """Ring for no Question, and stop all their clocks, for `seconds`; 0: until `resume`."""
        self._tell(ev.Snoozed(time.time() + seconds if seconds else 0.0))

    def resume(self) -> None:
        self._tell(ev.Resumed())

    def mute(self, server: str, seconds: float) -> None:
        """Decline every Question of this server for `seconds`."""
        self._tell(ev.Muted(server, time.time() + seconds))

    def unmute(self, server: str) -> None:
        self._tell(ev.Unmuted(server))

    def ask_anyway(self, server: str) -> None:
        """Show every Question of this server, however many it asks."""
        self._tell(ev.FloodAllowed(server))

    # --- for `deskbell questions` and `deskbell answer` ----------------------------------------------

    async def watch(self, _: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
        """Yield the waiting Questions, now and whenever they change."""
        waiting = self._statuses.latest.waiting
        while True:
            yield {"waiting": waiting}
            before = waiting
            while waiting == before:
                waiting = (await self._statuses.next()).waiting

    def answer_from_command(self, request: dict[str, Any]) -> dict[str, Any]:
        """Answer the Question `id` with `answer`, as programs write it (presenters/question_json.py)."""
        question_id = str(request.get("id", ""))
        found = [one for one in self._statuses.latest.waiting if one.id == question_id]
        if not found:
            return failure_reply(
                NotFoundError(f"No question {question_id} is waiting", "See `deskbell questions`.")
            )
        try:
            answer = read_answer(found[0], msgspec.json.encode(request.get("answer")))
        except AnswerRefused as refused:
            return failure_reply(UsageError(str(refused)))
        if request.get(SCRIPTED) and answer.action is Action.ACCEPT and is_given_by_hand(found[0]):
            return failure_reply(by_hand_only(found[0]))
        if found[0].mode is Mode.CONFIRM and request.get("always") is True:
            answer = replace(answer, always=True)
        self.answer(question_id, answer)
        return {}


class HistoryService:
    """Calls under way, and calls of the past."""

    def __init__(self, journal: Journal, recorder: Recorder, feed: Feed, statuses: StatusPublisher) -> None:
        self._statuses = statuses
        self._journal = journal
        self._recorder = recorder
        self._feed = feed

    def delete(self, rows: tuple[int, ...] | None) -> None:
        """Delete these rows of the history; None: all of them."""
        self._journal.forget(rows)

    def watch_calls(self, on: bool) -> None:
        """Put calls under way into Status, while a window shows them."""
        self._recorder.look(on)

    def delete_held(self, ticket: str) -> None:
        """Delete a call that its host stopped waiting for, and its reply; cancel it if it is under way."""
        self._feed(ev.HeldCallDeleted(ticket))

    def delete_held_from_command(self, request: dict[str, Any]) -> dict[str, Any]:
        """Delete the held call `ticket`, for `deskbell held`."""
        ticket = str(request.get("ticket", ""))
        if not any(call.ticket == ticket for call in self._statuses.latest.held):
            return failure_reply(NotFoundError(f"No call is held under {ticket}", "See `deskbell held`."))
        self.delete_held(ticket)
        return {}

    def cancel_call(self, call: int) -> None:
        """Cancel a call under way; ignore one that has ended."""
        self._feed(ev.CallCancelled(call))


class AppForSettings(Protocol):
    def apply_settings(self) -> None: ...
    def publish(self) -> None: ...


class SettingsService:
    """Change config.toml, the vault's store and the HTTP token."""

    def __init__(
        self,
        app: AppForSettings,
        file: SettingsFile,
        vault: VaultService,
        endpoint: HttpEndpoint,
        updates: UpdateCheck,
    ) -> None:
        self._app = app
        self._file = file
        self._vault = vault
        self._endpoint = endpoint
        self._updates = updates
        self._tasks = BackgroundTasks()
        self._not_changed = ""  # why the last preference could not be changed
        self.token_problem = ""  # why the token could not be renewed

    async def close(self) -> None:
        await self._tasks.cancel()

    @property
    def problems(self) -> tuple[str, ...]:
        return tuple(filter(None, (self._not_changed, self.token_problem)))

    def undo_loosening(self) -> None:
        """Put rules back into config.toml that were taken out of it elsewhere."""
        try:
            self._file.undo_loosening()
            self._not_changed = ""
        except DeskbellError as error:
            self._not_changed = failure_text(error)
        self._app.apply_settings()
        self._app.publish()

    def keep_loosened(self) -> None:
        """Leave config.toml as it is, and remove the notice about the rules that are gone."""
        self._file.keep_loosened()
        self._app.publish()

    def change(self, table: str, key: str, value: object) -> None:
        """Change one key of config.toml."""
        try:
            self._file.set_preference(table, key, value)
            self._not_changed = ""
        except DeskbellError as error:
            self._not_changed = say(
                "{key} could not be changed. {why}", key=f"{table}.{key}", why=failure_text(error)
            )
        self._app.apply_settings()
        self._app.publish()

    def renew_token(self) -> None:
        """Replace the HTTP token; Status names the files that still hold the old one."""
        self._tasks.start(self.replace_token())

    async def replace_token(self) -> None:
        try:
            await self._endpoint.renew_token()
            self.token_problem = ""
        except DeskbellError as error:
            self.token_problem = failure_text(error)
        self._app.publish()

    async def replace_token_by_command(self, _: dict[str, Any]) -> dict[str, Any]:
        """Reply to `deskbell token rotate` with the files that still hold the old token."""
        await self.replace_token()
        return {"problem": self.token_problem, "outdated": self._endpoint.status().outdated}

    def choose_vault(self, store: str) -> None:
        """Keep secrets in `store` (auto, keyring, file, memory or refuse), and move those there are."""
        self._tasks.start(self._vault.choose(store))

    def check_for_updates(self) -> None:
        """Check now, unless the person has switched update checks off."""
        self._updates.ask_now()
