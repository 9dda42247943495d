"""Mutants that the tests once missed: what an attacker would gain, the text before, the text after."""

from __future__ import annotations

from typing import NamedTuple


class Named(NamedTuple):
    name: str
    file: str
    old: str
    new: str


NAMED = (
    Named(
        "everyone's rules come before the host's own",
        "bridge/core/policy/rules.py",
        'return own + [("", *rule) for rule in self.rules]',
        'return [("", *rule) for rule in self.rules] + own',
    ),
    Named(
        "a Bearer token is accepted where DPoP was asked for",
        "bridge/accounts/oauth.py",
        'kind.lower() != "dpop"',
        'kind.lower() not in ("dpop", "bearer")',
    ),
    Named(
        "a refresh token is sent to a foreign revocation endpoint",
        "bridge/accounts/oauth.py",
        "if place and origin(place) == origin(server.issuer):",
        "if place:",
    ),
    Named(
        "another account's app-password session is accepted",
        "bridge/accounts/app_password.py",
        'if body.get("did") != did:',
        'if not body.get("did"):',
    ),
    Named(
        "the shape of an app password is checked as a prefix only",
        "bridge/accounts/app_password.py",
        "_SHAPE.fullmatch(word)",
        "_SHAPE.match(word)",
    ),
    Named(
        "the first of two keys counts in JSONC",
        "bridge/hosts/formats/jsonc.py",
        "for name, _, node in reversed(self.members) if name == key",
        "for name, _, node in self.members if name == key",
    ),
    Named(
        "deleted contents stay in the journal's file",
        "bridge/journal/database.py",
        'store.execute("PRAGMA secure_delete = ON")',
        'store.execute("PRAGMA secure_delete = OFF")',
    ),
    Named(
        "a changed output schema is unnoticed by pins",
        "bridge/core/policy/tool_pins.py",
        'EXCEPTIONS = frozenset({"name"})',
        'EXCEPTIONS = frozenset({"name", "outputSchema"})',
    ),
    Named(
        "any number of command: programs run at once",
        "bridge/presenters/command.py",
        "asyncio.Semaphore(AT_ONCE)",
        "asyncio.Semaphore(1_000_000)",
    ),
)
