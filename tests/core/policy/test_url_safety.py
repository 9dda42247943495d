"""What Deskbell says about a link before it is opened."""

from __future__ import annotations

import pytest

from bridge.core.policy.url_safety import UrlRefusal, UrlWarning, check_url, destination


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/path?query=1#part",
        "https://example.org:443/",
        "http://localhost:3000/callback",
        "http://127.0.0.1:8080/",
        "http://[::1]:8080/",
        "http://app.localhost/",
        "HTTPS://EXAMPLE.ORG/",
    ],
)
def test_an_ordinary_link_raises_no_doubt(url: str) -> None:
    address = check_url(url)
    assert (address.refusal, address.doubts) == (None, ())


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "data:text/html,<script>",
        "file:///etc/passwd",
        "ftp://example.org/",
        "vbscript:x",
        "mailto:a@example.org",
        "ms-settings:privacy",
    ],
)
def test_what_is_not_a_web_page_is_refused(url: str) -> None:
    assert check_url(url).refusal is UrlRefusal.SCHEME


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org",
        "//example.org/",
        "https://",
        "https:///path",
        "https:example.org",
        "https://example.org\\@evil.example/",
        "https://exa mple.org/",
        " https://example.org/",
        "java\nscript:alert(1)",
        "https://example.org/\u202egnp.exe",
        "https://example.org:port/",
        "https://example.org:99999/",
        "https://[::1/",
        "https://exa%6dple.org/",
        "https://\uff45xample.org/",
        "https://example.org\u3002evil.example/",
        "https://b\u00fc\u00adcher.example/",
    ],
)
def test_what_browsers_may_read_differently_is_refused(url: str) -> None:
    assert check_url(url).refusal is UrlRefusal.MALFORMED


@pytest.mark.parametrize(
    ("url", "doubts"),
    [
        ("https://bank.example@evil.example/", (UrlWarning.USERINFO,)),
        ("https://203.0.113.7/", (UrlWarning.BARE_ADDRESS,)),
        ("https://2130706433/", (UrlWarning.BARE_ADDRESS,)),
        ("https://0x7f.1/", (UrlWarning.BARE_ADDRESS,)),
        ("https://[2001:db8::1]/", (UrlWarning.BARE_ADDRESS,)),
        ("https://xn--80ak6aa92e.com/", (UrlWarning.INTERNATIONAL, UrlWarning.LOOKALIKE)),
        ("https://аррӏе.com/", (UrlWarning.INTERNATIONAL, UrlWarning.LOOKALIKE)),  # noqa: RUF001 - Cyrillic is the point
        (
            "https://p\u0430ypal.com/",
            (UrlWarning.INTERNATIONAL, UrlWarning.MIXED_SCRIPT, UrlWarning.LOOKALIKE),
        ),
        (
            "https://xn--pypal-4ve.com/",
            (UrlWarning.INTERNATIONAL, UrlWarning.MIXED_SCRIPT, UrlWarning.LOOKALIKE),
        ),
        ("https://bücher.example/", (UrlWarning.INTERNATIONAL,)),
        ("https://日本ひらカナabc.example/", (UrlWarning.INTERNATIONAL,)),
        (
            "https://xn--\u0430.example/",
            (UrlWarning.INTERNATIONAL, UrlWarning.MIXED_SCRIPT, UrlWarning.LOOKALIKE),
        ),
        ("https://xn--99999999999.example/", (UrlWarning.INTERNATIONAL,)),
        ("https://example.org:8443/", (UrlWarning.ODD_PORT,)),
    ],
)
def test_a_doubtful_link_is_warned_about(url: str, doubts: tuple[UrlWarning, ...]) -> None:
    address = check_url(url)
    assert (address.refusal, address.doubts) == (None, doubts)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://Example.org/example.org", "Example.org"),
        ("https://good.example:x@evil.example:8443/good.example", "evil.example"),
        ("https://a@b@evil.example/", "evil.example"),
        ("http://[::1]:80/", "[::1]"),
    ],
)
def test_the_host_is_found_where_it_stands(url: str, host: str) -> None:
    address = check_url(url)
    assert url[address.start : address.end] == address.host == host


@pytest.mark.parametrize("url", ["http://example.org/", "http://localhost.evil.example/", "http://10.0.0.1/"])
def test_an_unencrypted_link_is_refused_except_to_this_machine(url: str) -> None:
    assert check_url(url).refusal is UrlRefusal.NOT_ENCRYPTED


@pytest.mark.parametrize(
    ("host", "letters"),
    [
        ("example.org", "example.org"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("ü" * 80 + ".example", "\\xfc" * 80 + ".example"),
    ],
)
def test_the_destination_is_told_in_the_letters_that_are_looked_up(host: str, letters: str) -> None:
    assert destination(host) == letters


def second_level(host: str) -> str:
    return ".".join(host.split(".")[-2:])


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://www.Example.org/", "Example.org"),
        ("https://www.example.org./", "example.org."),
        ("https://a.B\u00fccher.example:8443/x", "B\u00fccher.example"),
        ("http://[::1]:80/", "[::1]"),
    ],
)
def test_the_part_somebody_registered_is_the_end_of_the_host_as_written(url: str, site: str) -> None:
    address = check_url(url, second_level)
    assert address.site == site
    assert url[: address.end].endswith(site)


def test_where_nobody_can_tell_the_whole_host_is_the_site() -> None:
    assert check_url("https://a.example.org/", lambda _: "").site == "a.example.org"


def test_punycode_is_told_in_the_letters_it_stands_for_and_what_it_resembles() -> None:
    address = check_url("https://xn--80ak6aa92e.com/")
    assert (address.spelled, address.resembles) == ("\u0430\u0440\u0440\u04cf\u0435.com", "apple.com")
    assert address.scripts == ("Cyrillic",)
    assert check_url("https://apple.com/").resembles == ""
