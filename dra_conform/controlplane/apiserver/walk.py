"""Combinators: validation of a value from the validation of its parts.

A rule looks at a decoded value beside the stored one it replaces (None if there is none) and adds what is
wrong to the errors. `path` is where the value stands, in the API server's text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dra_conform.controlplane.apiserver.limits import Limit
from dra_conform.controlplane.apiserver.naming import Check
from dra_conform.controlplane.apiserver.response import FieldErrors

Rule = Callable[[Any, Any, str, FieldErrors], None]
"""From a value, the stored value, a path and the errors so far."""

_NONE: tuple[Any, ...] = (None, [], {})


def same(value: Any, old: Any) -> bool:
    """Whether two decoded values mean the same: an empty list is as none, quantities are exact."""
    if value is old:
        return True
    if isinstance(value, dict) and isinstance(old, dict):
        return all(same(value.get(name), old.get(name)) for name in value.keys() | old.keys())
    if isinstance(value, list) and isinstance(old, list):
        return len(value) == len(old) and all(map(same, value, old))
    return bool(value == old) or (value in (None, []) and old in (None, []))


def fields(needed: Mapping[str, Rule], given: Mapping[str, Rule] | None = None) -> Rule:
    """The rules of a struct's fields; those of `needed` see None where a field is missing."""
    rules = [(name, rule, True) for name, rule in needed.items()]
    rules += [(name, rule, False) for name, rule in (given or {}).items()]

    def check(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        for name, rule, always in rules:
            item = value.get(name)
            if always or item is not None:
                rule(item, None if old is None else old.get(name), f"{path}.{name}", errors)

    return check


def items(rule: Rule, limit: Limit | None = None, key: str = "", duplicate_at: str = "") -> Rule:
    """The rules of a list: its length, each item, and that no two have the same `key` field.

    Items are set beside the stored ones by their key.
    `duplicate_at`: the suffix of the path at which a repeated key is reported.
    """

    def check(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        if limit is not None and not limit.allows(value, path, errors):
            return
        before = {one.get(key): one for one in reversed(old)} if key and old else {}
        for index, item in enumerate(value):
            rule(item, before.get(item.get(key)) if before else None, f"{path}[{index}]", errors)
        if key:
            unique([item.get(key, "") for item in value], path, errors, duplicate_at)

    return check


def texts(rule: Rule, limit: Limit | None = None, distinct: bool = True) -> Rule:
    """The rules of a list of texts: as of `items`, each text being its own key if they must be distinct."""

    def check(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        if limit is not None and not limit.allows(value, path, errors):
            return
        for index, item in enumerate(value):
            rule(item, None, f"{path}[{index}]", errors)
        if distinct:
            unique(value, path, errors)

    return check


def unique(keys: list[Any], path: str, errors: FieldErrors, at: str = "") -> None:
    """Report each key that an earlier item of the list at `path` has already."""
    seen = set()
    for index, key in enumerate(keys):
        if key in seen:
            errors.duplicate(f"{path}[{index}]{at}", key)
        seen.add(key)


def entries(
    key: Rule, rule: Rule, limit: Limit | None = None, keys_at_map: bool = True, key_length: int = 96
) -> Rule:
    """The rules of a map: its size, its keys, and its values, which stand at `path[key]`.

    `keys_at_map`: what is wrong with a key is reported at the map, else at `path[key]`. `key_length`: how
    much of a key paths show.
    """

    def check(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        if limit is not None and not limit.allows(value, path, errors):
            return
        for name, item in value.items():
            place = f"{path}[{_shortened(name, key_length)}]"
            key(name, None, path if keys_at_map else place, errors)
            rule(item, None if old is None else old.get(name), place, errors)

    return check


def _shortened(key: str, length: int) -> str:
    """A key that is too long loses its middle."""
    if len(key) <= length:
        return key
    rest = length - len("...")
    return f"{key[: (rest + 1) // 2]}...{key[-(rest // 2) :]}"


def text(check: Check) -> Rule:
    """What a text must look like; a missing one is looked at as empty."""

    def rule(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        for message in check(value or ""):
            errors.invalid(path, value or "", message)

    return rule


def required(rule: Rule) -> Rule:
    """The value must be there and not empty; then the rule holds for it."""

    def check(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        if value in ("", *_NONE):
            errors.required(path)
        else:
            rule(value, old, path, errors)

    return check


def one_of(*supported: str) -> Rule:
    """The value must be one of some texts."""

    def check(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        if (value or "") not in supported:
            errors.not_supported(path, value or "", supported)

    return check


def every(*rules: Rule) -> Rule:
    """All rules hold for the value."""

    def check(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        for rule in rules:
            rule(value, old, path, errors)

    return check


def unless_stored(rule: Rule) -> Rule:
    """The rule holds for a value that is new or changed; what is stored already is not held against it."""

    def check(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        if old is None or not same(value, old):
            rule(value, old, path, errors)

    return check


def anything(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
    """Every value is valid."""
