"""Which part of a link's host somebody registered, by the public suffix list that came with its package."""

from __future__ import annotations

import pytest

from bridge.core.policy import url_safety
from bridge.system import public_suffix


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://login.example.co.uk/a", "example.co.uk"),
        ("https://paypal.com.evil.example/", "evil.example"),
        ("https://ada.github.io/", "ada.github.io"),
        ("https://github.io/", "github.io"),
        ("https://www.city.kawasaki.jp/", "city.kawasaki.jp"),
        ("https://a.xn--55qx5d.cn/", "a.xn--55qx5d.cn"),
        ("https://www.a.公司.cn/", "a.公司.cn"),
        ("http://localhost:3000/", "localhost"),
        ("https://203.0.113.7/", "203.0.113.7"),
    ],
)
def test_the_registered_part_of_a_host_is_found(url: str, site: str) -> None:
    assert url_safety.check_url(url, public_suffix.registrable).site == site
