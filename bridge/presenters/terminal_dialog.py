"""The dialog for one Question on a terminal.

A server's text is stripped of control characters and marked by a bar, so that it cannot imitate Deskbell's.
Values are validated by core/forms.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

import msgspec

from bridge.core.forms import full_validation
from bridge.core.forms.fields import Invalid
from bridge.core.forms.schema import Entered, Field, Form, Kind, Option, SchemaError, looks_secret
from bridge.core.policy import url_safety
from bridge.core.policy.presets import is_destructive
from bridge.core.policy.url_safety import UrlRefusal, UrlWarning
from bridge.core.questions.question import CANCEL, DECLINE, Action, Answer, Mode, Question
from bridge.presenters.tty import one_line, plain
from bridge.system import browser, public_suffix
from bridge.system.masking import MASK

_LISTED = 30  # options shown at once
_WIDTH = 60  # characters of a value in brackets; the review shows all
_DECLINE = ":decline"
_SECRET = (
    "This looks like a password, key or card. Servers must not ask for those. What you type is not shown."  # noqa: S105
)
_WHY_NOT = {
    UrlRefusal.SCHEME: "Only web pages are opened.",
    UrlRefusal.MALFORMED: "It is malformed.",
    UrlRefusal.NOT_ENCRYPTED: "It is not encrypted (http).",
}
_DOUBTS = {
    UrlWarning.USERINFO: "it starts with a user name, often to hide the real site.",
    UrlWarning.BARE_ADDRESS: "the site has no name, only a number.",
    UrlWarning.INTERNATIONAL: "its name has international letters, which can look like others.",
    UrlWarning.MIXED_SCRIPT: "its name mixes letters of several scripts, often to look like another.",
    UrlWarning.LOOKALIKE: "its name can be taken for that of another site.",
    UrlWarning.ODD_PORT: "it names an unusual port.",
}


def _risk(question: Question) -> str:
    """Return what the tool may do, as the window says it; "" if neither its server nor its name tells."""
    if is_destructive(question.tool, question.hints):
        return "This can delete or overwrite things, and may not be undone."
    if not question.hints:
        return ""
    says = "Read only: it changes nothing" if "readOnly" in question.hints else "It makes changes"
    return f"{says}, says {one_line(question.server)}."


class _Console(Protocol):
    def write(self, text: str) -> None: ...
    def ask(self, invitation: str, *, secret: bool = False) -> str: ...


class _Declined(Exception):
    pass


class TerminalDialog:
    def __init__(self, console: _Console, question: Question) -> None:
        self._console = console
        self._question = question

    def answer(self) -> Answer:
        """Return the user's answer. Raises Withdrawn, HungUp."""
        self._introduce()
        try:
            match self._question.mode:
                case Mode.FORM:
                    return self._form()
                case Mode.URL:
                    return self._link()
                case Mode.CONFIRM:
                    return self._approval()
                case Mode.SAMPLING:
                    return self._sampling()
        except _Declined:
            return DECLINE
        self._say("This kind of question cannot be answered on a terminal.")
        return CANCEL

    def _introduce(self) -> None:
        question = self._question
        self._say("", f"── Question from {one_line(question.server)} ──")
        if question.ours:
            self._quote(question.message)
            return
        tool = f", for its tool {one_line(question.tool)}" if question.tool else ""
        self._say(f"through {one_line(question.host) or 'an unnamed application'}{tool}")
        if question.first:
            self._say("First time this server asks you.")
        self._quote(question.message)
        if question.context:
            self._say("Details:")
            self._quote(_pretty(question.context))

    # ---- forms --------------------------------------------------------------------------------------

    def _form(self) -> Answer:
        try:
            form = full_validation.parse(self._question.schema)
        except SchemaError as error:
            self._say(f"It cannot be answered here. {error}")
            return CANCEL
        entered = {field.name: field.initial for field in form.fields}
        if form.fields:
            self._say(f'(* must be answered; Ctrl+D cancels, "{_DECLINE}" declines)')
        for field in form.fields:
            entered[field.name] = self._ask(field, entered[field.name])
        return self._send(form, entered)

    def _send(self, form: Form, entered: dict[str, Entered]) -> Answer:
        """Show all entries for review and editing, then send them."""
        while True:
            self._review(form, entered)
            edit = " / [e]dit" if form.fields else ""
            match self._choose(f"Send? [y]es{edit} / [d]ecline / [c]ancel: ", "yedc" if edit else "ydc"):
                case "y":
                    filled = form.fill(entered)
                    if filled.content is not None and self._is_meant(form, entered):
                        return Answer(Action.ACCEPT, filled.content)
                    for reason in filled.errors.values():
                        self._say(f"  ! {one_line(reason)}")
                case "e":
                    self._edit(form, entered)
                case "d":
                    return DECLINE
                case _:
                    return CANCEL

    def _review(self, form: Form, entered: dict[str, Entered]) -> None:
        if form.fields:
            self._say("", "Your answer:")
        for number, field in enumerate(form.fields, 1):
            shown = MASK if looks_secret(field) else _words(field, entered[field.name])
            left_out = entered[field.name] == field.blank
            self._say(f"  {number}. {one_line(field.title)}: {'(left out)' if left_out else one_line(shown)}")

    def _edit(self, form: Form, entered: dict[str, Entered]) -> None:
        fields = form.fields
        if len(fields) > 1:
            number = self._console.ask(f"Which? 1-{len(fields)}, or Enter for all: ").strip()
            fields = fields[int(number) - 1 : int(number)] if _is_in(number, len(fields)) else fields
        for field in fields:
            entered[field.name] = self._ask(field, entered[field.name])

    def _is_meant(self, form: Form, entered: dict[str, Entered]) -> bool:
        secrets = [field for field in form.fields if looks_secret(field)]
        if self._question.ours or all(entered[field.name] == field.blank for field in secrets):
            return True
        server = one_line(self._question.server)
        return (
            self._choose(f"This gives {server} what looks like a secret. Really? [y]es / [n]o: ", "yn") == "y"
        )

    # ---- one field ----------------------------------------------------------------------------------

    def _ask(self, field: Field, current: Entered) -> Entered:
        secret = looks_secret(field)
        self._describe(field, secret)
        while True:
            typed = self._console.ask(self._invitation(field, current, secret), secret=secret)
            if typed.strip() == _DECLINE:
                raise _Declined
            entered = self._understood(field, typed, current)
            if entered is _NOT_YET:
                continue
            read = field.read(entered)
            if not isinstance(read, Invalid):
                return entered
            self._say(f"  ! {one_line(read.reason)}")

    def _describe(self, field: Field, secret: bool) -> None:
        self._say("", one_line(field.title) + (" *" if field.required else ""))
        for words in (field.help, field.limits, field.note):
            if words:
                self._quote(words)
        if secret and not self._question.ours:
            self._say(f"  ! {_SECRET}")
        self._list(field.options, "")

    def _invitation(self, field: Field, current: Entered, secret: bool) -> str:
        if current == field.blank:
            return f"  {_HINTS.get(field.kind, '')}> "
        shown = MASK if secret else one_line(_words(field, current))
        short = shown if len(shown) <= _WIDTH else shown[: _WIDTH - 1] + "…"
        return f"  [{short}] (Enter keeps it, - clears it) > "

    def _understood(self, field: Field, typed: str, current: Entered) -> Entered:
        """Parse a typed line into an entry; _NOT_YET if options were listed instead."""
        if typed == "":
            return current
        if typed == "-" and current != field.blank:
            return field.blank
        match field.kind:
            case Kind.BOOLEAN:
                return _YES_NO.get(typed.strip().lower(), typed)
            case Kind.CHOICE:
                if _is_in(typed.strip(), len(field.options)):
                    return int(typed) - 1
                return self._search(field, typed)
            case Kind.MULTI:
                words = re.split(r"[\s,]+", typed.strip())
                if all(_is_in(word, len(field.options)) for word in words):
                    return tuple(int(word) - 1 for word in words)
                return self._search(field, typed)
            case _:
                return typed

    def _search(self, field: Field, typed: str) -> Entered:
        if not self._list(field.options, typed.strip()):
            self._say(f"  ! Please enter a number from 1 to {len(field.options)}.")
        return _NOT_YET

    def _list(self, options: Sequence[Option], sought: str) -> bool:
        """List the options whose title contains `sought`, numbered; False if there are none."""
        found = [
            f"  {number}) {one_line(option.title)}"
            for number, option in enumerate(options, 1)
            if sought.lower() in option.title.lower()
        ]
        self._say(*found[:_LISTED])
        if len(found) > _LISTED:
            self._say(f"  … and {len(found) - _LISTED} more. Type part of a title to search.")
        return bool(found)

    # ---- links and approvals ------------------------------------------------------------------------

    def _link(self) -> Answer:
        url = self._question.url
        self._say("", "It asks you to open this link:", f"  {plain(url)}")
        address = url_safety.check_url(url, public_suffix.registrable)
        if address.refusal is not None:
            self._say(f"Deskbell does not open it. {_WHY_NOT[address.refusal]}")
            return CANCEL
        self._say(f"  which leads to {url_safety.destination(address.host)}")
        if address.site != address.host:
            self._say(f"  a part of {url_safety.destination(address.site)}")
        for doubt in address.doubts:
            self._say(f"  Careful: {_DOUBTS[doubt]}")
        choice = self._choose("Open in browser? [y]es / [d]ecline / [c]ancel: ", "ydc")
        if choice == "y" and not browser.open_url(url):
            self._say("No browser could be started. Please copy the link and open it yourself.")
            choice = self._choose("Will you? [y]es / [d]ecline / [c]ancel: ", "ydc")
        return {"y": Answer(Action.ACCEPT), "d": DECLINE}.get(choice, CANCEL)

    def _approval(self) -> Answer:
        question = self._question
        if question.change:
            self._say("What changed (- before, + now):")
            self._quote(question.change)
        if risk := _risk(question):
            self._say(risk)
        if question.arguments:
            self._say("It would be called with:")
            self._quote(_pretty(question.arguments))
        whom = one_line(question.scope) or "every AI app"
        self._say(f"Always means: {one_line(question.tool)} of {one_line(question.server)}, for {whom}.")
        choice = self._choose("Allow? [y]es / [a]lways / [n]o: ", "yan")
        return {"y": Answer(Action.ACCEPT), "a": Answer(Action.ACCEPT, always=True)}.get(choice, DECLINE)

    def _sampling(self) -> Answer:
        self._say(f"Always means: every request of {one_line(self._question.server)} to your models.")
        letter = self._choose("Send it to the model? [y]es / [a]lways / [n]o: ", "yan")
        return {"y": Answer(Action.ACCEPT), "a": Answer(Action.ACCEPT, always=True)}.get(letter, DECLINE)

    # ---- lines --------------------------------------------------------------------------------------

    def _choose(self, invitation: str, letters: str) -> str:
        """Ask until one of these letters is typed; a word counts as its first letter."""
        while True:
            choice = self._console.ask(invitation).strip().lower()[:1]
            if choice and choice in letters:
                return choice

    def _say(self, *lines: str) -> None:
        self._console.write("".join(f"{line}\n" for line in lines))

    def _quote(self, words: str) -> None:
        self._say(*(f"  │ {line}" for line in plain(words).expandtabs(4).split("\n")) if words else ())


_NOT_YET: Entered = (-1,)
_YES_NO: dict[str, Entered] = {"y": True, "yes": True, "true": True, "n": False, "no": False, "false": False}
_HINTS = {
    Kind.NUMBER: "a number ",
    Kind.INTEGER: "a whole number ",
    Kind.BOOLEAN: "y or n ",
    Kind.CHOICE: "a number from the list ",
    Kind.MULTI: "numbers from the list, such as 1, 3 ",
    Kind.LIST: 'a list as JSON on one line, such as ["a", "b"] or [1, 2] ',
    Kind.JSON: "JSON on one line ",
}


def _is_in(text: str, most: int) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 9 and 1 <= int(text) <= most


def _words(field: Field, entered: Entered) -> str:
    """Return an entry as text for the user."""
    match entered:
        case bool():
            return "yes" if entered else "no"
        case int():
            return field.options[entered].title
        case tuple() if field.kind is Kind.LIST:
            return msgspec.json.encode(entered).decode()
        case tuple():
            return ", ".join(field.options[int(index)].title for index in entered)
        case _:
            return entered or ""


def _pretty(arguments: bytes) -> str:
    try:
        return msgspec.json.format(arguments, indent=2).decode()
    except (msgspec.DecodeError, RecursionError):
        return arguments.decode(errors="replace")
