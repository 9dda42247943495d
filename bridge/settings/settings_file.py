"""SettingsFile: edit config.toml while Deskbell runs.

Every edit starts from the file on disk, and is written only if parsing it gives the expected settings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bridge.core.policy.presets import NEW_SERVER, Preset
from bridge.core.policy.rules import HostRule, QuestionPlace, Rules, Verdict
from bridge.core.policy.rules_after_rename import Rename
from bridge.core.ports import BUILT_IN, ServerSpec
from bridge.core.questions.interruption import RaiseWindow
from bridge.core.sampling.model_choice import ModelSpec
from bridge.core.sampling.rules import SamplingRules
from bridge.errors import DeskbellError, NotFoundError, SettingsError, UsageError
from bridge.i18n import say
from bridge.settings import parser
from bridge.settings.keys import MODEL_KEYS, PREFERENCES, SAMPLING_KEYS, UPDATES_KEYS, KeyRule
from bridge.settings.parser import Settings
from bridge.settings.settings_in_force import SettingsInForce
from bridge.system.atomic_file import write
from bridge.system.fast.lazy_import import lazy_import

if TYPE_CHECKING:
    from bridge.settings import toml_edit
else:
    toml_edit = lazy_import("bridge.settings.toml_edit")

HEADER = """\
# Deskbell's settings. Edit them here: changes apply at once, and Deskbell keeps your comments.

"""


Edit = tuple[str, Settings]  # the new text, and the settings it must parse to


class SettingsFile(SettingsInForce):
    """config.toml: the settings in force, and edits of the file."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._last_edit: tuple[str, str] | None = None  # text before and after
        self._joining = False  # `undo` reverts the next edits together

    def add_server(self, spec: ServerSpec) -> None:
        _check_name(spec.name)

        def change(text: str, now: Settings) -> Edit:
            if spec.name in now.servers:
                raise UsageError(
                    say("There is already a server named {name}", name=spec.name), say("Remove it first.")
                )
            added = toml_edit.with_value(
                toml_edit.with_server(text, spec), "approvals", spec.name, NEW_SERVER.value
            )
            return added, _with_preset(_with_server(now, spec), spec.name, NEW_SERVER)

        self._edit(change)

    def remove_server(self, name: str) -> None:
        def change(text: str, now: Settings) -> Edit:
            if name not in now.servers:
                raise self._unknown(name)
            others = {key: spec for key, spec in now.servers.items() if key != name}
            presets = {key: preset for key, preset in now.approvals.items() if key != name}
            return toml_edit.without_server(text, name), replace(now, servers=others, approvals=presets)

        self._edit(change)

    def check_rename(self, old: str, new: str) -> tuple[ServerSpec, Rename]:
        """Return the server as it is, and the rename. Raises DeskbellError if `rename_server` would."""
        now = parser.read(parser.text_of(self.path), self.path.name, {})
        rename = self._rename_in(now, old, new)
        return now.servers[old], rename

    def rename_server(self, old: str, new: str) -> None:
        """Rename a server where it stands, and in rules and lists of hosts that begin with its name."""

        def change(text: str, now: Settings) -> Edit:
            rename = self._rename_in(now, old, new)
            return toml_edit.renamed_text(text, rename), toml_edit.renamed(now, rename)

        self._edit(change)

    def _rename_in(self, now: Settings, old: str, new: str) -> Rename:
        if old not in now.servers:
            raise self._unknown(old)
        _check_name(new)
        if new in now.servers:
            raise UsageError(
                say("There is already a server named {name}", name=new), say("Choose another name.")
            )
        rename = Rename(old, new, tuple(name for name in now.servers if name != old))
        _check_rules(now, rename)
        return rename

    def change_server(self, spec: ServerSpec) -> None:
        """Change the settings of the server with this name; comments are kept."""

        def change(text: str, now: Settings) -> Edit:
            if spec.name not in now.servers:
                raise self._unknown(spec.name)
            edited = toml_edit.with_changed_server(text, now.servers[spec.name], spec)
            return edited, _with_server(now, spec)

        self._edit(change)

    def _unknown(self, name: str) -> NotFoundError:
        return NotFoundError(
            say("There is no server named {name}", name=name),
            say("See the [servers] of {path}.", path=self.path),
        )

    @contextmanager
    def as_one_edit(self) -> Iterator[None]:
        """Apply all edits in this context or none; `undo` reverts them together."""
        self._last_edit, self._joining = None, True
        try:
            yield
        except DeskbellError:
            if self._last_edit is not None:
                self.undo()
            raise
        finally:
            self._joining = False

    def undo(self) -> None:
        """Restore the file as it was before the last edit. Raises UsageError if it has changed since."""
        before, after = self._last_edit or ("", "")
        if self._last_edit is None or parser.text_of(self.path) != after:
            raise UsageError(
                say("This can no longer be undone"), say("{path} has changed since.", path=self.path)
            )
        write(self.path, before.encode())
        self._last_edit = None
        self.reload()

    def set_vault(self, store: str) -> None:
        self._edit(
            lambda text, now: (toml_edit.with_value(text, "", "vault", store), replace(now, vault=store))
        )

    def set_policy(self, pattern: str, verdict: str, host: str = "") -> None:
        """Add a rule at the front of its table, so that it takes precedence."""
        rule = (pattern, Verdict(verdict))
        self._set_rules(host, lambda now: (rule, *(other for other in now if other[0] != pattern)))

    def set_rules(self, host: str, rules: Rules, before: Rules) -> None:
        """Replace the rules of one host ("": everyone) if they still equal `before`. Raises UsageError."""

        def replaced(now: Rules) -> Rules:
            if now != before:
                raise UsageError(say("The rules were changed meanwhile"), say("Please look at them again."))
            return rules

        self._set_rules(host, replaced)

    def _set_rules(self, host: str, change: Callable[[Rules], Rules]) -> None:
        def edit(text: str, now: Settings) -> Edit:
            rules = change(rules_of(now, host))
            after = _with_host(now, host, rules=rules) if host else replace(now, policy=rules)
            return toml_edit.with_rules(text, host, rules), after

        self._edit(edit)

    def set_preset(self, server: str, preset: str) -> None:
        """Set what is asked before this server's tools are called. Raises UsageError."""
        if preset not in list(Preset) or not server:
            known = ", ".join(Preset)
            raise UsageError(
                say("{preset} is not one of the choices", preset=repr(preset)),
                say("Choose one of: {known}.", known=known),
            )
        self._edit(
            lambda text, now: (
                toml_edit.with_value(text, "approvals", server, preset),
                _with_preset(now, server, Preset(preset)),
            )
        )

    def begin_with_preset(self, servers: Iterable[str]) -> None:
        """Give these servers the preset of a new server, unless config.toml says anything of them."""
        for name in servers:
            if name not in self.current.approvals and name not in self.current.servers:
                self.set_preset(name, NEW_SERVER)

    def set_questions(self, host: str, asks: str) -> None:
        """Set who shows this host's questions. Raises UsageError."""
        if asks not in list(QuestionPlace) or not host:
            raise UsageError(f"Questions cannot be shown by {asks!r}", "Choose auto, desktop or host.")

        self._edit(
            lambda text, now: (
                toml_edit.with_questions(text, host, asks),
                _with_host(now, host, questions=QuestionPlace(asks)),
            )
        )

    def set_model(self, spec: ModelSpec) -> None:
        """Add a model, or change the one of this name; comments are kept. Raises DeskbellError."""
        _check_model(spec)
        plain = ModelSpec(spec.name, spec.kind, spec.url, spec.model)
        names = {key: "limit" if key == "max_tokens" else key for key in MODEL_KEYS}
        always = ("kind", "url", "model")
        values = {
            key: value if key in always or value != getattr(plain, name) else None
            for key, name in names.items()
            for value in (getattr(spec, name),)
        }
        self._edit(
            lambda text, now: (
                toml_edit.with_model(text, spec.name, values),
                replace(now, models={**now.models, spec.name: spec}),
            )
        )

    def remove_model(self, name: str) -> None:
        def change(text: str, now: Settings) -> Edit:
            if name not in now.models:
                raise NotFoundError(say("There is no model named {name}", name=name))
            others = {key: spec for key, spec in now.models.items() if key != name}
            return toml_edit.without_model(text, name), replace(now, models=others)

        self._edit(change)

    def allow_sampling(self, server: str) -> None:
        """Have this server's requests sent to models without asking."""
        self.set_sampling("allow", tuple(dict.fromkeys((*self.current.sampling.allow, server))))

    def set_sampling(self, key: str, value: Any) -> None:
        """Set one key of [sampling]. Raises UsageError."""
        _check_value(
            SAMPLING_KEYS.get(key), f"sampling.{key}", list(value) if isinstance(value, tuple) else value
        )
        self._edit(
            lambda text, now: (
                toml_edit.with_value(text, "sampling", key, value),
                replace(now, sampling=_with_sampling(now.sampling, key, value)),
            )
        )

    def set_preference(self, table: str, key: str, value: Any) -> None:
        """Set one key of PREFERENCES; table "" means top level. Raises UsageError."""
        _check_value(PREFERENCES.get(table, {}).get(key), f"{table}.{key}".lstrip("."), value)
        self._edit(
            lambda text, now: (toml_edit.with_value(text, table, key, value), _preferring(now, key, value))
        )

    def _edit(self, change: Callable[[str, Settings], Edit]) -> None:
        """Write what `change` makes of the file, if parsing it gives the settings that `change` expects."""
        text = parser.text_of(self.path)
        now = parser.read(text, self.path.name, {})
        try:
            edited, expected = change(text or HEADER, now)
            good = parser.read(edited, self.path.name, {}) == expected
        except (toml_edit.TOMLKitError, LookupError, SettingsError):
            good = False
        if not good:
            raise SettingsError(
                say("{path} cannot be edited by Deskbell", path=self.path), say("Please edit it by hand.")
            )
        write(self.path, edited.encode())
        before, after = self._last_edit or (text, "")
        self._last_edit = (before if self._joining and after == text else text, edited)
        self.reload()
        self.loosened = ""  # by the person's own hand


def _check_rules(now: Settings, rename: Rename) -> None:
    """Raise UsageError if a rule would match other tools than before."""
    remedy = say("Change it first, on the page Approvals or in config.toml.")
    old, new = rename.old, rename.new
    for pattern in toml_edit.patterns(now):
        server = rename.conflict(pattern)
        if server == old:
            title = say(
                "The rule for {pattern} matches only {old} or {new}", pattern=pattern, old=old, new=new
            )
            raise UsageError(title, remedy)
        if server:
            title = say("The rule for {pattern} also matches {other}", pattern=pattern, other=server)
            raise UsageError(title, remedy)
    for host, rule in now.hosts.items():
        if rule.servers is not None and new in rule.servers and old not in rule.servers:
            raise UsageError(
                say("{host} may use a server named {new}, and not {old}", host=host, new=new, old=old),
                say("Choose another name, or change that first, on the page AI apps or in config.toml."),
            )


def _check_name(name: str) -> None:
    if parser.SERVER_NAME.fullmatch(name) is None or name in BUILT_IN:
        hint = say("Use letters, digits, - and _, at most 64; {taken} are taken.", taken=", ".join(BUILT_IN))
        raise UsageError(say("{name} cannot be a server's name", name=repr(name)), hint)


def _check_model(spec: ModelSpec) -> None:
    """Raise UsageError for a name or an address that cannot be used."""
    if parser.SERVER_NAME.fullmatch(spec.name) is None:
        hint = say("Use letters, digits, - and _, at most 64.")
        raise UsageError(say("{name} cannot be a model's name", name=repr(spec.name)), hint)
    _check_value(MODEL_KEYS["url"], "url", spec.url)


def _check_value(rule: KeyRule | None, key: str, value: object) -> None:
    """Raise UsageError if `rule` does not accept this value; None: there is no such key."""
    if rule is None or not rule.accepts(value):
        hint = say("It must be {what}.", what=rule.expected) if rule else say("There is no such setting.")
        raise UsageError(say("{key} cannot be {value}", key=key, value=repr(value)), hint)


def _with_sampling(now: SamplingRules, key: str, value: Any) -> SamplingRules:
    names = {"requests_per_call": "per_call", "requests_per_hour": "per_hour"}
    limit: dict[str, Any] = {names.get(key, key): value}
    if key in names or key == "tokens_per_day":
        return replace(now, limits=replace(now.limits, **limit))
    return replace(now, **limit)


def _preferring(now: Settings, key: str, value: Any) -> Settings:
    floats = {"days": "history_days", "contents": "contents_days", "question_timeout": "question_timeout"}
    if key in floats:
        change: dict[str, Any] = {floats[key]: float(value)}
        return replace(now, **change)
    if key == "enabled":
        return replace(now, bluesky=replace(now.bluesky, enabled=value, chosen=value))
    if key in UPDATES_KEYS:
        return replace(now, updates=replace(now.updates, **{key: value}))
    if key in ("port", "questions_per_minute", "language", "theme", "icon", "shortcut"):
        return replace(now, **{key: value})
    wish = {"front": RaiseWindow(value)} if key == "raise" else {key: value}
    return replace(now, wishes=replace(now.wishes, **wish))


def _with_server(now: Settings, spec: ServerSpec) -> Settings:
    return replace(now, servers={**now.servers, spec.name: spec})


def _with_preset(now: Settings, server: str, preset: Preset) -> Settings:
    return replace(now, approvals={**now.approvals, server: preset})


def _with_host(now: Settings, host: str, **changes: Any) -> Settings:
    before = now.hosts.get(host, HostRule(only_rules=True))
    only_rules = before.only_rules and changes.keys() == {"rules"}
    return replace(now, hosts={**now.hosts, host: replace(before, only_rules=only_rules, **changes)})


def rules_of(now: Settings, host: str) -> Rules:
    """Return the rules of one host; "": those for everyone."""
    return now.hosts.get(host, HostRule()).rules if host else now.policy
