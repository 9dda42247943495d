"""Texts about passwords and signing in: for questions, errors, the command line, the windows and the docs.

One place, because these sentences are a promise. "NOT your main password" is never left out.
"""

from __future__ import annotations

from bridge.core.status import called
from bridge.i18n import Words, say

APP_PASSWORDS = "https://bsky.app/settings/app-passwords"
OAUTH = (
    "Signing in with your browser (OAuth) is the strongly recommended way: "
    "you sign in on your own server's page, and Deskbell never sees a password."
)
INSTEAD = (
    "If your browser cannot be used, an app password works too. It is NOT your main password: "
    f"create one at {APP_PASSWORDS} – it looks like xxxx-xxxx-xxxx-xxxx."
)
BOTH = f"{OAUTH}\n{INSTEAD}"

NOT_AN_APP_PASSWORD = say("That is not an app password")
REFUSED = say(
    "Deskbell takes app passwords only, NOT your main password. Nothing was sent or kept. "
    "Create an app password at {address} – it looks like xxxx-xxxx-xxxx-xxxx. "
    "Better still, sign in with your browser (OAuth): that is the strongly recommended way.",
    address=APP_PASSWORDS,
)
NOT_FINISHED = say("The sign-in was not finished.")

ASK_BROWSER = (
    "Sign in to Bluesky{who} in your browser. You sign in on your own server's page; "
    "Deskbell never sees a password. When you are done there, everything goes on by itself."
)
ASK_PASSWORD = (  # a question, and no secret
    "Sign in to Bluesky{who} with an app password – NOT your main password. "
    f"Create an app password at {APP_PASSWORDS}. "
    "Signing in with your browser (OAuth) is the strongly recommended way; "
    "for that, decline this and run: deskbell accounts login{handle}"
)
DECLINED = f"⚠️ Not signed in: you declined.\n\n{BOTH}"
CANCELLED = (
    "⚠️ Not signed in: the question was closed before you answered.\n\n"
    f"{OAUTH} To do so, call login again, or run `deskbell accounts login` in a terminal.\n"
    f"{INSTEAD}"
)


def ask_password(who: str) -> str:
    """Return the question for an app password, and for whom it is."""
    return ASK_PASSWORD.format(who=f" as {who}" if who else "", handle=f" {who}" if who else "")


def nobody_to_ask(host: str, account: str = "") -> str:
    """Return the text for a host without elicitation, if there is no desktop either. It names what can be
    done from there, for the account that was given."""
    handle = f" {account}" if account else ""
    named = f"`account: {account}`" if account else "`account` (the handle)"
    return (
        f"⚠️ Not signed in: {host} cannot ask you questions, and Deskbell has no window here to ask in.\n\n"
        "There are two other ways:\n"
        f"1. OAuth, the strongly recommended one: run `deskbell accounts login{handle}` in a terminal, "
        "and sign in with your browser. Deskbell never sees a password.\n"
        "2. An app password – NOT your main password. "
        f"Create one at {APP_PASSWORDS}, then call login again with {named} and `password`."
    )


def logged_in(handle: str) -> Words:
    return say("✓ Logged in as @{handle}", handle=handle)


# --- why a sign-in has ended ------------------------------------------------------------------------------


def ended(why: str) -> Words:
    return say("The sign-in has ended. {why}", why=why)


def moved(host: str) -> Words:
    return say("The account has moved to {host}.", host=host)


def gone(store: str) -> Words:
    return say("The {store} store has nothing for this account.", store=called(store))


def refused_password() -> Words:
    return say(
        "Check the app password – NOT your main password – or create a new one at {address}. "
        "Better still, sign in with your browser (OAuth): that is the strongly recommended way.",
        address=APP_PASSWORDS,
    )


def sign_in_again(handle: str) -> str:
    return f"Open Accounts… in Deskbell, or run: deskbell accounts login {handle}"
