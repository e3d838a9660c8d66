"""JSON encoding of the values of cases, with fractional numbers as `Number`."""

from __future__ import annotations

from decimal import Decimal

import msgspec

from dra_conform.kube.scalars import Number


def _number(value: object) -> Decimal:
    if isinstance(value, Number):
        return Decimal(value.text)
    raise TypeError(f"{type(value).__name__} has no JSON form")


encode_json = msgspec.json.Encoder(enc_hook=_number, decimal_format="number").encode
"""From a value to its JSON; raises TypeError for what has none."""
