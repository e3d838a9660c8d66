"""Kubernetes' URL library: absolute URIs and absolute paths, parsed as Go does."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import quote, unquote_plus

from dra_conform.cel.functions import charge
from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.types import BOOL, STRING, Type, list_of, map_of, opaque
from dra_conform.cel.values.value import Value

URL = opaque("kubernetes.URL")

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(.*)", re.DOTALL)
_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_PORT = re.compile(r"(?::[0-9]*)?")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_HOST = re.compile(r"[A-Za-z0-9._~!$&'()*+,;=:<>\"\[\]%\u0080-\U0010ffff-]*")
_USER = re.compile(r"[A-Za-z0-9._:~!$&'()*+,;=%@-]*")
_IN_PATH = "/~!$&'()*+,;=:@%[]"


@dataclass(frozen=True, slots=True)
class Url:
    """The parts of a parsed URL. `path` is still escaped."""

    cel_type: ClassVar[Type] = URL

    scheme: str
    host: str
    path: str
    query: str
    text: str

    @property
    def hostname(self) -> str:
        """The host without port, and without the brackets of an IPv6 address."""
        if self.host.startswith("["):
            return self.host[1 : self.host.index("]")]
        return self.host.rpartition(":")[0] if ":" in self.host else self.host

    @property
    def port(self) -> str:
        """The port, empty if there is none."""
        tail = self.host.rpartition("]")[2]
        return tail.rpartition(":")[2] if ":" in tail else ""


def parse(text: str) -> Url:
    """Parse an absolute URI or an absolute path. Raise EvaluationError for other strings."""
    reason = _parse_error(text)
    if reason is not None:
        raise EvaluationError(f'URL parse error during conversion from string: parse "{text}": {reason}')
    scheme, rest = _scheme(text)
    rest = rest.partition("#")[0]
    path, _, query = rest.partition("?")
    host = ""
    if path.startswith("//") and scheme:
        authority, slash, tail = path[2:].partition("/")
        host, path = authority.rpartition("@")[2], slash + tail
    return Url(scheme, host, path, query, text)


def _is_url(text: str) -> bool:
    return _parse_error(text) is None


def _scheme(text: str) -> tuple[str, str]:
    match = _SCHEME.fullmatch(text)
    return (match[1].lower(), match[2]) if match else ("", text)


def _parse_error(text: str) -> str | None:
    """Return why a string is not a valid URL, None if it is."""
    if not text:
        return "empty url"
    if _CONTROL.search(text):
        return "net/url: invalid control character in URL"
    if text == "*":
        return None
    if text.startswith(":"):
        return "missing protocol scheme"
    scheme, rest = _scheme(text)
    path = rest.partition("?")[0]
    if not path.startswith("/"):
        return None if scheme else "invalid URI for request"
    if path.startswith("//") and scheme:
        authority, slash, tail = path[2:].partition("/")
        error = _authority_error(authority)
        if error is not None:
            return error
        path = slash + tail
    bad = _ESCAPE.search(path)
    return f'invalid URL escape "{path[bad.start() : bad.start() + 3]}"' if bad else None


def _authority_error(authority: str) -> str | None:
    user, _, host = authority.rpartition("@")
    if not _USER.fullmatch(user):
        return "net/url: invalid userinfo"
    bad = _ESCAPE.search(authority)
    if bad:
        return f'invalid URL escape "{authority[bad.start() : bad.start() + 3]}"'
    if not _HOST.fullmatch(host):
        return f'invalid character in host name "{host}"'
    if host.startswith("["):
        inner, bracket, tail = host.rpartition("]")
        if not bracket:
            return "missing ']' in host"
        return None if _PORT.fullmatch(tail) and inner else f'invalid port "{tail}" after host'
    colon = host.find(":")
    if colon >= 0 and not _PORT.fullmatch(host[colon:]):
        return f'invalid port "{host[host.rfind(":") :]}" after host'
    return None


def _query_of(url: Url) -> dict[Value, Value]:
    """Return all values by key, both unescaped; pairs with a semicolon or a bad escape are skipped."""
    by_key: dict[str, list[str]] = {}
    for pair in url.query.split("&"):
        if not pair or ";" in pair or _ESCAPE.search(pair):
            continue
        key, _, value = pair.partition("=")
        by_key.setdefault(unquote_plus(key), []).append(unquote_plus(value))
    return {key: tuple(values) for key, values in by_key.items()}


OVERLOADS = (
    Overload("url", False, (STRING,), URL, parse, charge.text),
    Overload("isURL", False, (STRING,), BOOL, _is_url, charge.text),
    Overload("getScheme", True, (URL,), STRING, lambda u: u.scheme),
    Overload("getHost", True, (URL,), STRING, lambda u: u.host),
    Overload("getHostname", True, (URL,), STRING, lambda u: u.hostname),
    Overload("getPort", True, (URL,), STRING, lambda u: u.port),
    Overload("getEscapedPath", True, (URL,), STRING, lambda u: quote(u.path, safe=_IN_PATH)),
    Overload("getQuery", True, (URL,), map_of(STRING, list_of(STRING)), _query_of),
)
