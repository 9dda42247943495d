"""What servers sent in their last run: introductions, lists, and the era in which they work. Pure.

A server may offer less to a host that can do less, so each entry belongs to the capabilities and the era that
the server was told (`memory_key`). The era that a server needs belongs to the server alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from bridge.core.protocol.capabilities import with_elicitation
from bridge.core.protocol.handshake import Handshake, HostIdentity, ServerIdentity
from bridge.core.protocol.jsonrpc import members, quote
from bridge.core.protocol.revisions import Era

MemoryKey = tuple[str, str]  # ServerSpec.identity; digest of what the server was told, "" for its era
Memory = Mapping[MemoryKey, Mapping[str, bytes]]  # method → the result's part that is kept, as JSON

MOST_KEYS = 300
LARGEST = 1_000_000  # bytes of one list
_ERA, _FAILED = "era", "failed"
_INTRODUCTIONS = {Era.LEGACY: "initialize", Era.MODERN: "server/discover"}


def memory_key(identity: str, cwd: str, dial: Handshake, host: HostIdentity) -> MemoryKey:
    """Return the key under which to remember a server that serves `host`.

    A legacy server knows the handshake only. A modern one gets the capabilities with each request, and a
    shared one those of several hosts. `cwd`: relative commands are other servers in other folders.
    """
    capabilities = [dial.presence.capabilities]
    if dial.first is Era.MODERN:
        capabilities.append(host.capabilities)
    parts = [dial.first.value.encode(), cwd.encode(errors="replace"), *map(_sorted, capabilities)]
    return identity, sha256(b"\0".join(parts)).hexdigest()[:16]


def _sorted(capabilities: bytes) -> bytes:
    declared = sorted(members(with_elicitation(capabilities)).items())
    text = b",".join(quote(name) + b":" + bytes(value) for name, value in declared)
    return text.translate(None, b" \t\r\n")  # spaces differ from host to host


class ServerMemory:
    def __init__(self, entries: Memory | None = None) -> None:
        self.entries = {key: dict(known) for key, known in (entries or {}).items()}  # the latest last

    def get(self, key: MemoryKey, method: str) -> bytes | None:
        return self.entries.get(key, {}).get(method)

    def put(self, key: MemoryKey, method: str, data: bytes) -> bool:
        """Remember what a server sent; False if that is not new."""
        if self.get(key, method) == data or len(data) > LARGEST:
            return False
        self.entries[key] = {**self.entries.pop(key, {}), method: data}
        while len(self.entries) > MOST_KEYS:
            del self.entries[next(iter(self.entries))]
        return True

    def introduction(self, key: MemoryKey) -> ServerIdentity | None:
        """Return a server's last reply to `initialize` or `server/discover`, as hosts get it."""
        for era, method in _INTRODUCTIONS.items():
            result = self.get(key, method)
            if result is not None:
                return ServerIdentity(era, result, "", frozenset())
        return None

    def introduced(self, key: MemoryKey, introduction: ServerIdentity) -> bool:
        """Remember an introduction in place of the last one; False if that is not new."""
        for era, method in _INTRODUCTIONS.items():
            if era is not introduction.era:
                self.entries.get(key, {}).pop(method, None)
        return self.put(key, _INTRODUCTIONS[introduction.era], introduction.result)

    def era(self, identity: str) -> Era | None:
        """Return the era to use with this server; None: that of its host."""
        learned = self.get((identity, ""), _ERA)
        return None if learned is None else Era(learned.decode().strip('"'))

    def learn_era(self, identity: str, era: Era) -> bool:
        return self.put((identity, ""), _ERA, quote(era.value))

    def change_era(self, identity: str, failed: Era) -> bool:
        """Use the other era with a server from now on, because a tool could not ask in this one; False if
        that was tried before: a server with tools of both kinds would be switched for ever."""
        if self.get((identity, ""), _FAILED) is not None:
            return False
        self.put((identity, ""), _FAILED, quote(failed.value))
        return self.learn_era(identity, Era.LEGACY if failed is Era.MODERN else Era.MODERN)

    def forget(self, identity: str) -> None:
        self.entries = {key: known for key, known in self.entries.items() if key[0] != identity}

    def rename(self, old: str, new: str) -> None:
        """Keep what is known of a server under its new identity."""
        self.entries = {
            (new if key[0] == old else key[0], key[1]): known for key, known in self.entries.items()
        }
