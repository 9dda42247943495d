"""Who may answer a server's sampling, by the settings. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from bridge.core.ports import BUILT_IN, ServerSpec
from bridge.core.questions.question import Mode
from bridge.core.sampling.budget import USUAL, Limits
from bridge.core.sampling.model_choice import ModelSpec, choose
from bridge.core.sampling.params import SamplingRequest

AUTO, HOST, MODEL, PERSON, OFF = ANSWERERS = ("auto", "host", "model", "person", "off")
SAMPLING_MODES = frozenset({Mode.SAMPLING, Mode.SAMPLING_TOOLS})
_PLAIN = frozenset({Mode.SAMPLING})
_NONE: frozenset[Mode] = frozenset()


@dataclass(frozen=True, slots=True)
class SamplingRules:
    """[sampling] and [models.NAME] of the settings."""

    models: tuple[ModelSpec, ...] = ()
    allow: tuple[str, ...] = ()  # servers whose requests are sent without asking the person
    background: tuple[str, ...] = ()  # servers that may ask outside any call
    person: bool = True  # the person answers where no model can
    limits: Limits = USUAL
    check_answers: bool = False  # the person sees each model's answer before it is returned

    def declares(self, spec: ServerSpec, has_desk: bool) -> frozenset[Mode]:
        """Return the sampling modes declared to this server: those that can be answered here."""
        if spec.sampling in (HOST, OFF):
            return _NONE
        models = [one for one in self.models if one.serves(spec.name)] if spec.sampling != PERSON else []
        if any(one.tools for one in models):
            return SAMPLING_MODES
        return _PLAIN if models or self.asks_person(spec, has_desk) else _NONE

    def here(self, spec: ServerSpec, has_desk: bool) -> frozenset[Mode]:
        """Return the sampling modes of requests that are taken here: `__schema__`, a tool by its form only,
        needs nobody who can call tools."""
        return SAMPLING_MODES if self.declares(spec, has_desk) else _NONE

    def asks_person(self, spec: ServerSpec, has_desk: bool) -> bool:
        """True if the person answers where no model can. Our own tools ask a person by questions instead."""
        wanted = spec.sampling == PERSON or (self.person and spec.sampling == AUTO)
        return has_desk and wanted and spec.name not in BUILT_IN

    def model_for(self, spec: ServerSpec, request: SamplingRequest) -> ModelSpec | None:
        return choose(self.models, spec.name, request) if spec.sampling in (AUTO, MODEL) else None


def hidden(spec: ServerSpec) -> frozenset[Mode]:
    """Return the modes that are never passed on to the host for this server."""
    return SAMPLING_MODES if spec.sampling in (MODEL, PERSON, OFF) else _NONE


USUAL_RULES = SamplingRules()
