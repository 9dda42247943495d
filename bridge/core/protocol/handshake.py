"""Dial: the first words to an upstream, until its era is known.

The host's own era is tried first, so that a server that speaks both needs no translation; anything but a
usable answer means the other era is tried. When both fail, the first failure is the one worth telling.
"""

from __future__ import annotations

import msgspec

from bridge.core.protocol import eras
from bridge.core.protocol.eras import Era, Presence
from bridge.core.protocol.jsonrpc import INTERNAL_ERROR, Envelope, Malformed, edit, error_body, request
from bridge.i18n import Words, say

PATIENCE = 10.0  # seconds for an answer to `server/discover`: legacy servers may ignore what they do not know
_NONSENSE = say("The server's introduction makes no sense.")


def unanswered(server: str, limit: float) -> Words:
    return say("{server} did not answer within {limit} seconds.", server=server, limit=f"{limit:g}")


class Introduction(msgspec.Struct, frozen=True):
    """An upstream as it introduced itself."""

    era: Era
    result: bytes
    revision: str
    capabilities: frozenset[str]

    def has(self, capability: str) -> bool:
        return capability in self.capabilities


class Dial:
    def __init__(self, presence: Presence) -> None:
        self._presence = presence
        self._tries = [Era.LEGACY, Era.MODERN] if presence.era is Era.LEGACY else [Era.MODERN, Era.LEGACY]
        self.problem = b""
        self._insisted = False

    @property
    def patient(self) -> bool:
        """Is there no other era left to try instead of waiting?"""
        return len(self._tries) < 2 or self._tries[0] is Era.LEGACY

    def words(self, request_id: bytes) -> bytes:
        """What to say now."""
        host = self._presence
        if self._tries[0] is Era.LEGACY:
            params = eras.initialize_params(host.capabilities, host.info, host.hello)
            return request(request_id, "initialize", params)
        return request(request_id, "server/discover", eras.modern_params(b"", host.capabilities, host.info))

    def heard(self, envelope: Envelope) -> Introduction | None:
        """The answer. None: say the next words, if there are any (`exhausted`)."""
        era = self._tries[0]
        try:
            if len(envelope.result):
                said = eras.read(_Said, envelope.result)
                result, can = edit(envelope.result, {}), frozenset(said.capabilities)
                if era is Era.LEGACY and said.protocol_version:
                    return Introduction(era, result, said.protocol_version, can)
                if era is Era.MODERN and eras.MODERN_REVISION in said.supported_versions:
                    return Introduction(era, result, eras.MODERN_REVISION, can)
        except Malformed:
            pass
        if era is Era.MODERN and not self._insisted and _offers_modern(envelope.error):
            self._insisted = True  # it did not take the revision, and names it as one it takes: once more
        else:
            self.give_up(_problem(envelope.error))
        return None

    def give_up(self, problem: bytes) -> None:
        """This era leads nowhere."""
        self.problem = self.problem or problem
        self._tries.pop(0)

    def postpone(self) -> None:
        """No answer yet: the other era is tried, and this one again if that leads nowhere. A server that is
        slow to start hears all of it at once."""
        self._tries.append(self._tries.pop(0))

    @property
    def exhausted(self) -> bool:
        return not self._tries

    @property
    def complaint(self) -> str:
        """The problem in words."""
        said = eras.read(_Complaint, self.problem).message
        return _NONSENSE if said == _NONSENSE else said


class _Said(msgspec.Struct, rename="camel"):
    """What both eras' introductions are read for; the rest must only be readable later."""

    protocol_version: str = ""
    supported_versions: list[str] = []
    capabilities: dict[str, msgspec.Raw] = {}
    meta: dict[str, msgspec.Raw] = msgspec.field(default_factory=dict, name="_meta")


class _Complaint(msgspec.Struct):
    message: str = ""


class _Versions(msgspec.Struct, frozen=True):
    supported: list[str] = []


class _Refused(msgspec.Struct, frozen=True):
    code: int = 0
    data: _Versions = _Versions()


def _offers_modern(error: bytes | msgspec.Raw) -> bool:
    try:
        refused = eras.read(_Refused, error)
    except Malformed:
        return False
    return refused.code == eras.UNSUPPORTED_VERSION and eras.MODERN_REVISION in refused.data.supported


def _problem(error: bytes | msgspec.Raw) -> bytes:
    """The server's error, if it can be read."""
    try:
        if eras.read(_Complaint, error).message:
            return bytes(error)
    except Malformed:
        pass
    return error_body(INTERNAL_ERROR, _NONSENSE)
