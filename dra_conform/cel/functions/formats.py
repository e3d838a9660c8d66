"""Kubernetes' format library: named string formats."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from dra_conform.cel.functions import charge, url
from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.types import STRING, Type, list_of, opaque, optional_of
from dra_conform.cel.values.value import NONE, Optional_, Value, size

FORMAT = opaque("kubernetes.NamedFormat")

_LABEL = re.compile(r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?")
_LABEL_1035 = re.compile(r"[a-z](?:[-a-z0-9]*[a-z0-9])?")
_SUBDOMAIN = re.compile(rf"{_LABEL.pattern}(?:\.{_LABEL.pattern})*")
_NAME = re.compile(r"[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?")
_UUID = re.compile(r"[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}", re.IGNORECASE | re.ASCII)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DATETIME = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ]([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]+)?"
    r"(?:[Zz]|[+-][0-9]{2}:[0-9]{2})"
)


@dataclass(frozen=True, slots=True)
class NamedFormat:
    """A named format. `check` returns the errors of a string; the cost of a check grows with `regex_size`."""

    cel_type: ClassVar[Type] = FORMAT

    name: str
    regex_size: int
    check: Callable[[str], tuple[str, ...]]


def _dns(pattern: re.Pattern[str], most: int, rule: str) -> Callable[[str], tuple[str, ...]]:
    def check(text: str) -> tuple[str, ...]:
        wrong = []
        if len(text.encode()) > most:
            wrong.append(f"must be no more than {most} bytes")
        if not pattern.fullmatch(text):
            wrong.append(rule)
        return tuple(wrong)

    return check


def _prefix(check: Callable[[str], tuple[str, ...]]) -> Callable[[str], tuple[str, ...]]:
    """Return a check that also accepts dashes at the end, as in a `generateName`."""
    return lambda text: check(re.sub(r"-+\Z", "a", text) if len(text) > 1 else text)


_label = _dns(
    _LABEL,
    63,
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start "
    "and end with an alphanumeric character",
)
_label_1035 = _dns(
    _LABEL_1035,
    63,
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic "
    "character, and end with an alphanumeric character",
)
_subdomain = _dns(
    _SUBDOMAIN,
    253,
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must "
    "start and end with an alphanumeric character",
)
_name = _dns(
    _NAME,
    63,
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
    "character",
)


def _label_value(text: str) -> tuple[str, ...]:
    return _name(text) if text else ()


def _qualified_name(text: str) -> tuple[str, ...]:
    parts = text.split("/")
    if len(parts) > 2:
        return ("a qualified name must be a name with an optional DNS subdomain prefix and '/'",)
    wrong = []
    if len(parts) == 2:
        if not parts[0]:
            wrong.append("prefix part must be non-empty")
        else:
            wrong += [f"prefix part {w}" for w in _subdomain(parts[0])]
    if not parts[-1]:
        wrong.append("name part must be non-empty")
    return (*wrong, *(f"name part {w}" for w in _name(parts[-1])))


def _uri(text: str) -> tuple[str, ...]:
    try:
        url.parse(text)
    except EvaluationError as e:
        return (str(e).removeprefix("URL parse error during conversion from string: "),)
    return ()


def _uuid(text: str) -> tuple[str, ...]:
    return () if _UUID.fullmatch(text) else ("does not match the UUID format",)


def _byte(text: str) -> tuple[str, ...]:
    try:
        base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return ("invalid base64",)
    return () if text else ("invalid base64",)


def _is_date(text: str) -> bool:
    try:
        return bool(_DATE.fullmatch(text) and date.fromisoformat(text))
    except ValueError:
        return False


def _date(text: str) -> tuple[str, ...]:
    return () if _is_date(text) else ("invalid date",)


def _datetime(text: str) -> tuple[str, ...]:
    match = _DATETIME.fullmatch(text)
    if not match or not _is_date(match[1]):
        return ("invalid datetime",)
    return () if int(match[2]) < 24 and int(match[3]) < 60 and int(match[4]) < 60 else ("invalid datetime",)


NAMED = {
    "dns1123Label": NamedFormat("DNS1123Label", 30, _label),
    "dns1123Subdomain": NamedFormat("DNS1123Subdomain", 60, _subdomain),
    "dns1035Label": NamedFormat("DNS1035Label", 30, _label_1035),
    "qualifiedName": NamedFormat("QualifiedName", 60, _qualified_name),
    "dns1123LabelPrefix": NamedFormat("DNS1123LabelPrefix", 30, _prefix(_label)),
    "dns1123SubdomainPrefix": NamedFormat("DNS1123SubdomainPrefix", 60, _prefix(_subdomain)),
    "dns1035LabelPrefix": NamedFormat("DNS1035LabelPrefix", 30, _prefix(_label_1035)),
    "labelValue": NamedFormat("LabelValue", 40, _label_value),
    "uri": NamedFormat("URI", 1100, _uri),
    "uuid": NamedFormat("uuid", 94, _uuid),
    "byte": NamedFormat("byte", 83, _byte),
    "date": NamedFormat("date", 130, _date),
    "datetime": NamedFormat("datetime", 130, _datetime),
}
"""The formats by the name of their function."""


def _named(name: str) -> Optional_:
    named_format = NAMED.get(name)
    return Optional_(True, named_format) if named_format else NONE


def _validate(wanted: NamedFormat, text: str) -> Optional_:
    wrong = wanted.check(text)
    return Optional_(True, wrong) if wrong else NONE


def _check_cost(values: tuple[Value, ...], _: Value) -> int:
    return charge.tenth(size(values[1]) + 1) * charge.quarter(values[0].regex_size)


def _constant(value: NamedFormat) -> Callable[[], NamedFormat]:
    return lambda: value


OVERLOADS = (
    *(Overload(f"format.{name}", False, (), FORMAT, _constant(f)) for name, f in NAMED.items()),
    Overload("format.named", False, (STRING,), optional_of(FORMAT), _named),
    Overload("validate", True, (FORMAT, STRING), optional_of(list_of(STRING)), _validate, _check_cost),
)
