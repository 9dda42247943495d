"""Carry out all that a window does with servers. A call returns at once; Status shows its result.

Secrets go in, and never out: the page sees a server as a ServerForm (drafts.py).
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Coroutine, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from bridge.core import events as ev
from bridge.core.policy.rules_after_rename import Rename
from bridge.core.ports import ServerSpec
from bridge.core.routing.connections.sign_in_state import NEEDED
from bridge.core.routing.state import RoutingState
from bridge.core.status.servers import ActionResult, Draft, ProposalChoice, ServerForm, ServersStatus
from bridge.errors import DeskbellError, NotFoundError, checked_reply, failure_reply
from bridge.functions.tool_caller import ToolCaller
from bridge.i18n import explained, say
from bridge.servers.checks import ServerChecks
from bridge.servers.details import ServerDetailsService
from bridge.servers.icons import ServerIconFiles
from bridge.servers.rename import rename
from bridge.servers.secrets import SecretNames, forget, own_secrets
from bridge.servers.try_tool import Trials
from bridge.settings import SettingsFile
from bridge.system.background_tasks import BackgroundTasks
from bridge.system.fast.lazy_import import lazy_import
from bridge.upstreams.http.failures import RequestFailed
from bridge.upstreams.oauth.revoke import REVOKED
from bridge.upstreams.oauth.sign_in import SignIns
from bridge.vault.service import VaultService

if TYPE_CHECKING:
    from bridge.hosts import import_servers, locations
    from bridge.hosts.import_servers import FoundServer
    from bridge.servers import drafts
else:
    import_servers, locations, drafts = map(
        lazy_import, ("bridge.hosts.import_servers", "bridge.hosts.locations", "bridge.servers.drafts")
    )

_LOCKED = ("locked", "asking", "unusable")  # states of the vault in which a secret needs the person


class AppForServers(Protocol):
    def feed(self, event: ev.Event) -> None: ...
    def apply_settings(self) -> None: ...
    def publish(self) -> None: ...
    def server_renamed(self, rename: Rename) -> None: ...


class ServerService:
    def __init__(
        self,
        app: AppForServers,
        settings: SettingsFile,
        vault: VaultService,
        sign_ins: SignIns,
        tool_caller: ToolCaller,
        state: RoutingState,
        icons: Path,
    ) -> None:
        self._app = app
        self._settings = settings
        self._vault = vault
        self._sign_ins = sign_ins
        self._tool_caller = tool_caller
        self._state = state
        self._tasks = BackgroundTasks()
        self._found: dict[int, FoundServer] = {}
        self._draft = Draft()
        self._last_action = ActionResult()
        self._undo = 0  # number of the action that can be undone
        self._secrets = SecretNames(settings, vault, state, app.publish)
        self._trials = Trials(tool_caller, state.phrases, app.publish)
        self._icons = ServerIconFiles(icons, state, app.publish)
        self.details = ServerDetailsService(
            settings, vault, tool_caller, state, self._secrets, self._icons, app.publish
        )
        self.checks = ServerChecks(
            settings, self.details, self._secrets, sign_ins, lambda: vault.status().state in _LOCKED
        )

    async def close(self) -> None:
        await self._trials.close()
        await self.checks.close()
        await self.details.close()
        await self._icons.close()
        await self._tasks.cancel()

    # --- Status ----------------------------------------------------------------------------

    def status(self) -> ServersStatus:
        return ServersStatus(
            self.details.shown(),
            self._draft,
            self._trials.now,
            tuple(self._secrets.uses()),
            self._last_action,
        )

    def try_tool(self, server: str, tool: str, arguments: bytes) -> None:
        """Call a tool as any host would; `tool` is its public name, `arguments` a JSON object."""
        self._trials.begin(server, tool, arguments)

    def cancel_trial(self) -> None:
        self._trials.cancel()

    # --- details -------------------------------------------------------------------------------------

    def look_at(self, name: str, ask: bool = False) -> None:
        """Show the details of a server. `ask`: start it, if it is not running, and list its tools."""
        self.details.show(name, ask)

    def restart(self, name: str) -> None:
        self._tool_caller.forget_lists(name)
        self._app.feed(ev.RestartWanted(name))
        self.look_at(name, ask=True)

    def test(self) -> None:
        """Start each server once and list its tools, now and whenever one is added."""
        self.checks.begin()

    # --- adding --------------------------------------------------------------------------------------

    def draft(self, text: str) -> None:
        """Propose the servers in a text: a command line, an address, settings of an AI application."""
        self._tasks.start(self._drafted(asyncio.to_thread(self._read, text)))

    def find(self) -> None:
        """Propose the servers that AI applications on this machine have in their settings."""
        self._tasks.start(self._drafted(asyncio.to_thread(_on_this_machine, self._settings.current.port)))

    def _read(self, text: str) -> tuple[list[tuple[str, FoundServer]], list[str]]:
        try:
            return [("", one) for one in drafts.read(text, self._settings.current.port)], []
        except DeskbellError as error:
            return [], [explained(error)]

    async def _drafted(
        self, work: Coroutine[Any, Any, tuple[list[tuple[str, FoundServer]], list[str]]]
    ) -> None:
        number = self._draft.number + 1
        self._draft, self._found = Draft(number, busy=True), {}
        self._app.publish()
        found, problems = await work
        if self._draft.number != number:
            return
        proposals = list(drafts.proposed(found, self._settings.current.servers))
        self._found = {one.place: own for one, own in proposals}
        self._draft = Draft(number, tuple(one for one, _ in proposals), tuple(problems))
        self._app.publish()

    def add(self, choices: Iterable[ProposalChoice]) -> None:
        """Add these servers of the current draft, all or none."""
        self._run(self._add([(choice, self._found[choice.place]) for choice in choices]))

    async def _add(self, chosen: list[tuple[ProposalChoice, FoundServer]]) -> str:
        added: list[str] = []
        try:
            with self._settings.as_one_edit():
                for choice, found in chosen:
                    if found.spec is not None:
                        await self._add_one(choice, found, found.spec)
                        added.append(choice.name)
        except DeskbellError:
            self._app.apply_settings()  # the file is as it was
            raise
        self._edited(undo=bool(added))
        self._draft, self._found = Draft(self._draft.number + 1), {}
        if added:
            self.look_at(added[0], ask=len(added) == 1)  # starting one of many would surprise
        return say("Added {names}.", names=", ".join(added))

    async def _add_one(self, choice: ProposalChoice, found: FoundServer, spec: ServerSpec) -> None:
        keys = found.secrets if choice.vault else ()
        spec, values = import_servers.extract_secrets(replace(spec, name=choice.name), keys)
        if choice.replace and spec.name in self._settings.current.servers:
            self._settings.change_server(spec)
        else:
            self._settings.add_server(spec)
        await self._keep(values)

    async def _keep(self, values: Mapping[str, str]) -> None:
        """Keep the secrets of the server that was just written; take that edit back if the vault refuses."""
        try:
            for name, value in values.items():
                await self._vault.keep(name, value)
        except DeskbellError:
            self._settings.undo()
            raise

    # --- changing ------------------------------------------------------------------------------------

    def edit(self, plan: ServerForm, name: str = "") -> None:
        """Change a server. `name`: its new name, if that changes."""
        self._run(self._edit(plan, name or plan.name))

    async def _edit(self, plan: ServerForm, name: str) -> str:
        wanted = replace(drafts.spec_of(plan, self._spec(plan.name)), name=name)
        keys = import_servers.secret_keys({**wanted.env, **wanted.headers}) if plan.vault else ()
        wanted, values = import_servers.extract_secrets(wanted, keys)
        done = say("Changed {name}.", name=name)
        if name != plan.name:
            await self._rename(plan.name, name)
            done = say("{old} is called {new} now; so are its tools.", old=plan.name, new=name)
        if wanted != self._spec(name):
            self._settings.change_server(wanted)
            await self._keep(values)
            self._edited(undo=name == plan.name)
        else:
            for secret, value in values.items():  # the server refers to them already
                await self._vault.keep(secret, value)
        self.look_at(name, ask=True)
        return done

    async def rename(self, wanted: Mapping[str, Any]) -> dict[str, Any]:
        """Rename for `deskbell servers rename`; the reply over the socket may be a failure."""
        try:
            await self._rename(str(wanted.get("old")), str(wanted.get("new")))
        except DeskbellError as error:
            return failure_reply(error)
        return {}

    async def _rename(self, old: str, new: str) -> None:
        def then(done: Rename) -> None:
            self._sign_ins.rename(old, new)
            self._tool_caller.forget_lists(old)
            self._app.feed(ev.ServerRenamed(old, new, self._spec(new).identity))
            self._app.apply_settings()
            self._app.server_renamed(done)

        await rename(self._settings, self._vault, old, new, then)

    def enable(self, name: str, enabled: bool) -> None:
        self._run(self._enable(name, enabled))

    async def _enable(self, name: str, enabled: bool) -> str:
        self._settings.change_server(replace(self._spec(name), enabled=enabled))
        self._edited()
        self.look_at(name)
        return say("Switched {name} on.", name=name) if enabled else say("Switched {name} off.", name=name)

    def remove(self, name: str, clean: bool = False) -> None:
        """Remove a server. `clean`: also its sign-in and the secrets only it uses, which cannot be undone."""
        self._run(self._remove(name, clean))

    async def _remove(self, name: str, clean: bool) -> str:
        self._spec(name)
        secrets = own_secrets(name, self._settings.current.servers)
        self._settings.remove_server(name)
        self.details.hide()
        self._edited(undo=not clean)
        if not clean:
            return say("Removed {name}.", name=name)
        try:
            await forget(self._vault, name, secrets)
        finally:
            self._sign_ins.reread_vault(name)
            await self._secrets.look()
        return say("Removed {name}, its sign-in and its secrets.", name=name)

    def undo(self) -> None:
        """Take back the last edit of config.toml."""
        self._run(self._undo_edit())

    async def _undo_edit(self) -> str:
        self._settings.undo()
        self._app.apply_settings()
        return say("Undone.")

    def _edited(self, undo: bool = True) -> None:
        self._app.apply_settings()
        if undo:
            self._undo = self._last_action.number + 1

    def _spec(self, name: str) -> ServerSpec:
        spec = self._settings.current.servers.get(name)
        if spec is None:
            raise NotFoundError(say("There is no server named {name} in the settings", name=name))
        return spec

    # --- secrets and sign-ins ------------------------------------------------------------------------

    def look_for_secrets(self, missing_only: bool = False) -> None:
        """Read the names of secrets from the vault. `missing_only`: only if a server refers to a secret."""
        if not missing_only or self._secrets.are_used:
            self._tasks.start(self._secrets.look())

    def set_secret(self, name: str, value: str) -> None:
        done = say("{name} is stored in your keychain.", name=name)
        self._run(self._with_secret({"do": "set", "name": name, "value": value}, done))

    def delete_secret(self, name: str) -> None:
        self._run(self._with_secret({"do": "delete", "name": name}, say("{name} is deleted.", name=name)))

    async def _with_secret(self, request: Mapping[str, str], done: str) -> str:
        checked_reply(await self._vault.serve(dict(request)))
        return done

    async def secret_changed(self, name: str) -> None:
        """Restart the servers that use a changed or deleted secret, after their calls; end their back-off."""
        users = self._secrets.users(name)
        for server in users:
            self._tool_caller.forget_lists(server)
            self._sign_ins.end_pause(server)
            self._app.feed(ev.RestartWanted(server, at_once=False))
        await self._secrets.look()
        self.details.refresh(users)

    def sign_in(self, name: str) -> None:
        """Open the server's sign-in page in the browser; again while the sign-in is under way."""
        spec = self._state.servers.get(name)
        if spec is not None and spec.url:
            self._tasks.start(self._sign_in(spec))

    async def _sign_in(self, spec: ServerSpec) -> None:
        try:
            await self._sign_ins.of(spec).begin()
        except RequestFailed as error:
            words = self._vault.mask.mask_text(error.words)
            self._app.feed(ev.SignInChanged(spec.name, NEEDED, words))
            self._app.publish()

    def sign_out(self, name: str) -> None:
        self._run(self._sign_out(name))

    async def _sign_out(self, name: str) -> str:
        reply = checked_reply(await self._vault.serve({"do": "forget", "name": name}))
        self._sign_ins.reread_vault(name)
        if name in self._state.servers:
            self._app.feed(ev.RestartWanted(name, at_once=False))
            self.look_at(name)
        await self._secrets.look()
        if reply["revoked"] == REVOKED:
            return say("Signed out of {name}, which has ended the sign-in too.", name=name)
        return say("Signed out of {name}. It may still list Deskbell among the apps you allowed.", name=name)

    # --- running actions -----------------------------------------------------------------------------

    def _run(self, work: Coroutine[Any, Any, str]) -> None:
        """Run an action whose outcome is shown in Status.at_servers."""
        self._tasks.start(self._report(work))

    async def _report(self, work: Coroutine[Any, Any, str]) -> None:
        done = problem = ""
        try:
            done = await work
        except DeskbellError as error:
            problem = explained(error)
        number = self._last_action.number + 1
        self._last_action = ActionResult(number, done, problem, undo=self._undo == number and not problem)
        self._app.publish()


def _on_this_machine(port: int) -> tuple[list[tuple[str, FoundServer]], list[str]]:
    found: list[tuple[str, FoundServer]] = []
    problems: list[str] = []
    for place in locations.find_files(os.environ, sys.platform):
        try:
            entries = import_servers.read(place.path, (place.key,), port)
            found += [(place.host, one) for one in entries if not one.ours]  # else it would be there twice
        except DeskbellError as error:
            problems.append(explained(error))
    return found, problems
