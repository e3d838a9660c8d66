"""Validation of a device's capacity and its requestPolicy (KEP-5075/policy-validation)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dra_conform.apiserver import limits
from dra_conform.apiserver.name_rules import qualified_name
from dra_conform.apiserver.response import Crash, FieldErrors
from dra_conform.apiserver.trees import QuantityWithNotation, Tree
from dra_conform.apiserver.walk import Rule, anything, entries, unique
from dra_conform.kube.quantity import NANO, Quantity
from dra_conform.kube.switches.api_server import ApiServerSwitches

_MILLI = NANO // 1000
_MAX_INT64 = 2**63 - 1
_MAX = Quantity.whole(_MAX_INT64)
_ZERO = Quantity(0)
_MOST_NAMED_QUANTITIES = 32


def capacity(switches: ApiServerSwitches, multiple_allocations: bool) -> Rule:
    """Return the rule for one capacity; only a device that allows multiple allocations can have a policy."""

    def rule(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        policy = value.get("requestPolicy")
        if policy is None:
            return
        path = f"{path}.requestPolicy"
        if multiple_allocations:
            _policy(policy, value.get("value", _ZERO), path, errors, switches)
        else:
            errors.forbidden(path, "allowMultipleAllocations must be true")

    return rule


def named_quantities(switches: ApiServerSwitches) -> Rule:
    """Return the rule for requested or consumed quantities by the name of the capacity."""
    if not switches.capacity_requests_validated:
        return anything
    names = entries(qualified_name(switches), anything, keys_at_map=switches.keys_at_map)
    quantities = entries(anything, _not_negative)

    def rule(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        names(value, None, path, errors)
        if len(value) <= _MOST_NAMED_QUANTITIES:
            quantities(value, None, path, errors)
        else:
            errors.too_many(path, len(value), _MOST_NAMED_QUANTITIES)

    return rule


def _not_negative(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
    if value < _ZERO:
        errors.invalid(path, str(value), "must be greater than or equal to 0")


def _policy(
    policy: Tree, value: Quantity, path: str, errors: FieldErrors, switches: ApiServerSwitches
) -> None:
    values, allowed, default = (policy.get(name) for name in ("validValues", "validRange", "default"))
    if values and allowed is not None:
        errors.forbidden(path, "validValues and validRange cannot be specified at the same time")
    elif default is None:
        if values or allowed is not None:
            errors.required(f"{path}.default", "required when validValues or validRange is defined")
    elif values:
        _values(values, default, value, f"{path}.validValues", errors, switches)
    elif allowed is not None:
        _range(allowed, default, value, f"{path}.validRange", errors, switches)


def _values(
    values: list[Quantity],
    default: Quantity,
    value: Quantity,
    path: str,
    errors: FieldErrors,
    switches: ApiServerSwitches,
) -> None:
    for index in range(1, len(values)):
        if values[index - 1] > values[index]:
            errors.invalid(f"{path}[{index}]", str(values[index]), "values must be sorted in ascending order")
    if not limits.VALID_VALUES.allows(values, path, errors):
        # The API server does not search a list that is too long, so it does not find the default.
        errors.invalid(path, str(default), "default value is not valid according to the requestPolicy")
        return
    for index, option in enumerate(values):
        if option > value:
            errors.invalid(f"{path}[{index}]", str(option), f"option is larger than capacity value: {value}")
    keys = [_notation(option) if switches.notation_counts else _number(option, switches) for option in values]
    unique(keys, path, errors)
    if default not in values:
        errors.invalid(path, str(default), "default value is not valid according to the requestPolicy")


def _number(quantity: Quantity, switches: ApiServerSwitches) -> int:
    return quantity.nano if switches.fractional_ranges else quantity.value()


def _notation(quantity: Quantity) -> tuple[int, int]:
    return quantity.nano, quantity.places if isinstance(quantity, QuantityWithNotation) else 0


def _range(
    allowed: Tree,
    default: Quantity,
    value: Quantity,
    path: str,
    errors: FieldErrors,
    switches: ApiServerSwitches,
) -> None:
    least, most, step = (allowed.get(name) for name in ("min", "max", "step"))
    if least is None:
        errors.required(f"{path}.min", "required when validRange is defined")
        return
    at_min, at_max = ("default", "default") if switches.default_error_at_default else ("min", "max")
    if least > value:
        errors.invalid(f"{path}.min", str(least), f"min is larger than capacity value: {value}")
    if default < least:
        errors.invalid(f"{path}.{at_min}", str(default), f"default is less than min: {least}")
    if switches.negative_min_rejected and least < _ZERO:
        errors.invalid(f"{path}.min", str(least), "must be greater than or equal to 0")
    if most is not None:
        if least > most:
            errors.invalid(f"{path}.max", str(least), f"min is larger than max: {most}")
        if most > value:
            errors.invalid(f"{path}.max", str(most), f"max is larger than capacity value: {value}")
        if default > most:
            errors.invalid(f"{path}.{at_max}", str(default), f"default is more than max: {most}")
    bounds = {"default": default, "min": least, "max": most, "step": step}
    set_bounds = {name: quantity for name, quantity in bounds.items() if quantity is not None}
    by_milli = switches.fractional_ranges and any(quantity.nano % NANO for quantity in set_bounds.values())
    if by_milli and _report_all(set_bounds, _beyond_milli, path, errors):
        return
    if step is not None:
        _step(set_bounds, value, by_milli, path, errors, switches)


def _step(
    set_bounds: dict[str, Quantity],
    value: Quantity,
    by_milli: bool,
    path: str,
    errors: FieldErrors,
    switches: ApiServerSwitches,
) -> None:
    step, least = set_bounds["step"], set_bounds["min"]
    if switches.steps_checked and step <= _ZERO:
        errors.invalid(f"{path}.step", str(step), "must be greater than zero")
        return
    if least + step > value:
        errors.invalid(
            f"{path}.step", str(step), f"one step {least + step} is larger than capacity value: {value}"
        )
    if switches.steps_checked and not by_milli and _report_all(set_bounds, _beyond_int64, path, errors):
        return
    whole: Callable[[Quantity], int] = Quantity.milli_value if by_milli else Quantity.value
    if whole(step) == 0:
        raise Crash("runtime error: integer divide by zero")
    for name in ("default", "max"):
        if name in set_bounds and (whole(set_bounds[name]) - whole(least)) % whole(step):
            message = f"value is not a multiple of a given step ({step}) from ({least})"
            errors.invalid(f"{path}.step", str(set_bounds[name]), message)


def _report_all(
    set_bounds: dict[str, Quantity], problem: Callable[[Quantity], str], path: str, errors: FieldErrors
) -> bool:
    """Report each quantity for which `problem` returns a message; return whether there is any."""
    problems = [
        (name, quantity, problem(quantity)) for name, quantity in set_bounds.items() if problem(quantity)
    ]
    for name, quantity, message in problems:
        errors.invalid(f"{path}.{name}", str(quantity), message)
    return bool(problems)


def _beyond_milli(quantity: Quantity) -> str:
    milli, rest = divmod(quantity.nano, _MILLI)
    if rest or abs(milli) > _MAX_INT64:
        return "value cannot be represented as a milli value"
    return ""


def _beyond_int64(quantity: Quantity) -> str:
    if quantity < _ZERO:
        return "must be greater than or equal to 0"
    return "must not be larger than 9223372036854775807" if quantity > _MAX else ""
