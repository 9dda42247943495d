"""Decide by its name whether a value is a secret. The only list of such names in Deskbell.

Three readings, because a false alarm costs something else in each. In settings (`is_secret_name`) the value
goes to the vault; in a form (`asks_for_secret`) a window shows a warning; in text and in the data of calls
(`IN_TEXT`) the value is masked, and a bare `key` mostly is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_KEY_OWNERS = ("api", "access", "private", "signing")  # whose `key` is a secret
_WORDS = (
    "password", "passwd", "passphrase", "passwort", "kennwort", "pwd", "secret", "token",
    "credential", "cookie",
)  # fmt: skip

# In JSON, query strings and log lines. A regular expression without groups, for use inside others.
IN_TEXT = rf"{'|'.join(_WORDS)}|(?:{'|'.join(_KEY_OWNERS)})[ _-]?key"
_DATA_NAME = re.compile(rf"{IN_TEXT}|authorization", re.IGNORECASE)
_COUNT = re.compile(r"tokens|token[ _-]?(?:count|limit|budget)", re.IGNORECASE)
_OWNED_KEYS = tuple(f"{owner}{gap}key" for owner in _KEY_OWNERS for gap in ("", *" _-"))

# Names of environment variables and headers: nearly every `…KEY…` is one.
_SETTING_NAME = re.compile(
    r"key|token|secret|passw|passphrase|pwd|credential|auth(?!or(?!i[sz]))|cookie", re.IGNORECASE
)

# Labels of form fields, written for people. The MCP specification forbids servers to ask for these by form.
_LABEL = re.compile(
    r"\b(?:pass ?(?:word|phrase|code|wd|key)s?|pwd|secrets?|token|credentials?|bearer|cvv2?|cvc2?|otp"
    r"|mnemonic|(?-i:PIN)|pin (?:code|number)|pin(?= \|)|social security|ssn"
    r"|(?:api|access|private|signing|encryption|ssh|auth) ?keys?"
    r"|(?:seed|recovery|backup) (?:phrase|words?|codes?)|card (?:number|no)|(?:credit|debit|bank) card"
    r"|(?:one time|security|verification|2fa|mfa) code"
    r"|passwort|kennwort|contraseña|mot de passe|senha|wachtwoord|пароль)\b"
    r"|パスワード|暗証番号|密码|密碼|비밀번호",
    re.IGNORECASE,
)
_WORD_EDGE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\s_.:/-]+")
_LONGEST_LABEL = 2_000  # characters, more than a window shows


def is_secret_name(name: str) -> bool:
    """True if an environment variable or header of this name holds a secret."""
    return _SETTING_NAME.search(name) is not None


def is_secret_member(name: str) -> bool:
    """True if a member of this name in the arguments or result of a call is masked."""
    return _DATA_NAME.search(name) is not None


def is_count(name: str) -> bool:
    """True if a number of this name counts tokens of a model, and is none."""
    return _COUNT.search(name) is not None


def may_be_in(folded: str) -> bool:
    """True if IN_TEXT may match this lower-case text. Faster than IN_TEXT, which most texts do not match."""
    return any(word in folded for word in _WORDS) or (
        "key" in folded and any(key in folded for key in _OWNED_KEYS)
    )


def asks_for_secret(labels: Iterable[str]) -> bool:
    """True if a form field with these labels (name, title, help) seems to ask for a password, key or card."""
    words = "".join(_WORD_EDGE.sub(" ", label[:_LONGEST_LABEL]) + " | " for label in labels)
    return _LABEL.search(words) is not None
