"""Own the one Vault, and serve servers, windows and `deskbell secrets` with it.

Resolves `${vault:NAME}` for servers, asks for the passphrase, and handles `deskbell secrets`: by the socket
while Deskbell runs, else in the command's own process. A value is given to servers, never to a command.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import msgspec

from bridge.core.ports import ServerSpec
from bridge.core.status import VaultStatus
from bridge.errors import DeskbellError, NotFoundError, SettingsError, UsageError, failure_reply
from bridge.i18n import explained, say
from bridge.settings import Home, SettingsFile
from bridge.settings.keys import LASTING_VAULTS
from bridge.system.masking import Mask
from bridge.vault import secret_references
from bridge.vault.base import Passphrase, Vault, Waits
from bridge.vault.secret_references import NAME, PREFIX
from bridge.vault.secret_uses import AskUse, SecretUses
from bridge.vault.store_selection import AUTO, ChosenStore

SIGN_IN = "upstream/"  # prefix of a server's tokens
_MOVING = 600.0  # seconds; a keyring may ask the person, more than once
Revoke = Callable[[str], Awaitable[str]]  # stored sign-in → result of revoking it
Changed = Callable[[str], Awaitable[None]]  # called with the name of a changed or deleted secret


async def _not_revoked(kept: str) -> str:
    return ""


async def _ignore(name: str) -> None: ...


class VaultRequest(msgspec.Struct, frozen=True):
    """A request of `deskbell secrets`."""

    do: str
    name: str = ""
    value: str = ""
    old: str = ""  # the passphrase so far
    to: str = ""


class VaultService:
    def __init__(
        self,
        home: Home,
        settings: SettingsFile,
        *,
        passphrase: Passphrase | None = None,
        on_change: Callable[[], None] = lambda: None,
        waits: Waits = lambda server, waits: None,
        revoke: Revoke = _not_revoked,
        on_secret: Changed = _ignore,
        ask_use: AskUse | None = None,
    ) -> None:
        self._settings = settings
        self.store = ChosenStore(home.root, self._setting, home.keyring_service, on_change)
        self.vault = Vault(self.store, passphrase, waits)
        self._revoke = revoke
        self._on_secret = on_secret
        self.mask = Mask()
        self._uses = SecretUses(home.secret_uses, ask_use) if ask_use else None
        self._on_change = on_change
        self._moving = False
        self._moved = self._refused = ""  # result of the last `choose`

    def close(self) -> None:
        self.vault.close()

    def status(self) -> VaultStatus:
        return replace(
            self.store.look(),
            wanted=self._setting(),
            moving=self._moving,
            moved=self._moved,
            refused=self._refused,
        )

    def _setting(self) -> str:
        return self._settings.current.vault

    # --- for servers ---------------------------------------------------------------------------------

    async def filled(self, spec: ServerSpec) -> ServerSpec:
        """Return the server with references replaced by secrets. Raises DeskbellError."""
        self.mask.learn(_plain_secrets(spec))
        wanted = secret_references.names(texts_of(spec))
        if not wanted:
            return spec
        if self._uses is not None and spec.base_env:
            for name in secret_references.names(spec.base_env.values()):
                await self._uses.permit(spec, name)
        values = {name: await self._value(spec.name, name) for name in wanted}
        self.mask.learn(values.values())
        return replace(
            spec,
            env=secret_references.filled(spec.env, values),
            headers=secret_references.filled(spec.headers, values),
            oauth=secret_references.filled(spec.oauth, values),
            base_env=spec.base_env and secret_references.filled(spec.base_env, values),
        )

    async def filled_text(self, user: str, text: str) -> str:
        """Return a text with its references replaced by secrets; `user` is who gets them. Raises
        DeskbellError."""
        values = {name: await self._value(user, name) for name in secret_references.names([text])}
        self.mask.learn(values.values())
        return secret_references.filled({"": text}, values)[""]

    def is_given_secrets(self, spec: ServerSpec) -> bool:
        return secret_references.are_in(texts_of(spec)) or bool(_plain_secrets(spec))

    async def _value(self, server: str, name: str) -> str:
        value = await self.vault.get_for(server, PREFIX + name)
        if value is None:
            hint = say("set it by {command}.", command=f"`deskbell secrets set {name}`")
            raise NotFoundError(say("There is no secret named {name}", name=name), hint)
        return value

    async def keep(self, name: str, value: str) -> None:
        """Store the value of `${vault:NAME}`."""
        await self.vault.set(PREFIX + secret_name(name), value)
        await self._on_secret(name)

    # --- for the window ------------------------------------------------------------------------------

    async def choose(self, store: str) -> None:
        """Use this store from now on; move the secrets to it, or change nothing. `memory` and `refuse` move
        nothing. The result is in Status."""
        if self._moving:
            return
        self._moving, self._moved, self._refused = True, "", ""
        self._on_change()
        try:
            count = 0
            if store in LASTING_VAULTS:
                count = await self.vault.do(lambda: self.store.move(store), patience=_MOVING)
            if self._setting() != store:
                self._settings.set_vault(store)
            if store in (*LASTING_VAULTS, AUTO):
                await self.vault.do(self.store.names)
            self._moved = _moved(count)
        except DeskbellError as error:
            self._refused = explained(error)
        finally:
            self._moving = False
            self._on_change()

    # --- for `deskbell secrets` ----------------------------------------------------------------------

    async def serve(self, wanted: dict[str, Any]) -> dict[str, Any]:
        """Handle a request of `deskbell secrets`; return the result or the error."""
        try:
            return await self._serve(msgspec.convert(wanted, VaultRequest))
        except DeskbellError as error:
            return failure_reply(error)

    async def _serve(self, request: VaultRequest) -> dict[str, Any]:
        match request.do:
            case "list":
                return {"names": await self.vault.names(), "vault": self.status()}
            case "set":
                await self.keep(request.name, request.value)
            case "delete":
                await self._delete(secret_name(request.name))
            case "forget":
                return {"revoked": await self._forget(request.name), "vault": self.status()}
            case "unlock":
                await self._unlock(request.value)
            case "protect":
                await self.vault.do(lambda: self.store.protect(request.value, request.old))
            case "move":
                return await self._move(request.to, request.old)
            case "probe":
                await self.vault.do(self.store.probe)
            case action:
                raise UsageError(f"This Deskbell cannot {action} secrets", "Restart it after an update.")
        return {"vault": self.status()}

    async def _delete(self, name: str) -> None:
        if not await self.vault.delete(PREFIX + name):
            raise NotFoundError(
                say("There is no secret named {name}", name=name),
                say("See {command}.", command="`deskbell secrets list`"),
            )
        await self._on_secret(name)

    async def _forget(self, server: str) -> str:
        """Delete the sign-in to a server, then revoke it there; return the result of revoking."""
        sign_in = await self.vault.get(SIGN_IN + server)
        if sign_in is None or not await self.vault.delete(SIGN_IN + server):
            raise NotFoundError(say("You are not signed in to {server}", server=server))
        return await self._revoke(sign_in)

    async def copy_sign_in(self, old: str, new: str) -> bool:
        """Copy the sign-in of a renamed server; False if there is none."""
        if not await self.vault.may_have(SIGN_IN + old):
            return False
        sign_in = await self.vault.get(SIGN_IN + old)
        if sign_in is not None:
            await self.vault.set(SIGN_IN + new, sign_in)
        return sign_in is not None

    async def drop_sign_in(self, server: str) -> None:
        """Delete the sign-in under a server's old name."""
        await self.vault.delete(SIGN_IN + server)

    async def _unlock(self, passphrase: str) -> None:
        def work() -> None:
            self.store.unlock(passphrase)
            self.store.names()

        await self.vault.do(work, ask=False)

    async def _move(self, target: str, old: str) -> dict[str, Any]:
        """Move all secrets; set `vault` in config.toml, unless it is `auto`, which finds them anyway.

        They leave a file with a passphrase only with the `old` one: any program of the person's can run our
        command, and moving them there and back would take the passphrase off."""

        def work() -> int:
            self.store.prove(old, target)
            return self.store.move(target)

        moved = await self.vault.do(work, patience=_MOVING)
        if self._setting() not in (AUTO, target):
            try:
                self._settings.set_vault(target)
            except SettingsError as error:
                hint = f'They are in the {target} now. Set vault = "{target}" by hand. {error.message}'
                raise SettingsError(error.title, hint) from error
        await self.vault.do(self.store.names)
        return {"moved": moved, "vault": self.status()}


def _moved(count: int) -> str:
    if count == 1:
        return say("Moved 1 secret.")
    return say("Moved {count} secrets.", count=count) if count else say("Done.")


def texts_of(spec: ServerSpec) -> tuple[str, ...]:
    """Return all values that may refer to a secret."""
    base = spec.base_env or {}
    return (*spec.env.values(), *spec.headers.values(), *spec.oauth.values(), *base.values())


def _plain_secrets(spec: ServerSpec) -> set[str]:
    """Return plain-text secrets of a server, not of the inherited environment, where a path may be named a
    key."""
    return {
        text
        for part in (spec.env, spec.headers, spec.oauth)
        for text in secret_references.plain_secrets(part)
    }


def secret_name(name: str) -> str:
    if not NAME.fullmatch(name):
        hint = say("Letters, digits, _ . / and - make a name, at most 128; it cannot begin with . / or -.")
        raise UsageError(say("{name} cannot be the name of a secret", name=repr(name)), hint)
    return name
