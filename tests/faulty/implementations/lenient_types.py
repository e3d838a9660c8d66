"""Faulty API servers that accept values of the wrong type: they drop or convert the value.

Each case of a wrong type must fail on one of them (`tests/quality/test_wrong_types.py`). A case passes on all
if the write is rejected for another reason as well, so that it does not depend on the type.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from dra_conform.apiserver.response import StatusReason
from dra_conform.kube.field_paths import field_at, with_field
from dra_conform.kube.profile import Profile
from tests.faulty.implementations.strategies import ApiServer, Json, Objects

_WRONG_TYPE = re.compile(r"(\S+): is .*, expected (.*)")
_ATTEMPTS = 3


class LenientTypes(ApiServer):
    """API server that replaces each value of the wrong type and decodes the object again."""

    def admit(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        answer = super().admit(objects, ask, profile)
        for _ in range(_ATTEMPTS):
            match = _WRONG_TYPE.search(answer.get("message", ""))
            if answer.get("reason") != StatusReason.BAD_REQUEST or match is None:
                break
            path, expected = match.groups()
            value = self.replacement(field_at(ask["object"], path), expected)
            ask = {**ask, "object": with_field(ask["object"], path, value)}
            answer = super().admit(objects, ask, profile)
        return answer

    def replacement(self, value: Json, expected: str) -> Json:
        """Return the value that is decoded instead; None drops the field."""
        return None


class ConvertsScalars(LenientTypes):
    """Reads 7 as "7", "1" as 1, "yes" as true and true as the quantity 1."""

    def replacement(self, value: Json, expected: str) -> Json:
        converted: dict[str, Any] = {
            "a string": str(value),
            "true or false": True,
            "a 64-bit integer": 1,
            "a quantity": 1,
            "a time in RFC 3339 format": "2026-01-01T00:00:00Z",
        }
        return converted.get(expected)


class ConvertsLists(LenientTypes):
    """Reads a list of one item as the item, and a value as a list of one item."""

    def replacement(self, value: Json, expected: str) -> Json:
        if expected == "a list":
            return [value]
        return value[0] if isinstance(value, list | tuple) and len(value) == 1 else None


WRONG = (LenientTypes, ConvertsScalars, ConvertsLists)
