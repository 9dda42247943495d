"""From a handle to an account: by DNS, by the handle's own site, by a service; and DIDs of both kinds."""

from __future__ import annotations

import json
from typing import cast

import pytest
from aiohttp import web

from bridge.accounts.identity import Resolver, reference
from bridge.accounts.oauth import describe, issuer_of
from bridge.errors import NetworkError, NotFoundError
from bridge.http_client.client import HttpClient, HttpReply
from bridge.http_client.urls import check
from tests.fixtures import fake_pds as skies
from tests.fixtures.fake_pds import DID, OTHER, Sky


@pytest.fixture
async def sky():
    async with skies.sky_at() as sky:
        yield sky


@pytest.fixture
async def http():
    async with HttpClient() as http:
        yield http


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("alice.test", "alice.test"),
        (" @Alice.Test ", "alice.test"),
        ("at://alice.test", "alice.test"),
        (DID, DID),
        ("https://bsky.app/profile/alice.test", "alice.test"),
        (f"https://bsky.app/profile/{DID}/post/3k", DID),
        ("did:web:pds.example.org", "did:web:pds.example.org"),
    ],
)
def test_every_way_to_name_an_account_is_understood(text: str, meant: str) -> None:
    assert reference(text) == meant


async def texts(name: str) -> list[str]:
    return {"_atproto.alice.test": ["v=spf1", f"did={DID}"], "_atproto.two.test": ["did=a", "did=b"]}.get(
        name, []
    )


async def test_dns_counts_before_the_service_unless_the_person_chose_one(sky: Sky, http: HttpClient) -> None:
    sky.handles["alice.test"] = OTHER  # what the service says
    by_dns = Resolver(http, sky.url, sky.url, chosen=False, find_text=texts)
    assert (await by_dns.resolve("alice.test")).did == DID
    by_service = Resolver(http, sky.url, sky.url, chosen=True, find_text=texts)
    with pytest.raises(NotFoundError, match=r"calls itself @bob\.test"):
        await by_service.resolve("alice.test")


async def test_where_dns_knows_nothing_or_too_much_the_service_is_asked(sky: Sky, http: HttpClient) -> None:
    sky.handles["two.test"], sky.names[OTHER] = OTHER, "two.test"
    resolver = Resolver(http, sky.url, sky.url, chosen=False, find_text=texts)
    assert (await resolver.resolve("two.test")).did == OTHER


async def test_a_handle_nobody_could_look_up_is_not_called_unknown(sky: Sky, http: HttpClient) -> None:
    resolver = Resolver(http, sky.url, "http://localhost:9", chosen=True, find_text=texts)
    with pytest.raises(NetworkError, match=r"@nobody\.test cannot be looked up: .*localhost"):
        await resolver.resolve("nobody.test")
    resolver = Resolver(http, sky.url, sky.url, chosen=True, find_text=texts)
    with pytest.raises(NotFoundError, match=r"no account @nobody\.test: Check how it is spelled\.$"):
        await resolver.resolve("nobody.test")


async def test_a_did_nobody_registered_and_one_without_a_server_are_said_in_words(
    sky: Sky, http: HttpClient
) -> None:
    resolver = Resolver(http, sky.url, sky.url, chosen=True)
    with pytest.raises(NotFoundError, match="may have been closed"):
        await resolver.resolve("did:plc:cccccccccccccccccccccccc")
    with pytest.raises(NotFoundError, match="did:plc and did:web"):
        await resolver.follow("did:key:x")


async def test_a_did_web_is_read_from_its_own_site(http: HttpClient) -> None:
    async def document(request: web.Request) -> web.Response:
        service = {
            "id": "#atproto_pds",
            "type": "AtprotoPersonalDataServer",
            "serviceEndpoint": "https://pds.example.org/",
        }
        return web.json_response({"id": did, "alsoKnownAs": ["at://me.example.org"], "service": [service]})

    app = web.Application()
    app.router.add_get("/.well-known/did.json", document)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    did = f"did:web:localhost%3A{runner.addresses[0][1]}"
    found = await Resolver(http, "http://localhost:9", "http://localhost:9", chosen=True).resolve(did)
    assert (found.handle, found.pds) == ("me.example.org", "https://pds.example.org")
    await runner.cleanup()


@pytest.mark.parametrize(
    "url", ["http://pds.example.org", "ftp://localhost/x", "https://user@pds.example.org", "file:///etc", "x"]
)
def test_only_encrypted_addresses_or_this_machine_are_asked(url: str) -> None:
    with pytest.raises(NetworkError, match="https://"):
        check(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:1/x",
        "https://LOCALHOST./x",
        "https://a.localhost",
        "https://10.0.0.1",
        "https://127.1",
        "https://0x7f000001/x",
        "https://2130706433",
        "https://[::ffff:127.0.0.1]/",
        "https://[::1]:2",
        "https://169.254.169.254/x",
    ],
)
async def test_an_account_of_the_internet_does_not_lead_into_this_computer(
    http: HttpClient, url: str
) -> None:
    far = Resolver(http, "https://plc.example.org", "https://bsky.example.org", chosen=False)
    with pytest.raises(NetworkError, match="on this computer"):
        far._allowed(url)
    with pytest.raises(NetworkError, match="on this computer"):
        await far.follow("did:web:localhost%3A19002")
    near = Resolver(http, "http://localhost:9", "https://bsky.example.org", chosen=False)
    assert near._allowed(url) == url
    assert far._allowed("https://pds.example.org") == "https://pds.example.org"


@pytest.mark.parametrize("place", ["http://localhost:9", "https://0x7f000001", "https://[::ffff:10.0.0.1]"])
async def test_a_server_of_the_internet_names_no_sign_in_server_around_here(place: str) -> None:
    class Says:
        """A PDS of the internet, and a sign-in server there, that would send us home."""

        async def request(self, method: str, url: str) -> HttpReply:
            issuer = "https://entry.example.org"
            described = {
                "issuer": issuer,
                "authorization_endpoint": f"{issuer}/authorize",
                "token_endpoint": f"{place}/token",
                "pushed_authorization_request_endpoint": f"{issuer}/par",
            }
            named = {"authorization_servers": [place]}
            said = described if url.endswith("authorization-server") else named
            return HttpReply(url, 200, {}, json.dumps(said).encode())

    far = cast(HttpClient, Says())
    with pytest.raises(NetworkError, match="network around it"):
        await issuer_of(far, "https://pds.example.org")
    with pytest.raises(NetworkError, match="network around it"):
        await describe(far, "https://entry.example.org")
    assert await issuer_of(far, "http://localhost:8") == place
