"""Read and change the config file of every AI application on this machine, for windows and the command line.

Looks, plans and writes; blocks while it does, so that windows ask for it from another thread.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from bridge.errors import DeskbellError, NotFoundError, UsageError
from bridge.hosts import approval_hook, locations
from bridge.hosts.backups import ChangeKind, ChangeLog, WrittenChange
from bridge.hosts.entries import OwnEntry
from bridge.hosts.formats.document import read_file
from bridge.hosts.import_servers import NAME, extract_secrets, name_servers
from bridge.hosts.locations import HostFile, host_file
from bridge.hosts.plan import HostConfig, HostFilePlan, Planner, look
from bridge.hosts.recipe import Recipe
from bridge.hosts.recipes import RECIPES, recipe_of
from bridge.i18n import say
from bridge.settings import Home, Settings, SettingsFile
from bridge.settings.host_tokens import HostTokens, new_token, tokens_in
from bridge.system.atomic_file import write
from bridge.system.process.own_command import console_command

Keep = Callable[[str, str], object]  # a secret's name and value, into the vault


@dataclass(frozen=True, slots=True)
class ChangeRequest:
    """A change the user wants in one application. `file`: another config file, such as a project's."""

    what: ChangeKind
    http: bool = False  # by URL and token
    move: bool = False  # with WRAP: move servers with a URL into config.toml
    whole: bool = False  # with CONNECT: wrap its servers, too
    create: bool = False
    file: Path | None = None


class HostConfigs:
    def __init__(self, home: Home, env: Mapping[str, str] = os.environ, platform: str = sys.platform) -> None:
        self._home, self._env, self._platform = home, env, platform
        self._ledger = ChangeLog(home.hosts)
        self._tokens = HostTokens(home.host_tokens)

    def find(self, word: str) -> Recipe:
        recipe = recipe_of(word)
        if recipe is None:
            known = ", ".join(one.id for one in RECIPES)
            raise NotFoundError(
                say("Deskbell does not know the AI app {name}", name=word),
                say("Choose one of: {known}.", known=known),
            )
        return recipe

    def read_all(self, settings: Settings) -> list[tuple[HostConfig, ChangeKind | None]]:
        """Return each application's file, and the change that can be undone."""
        self._tokens.reload()
        return [self._look(recipe, settings) for recipe in RECIPES]

    def _look(self, recipe: Recipe, settings: Settings) -> tuple[HostConfig, ChangeKind | None]:
        seen = look(host_file(recipe, self._env, self._platform), self._ours(settings, recipe.id))
        past = self._ledger.past(seen.spot.path, seen.raw)
        return seen, past[0].step.what if past else None

    def snippet(self, settings: Settings) -> str:
        """Return our entry in the most common format."""
        ours = self._ours(settings, app="")
        entry: dict[str, object] = {"command": ours.words[0], "args": [*ours.words[1:], "stdio"]}
        if ours.env:
            entry["env"] = ours.env
        return json.dumps({"mcpServers": {NAME: entry}}, indent=2, ensure_ascii=False)

    def plan(self, recipe: Recipe, wish: ChangeRequest, settings: Settings) -> HostFilePlan:
        """Plan a change without writing it. Raises DeskbellError."""
        where = host_file(recipe, self._env, self._platform)
        if wish.file is not None:
            where = HostFile(recipe, wish.file.absolute(), installed=True)
        if wish.http:
            if not settings.port:
                hint = say("Set `port` in config.toml first.")
                raise UsageError(say("Deskbell's port is another one at each start"), hint)
            self._home.ensure()
            self._home.read_token()
        raw = read_file(where.path)
        past = self._ledger.past(where.path, raw)
        host = host_name(recipe, settings)
        ours = self._ours(settings, recipe.id)
        if wish.file is None:  # other people may use a project's file
            self._tokens.reload()
            ours = replace(ours, token=self._tokens.valid_in(raw, recipe.id) or new_token())
        planner = Planner(where, raw, ours, host, past, wish.create)
        match wish.what:
            case ChangeKind.CONNECT if wish.whole:
                return planner.switch_on(settings.servers)
            case ChangeKind.CONNECT:
                return planner.connect(wish.http)
            case ChangeKind.DISCONNECT:
                return planner.disconnect(self._ledger.spellings(where.path))
            case ChangeKind.WRAP:
                return planner.wrap(wish.move)
            case ChangeKind.UNWRAP:
                return planner.unwrap(self._ledger.spellings(where.path))
            case ChangeKind.UNDO:
                return planner.undo()

    def plan_approvals(self, recipe: Recipe, settings: Settings, *, wanted: bool) -> HostFilePlan | None:
        """Plan to have the application's permissions asked here, or not any more; None if it has no hooks."""
        hook, path = recipe.approvals, locations.hooks_file(recipe, self._env, self._platform)
        if hook is None or path is None:
            return None
        raw = read_file(path)
        past = self._ledger.past(path, raw)
        if not wanted:
            return approval_hook.plan_without_hook(recipe, hook, path, raw, past)
        ours = self._ours(settings, recipe.id)
        command = approval_hook.shell_command(ours.words, ours.env, recipe.id, self._platform)
        return approval_hook.plan_hook(recipe, hook, path, raw, command)

    def carry_out(
        self, plan: HostFilePlan, settings: SettingsFile, keep: Keep | None = None
    ) -> WrittenChange:
        """Write a plan. `keep`: stores keys of moved servers; None: they stay plain text in config.toml."""
        self._home.ensure()
        added: list[str] = []
        try:
            self._adopt(plan, settings, keep, added)
            done = self._ledger.carry_out(plan, tuple(added))
        except BaseException:
            self._give_back(added, settings)
            raise
        if plan.back:
            self._give_back(done.servers, settings)
        before, after = tokens_in(plan.before), tokens_in(plan.after)
        self._tokens.reload()
        self._tokens.replace(plan.recipe.id, plan.host, after - before, before - after)
        self._tokens.note_limit(after, plan.call_limit)
        return done

    def _adopt(self, plan: HostFilePlan, settings: SettingsFile, keep: Keep | None, added: list[str]) -> None:
        """Add the moved servers to config.toml; append their names to `added`."""
        settings.reload()
        for one in name_servers(plan.moved, settings.current.servers):
            if one.spec is None:
                continue
            spec, values = extract_secrets(one.spec, one.secrets if keep is not None else ())
            for name, value in values.items():
                if keep is not None:
                    keep(name, value)
            settings.add_server(spec)
            added.append(spec.name)

    def _give_back(self, names: Iterable[str], settings: SettingsFile) -> None:
        for name in names:
            try:
                settings.remove_server(name)
            except DeskbellError:
                continue  # the user has removed or renamed it

    def follow_port(self, settings: Settings) -> None:
        """Put the current port into our entries with a URL and a valid token."""
        for recipe in RECIPES:
            with contextlib.suppress(DeskbellError):  # that file stays as it is
                where = host_file(recipe, self._env, self._platform)
                raw = read_file(where.path)
                if raw is not None and self._ours(settings, recipe.id).has_token(raw):
                    past = self._ledger.past(where.path, raw)
                    host, ours = host_name(recipe, settings), self._ours(settings, recipe.id)
                    self._ledger.carry_out(Planner(where, raw, ours, host, past).follow_port())
        write(self._home.port, f"{settings.port}\n".encode())

    def revoke(self, recipe: Recipe) -> bool:
        """Refuse the application's tokens from now on. False if it has none."""
        self._tokens.reload()
        return bool(self._tokens.revoke(recipe.id))

    def _ours(self, settings: Settings, app: str) -> OwnEntry:
        shared = (read_file(self._home.token) or b"").decode(errors="replace").strip()
        home = "" if self._home.is_usual else str(self._home.root)
        proves = partial(self._tokens.is_valid, app=app)
        return OwnEntry(console_command(self._env), settings.port, home, shared, proves=proves)


def host_name(recipe: Recipe, settings: Settings) -> str:
    """Return the application's name in config.toml: one with rules, else its usual one."""
    plain = [name for name in recipe.names if "*" not in name]
    return next((name for name in plain if name in settings.hosts), plain[0])
