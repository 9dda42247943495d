"""Sign in to an account by browser or by app password, reporting each step.

Nothing is saved before everything is checked: the state, the issuer, that the account is the expected one,
and that its document names this server.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from types import TracebackType

from bridge.accounts import app_password, oauth
from bridge.accounts.account import Account, AccountSecret, Method, Tokens
from bridge.accounts.dpop import DpopKey
from bridge.accounts.identity import Identity, reference
from bridge.accounts.registry import AccountRegistry
from bridge.errors import AccountError, DeskbellError, NetworkError, TimeoutError_
from bridge.http_client.urls import check, host
from bridge.i18n import say, together
from bridge.system.oauth_callback import OAuthCallback

WAIT = 300.0  # seconds; as long as the server holds the pushed request
_DENIED = say("You declined on the sign-in page. Nothing was changed.")
_AGAIN = say("Start again.")

Tell = Callable[[str], None]
Open = Callable[[str], Awaitable[bool]]


class BrowserSignIn:
    """One sign-in by browser. As a context manager it listens for the redirect."""

    def __init__(
        self, registry: AccountRegistry, who: str = "", service: str = "", tell: Tell = lambda _: None
    ) -> None:
        self._registry = registry
        self._who = reference(who) if who.strip() else ""
        self._service = check(service.rstrip("/")) if service.strip() else ""
        self._tell = tell
        self._key = DpopKey.new()
        self._expected: Identity | None = None

    async def __aenter__(self) -> BrowserSignIn:
        self._callback = OAuthCallback()
        try:
            await self._callback.__aenter__()
        except NetworkError as error:
            hint = together(error.message, say("Use an app password instead."))
            raise NetworkError(error.title, hint) from error
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, DeskbellError):
            self._callback.show_outcome("Not signed in", str(error))
        await self._callback.__aexit__()

    async def begin(self) -> str:
        """Return the address for the browser."""
        registry = self._registry
        if self._who:
            self._tell(say("Looking up {who}…", who=self._who))
            self._expected = await registry.resolver().resolve(self._who)
        home = self._expected.pds if self._expected else self._service or registry.places.service
        self._tell(say("Asking {host} for a sign-in page…", host=host(home)))
        self._server = await oauth.describe(registry.http, await oauth.issuer_of(registry.http, home))
        self._pushed = await oauth.push(
            registry.http, self._server, self._key, registry.nonces, self._callback.address, self._who
        )
        self._callback.expect(self._pushed.state)
        return self._pushed.url

    async def finish(self, wait: float = WAIT) -> Account:
        """Return the account once the person has signed in."""
        self._tell(say("Waiting for you to sign in with your browser…"))
        try:
            params = await self._callback.answer(wait)
        except TimeoutError as error:
            hint = say(
                "Nobody signed in within {count} minutes. Start again when you are ready.",
                count=round(wait / 60) or 1,
            )
            raise TimeoutError_(say("The sign-in took too long"), hint) from error
        self._tell(say("Finishing the sign-in…"))
        code = self._checked(params)
        registry = self._registry
        tokens = await oauth.redeem(
            registry.http, self._server, self._key, registry.nonces, self._pushed, code
        )
        account, secret = await self._verified(tokens)
        account = await registry.add(account, secret, tokens)
        self._callback.show_outcome(f"Signed in as @{account.handle}")
        return account

    def _checked(self, params: dict[str, str]) -> str:
        """Return the code of a redirect; its issuer must be ours (RFC 9207: mix-up attack)."""
        issuer, error = params.get("iss", ""), params.get("error", "")
        if issuer != self._server.issuer:
            where = issuer or say("an unnamed server")
            hint = together(say("The browser came back from {where}.", where=where), _AGAIN)
            raise AccountError(say("This answer is not from {host}", host=host(self._server.issuer)), hint)
        if error == "access_denied":
            raise AccountError(say("Not signed in"), _DENIED)
        if error or not params.get("code"):
            why = params.get("error_description", "")[:300] or error
            hint = together(f"{why}." if why else say("It sent no code."), _AGAIN)
            raise AccountError(say("{host} did not sign you in", host=host(self._server.issuer)), hint)
        return params["code"]

    async def _verified(self, tokens: Tokens) -> tuple[Account, AccountSecret]:
        """Check that the account's own document agrees with what the authorization server claims."""
        if self._expected is not None and tokens.did != self._expected.did:
            hint = say(
                "You wanted @{handle}. Choose that account on the sign-in page.", handle=self._expected.handle
            )
            raise AccountError(say("Another account signed in"), hint)
        identity = self._expected or await self._registry.resolver().follow(tokens.did)
        issuer = self._server.issuer
        if self._expected is None and await oauth.issuer_of(self._registry.http, identity.pds) != issuer:
            hint = say("{host} is not the server of @{handle}.", host=host(issuer), handle=identity.handle)
            raise AccountError(say("The account is on another server"), hint)
        account = Account(identity.did, identity.handle, identity.pds, Method.OAUTH, issuer)
        scope = "" if tokens.scope == oauth.SCOPE else tokens.scope
        secret = AccountSecret(identity.did, identity.pds, tokens.refresh, issuer, scope, self._key.text)
        return account, secret


async def by_browser(
    registry: AccountRegistry, who: str, service: str, tell: Tell, show: Open, wait: float = WAIT
) -> Account:
    """Sign in by browser. `show` opens the address; if it cannot, the person gets the address to open."""
    async with BrowserSignIn(registry, who, service, tell) as signing_in:
        url = await signing_in.begin()
        if not await show(url):
            tell(say("No browser could be opened. Open this address yourself: {address}", address=url))
        return await signing_in.finish(wait)


async def by_app_password(
    registry: AccountRegistry, who: str, password: str, tell: Tell = lambda _: None
) -> Account:
    """Sign in by app password, which is sent to the account's own server only."""
    good = app_password.app_password(password)
    tell(say("Looking up {who}…", who=who))
    identity = await registry.resolver().resolve(reference(who))
    tell(say("Signing in at {host}…", host=host(identity.pds)))
    tokens = await app_password.sign_in(registry.http, identity.pds, identity.did, good)
    account = Account(identity.did, identity.handle, identity.pds, Method.APP_PASSWORD)
    secret = AccountSecret(identity.did, identity.pds, tokens.refresh, password=good)
    return await registry.add(account, secret, tokens)
