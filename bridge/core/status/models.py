"""What windows show of the models that answer servers. Values only."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """One [models.NAME]; its key is never part of Status."""

    name: str
    kind: str  # "openai" | "anthropic" | "ollama"
    url: str
    model: str
    slots: tuple[str, ...] = ()
    servers: tuple[str, ...] = ()  # "*": all
    tools: bool = True
    is_local: bool = False
    has_key: bool = False
    price_in: float = 0.0  # of a million tokens; 0: unknown
    price_out: float = 0.0


@dataclass(frozen=True, slots=True)
class ServerUsage:
    server: str
    requests: int
    tokens_in: int
    tokens_out: int
    today: int  # tokens, in and out


@dataclass(frozen=True, slots=True)
class ModelTrial:
    """What came of "Try it…"; all empty while it runs."""

    model: str
    answer: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ModelsStatus:
    models: tuple[ModelStatus, ...] = ()
    usage: tuple[ServerUsage, ...] = ()
    allow: tuple[str, ...] = ()  # servers that are not asked about
    background: tuple[str, ...] = ()  # servers that may ask outside any call
    person: bool = False  # the person answers where no model can
    requests_per_call: int = 0
    requests_per_hour: int = 0
    tokens_per_day: int = 0
    looking: bool = False  # for models on this computer
    found: tuple[ModelStatus, ...] = ()  # on this computer, by the last look
    trial: ModelTrial | None = None
    check_answers: bool = False  # the person sees each answer before it is returned
    problem: str = ""  # why the last change could not be saved
