"""String formats of the API: each check returns its errors, empty for a valid string."""

from __future__ import annotations

import re
from collections.abc import Callable

Check = Callable[[str], tuple[str, ...]]
"""From a text to what is wrong with it."""

_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_SUBDOMAIN = re.compile(rf"{_LABEL.pattern}(\.{_LABEL.pattern})*")
_NAME_PART = re.compile(r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_PRERELEASE = r"(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)"
_SEMVER = re.compile(
    r"(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*)){2}"
    rf"(-{_PRERELEASE}(\.{_PRERELEASE})*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?",
    re.ASCII,
)
_QUOTA_PREFIX = "requests."

LABEL_LENGTH = 63
SUBDOMAIN_LENGTH = 253


def dns_label(text: str) -> tuple[str, ...]:
    """RFC 1123: up to 63 lower-case letters, digits and `-`."""
    return _wrong(text, _LABEL, LABEL_LENGTH, "a lowercase RFC 1123 label")


def dns_subdomain(text: str) -> tuple[str, ...]:
    """RFC 1123: up to 253 characters, labels joined by dots."""
    return _wrong(text, _SUBDOMAIN, SUBDOMAIN_LENGTH, "a lowercase RFC 1123 subdomain")


def label_key(text: str) -> tuple[str, ...]:
    """The key of a label: an optional subdomain and a slash, then a name of at most 63 characters."""
    prefix, slash, name = text.rpartition("/")
    if "/" in prefix:
        return ("must be a name with an optional DNS subdomain prefix and '/'",)
    wrong = dns_subdomain(prefix) if slash else ()
    return (*wrong, *_wrong(name, _NAME_PART, LABEL_LENGTH, "a qualified name"))


def label_value(text: str) -> tuple[str, ...]:
    """The value of a label: empty or a name of at most 63 characters."""
    return _wrong(text, _NAME_PART, LABEL_LENGTH, "a label value") if text else ()


def c_identifier(text: str) -> tuple[str, ...]:
    """An identifier as in the language C."""
    return () if _IDENTIFIER.fullmatch(text) else ("must be a C identifier",)


def uuid(text: str) -> tuple[str, ...]:
    """A UUID in its normal form: 36 characters, lower case."""
    return () if _UUID.fullmatch(text) else ("must be a lowercase UUID in 8-4-4-4-12 format",)


def semantic_version(text: str) -> tuple[str, ...]:
    """A version as in semver.org 2.0.0."""
    return () if _SEMVER.fullmatch(text) else ("must be a string compatible with semver.org spec 2.0.0",)


def extended_resource(text: str) -> tuple[str, ...]:
    """The name of an extended resource: with a domain, not Kubernetes' own, and usable in a quota."""
    if "/" not in text or "kubernetes.io/" in text or text.startswith(_QUOTA_PREFIX):
        return ("must be a valid extended resource name",)
    return label_key(_QUOTA_PREFIX + text)


def _wrong(text: str, pattern: re.Pattern[str], length: int, what: str) -> tuple[str, ...]:
    if len(text) <= length and pattern.fullmatch(text):
        return ()
    messages = [f"must be no more than {length} characters"] if len(text) > length else []
    return (*messages, *(() if pattern.fullmatch(text) else (f"must be {what}",)))
