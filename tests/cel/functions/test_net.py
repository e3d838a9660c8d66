from __future__ import annotations

from typing import Any

import pytest

from dra_conform.cel.functions.formats import NAMED
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.value import NONE
from tests.support.cel.functions.calling import call, function


@pytest.mark.parametrize(
    ("text", "family", "true"),
    [
        ("0.0.0.0", 4, {"isUnspecified"}),
        ("127.0.0.1", 4, {"isLoopback"}),
        ("224.0.0.1", 4, {"isLinkLocalMulticast"}),
        ("224.0.1.1", 4, set()),
        ("169.254.169.254", 4, {"isLinkLocalUnicast"}),
        ("192.168.0.1", 4, {"isGlobalUnicast"}),
        ("255.255.255.255", 4, set()),
        ("::", 6, {"isUnspecified"}),
        ("::1", 6, {"isLoopback"}),
        ("ff02::1", 6, {"isLinkLocalMulticast"}),
        ("fe80::1", 6, {"isLinkLocalUnicast"}),
        ("fd00::1", 6, {"isGlobalUnicast"}),
        ("2001:db8::abcd", 6, {"isGlobalUnicast"}),
    ],
)
def test_addresses(text: str, family: int, true: set[str]) -> None:
    address = function("ip", text)
    assert function("isIP", text)
    assert call("family", address) == family
    asked = {"isUnspecified", "isLoopback", "isLinkLocalMulticast", "isLinkLocalUnicast", "isGlobalUnicast"}
    assert {name for name in asked if call(name, address)} == true
    assert function("string", address) == text
    assert function("ip.isCanonical", text)


@pytest.mark.parametrize(
    "text", ["", "127.0.0.256", ":::1", "01.2.3.4", "::ffff:1.2.3.4", "fe80::1%eth0", "1.2.3", "1.2.3.4 "]
)
def test_no_addresses(text: str) -> None:
    assert function("isIP", text) is False
    for name in ("ip", "ip.isCanonical"):
        with pytest.raises(EvaluationError):
            function(name, text)


@pytest.mark.parametrize("text", ["2001:DB8::ABCD", "2001:db8::0:0:0:abcd"])
def test_addresses_written_otherwise(text: str) -> None:
    assert function("ip.isCanonical", text) is False


@pytest.mark.parametrize(
    ("net", "ip", "inside"),
    [
        ("192.168.0.0/24", "192.168.0.1", True),
        ("192.168.0.0/24", "192.168.1.1", False),
        ("192.168.0.0/24", "::1", False),
        ("::/0", "::1", True),
    ],
)
def test_contains_ip(net: str, ip: str, inside: bool) -> None:
    assert call("containsIP", function("cidr", net), ip) is inside
    assert call("containsIP", function("cidr", net), function("ip", ip)) is inside


@pytest.mark.parametrize(
    ("net", "other", "inside"),
    [
        ("192.168.0.0/16", "192.168.10.0/24", True),
        ("192.168.1.0/24", "192.168.2.0/24", False),
        ("192.168.0.0/24", "192.168.0.0/16", False),
        ("192.168.0.0/24", "192.168.0.0/24", True),
        ("10.0.0.0/8", "::/0", False),
    ],
)
def test_contains_cidr(net: str, other: str, inside: bool) -> None:
    assert call("containsCIDR", function("cidr", net), other) is inside
    assert call("containsCIDR", function("cidr", net), function("cidr", other)) is inside


def test_networks() -> None:
    net = function("cidr", "192.168.0.1/24")
    assert call("prefixLength", net) == 24
    assert call("ip", net) == function("ip", "192.168.0.1")
    assert call("masked", net) == function("cidr", "192.168.0.0/24") != net
    assert function("string", net) == "192.168.0.1/24"


@pytest.mark.parametrize(
    "text",
    ["192.168.0.0/33", "::1/129", "192.168.0.0", "1.2.3.4/", "1.2.3.4/08", "::ffff:1.2.3.4/24", "1.2.3.4/+8"],
)
def test_no_networks(text: str) -> None:
    assert function("isCIDR", text) is False
    with pytest.raises(EvaluationError, match="network address parse error"):
        function("cidr", text)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("/path", ("", "", "", "", "/path")),
        ("https://example.com", ("https", "example.com", "example.com", "", "")),
        ("HTTPS://example.com:80/", ("https", "example.com:80", "example.com", "80", "/")),
        ("https://user:pass@[::1]:80/p", ("https", "[::1]:80", "::1", "80", "/p")),
        ("https://[::1]/", ("https", "[::1]", "::1", "", "/")),
        ("https://e.com/path with spaces/", ("https", "e.com", "e.com", "", "/path%20with%20spaces/")),
        ("https://e.com/a%2Fb?q=1#f", ("https", "e.com", "e.com", "", "/a%2Fb")),
    ],
)
def test_urls(text: str, parts: tuple[str, ...]) -> None:
    url = function("url", text)
    names = ("getScheme", "getHost", "getHostname", "getPort", "getEscapedPath")
    assert tuple(call(name, url) for name in names) == parts
    assert function("isURL", text)


@pytest.mark.parametrize(
    ("query", "result"),
    [
        ("?k1=a&k2=b&k2=c", {"k1": ("a",), "k2": ("b", "c")}),
        ("?key with spaces=value+with%20spaces", {"key with spaces": ("value with spaces",)}),
        ("?", {}),
        ("", {}),
        ("?a&=b&c;d", {"a": ("",), "": ("b",)}),
    ],
)
def test_query(query: str, result: dict[str, Any]) -> None:
    assert call("getQuery", function("url", "https://example.com/path" + query)) == result


@pytest.mark.parametrize(
    "text",
    [
        "",
        "../relative-path",
        "relative",
        ":foo",
        "https://a:b:c/",
        "https://e.com:x/",
        "/a%zz",
        "/a\nb",
        "http://a b/",
    ],
)
def test_no_urls(text: str) -> None:
    assert function("isURL", text) is False
    with pytest.raises(EvaluationError, match="URL parse error during conversion from string"):
        function("url", text)


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("dns1123Label", ["a", "my-label-1", "1a"], ["", "A", "-a", "a-", "a.b", "a" * 64, "a\n"]),
        ("dns1123Subdomain", ["a.b-c.d", "a" * 253], ["", "a..b", "A.b", "a" * 254]),
        ("dns1035Label", ["a1"], ["1a", ""]),
        ("qualifiedName", ["example.com/A_b.c", "a"], ["", "/a", "a/", "a/b/c", "A/b", "a" * 64]),
        ("dns1123LabelPrefix", ["my-", "my"], ["-my", "m_y-"]),
        ("dns1123SubdomainPrefix", ["my.prefix-", "my.prefix.-"], ["my..", "-my.prefix"]),
        ("dns1035LabelPrefix", ["my-"], ["1-"]),
        ("labelValue", ["", "A.b_c"], ["-a", "a" * 64]),
        ("uri", ["http://a.b/c", "/p"], ["p", ""]),
        ("uuid", ["123e4567-e89b-12d3-a456-426614174000"], ["123e4567", ""]),
        ("byte", ["aGVsbG8="], ["aGVsbG8", "?"]),
        ("date", ["2024-02-29"], ["2023-02-29", "20240229", "2024-1-1", "2021-W01-1"]),
        (
            "datetime",
            ["2021-01-01T00:00:00Z", "2021-01-01T00:00:00.5+01:00"],
            ["2021-01-01", "2021-01-01T25:00:00Z"],
        ),
    ],
)
def test_formats(name: str, good: list[str], bad: list[str]) -> None:
    wanted = function("format.named", name).value
    assert function(f"format.{name}") == wanted
    assert [text for text in good if call("validate", wanted, text).present] == []
    assert [text for text in bad if not call("validate", wanted, text).present] == []


def test_every_format_is_tested() -> None:
    (marker,) = test_formats.pytestmark  # type: ignore[attr-defined]  # what the decorator left
    assert {row[0] for row in marker.args[1]} == set(NAMED)


def test_unknown_format() -> None:
    assert function("format.named", "unknown") == NONE
