"""Resolve `${vault:NAME}` in a server's settings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from bridge.errors import VaultError
from bridge.i18n import say
from bridge.system.secret_names import is_secret_name

PREFIX = "secret/"
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./-]{0,127}")
_REFERENCE = re.compile(r"\$\{vault:([^}]*)\}")
_PLAIN = 8  # characters; a shorter value under a secret name is not masked


def names(texts: Iterable[str]) -> tuple[str, ...]:
    """Return every NAME the texts refer to, once. Raises VaultError for an invalid name."""
    found = dict.fromkeys(name for text in texts for name in _REFERENCE.findall(text))
    for name in found:
        if not NAME.fullmatch(name):
            hint = say(
                "Letters, digits, _ . / and - make a name, such as {example}.", example=reference("github")
            )
            raise VaultError(say("{reference} names no secret", reference=reference(name[:40])), hint)
    return tuple(found)


def are_in(texts: Iterable[str]) -> bool:
    return any(_REFERENCE.search(text) for text in texts)


def filled(texts: Mapping[str, str], values: Mapping[str, str]) -> dict[str, str]:
    return {key: _REFERENCE.sub(lambda ref: values[ref[1]], text) for key, text in texts.items()}


def plain_secrets(texts: Mapping[str, str]) -> set[str]:
    """Return plain-text values under secret names; for `Bearer x` also x."""
    named = [text for key, text in texts.items() if is_secret_name(key) and not _REFERENCE.search(text)]
    return {part for text in named for part in (text, text.rpartition(" ")[2]) if len(part) >= _PLAIN}


def reference(name: str) -> str:
    return f"${{vault:{name}}}"
