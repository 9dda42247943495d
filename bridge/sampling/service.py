"""Carry out the core's requests to models: one task each, cancelled when nobody waits for the answer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import msgspec

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.protocol.jsonrpc import INVALID_PARAMS
from bridge.core.sampling.budget import Budget
from bridge.core.sampling.content import BadParams
from bridge.core.sampling.model_call import ModelFailed
from bridge.core.sampling.model_choice import ModelSpec
from bridge.core.sampling.params import Message, SamplingRequest
from bridge.core.sampling.rules import SamplingRules
from bridge.core.status.models import ModelsStatus, ModelStatus, ModelTrial, ServerUsage
from bridge.errors import DeskbellError
from bridge.i18n import explained
from bridge.sampling import local_models
from bridge.sampling.client import ModelClient
from bridge.settings import SettingsFile
from bridge.system.background_tasks import BackgroundTasks

log = logging.getLogger(__name__)
Feed = Callable[[ev.Event], None]
_EDITED = ("kind", "url", "model", "slots", "servers", "tools", "price_in", "price_out")
_HELLO = {"type": "text", "text": "Say hello in one short sentence."}
_TRIAL = SamplingRequest((Message("user", (_HELLO,)),), 60)


class SamplingService:
    """`changed`: called after the settings were changed; `publish`: after Status has."""

    def __init__(
        self,
        feed: Feed,
        client: ModelClient,
        settings: SettingsFile,
        changed: Callable[[], None],
        publish: Callable[[], None],
    ) -> None:
        self._feed = feed
        self._client = client
        self._settings = settings
        self._changed = changed
        self._publish = publish
        self._tasks = BackgroundTasks()
        self._looking = False
        self._found: tuple[ModelSpec, ...] = ()
        self._trial: ModelTrial | None = None
        self._running: dict[str, asyncio.Task[None]] = {}
        self.problem = ""  # why "Always" could not be saved
        self.commands: dict[type, Callable[[Any], None]] = {
            do.AskModel: self._start,
            do.StopSample: self._stop,
            do.AllowSampling: self.allow,
        }

    async def close(self) -> None:
        await self._tasks.cancel()
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._client.close()

    def _start(self, command: do.AskModel) -> None:
        task = asyncio.get_running_loop().create_task(self._sample(command))
        self._running[command.id] = task
        task.add_done_callback(lambda _: self._running.pop(command.id, None))

    def _stop(self, command: do.StopSample) -> None:
        task = self._running.get(command.id)
        if task is not None:
            task.cancel()

    async def _sample(self, command: do.AskModel) -> None:
        used = partial(self._used, command)
        try:
            result = await self._client.answer(command.model, command.request, used)
            event = ev.Sampled(command.id, msgspec.json.encode(result))
        except BadParams as error:
            event = ev.Sampled(command.id, problem=str(error), code=INVALID_PARAMS)
        except ModelFailed as error:
            event = ev.Sampled(command.id, problem=str(error))
        except Exception:  # a server must not wait for ever
            log.exception("A request to the model %s failed", command.model.name)
            event = ev.Sampled(command.id, problem=f"The model {command.model.name} could not be asked.")
        self._feed(event)

    def _used(self, command: do.AskModel, tokens_in: int, tokens_out: int) -> None:
        self._feed(ev.ModelUsed(command.id, command.server, tokens_in, tokens_out))

    def allow(self, command: do.AllowSampling) -> None:
        """Save "Always for this server"."""
        self._save(lambda: self._settings.allow_sampling(command.server))

    # --- for the page Models -------------------------------------------------------------------------

    def set(self, spec: ModelSpec) -> None:
        """Add a model, or change the one of this name."""
        self._save(lambda: self._settings.set_model(spec))

    def remove(self, name: str) -> None:
        self._save(lambda: self._settings.remove_model(name))

    def save(self, model: ModelStatus, new_key: bool = False) -> None:
        """Add a model, or change the one of this name, and keep what windows do not show. `new_key`: its key
        is in the vault, under `key_name`."""
        before = self._settings.current.models.get(model.name)
        known = before or ModelSpec(model.name, model.kind, model.url, model.model)
        shown = {name: getattr(model, name) for name in _EDITED}
        key = f"${{vault:{key_name(model.name)}}}" if new_key else known.key if model.has_key else ""
        self.set(replace(known, key=key, **shown))

    def change(self, key: str, value: object) -> None:
        """Change one key of [sampling]."""
        self._save(lambda: self._settings.set_sampling(key, value))

    def set_server(self, key: str, server: str, on: bool) -> None:
        """Add a server to a list of [sampling], `allow` or `background`; or remove it."""
        others = tuple(one for one in getattr(self._settings.current.sampling, key) if one != server)
        self.change(key, (*others, server) if on else others)

    def _save(self, edit: Callable[[], None]) -> None:
        try:
            edit()
            self.problem = ""
        except DeskbellError as error:
            self.problem = explained(error)
        self._changed()

    def look(self) -> None:
        """Look for models on this computer; Status has what was found."""
        self._looking = True
        self._tasks.start(self._look())
        self._publish()

    async def _look(self) -> None:
        self._found = await local_models.find()
        self._looking = False
        self._publish()

    def try_model(self, name: str) -> None:
        """Send a short question to a model; Status has its answer."""
        self._trial = ModelTrial(name)
        self._tasks.start(self._try(name))
        self._publish()

    async def _try(self, name: str) -> None:
        try:
            spec = self._settings.current.models[name]
            result = await self._client.answer(spec, _TRIAL, lambda *tokens: None)
            self._trial = ModelTrial(name, answer=result["content"]["text"])
        except (KeyError, ModelFailed) as error:
            self._trial = ModelTrial(name, problem=str(error))
        self._publish()

    def status(self, rules: SamplingRules, budget: Budget) -> ModelsStatus:
        """Return what the windows show of models and their use."""
        usage = tuple(
            ServerUsage(server, used.requests, used.tokens_in, used.tokens_out, used.today)
            for server, used in sorted(budget.usage.items())
        )
        limits = rules.limits
        return ModelsStatus(
            tuple(map(_shown, rules.models)),
            usage,
            rules.allow,
            rules.background,
            rules.person,
            limits.per_call,
            limits.per_hour,
            limits.tokens_per_day,
            self._looking,
            tuple(map(_shown, self._found)),
            self._trial,
            rules.check_answers,
            self.problem,
        )


def _shown(one: ModelSpec) -> ModelStatus:
    shown = (one.name, one.kind, one.url, one.model, one.slots, one.servers, one.tools, one.is_local)
    return ModelStatus(*shown, bool(one.key), one.price_in, one.price_out)


def key_name(model: str) -> str:
    """Return the name of the secret with a model's key."""
    return f"models/{model}"
