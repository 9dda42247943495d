"""Store secrets in one encrypted file: AES-256-GCM, a new nonce for every write, the header authenticated.

    header    one line of JSON: version, cipher, where the key comes from, a check of the key
    nonce     12 bytes
    the rest  {"name": "value", …} as JSON, encrypted; 16 bytes of tag at its end

The key is derived from a passphrase (Argon2id), or is 32 random bytes in another file. A file that cannot be
decrypted is never overwritten. Replacing the file by an older copy cannot be detected.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Callable
from pathlib import Path

import msgspec

from bridge.errors import VaultError, VaultLocked
from bridge.i18n import say
from bridge.system.atomic_file import read_private, write_private
from bridge.system.file_lock import locked
from bridge.vault.base import Store, checked

_ARGON2ID = "argon2id"
_KEY_FILE = "file"
_NONCE = 12
_KEY = 32
_MOST_MEMORY = 1 << 20  # KiB; a manipulated header must not exhaust memory
_MOST_ROUNDS = 20
_ROUNDS, _MEMORY = 3, 64 * 1024  # KiB; what a new passphrase costs to try, as RFC 9106 recommends


class Header(msgspec.Struct, frozen=True, omit_defaults=True):
    check: str  # of the key: distinguishes a wrong key from a damaged file
    key: str = _KEY_FILE
    salt: str = ""
    rounds: int = 0
    memory: int = 0  # KiB
    lanes: int = 0
    cipher: str = "aes-256-gcm"
    version: int = msgspec.field(default=1, name="deskbell-vault")

    def line(self) -> bytes:
        return msgspec.json.encode({"deskbell-vault": self.version, **msgspec.to_builtins(self)})


Secrets = dict[str, str]


class FileStore(Store):
    kind = "file"

    def __init__(self, folder: Path) -> None:
        self.path = folder / "vault.enc"
        self.key_path = folder / "vault.key"
        self._lock = folder / "vault.enc.lock"
        self._known: tuple[Header, bytes] | None = None  # header, key for a file with this header

    @property
    def limits(self) -> str:  # type: ignore[override]
        if self.has_passphrase:
            return say(
                "Your passphrase encrypts it. While it is unlocked, programs that run as you can read it."
            )
        return say(
            "Its own key lies beside it ({key}), so programs that run as you, and whoever gets the whole "
            "disk, can read it. A passphrase protects more: deskbell secrets protect",
            key=self.key_path.name,
        )

    @property
    def has_passphrase(self) -> bool:
        try:
            data = read_private(self.path)
            return data is not None and _split(self.path, data)[0].key == _ARGON2ID
        except VaultError:  # reported when the file is opened
            return False

    def get(self, name: str) -> str | None:
        return self._load().get(checked(name))

    def set(self, name: str, value: str) -> None:
        self._change(lambda kept: {**kept, checked(name): value})

    def delete(self, name: str) -> bool:
        if checked(name) not in self._load():
            return False
        self._change(lambda kept: {key: value for key, value in kept.items() if key != name})
        return True

    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self._load()))

    def probe(self) -> None:
        """Rewrite the file; if it does not exist, check that it could be written. Raises VaultError."""
        if self.path.exists():
            self._change(lambda kept: kept)
        elif not os.access(self.path.parent, os.W_OK):
            hint = say("The folder is not yours to write to.")
            raise VaultError(say("{path} cannot be written", path=self.path), hint)

    def empty(self) -> None:
        """Delete file and key, without the key. The file first: a file without its key could not be
        opened."""
        with locked(self._lock):
            self.path.unlink(missing_ok=True)
            self.key_path.unlink(missing_ok=True)
            self._known = None

    def unlock(self, passphrase: str) -> None:
        data = read_private(self.path)
        header = _split(self.path, data)[0] if data is not None else None
        if header is not None and header.key == _ARGON2ID:
            key = _derived(passphrase, header)
            if not hmac.compare_digest(_check(key), header.check):
                raise VaultLocked(say("That is not the passphrase"), say("Try again."))
            self._known = (header, key)

    def prove(self, passphrase: str) -> None:
        """Raise VaultLocked if the file has another passphrase."""
        data = read_private(self.path)
        header = _split(self.path, data)[0] if data is not None else Header("")
        if header.key == _ARGON2ID and not hmac.compare_digest(
            _check(_derived(passphrase, header)), header.check
        ):
            raise VaultLocked(say("That is not the current passphrase"), say("Nothing was changed."))

    def protect(self, passphrase: str, old: str = "") -> None:
        """Encrypt the file with this passphrase; "": with a key file. A passphrase goes only with the `old`
        one: any program of the person's can run our command."""
        with locked(self._lock):
            loaded = self._load()
            self.prove(old)
            header, key = _with_passphrase(passphrase) if passphrase else self._with_key_file()
            self._save(loaded, header, key)
            if passphrase:
                self.key_path.unlink(missing_ok=True)

    # --- the file ------------------------------------------------------------------------------------

    def _change(self, edit: Callable[[Secrets], Secrets]) -> None:
        with locked(self._lock):
            loaded = self._load()
            header, key = self._known or self._with_key_file()
            self._save(edit(loaded), header, key)

    def _load(self) -> Secrets:
        data = read_private(self.path)
        if data is None:
            self._known = None
            return {}
        header, sealed = _split(self.path, data)
        if self._known is None or self._known[0] != header:
            self._known = (header, self._key_for(header))
        return self._opened(header, self._known[1], sealed)

    def _opened(self, header: Header, key: bytes, sealed: bytes) -> Secrets:
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        try:
            plain = AESGCM(key).decrypt(sealed[:_NONCE], sealed[_NONCE:], header.line())
            return msgspec.json.decode(plain, type=Secrets)
        except (InvalidTag, ValueError, msgspec.DecodeError, RecursionError) as error:
            raise _damaged(self.path) from error

    def _save(self, kept: Secrets, header: Header, key: bytes) -> None:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        line, nonce = header.line(), os.urandom(_NONCE)
        sealed = AESGCM(key).encrypt(nonce, msgspec.json.encode(kept), line)
        write_private(self.path, line + b"\n" + nonce + sealed)
        self._known = (header, key)

    # --- its key -------------------------------------------------------------------------------------

    def _key_for(self, header: Header) -> bytes:
        if header.key == _ARGON2ID:
            hint = say("Give it: {command}", command="deskbell secrets unlock")
            raise VaultLocked(say("Your secrets are locked by a passphrase"), hint)
        key = read_private(self.key_path)
        if key is None:
            hint = say("It is encrypted with {key}, which is not there. Put it back.", key=self.key_path)
            raise VaultError(say("{path} cannot be opened", path=self.path), hint)
        if len(key) != _KEY or not hmac.compare_digest(_check(key), header.check):
            hint = say(
                "{key} is not its key, or one was altered. Restore both from one backup.", key=self.key_path
            )
            raise VaultError(say("{path} cannot be opened", path=self.path), hint)
        return key

    def _with_key_file(self) -> tuple[Header, bytes]:
        """Return the key of the key file, created before anything is encrypted with it."""
        key = read_private(self.key_path)
        if key is None or len(key) != _KEY:
            key = secrets.token_bytes(_KEY)
            write_private(self.key_path, key)
        return Header(_check(key)), key


def _with_passphrase(passphrase: str) -> tuple[Header, bytes]:
    salt = secrets.token_hex(16)
    kind = Header("", key=_ARGON2ID, salt=salt, rounds=_ROUNDS, memory=_MEMORY, lanes=4)
    key = _derived(passphrase, kind)
    return msgspec.structs.replace(kind, check=_check(key)), key


def _derived(passphrase: str, header: Header) -> bytes:
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

    kdf = Argon2id(
        salt=bytes.fromhex(header.salt),
        length=_KEY,
        iterations=header.rounds,
        lanes=header.lanes,
        memory_cost=header.memory,
    )
    return kdf.derive(passphrase.encode())


def _check(key: bytes) -> str:
    return hashlib.sha256(b"deskbell vault key check\0" + key).hexdigest()[:16]


def _split(path: Path, data: bytes) -> tuple[Header, bytes]:
    line, _, sealed = data.partition(b"\n")
    try:
        header = msgspec.json.decode(line, type=Header)
        bytes.fromhex(header.salt)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise _damaged(path) from error
    if header.version != 1 or header.cipher != "aes-256-gcm":
        raise VaultError(say("{path} was written by a newer Deskbell", path=path), say("Use that one."))
    lawful = header.key == _KEY_FILE or (
        header.key == _ARGON2ID
        and 1 <= header.rounds <= _MOST_ROUNDS
        and 1 <= header.lanes <= 64
        and 8 * header.lanes <= header.memory <= _MOST_MEMORY
        and len(header.salt) >= 16
    )
    if not lawful or header.line() != line or len(sealed) <= _NONCE:
        raise _damaged(path)
    return header, sealed


def _damaged(path: Path) -> VaultError:
    hint = say("Somebody or something changed it. Nothing was written to it; restore it from a backup.")
    return VaultError(say("{path} is damaged", path=path), hint)
