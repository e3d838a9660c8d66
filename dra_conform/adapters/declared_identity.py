"""The identity that a Python object declares with its attributes, and a check of their types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dra_conform.conformance.implementation import DEFAULT_OPERATION, CannotStart, Identity

_SUPPORT = ("full", "partial", "none")


def declared_identity(target: object, spec: str) -> Identity:
    """Return the identity of a Python object that `spec` names.

    A missing attribute, `None` and an empty string mean the default. Raises CannotStart for an attribute of
    another type than expected.
    """
    return Identity(
        name=_string(target, spec, "name", "first-fit") or spec.removeprefix("python:"),
        version=_string(target, spec, "version", "1.0") or "0",
        spec=spec,
        language="python",
        homepage=_string(target, spec, "homepage", "https://example.org"),
        source=_string(target, spec, "source", "https://example.org"),
        operations=_operations(target, spec),
        features=_features(target, spec),
    )


def _string(target: object, spec: str, attribute: str, example: str) -> str:
    value = getattr(target, attribute, None)
    if value is None:
        return ""
    if not isinstance(value, str):
        example = str(value) if isinstance(value, int | float) else example
        raise CannotStart(f"{spec}: {attribute} is {value!r:.80}, expected a string such as {example!r}")
    return value


def _operations(target: object, spec: str) -> frozenset[str]:
    value = getattr(target, "operations", None)
    if value is None or value == "":
        return frozenset({DEFAULT_OPERATION})
    names = None if isinstance(value, str) or not isinstance(value, Iterable) else tuple(value)
    if names is None or not all(isinstance(name, str) for name in names):
        raise CannotStart(f"{spec}: operations is {value!r:.80}, expected a tuple such as ('allocate',)")
    return frozenset(names)


def _features(target: object, spec: str) -> Mapping[str, str]:
    """Return the support by feature id. As in `hello`, it can also be in an object, as its `support`."""
    value = getattr(target, "features", None)
    if value is None or value == "":
        return {}
    if not isinstance(value, Mapping):
        names = value if isinstance(value, list | tuple | set | frozenset) else ()
        example = {str(next(iter(names), "consumable-capacity")): "none"}
        raise CannotStart(f"{spec}: features is {value!r:.80}, expected a dict such as {example}")
    features: dict[str, str] = {}
    for name, declared in value.items():
        support = declared.get("support") if isinstance(declared, Mapping) else declared
        if support not in _SUPPORT:
            expected = "expected 'full', 'partial' or 'none'"
            raise CannotStart(f"{spec}: features[{name!r}] is {declared!r:.80}, {expected}")
        features[str(name)] = str(support)
    return features
