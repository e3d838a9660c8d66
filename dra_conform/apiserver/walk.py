"""Combinators that build the validation rule of a value from rules of its parts.

A rule validates a decoded value, given the stored value that it replaces (None if there is none), and adds
the errors. `path` is the path of the value in the notation of the API server.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dra_conform.apiserver.limits import Limit
from dra_conform.apiserver.naming import Check
from dra_conform.apiserver.response import FieldErrors

Rule = Callable[[Any, Any, str, FieldErrors], None]
"""Called with a value, the stored value, the path, and the errors to append to."""

_NONE: tuple[Any, ...] = (None, [], {})


def same(value: Any, old: Any) -> bool:
    """Whether two decoded values are semantically equal; an empty list equals an absent list."""
    if value is old:
        return True
    if isinstance(value, dict) and isinstance(old, dict):
        return all(same(value.get(name), old.get(name)) for name in value.keys() | old.keys())
    if isinstance(value, list) and isinstance(old, list):
        return len(value) == len(old) and all(map(same, value, old))
    return bool(value == old) or (value in (None, []) and old in (None, []))


def fields(mandatory: Mapping[str, Rule], optional: Mapping[str, Rule] | None = None) -> Rule:
    """Return the rule for a struct; rules in `mandatory` are also called with None for a missing field."""
    rules = [(name, rule, True) for name, rule in mandatory.items()]
    rules += [(name, rule, False) for name, rule in (optional or {}).items()]

    def check(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        for name, rule, always in rules:
            item = value.get(name)
            if always or item is not None:
                rule(item, None if old is None else old.get(name), f"{path}.{name}", errors)

    return check


def items(rule: Rule, limit: Limit | None = None, key: str = "", duplicate_at: str = "") -> Rule:
    """Return the rule for a list: its length, its items, and distinct `key` fields.

    Items are compared with the stored items of the same key. `duplicate_at` is the suffix of the path at
    which a duplicate key is reported.
    """

    def check(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        if limit is not None and not limit.allows(value, path, errors):
            return
        before = {item.get(key): item for item in reversed(old)} if key and old else {}
        for index, item in enumerate(value):
            rule(item, before.get(item.get(key)) if before else None, f"{path}[{index}]", errors)
        if key:
            unique([item.get(key, "") for item in value], path, errors, duplicate_at)

    return check


def strings(rule: Rule, limit: Limit | None = None, distinct: bool = True) -> Rule:
    """Return the rule for a list of strings, which must be unique if `distinct` is set."""

    def check(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        if limit is not None and not limit.allows(value, path, errors):
            return
        for index, item in enumerate(value):
            rule(item, None, f"{path}[{index}]", errors)
        if distinct:
            unique(value, path, errors)

    return check


def unique(keys: list[Any], path: str, errors: FieldErrors, at: str = "") -> None:
    """Report each key that an earlier item of the list at `path` has too."""
    seen = set()
    for index, key in enumerate(keys):
        if key in seen:
            errors.duplicate(f"{path}[{index}]{at}", key)
        seen.add(key)


def entries(
    key: Rule, rule: Rule, limit: Limit | None = None, keys_at_map: bool = True, key_length: int = 96
) -> Rule:
    """Return the rule for a map: its size, its keys, and its values at `path[key]`.

    `keys_at_map`: errors of a key are reported at the map, otherwise at `path[key]`. `key_length` is the
    length from which keys are abbreviated in paths.
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
    """Return a key whose middle is abbreviated if it is too long."""
    if len(key) <= length:
        return key
    rest = length - len("...")
    return f"{key[: (rest + 1) // 2]}...{key[-(rest // 2) :]}"


def string(check: Check) -> Rule:
    """Return the rule for a string by a check of its format; a missing string counts as empty."""

    def rule(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        for message in check(value or ""):
            errors.invalid(path, value or "", message)

    return rule


def required(rule: Rule) -> Rule:
    """Return the rule for a value that must be set and not empty."""

    def check(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        if value in ("", *_NONE):
            errors.required(path)
        else:
            rule(value, old, path, errors)

    return check


def one_of(*supported: str) -> Rule:
    """Return the rule for a string that must be one of `supported`."""

    def check(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        if (value or "") not in supported:
            errors.not_supported(path, value or "", supported)

    return check


def every(*rules: Rule) -> Rule:
    """Return the rule that applies all rules."""

    def check(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        for rule in rules:
            rule(value, old, path, errors)

    return check


def unless_stored(rule: Rule) -> Rule:
    """Return the rule that applies only to a new or changed value."""

    def check(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        if old is None or not same(value, old):
            rule(value, old, path, errors)

    return check


def anything(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
    """Accept every value."""
