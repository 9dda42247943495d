"""Plays the person at the sign-in page, by the page's own requests and without a browser."""

from __future__ import annotations

from urllib.parse import urlsplit

import httpx

from tests.rigs.atproto.network import Person

_API = "/@atproto/oauth-provider/~api"


class Visit:
    """One visit of the page that Deskbell opens. The page wants to be asked as browsers ask."""

    def __init__(self, http: httpx.AsyncClient, url: str) -> None:
        self._http = http
        self._url = url
        self._origin = f"{urlsplit(url).scheme}://{urlsplit(url).netloc}"
        self._cookies: dict[str, str] = {}

    async def open(self) -> None:
        self._eat(await self._http.get(self._url, headers=_fetching("none", "navigate", "document")))

    async def say(self, wish: str, body: dict, token: str = "") -> dict:
        headers = _fetching("same-origin", "same-origin", "empty") | {
            "Origin": self._origin,
            "Referer": self._url,
            "x-csrf-token": self._cookies["csrf-token"],
            "Cookie": self._crumbs(),
        }
        if token:
            headers["Authorization"] = f"Bearer {token}"
        answer = self._eat(await self._http.post(f"{self._origin}{_API}{wish}", json=body, headers=headers))
        return answer.json()

    async def leave(self, url: str) -> str:
        """Where the page sends the browser in the end."""
        headers = _fetching("same-origin", "navigate", "document") | {
            "Referer": self._url,
            "Cookie": self._crumbs(),
        }
        answer = await self._http.get(url, headers=headers)
        assert answer.status_code in (302, 303), answer.text[:300]
        return answer.headers["location"]

    def _eat(self, answer: httpx.Response) -> httpx.Response:
        assert answer.status_code == 200, answer.text[:300]
        for crumb in answer.headers.get_list("set-cookie"):
            name, _, value = crumb.partition(";")[0].partition("=")
            self._cookies[name] = value
        return answer

    def _crumbs(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self._cookies.items())


def _fetching(site: str, mode: str, dest: str) -> dict[str, str]:
    return {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest}


async def sign_in(url: str, person: Person, *, agree: bool = True) -> str:
    """Sign in at `url`, agree or not, and follow the way back; what the last page says."""
    async with httpx.AsyncClient(follow_redirects=False, timeout=30) as http:
        visit = Visit(http, url)
        await visit.open()
        if agree:
            who = {"username": person.handle, "password": person.password}
            known = await visit.say("/sign-in", {"locale": "en-US", "remember": False, **who})
            last = await visit.say("/consent", {"did": person.did}, known.get("ephemeralToken", ""))
        else:
            last = await visit.say("/reject", {})
        return (await http.get(await visit.leave(last["url"]))).text
