"""Write CEL values as literals, so that one engine's result can be an expression for the other."""

from __future__ import annotations

import math

from dra_conform.cel.values.semantic_version import Semver
from dra_conform.cel.values.value import Duration, Optional_, UInt, Value
from dra_conform.kube.quantity import Quantity


def literal(value: Value) -> str | None:
    """Return a literal expression of the value, None if it has none, such as NaN or a URL."""
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case UInt():
            return f"{int(value)}u"
        case int():
            return str(value)
        case float():
            text = repr(value)
            return (text if "." in text or "e" in text else text + ".0") if math.isfinite(value) else None
        case str():
            return '"' + "".join(f"\\U{ord(c):08x}" for c in value) + '"'
        case bytes():
            return 'b"' + "".join(f"\\x{c:02x}" for c in value) + '"'
        case tuple():
            items = [literal(item) for item in value]
            return None if None in items else "[" + ", ".join(f"dyn({item})" for item in items) + "]"
        case dict():
            entries = [(literal(k), literal(v)) for k, v in value.items()]
            if any(None in entry for entry in entries):
                return None
            return "{" + ", ".join(f"{k}: dyn({v})" for k, v in entries) + "}"
        case Quantity():
            return f'quantity("{value}")'
        case Semver():
            return f'semver("{value}")'
        case Duration():
            return f'duration("{value.nanos}ns")'
        case Optional_(present=False):
            return "optional.none()"
        case Optional_():
            inner = literal(value.value)
            return None if inner is None else f"optional.of({inner})"
    return None
