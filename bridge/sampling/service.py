"""Carry out the core's requests to models: one task each, cancelled when nobody waits for the answer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.protocol.jsonrpc import INVALID_PARAMS
from bridge.core.sampling.budget import Budget
from bridge.core.sampling.content import BadParams
from bridge.core.sampling.model_call import ModelFailed
from bridge.core.sampling.rules import SamplingRules
from bridge.core.status.models import ModelsStatus, ModelStatus, ServerUsage
from bridge.errors import DeskbellError
from bridge.i18n import explained
from bridge.sampling.client import ModelClient
from bridge.settings import SettingsFile

log = logging.getLogger(__name__)
Feed = Callable[[ev.Event], None]


class SamplingService:
    """`changed`: called after "Always for this server" was saved."""

    def __init__(
        self, feed: Feed, client: ModelClient, settings: SettingsFile, changed: Callable[[], None]
    ) -> None:
        self._feed = feed
        self._client = client
        self._settings = settings
        self._changed = changed
        self._running: dict[str, asyncio.Task[None]] = {}
        self.problem = ""  # why "Always" could not be saved
        self.commands: dict[type, Callable[[Any], None]] = {
            do.Sample: self._start,
            do.StopSample: self._stop,
            do.AllowSampling: self.allow,
        }

    async def close(self) -> None:
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._client.close()

    def _start(self, command: do.Sample) -> None:
        task = asyncio.get_running_loop().create_task(self._sample(command))
        self._running[command.id] = task
        task.add_done_callback(lambda _: self._running.pop(command.id, None))

    def _stop(self, command: do.StopSample) -> None:
        task = self._running.get(command.id)
        if task is not None:
            task.cancel()

    async def _sample(self, command: do.Sample) -> None:
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

    def _used(self, command: do.Sample, tokens_in: int, tokens_out: int) -> None:
        self._feed(ev.ModelUsed(command.id, command.server, tokens_in, tokens_out))

    def allow(self, command: do.AllowSampling) -> None:
        """Save "Always for this server"."""
        try:
            self._settings.allow_sampling(command.server)
            self.problem = ""
        except DeskbellError as error:
            self.problem = explained(error)
        self._changed()


def status_of(rules: SamplingRules, budget: Budget) -> ModelsStatus:
    """Return what the windows show of models and their use."""
    models = tuple(
        ModelStatus(one.name, one.kind, one.url, one.model, one.slots, one.servers, one.tools, one.is_local)
        for one in rules.models
    )
    usage = tuple(
        ServerUsage(server, used.requests, used.tokens_in, used.tokens_out, used.today)
        for server, used in sorted(budget.usage.items())
    )
    limits = rules.limits
    return ModelsStatus(
        models,
        usage,
        rules.allow,
        rules.background,
        rules.person,
        limits.per_call,
        limits.per_hour,
        limits.tokens_per_day,
    )
