"""Store secrets in the system's keyring: Secret Service, KWallet, macOS Keychain, Windows Credential Manager.

Backends that store plain text or nothing are refused. The backend is chosen with the first secret and
recorded (index.py), so that another desktop on the same machine uses the same one. Any call may show an
unlock dialog and then takes as long as the user does (UnlockDialog).
"""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from bridge.errors import VaultError
from bridge.i18n import say
from bridge.vault import secret_service
from bridge.vault.base import Store, checked, probe_name
from bridge.vault.index import IndexData, VaultIndex
from bridge.vault.unlock_dialog import UnlockDialog

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

T = TypeVar("T")
WINDOWS_LIMIT = 1280  # UTF-16 units in one item of the Credential Manager
_SPLIT = "deskbell-parts:"  # prefix of an item whose value is split into others
_UNSAFE = ("keyrings.alt.", "keyring.backends.null.", "keyring.backends.fail.", "keyring.backends.chainer.")
_TELLS = "keyring.backends.SecretService"  # reports whether it is locked
_NEVER_ASKS = "keyring.backends.Windows"
_REST = 3.0  # seconds after a refusal in which further callers are refused too
_HINT = say(
    "Start one (such as gnome-keyring or KWallet), or store keys in an encrypted file (Settings, Advanced)."
)


class NoKeyring(VaultError):
    """This machine has no usable keyring, locked or not."""


class KeyringStore(Store):
    kind = "keyring"
    limits = say("It is encrypted. While you are logged in, programs that run as you can read it.")

    def __init__(
        self,
        folder: Path,
        service: str = "deskbell",
        limit: int = WINDOWS_LIMIT if sys.platform == "win32" else 0,
        asking: UnlockDialog | None = None,
    ) -> None:
        self.asking = asking or UnlockDialog()
        self._refused = -_REST  # monotonic time of the user's last refusal
        self._index = VaultIndex(folder)
        self._service = service
        self._limit = limit  # UTF-16 units; 0: none
        self._backend: KeyringBackend | None = None

    def get(self, name: str) -> str | None:
        return self._whole(checked(name), self._read(name))

    def set(self, name: str, value: str) -> None:
        """Store a value. The index lists every part before it is written and until it is deleted, so that a
        crash leaves no orphan."""
        before = self._note(checked(name), ())
        split = self._limit and (_units(value) > self._limit or value.startswith(_SPLIT))
        if split:
            mark, texts = _parts(value, self._limit)
            self._note(name, (*before, mark))
            for item, text in zip(_items(name, mark), texts, strict=True):
                self._write(item, text)
            value = _SPLIT + mark
        self._write(name, value)
        self._sweep(name, before)

    def delete(self, name: str) -> bool:
        was_there = self._drop(checked(name))
        self._sweep(name, self._index.read().names.get(name, ()))
        self._index.change(
            lambda kept: replace(kept, names={key: kept.names[key] for key in kept.names if key != name})
        )
        return was_there

    def names(self) -> tuple[str, ...]:
        return tuple(sorted(name for name in self._index.read().names if self._read(name) is not None))

    def may_have(self, name: str) -> bool:
        return name in self._index.read().names

    def probe(self) -> None:
        item, value = probe_name(), secrets.token_hex(16)
        self._write(item, value)
        stored = self._read(item)
        self._drop(item)
        if stored != value:
            raise NoKeyring(say("The keychain does not return what is stored in it"), _HINT)

    # --- values that are too long for one item -------------------------------------------------------

    def _whole(self, name: str, head: str | None) -> str | None:
        if head is None or not head.startswith(_SPLIT):
            return head
        texts = [self._read(item) for item in _items(name, head.removeprefix(_SPLIT))]
        if None in texts:
            hint = say("A part of it is missing. Set it again.")
            raise VaultError(say("{name} is damaged in the keychain", name=name), hint)
        return "".join(text or "" for text in texts)

    def _sweep(self, name: str, marks: tuple[str, ...]) -> None:
        if marks:
            for item in (item for mark in marks for item in _items(name, mark)):
                self._drop(item)
            self._index.change(
                lambda kept: _with(kept, name, tuple(m for m in kept.names.get(name, ()) if m not in marks))
            )

    def _note(self, name: str, marks: tuple[str, ...]) -> tuple[str, ...]:
        """Record marks in the index; return the previous ones."""
        known: tuple[str, ...] = ()

        def edit(kept: IndexData) -> IndexData:
            nonlocal known
            known = kept.names.get(name, ())
            return _with(kept, name, marks or known)

        self._index.change(edit)
        return known

    # --- the keyring itself --------------------------------------------------------------------------

    def _read(self, item: str) -> str | None:
        return self._call(lambda ring: ring.get_password(self._service, item))

    def _write(self, item: str, text: str) -> None:
        self._call(lambda ring: ring.set_password(self._service, item, text))

    def _drop(self, item: str) -> bool:
        if self._read(item) is None:
            return False
        self._call(lambda ring: ring.delete_password(self._service, item))
        return True

    def _call(self, work: Callable[[KeyringBackend], T]) -> T:
        """Call the backend; turn whatever its library raises into a VaultError."""
        import keyring.errors

        try:
            if self._backend is None:
                self._backend = self._open()
            return self._with_the_person(self._backend, work)
        except VaultError:
            raise
        except keyring.errors.KeyringLocked as error:
            raise VaultError(say("The keychain is locked"), say("Unlock it, and try again.")) from error
        except Exception as error:
            self._backend = None  # its service may have been restarted
            hint = f"{type(error).__name__}: {_first_line(error)}"
            raise VaultError(say("The keychain cannot be used"), hint) from error

    def _with_the_person(self, ring: KeyringBackend, work: Callable[[KeyringBackend], T]) -> T:
        """Call the backend. The Secret Service reports its dialog, which we can close; others may show one
        unnoticed."""
        kind = type(ring).__module__
        if kind == _TELLS:
            self._unlock(getattr(ring, "preferred_collection", ""))
        if kind in (_TELLS, _NEVER_ASKS):
            return work(ring)
        with self.asking.assumed_when_slow():
            return work(ring)

    def _unlock(self, collection: str) -> None:
        if time.monotonic() - self._refused >= _REST:
            if secret_service.unlock(collection, self.asking):
                return
            if not self.asking.close_requested:
                self._refused = time.monotonic()
        raise VaultError(say("The keychain is locked"), say("Unlock it, and try again."))

    def _open(self) -> KeyringBackend:
        index = self._index.read()
        self._service = index.service or self._service
        ring = _find(index.backend if index.names else "")
        name = f"{type(ring).__module__}.{type(ring).__qualname__}"
        self._index.change(lambda now: replace(now, service=self._service, backend=name))
        return ring


def _find(wanted: str) -> KeyringBackend:
    """Return the backend of this name; else the one configured for the keyring library, else the best."""
    from keyring import backend, core

    backend.get_all_keyring()  # loads the plugins; its result is cached
    if wanted:
        try:
            return core.load_keyring(wanted)
        except (ImportError, AttributeError, RuntimeError) as error:
            hint = say(
                "Your secrets are in {keyring}, which does not answer: {why}",
                keyring=wanted,
                why=_first_line(error),
            )
            raise VaultError(say("The keychain cannot be used"), hint) from error
    ring = core.load_env() or core.load_config()
    if ring is None:
        viable = [kind for kind in backend.KeyringBackend.get_viable_backends() if not _unsafe(kind)]
        if not viable:
            raise NoKeyring(say("There is no keychain on this computer"), _HINT)
        ring = max(viable, key=lambda kind: kind.priority)()
    if _unsafe(type(ring)):
        why = say(
            "{keyring} is set up, which does not keep secrets safe. {remedy}",
            keyring=type(ring).__module__,
            remedy=_HINT,
        )
        raise NoKeyring(say("The keychain cannot be used"), why)
    return ring


def _unsafe(kind: type) -> bool:
    return f"{kind.__module__}.".startswith(_UNSAFE)


def _parts(value: str, limit: int) -> tuple[str, list[str]]:
    """Split a value; return the mark (random id and number of the parts) and the parts."""
    size = limit // 2  # a character has at most two UTF-16 units
    texts = [value[place : place + size] for place in range(0, len(value), size)]
    return f"{secrets.token_hex(4)}.{len(texts)}", texts


def _items(name: str, mark: str) -> list[str]:
    key, _, count = mark.partition(".")
    return [f"{name}#{key}.{place}" for place in range(int(count or 0))]


def _units(value: str) -> int:
    return len(value.encode("utf-16-le", "surrogatepass")) // 2


def _with(kept: IndexData, name: str, marks: tuple[str, ...]) -> IndexData:
    return replace(kept, names={**kept.names, name: marks})


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or ["no reason given"])[0][:200]
