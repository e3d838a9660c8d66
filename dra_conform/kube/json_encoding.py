"""JSON encoding of values that have fractional numbers as `Number`."""

from __future__ import annotations

from decimal import Decimal

import msgspec

from dra_conform.kube.scalars import Number


def _number(value: object) -> Decimal:
    if isinstance(value, Number):
        return Decimal(value.text)
    raise TypeError(f"cannot encode {type(value).__name__} as JSON")


encode_json = msgspec.json.Encoder(enc_hook=_number, decimal_format="number").encode
"""Encode a value as JSON bytes; raises TypeError for a value that JSON cannot represent."""
