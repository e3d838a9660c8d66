"""The types of JSON values, also of YAML values that are read as JSON, and their encoding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeAlias, Union

import msgspec

from dra_conform.kube.scalars import Number

UncheckedJson: TypeAlias = Union[  # noqa: UP007
    bool, int, float, str, Sequence["UncheckedJson"], Mapping[str, "UncheckedJson"], None
]
"""Any JSON value. A reader checks the type of each part, or decodes the value."""

Json: TypeAlias = Any
"""A JSON value of a known shape, such as a validated API object or a question. Readers index it."""


def _number(value: object) -> Decimal:
    if isinstance(value, Number):
        return Decimal(value.text)
    raise TypeError(f"cannot encode {type(value).__name__} as JSON")


encode_json = msgspec.json.Encoder(enc_hook=_number, decimal_format="number").encode
"""Encode a value as JSON bytes; raises TypeError for a value that JSON cannot represent."""
