"""String formats of the API: each check returns its errors, empty for a valid string."""

from __future__ import annotations

import re
from collections.abc import Callable

Check = Callable[[str], tuple[str, ...]]
"""Returns the error messages for a string."""

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


def dns_label(value: str) -> tuple[str, ...]:
    """Check an RFC 1123 label: up to 63 lower-case letters, digits and `-`."""
    return _errors(value, _LABEL, LABEL_LENGTH, "a lowercase RFC 1123 label")


def dns_subdomain(value: str) -> tuple[str, ...]:
    """Check an RFC 1123 subdomain: labels separated by dots, up to 253 characters."""
    return _errors(value, _SUBDOMAIN, SUBDOMAIN_LENGTH, "a lowercase RFC 1123 subdomain")


def label_key(value: str) -> tuple[str, ...]:
    """Check the key of a label: an optional subdomain and a slash, then a name of at most 63 characters."""
    prefix, slash, name = value.rpartition("/")
    if "/" in prefix:
        return ("must be a name with an optional DNS subdomain prefix and '/'",)
    prefix_errors = dns_subdomain(prefix) if slash else ()
    empty = () if name else ("must have a non-empty name",)
    return (*prefix_errors, *empty, *_errors(name, _NAME_PART, LABEL_LENGTH, "a qualified name"))


def label_value(value: str) -> tuple[str, ...]:
    """Check the value of a label: empty or a name of at most 63 characters."""
    return _errors(value, _NAME_PART, LABEL_LENGTH, "a label value") if value else ()


def c_identifier(value: str) -> tuple[str, ...]:
    """Check an identifier of the language C."""
    return () if _IDENTIFIER.fullmatch(value) else ("must be a C identifier",)


def uuid(value: str) -> tuple[str, ...]:
    """Check a UUID in its normal form: 36 characters, lower case."""
    return () if _UUID.fullmatch(value) else ("must be a lowercase UUID in 8-4-4-4-12 format",)


def semantic_version(value: str, digits: int) -> tuple[str, ...]:
    """Check a version of semver.org 2.0.0 whose numbers have at most this number of digits."""
    if not _SEMVER.fullmatch(value):
        return ("must be a string compatible with semver.org spec 2.0.0",)
    release, _, prerelease = value.partition("+")[0].partition("-")
    numbers = filter(str.isdecimal, (*release.split("."), *prerelease.split(".")))
    return (f"must have at most {digits} digits in numbers",) if max(map(len, numbers)) > digits else ()


def extended_resource(value: str) -> tuple[str, ...]:
    """Check an extended resource name: it has a domain other than kubernetes.io and is valid in a quota."""
    if "/" not in value or "kubernetes.io/" in value or value.startswith(_QUOTA_PREFIX):
        return ("must be a valid extended resource name",)
    return label_key(_QUOTA_PREFIX + value)


def _errors(value: str, pattern: re.Pattern[str], length: int, format_name: str) -> tuple[str, ...]:
    if len(value) <= length and pattern.fullmatch(value):
        return ()
    messages = [f"must be no more than {length} characters"] if len(value) > length else []
    return (*messages, *(() if pattern.fullmatch(value) else (f"must be {format_name}",)))
