"""Validation of a device's capacity and its requestPolicy (KEP-5075/policy-validation)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dra_conform.controlplane.apiserver import limits
from dra_conform.controlplane.apiserver.response import Crash, FieldErrors
from dra_conform.controlplane.apiserver.strictness import Strictness
from dra_conform.controlplane.apiserver.trees import SpelledQuantity, Tree
from dra_conform.controlplane.apiserver.walk import Rule, unique
from dra_conform.kube.quantity import NANO, Quantity

_MILLI = NANO // 1000
_MAX = Quantity.whole(2**63 - 1)
_ZERO = Quantity(0)


def capacity(strictness: Strictness, multiple_allocations: bool) -> Rule:
    """One entry of a device's capacity: only a device with multiple allocations may have a policy."""

    def rule(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        policy = value.get("requestPolicy")
        if policy is None:
            return
        path = f"{path}.requestPolicy"
        if multiple_allocations:
            _policy(policy, value.get("value", _ZERO), path, errors, strictness)
        else:
            errors.forbidden(path, "allowMultipleAllocations must be true")

    return rule


def _policy(policy: Tree, value: Quantity, path: str, errors: FieldErrors, strictness: Strictness) -> None:
    values, allowed, default = (policy.get(one) for one in ("validValues", "validRange", "default"))
    if values and allowed is not None:
        errors.forbidden(path, "validValues and validRange cannot be specified at the same time")
    elif default is None:
        if values or allowed is not None:
            errors.required(f"{path}.default", "required when validValues or validRange is defined")
    elif values:
        _values(values, default, value, f"{path}.validValues", errors, strictness)
    elif allowed is not None:
        _range(allowed, default, value, f"{path}.validRange", errors, strictness)


def _values(
    values: list[Quantity],
    default: Quantity,
    value: Quantity,
    path: str,
    errors: FieldErrors,
    strictness: Strictness,
) -> None:
    for index in range(1, len(values)):
        if values[index - 1] > values[index]:
            errors.invalid(f"{path}[{index}]", str(values[index]), "values must be sorted in ascending order")
    if not limits.VALID_VALUES.allows(values, path, errors):
        # The default was not looked for in a list that is too long, and so was not found.
        errors.invalid(path, str(default), "default value is not valid according to the requestPolicy")
        return
    for index, one in enumerate(values):
        if one > value:
            errors.invalid(f"{path}[{index}]", str(one), f"option is larger than capacity value: {value}")
    keys = [_spelling(one) if strictness.spelling_counts else _amount(one, strictness) for one in values]
    unique(keys, path, errors)
    if default not in values:
        errors.invalid(path, str(default), "default value is not valid according to the requestPolicy")


def _amount(one: Quantity, strictness: Strictness) -> int:
    return one.nano if strictness.fractional_ranges else one.value()


def _spelling(one: Quantity) -> tuple[int, int]:
    return one.nano, one.places if isinstance(one, SpelledQuantity) else 0


def _range(
    allowed: Tree, default: Quantity, value: Quantity, path: str, errors: FieldErrors, strictness: Strictness
) -> None:
    least, most, step = (allowed.get(one) for one in ("min", "max", "step"))
    if least is None:
        errors.required(f"{path}.min", "required when validRange is defined")
        return
    at_min, at_max = ("default", "default") if strictness.default_beside_range else ("min", "max")
    if least > value:
        errors.invalid(f"{path}.min", str(least), f"min is larger than capacity value: {value}")
    if default < least:
        errors.invalid(f"{path}.{at_min}", str(default), f"default is less than min: {least}")
    if strictness.negative_min_refused and least < _ZERO:
        errors.invalid(f"{path}.min", str(least), "must be greater than or equal to 0")
    if most is not None:
        if least > most:
            errors.invalid(f"{path}.max", str(least), f"min is larger than max: {most}")
        if most > value:
            errors.invalid(f"{path}.max", str(most), f"max is larger than capacity value: {value}")
        if default > most:
            errors.invalid(f"{path}.{at_max}", str(default), f"default is more than max: {most}")
    amounts = {"default": default, "min": least, "max": most, "step": step}
    given = {name: amount for name, amount in amounts.items() if amount is not None}
    by_milli = strictness.fractional_ranges and any(amount.nano % NANO for amount in given.values())
    if by_milli and _refused(given, _finer_than_milli, path, errors):
        return
    if step is not None:
        _step(given, value, by_milli, path, errors, strictness)


def _step(
    given: dict[str, Quantity],
    value: Quantity,
    by_milli: bool,
    path: str,
    errors: FieldErrors,
    strictness: Strictness,
) -> None:
    step, least = given["step"], given["min"]
    if strictness.steps_checked and step <= _ZERO:
        errors.invalid(f"{path}.step", str(step), "must be greater than zero")
        return
    if least + step > value:
        errors.invalid(
            f"{path}.step", str(step), f"one step {least + step} is larger than capacity value: {value}"
        )
    if strictness.steps_checked and not by_milli and _refused(given, _beyond_int64, path, errors):
        return
    whole: Callable[[Quantity], int] = Quantity.milli_value if by_milli else Quantity.value
    if whole(step) == 0:
        raise Crash("runtime error: integer divide by zero")
    for name in ("default", "max"):
        if name in given and (whole(given[name]) - whole(least)) % whole(step):
            message = f"value is not a multiple of a given step ({step}) from ({least})"
            errors.invalid(f"{path}.step", str(given[name]), message)


def _refused(
    given: dict[str, Quantity], wrong: Callable[[Quantity], str], path: str, errors: FieldErrors
) -> bool:
    found = [(name, amount, wrong(amount)) for name, amount in given.items() if wrong(amount)]
    for name, amount, message in found:
        errors.invalid(f"{path}.{name}", str(amount), message)
    return bool(found)


def _finer_than_milli(amount: Quantity) -> str:
    return "value cannot be represented as a milli value" if amount.nano % _MILLI else ""


def _beyond_int64(amount: Quantity) -> str:
    if amount < _ZERO:
        return "must be greater than or equal to 0"
    return "must not be larger than 9223372036854775807" if amount > _MAX else ""
