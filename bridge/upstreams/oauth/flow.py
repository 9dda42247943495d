"""OAuthFlow: drive the mcp SDK's OAuth step by step, and send its requests by Deskbell's HTTP client.

Imported only when a server refuses a request: the SDK takes a second to load. Every address must be https
(http on this machine), and a server on the internet must not name a private one. httpx2 is the SDK's HTTP
library and used here only. The SDK's own log would quote states and replies, and is silenced.
"""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from typing import Literal
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp.client.auth import OAuthClientProvider
from mcp.client.auth.exceptions import OAuthFlowError, OAuthRegistrationError, OAuthTokenError
from mcp.client.auth.extensions.client_credentials import (
    ClientCredentialsOAuthProvider,
    PrivateKeyJWTOAuthProvider,
    SignedJWTParameters,
)
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthMetadata,
    OAuthToken,
    ProtectedResourceMetadata,
)
from pydantic import AnyUrl, ValidationError

from bridge.core.ports import ServerSpec
from bridge.errors import DeskbellError, NetworkError
from bridge.http_client.client import HttpClient, HttpReply
from bridge.http_client.urls import may_carry_secrets, names_private_address
from bridge.i18n import Words, failure_text, say
from bridge.system.oauth_callback import OAuthCallback
from bridge.token_refresh.refresh import SealedRefresh
from bridge.token_refresh.sealed import RefreshRequest, fingerprint, new_key
from bridge.upstreams.http.failures import RequestFailed
from bridge.upstreams.oauth.saved_tokens import SavedTokens

logging.getLogger("mcp.client.auth").setLevel(logging.CRITICAL + 1)

VISIT = 300.0  # seconds for the person in the browser
_TIMEOUT = 30.0  # seconds for each request
_MAX_BYTES = 1 << 20  # of a reply
_OF_CONNECTION = frozenset({"host", "content-length", "transfer-encoding", "accept-encoding", "connection"})
_OF_REFRESH = frozenset({"authorization", "content-type", "accept", "mcp-protocol-version"})

Save = Callable[[], Awaitable[None]]
# Shows the address; the function says whether a browser has come back. Raises RequestFailed if declined.
Consent = Callable[[str, Callable[[], bool]], Awaitable[None]]


class Storage:
    """Stores tokens and client registration in SavedTokens; a TokenStorage of the SDK."""

    def __init__(self, saved: SavedTokens, save: Save) -> None:
        self.saved = saved
        self._save = save

    async def get_tokens(self) -> OAuthToken | None:
        return OAuthToken.model_validate(self.saved.tokens) if self.saved.tokens else None

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.saved.tokens = tokens.model_dump(mode="json", exclude_none=True)
        self.saved.expires = time.time() + tokens.expires_in if tokens.expires_in else 0.0
        await self._save()

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return OAuthClientInformationFull.model_validate(self.saved.client) if self.saved.client else None

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.saved.client = client_info.model_dump(mode="json", exclude_none=True)
        await self._save()


class OAuthFlow:
    """One sign-in or refresh at one server."""

    def __init__(
        self,
        spec: ServerSpec,
        saved: SavedTokens,
        save: Save,
        consent: Consent,
        sealed: SealedRefresh | None = None,
    ) -> None:
        self._spec = spec
        self._sealed = sealed
        self._refreshing = False
        self._storage = Storage(saved, save)
        self._consent = consent

    async def refresh(self, revision: str) -> bool:
        """Get a new token without the person; False if the server refuses."""
        saved = self._storage.saved
        if not saved.tokens.get("refresh_token") or not saved.client:
            return False
        provider = self._provider(OAuthCallback(saved.port))
        await provider._initialize()
        self._restore_metadata(provider)
        provider.context.token_expiry_time = 1.0  # expired
        if self._sealed is not None and not saved.seal:
            saved.seal = new_key()
            await self._storage._save()
        used = saved.token
        self._refreshing = True
        try:
            await self._drive(provider, self._request(revision), None)
        finally:
            self._refreshing = False
        renewed = bool(saved.token) and saved.token != used
        if renewed and self._sealed is not None:
            self._sealed.settle()
        return renewed

    async def sign_in(self, revision: str, status: int, challenge: list[str]) -> None:
        """Sign in with the person. `challenge`: the WWW-Authenticate headers. Raises RequestFailed."""
        try:
            async with OAuthCallback(self._storage.saved.port) as callback:
                await self._sign_in(callback, revision, status, challenge)
        except NetworkError as error:
            words = say(
                "Could not sign in to {server}: {why}", server=self._spec.name, why=failure_text(error)
            )
            raise RequestFailed(words, 401) from error

    async def _sign_in(
        self, callback: OAuthCallback, revision: str, status: int, challenge: list[str]
    ) -> None:
        saved = self._storage.saved
        if (
            saved.client
            and saved.port
            and callback.port != saved.port
            and "client_id" not in self._spec.oauth
        ):
            saved.client = {}  # registered with another redirect address: register again
        saved.port = callback.port
        provider = self._provider(callback)
        if status == httpx2.codes.FORBIDDEN:
            self._restore_metadata(provider)
        else:
            saved.tokens = {}
        request = self._request(revision)
        headers = [("WWW-Authenticate", value) for value in challenge]
        refusal = httpx2.Response(status, headers=headers, request=request)
        try:
            await self._drive(provider, request, refusal)
        except RequestFailed as error:
            callback.show_outcome("Not signed in", error.words)
            raise
        self._save_metadata(provider)
        await self._storage._save()
        callback.show_outcome(f"Signed in to {self._spec.name}")

    async def _drive(
        self, provider: OAuthClientProvider, request: httpx2.Request, refusal: httpx2.Response | None
    ) -> None:
        """Run the SDK's flow up to the point where it would repeat the refused request, which the connection
        does itself."""
        flow = provider.async_auth_flow(request)
        try:
            async with HttpClient() as http:
                await self._steps(flow, request, refusal, http)
        except (OAuthFlowError, OAuthRegistrationError, OAuthTokenError, ValueError) as error:
            raise self._failed(_reason(error)) from error
        except DeskbellError as error:
            raise self._failed(failure_text(error)) from error
        finally:
            await flow.aclose()

    def _failed(self, why: str) -> RequestFailed:
        words = say("The sign-in to {server} failed: {why}", server=self._spec.name, why=why)
        return RequestFailed(words, 401)

    async def _steps(
        self,
        flow: AsyncGenerator[httpx2.Request, httpx2.Response],
        request: httpx2.Request,
        refusal: httpx2.Response | None,
        http: HttpClient,
    ) -> None:
        wanted = await anext(flow)
        while True:
            if wanted is request:
                if refusal is None:
                    return
                reply, refusal = refusal, None
            else:
                reply = await self._sent(http, wanted)
            wanted = await flow.asend(reply)

    async def _sent(self, http: HttpClient, request: httpx2.Request) -> httpx2.Response:
        self._check(str(request.url))
        if self._refreshing and self._sealed is not None and request.method == "POST":
            reply = await self._sent_by_worker(self._sealed, request)
        else:
            reply = await http.request(
                request.method,
                str(request.url),
                content=await request.aread() or None,
                headers={
                    name: value for name, value in request.headers.items() if name not in _OF_CONNECTION
                },
                max_bytes=_MAX_BYTES,
                timeout=_TIMEOUT,
            )
        if reply.status >= 500 and request.method == "POST":  # the tokens may be used up, or not
            host = request.url.host
            raise OAuthFlowError(say("{host} answered HTTP {status}.", host=host, status=reply.status))
        headers = [(name, value) for name, value in reply.headers.items() if name != "content-encoding"]
        return httpx2.Response(reply.status, headers=headers, content=reply.body, request=request)

    async def _sent_by_worker(self, sealed: SealedRefresh, request: httpx2.Request) -> HttpReply:
        saved = self._storage.saved
        token = str(saved.tokens.get("refresh_token", ""))
        if reply := await sealed.unsaved(saved.seal, token):
            return reply
        headers = {name: value for name, value in request.headers.items() if name.lower() in _OF_REFRESH}
        url = str(request.url)
        return await sealed.send(
            RefreshRequest(url, headers, request.content, saved.seal, fingerprint(token))
        )

    def _check(self, url: str) -> None:
        address = url.partition("?")[0]
        if not may_carry_secrets(url):
            raise OAuthFlowError(say("{address} is not an https address.", address=address))
        if names_private_address(self._spec.url, url):
            raise OAuthFlowError(
                say("{address} is not for a server on the internet to name.", address=address)
            )

    # --- the SDK's provider --------------------------------------------------------------------------

    def _provider(self, callback: OAuthCallback) -> OAuthClientProvider:
        spec, settings = self._spec, self._spec.oauth
        if settings.get("grant") == "client_credentials":
            return self._client_credentials(settings)
        metadata = OAuthClientMetadata(
            client_name="Deskbell", redirect_uris=[AnyUrl(callback.address)], scope=settings.get("scope")
        )

        async def consent(url: str) -> None:
            self._check(url)
            callback.expect(parse_qs(urlsplit(url).query)["state"][0])
            await self._consent(url, lambda: callback.arrived)

        async def read_callback() -> AuthorizationCodeResult:
            return self._result(await callback.answer(VISIT))

        self._pre_register(settings)
        return OAuthClientProvider(
            spec.url,
            metadata,
            self._storage,
            redirect_handler=consent,
            callback_handler=read_callback,
            client_metadata_url=settings.get("client_metadata_url"),
        )

    def _result(self, params: dict[str, str]) -> AuthorizationCodeResult:
        if params.get("error") == "access_denied":
            raise RequestFailed(
                say("You did not allow the sign-in to {server}.", server=self._spec.name), 401
            )
        if "error" in params:
            raise OAuthFlowError(params.get("error_description") or params["error"])
        return AuthorizationCodeResult(
            code=params.get("code", ""), state=params.get("state"), iss=params.get("iss")
        )

    def _pre_register(self, settings: Mapping[str, str]) -> None:
        if client := settings.get("client_id"):
            secret = settings.get("client_secret")
            kind = settings.get("auth_method") or ("client_secret_basic" if secret else "none")
            known = OAuthClientInformationFull(
                client_id=client, client_secret=secret, token_endpoint_auth_method=kind, redirect_uris=None
            )
            self._storage.saved.client = known.model_dump(mode="json", exclude_none=True)

    def _client_credentials(self, settings: Mapping[str, str]) -> OAuthClientProvider:
        """Return a provider for the client_credentials grant: no person signs in."""
        url, client, scope = self._spec.url, settings.get("client_id", ""), settings.get("scope")
        if key := settings.get("private_key"):
            signed = SignedJWTParameters(
                issuer=client,
                subject=client,
                signing_key=key,
                signing_algorithm=settings.get("signing_algorithm", "ES256"),
            )
            assertion = signed.create_assertion_provider()
            return PrivateKeyJWTOAuthProvider(url, self._storage, client, assertion, scope)
        secret = settings.get("client_secret", "")
        method: Literal["client_secret_basic", "client_secret_post"] = "client_secret_basic"
        if settings.get("auth_method") == "client_secret_post":
            method = "client_secret_post"
        return ClientCredentialsOAuthProvider(url, self._storage, client, secret, method, scope)

    def _request(self, revision: str) -> httpx2.Request:
        headers = {"MCP-Protocol-Version": revision} if revision else {}
        return httpx2.Request("POST", self._spec.url, headers=headers)

    def _restore_metadata(self, provider: OAuthClientProvider) -> None:
        """Restore the discovered metadata, so that a refresh after a restart finds the token endpoint."""
        saved, context = self._storage.saved, provider.context
        if saved.metadata:
            context.oauth_metadata = OAuthMetadata.model_validate(saved.metadata)
        if saved.resource:
            context.protected_resource_metadata = found = ProtectedResourceMetadata.model_validate(
                saved.resource
            )
            context.auth_server_url = str(found.authorization_servers[0])

    def _save_metadata(self, provider: OAuthClientProvider) -> None:
        saved, context = self._storage.saved, provider.context
        metadata, resource = context.oauth_metadata, context.protected_resource_metadata
        saved.metadata = metadata.model_dump(mode="json", exclude_none=True) if metadata else {}
        saved.resource = resource.model_dump(mode="json", exclude_none=True) if resource else {}


def _reason(error: Exception) -> str:
    """Return the first line of an error as a sentence; the rest may be a long text of the server."""
    if isinstance(error, ValidationError):
        return say("the server's answer is not valid.")
    if error.args and isinstance(error.args[0], Words):  # ours
        return error.args[0]
    text = str(error).strip().split("\n")[0][:300]
    if text.startswith("State parameter"):
        return say("the answer was not for this sign-in.")
    return text if text.endswith((".", "!", "?")) else f"{text}."
