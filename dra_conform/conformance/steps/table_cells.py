"""The cells of Gherkin data tables."""

from __future__ import annotations

from collections.abc import Mapping

from dra_conform.conformance.steps.step import StepError, listed
from dra_conform.kube.json_values import Json
from dra_conform.kube.own_fields import OWN_FIELDS, Owner

_FLAGS = {"yes": True, "no": False}


def columns(row: Mapping[str, str], prefix: str) -> dict[str, str]:
    """Return the non-empty cells of the columns `PREFIX name`, by name."""
    return {
        column.removeprefix(f"{prefix} "): cell
        for column, cell in row.items()
        if column.startswith(f"{prefix} ") and cell
    }


def plain(row: Mapping[str, str], *prefixes: str) -> dict[str, str]:
    """Return the non-empty cells of the columns that have none of the prefixes, by column."""
    return {
        column: cell
        for column, cell in row.items()
        if cell and not any(column.startswith(f"{prefix} ") for prefix in prefixes)
    }


def whole_number(text: str) -> int:
    """Return the integer of a cell; raises StepError."""
    try:
        return int(text)
    except ValueError:
        raise StepError(f"the cell is {text!r}, expected an integer") from None


def flag(text: str) -> bool:
    """Return whether a cell is `yes` or `no`; raises StepError."""
    if text not in _FLAGS:
        raise StepError(f"the cell is {text!r}, expected yes or no")
    return _FLAGS[text]


def own_cells(owner: Owner, params: dict[str, Json]) -> dict[str, Json]:
    """Remove the cells of own fields from the cells of a row, and return their values; raises StepError."""
    cells = {name: str(params.pop(name)) for name in OWN_FIELDS.of(owner) if name in params}
    try:
        return {name: OWN_FIELDS.of(owner)[name].read(cell) for name, cell in cells.items()}
    except ValueError as error:
        raise StepError(str(error)) from None


def own_fields(owner: Owner, fields: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return own fields as in the API; raises StepError for a field that no plugin has."""
    known = OWN_FIELDS.of(owner)
    for name in fields:
        if name not in known:
            names = ", ".join(known) or "no field, because no plugin has one"
            raise StepError(f"unknown {owner} field {name!r}, expected {names}")
    return fields


def named_amounts(text: str) -> dict[str, str]:
    """Return the quantities of `memory 6Gi, cores 2` by name; raises StepError."""
    quantities = {}
    for part in listed(text):
        name, _, amount = part.partition(" ")
        if not amount:
            raise StepError(
                f"the cell is {text!r}, expected names and quantities such as memory 6Gi, cores 2"
            )
        quantities[name] = amount.strip()
    return quantities


def taints(text: str) -> list[Json]:
    """Return the taints of `key=value:NoSchedule, other:NoExecute`; raises StepError."""
    parsed = []
    for part in listed(text):
        taint, _, effect = part.rpartition(":")
        key, _, value = taint.partition("=")
        if not key:
            raise StepError(f"taint {part!r} is malformed, expected a taint such as key=value:NoSchedule")
        parsed.append({"key": key, **({"value": value} if value else {}), "effect": effect})
    return parsed


def tolerations(text: str) -> list[Json]:
    """Return the tolerations of a cell, separated by commas; raises StepError.

    `key=value:NoSchedule` tolerates one value, `key:NoSchedule` each value, `*:NoSchedule` each key. The
    effect is optional, and `for 60s` may follow. `empty` is a toleration without fields.
    """
    parsed: list[Json] = []
    for part in listed(text):
        word, _, seconds = part.partition(" for ")
        if word == "empty":
            parsed.append({})
            continue
        taint, _, effect = word.partition(":")
        key, equals, value = taint.partition("=")
        toleration: dict[str, Json] = {} if key == "*" else {"key": key}
        toleration["operator"] = "Equal" if equals else "Exists"
        if equals:
            toleration["value"] = value
        if effect:
            toleration["effect"] = effect
        if seconds:
            if not seconds.endswith("s") or not seconds[:-1].isdigit():
                raise StepError(f"toleration {part!r} is malformed, expected a time such as 60s")
            toleration["tolerationSeconds"] = int(seconds[:-1])
        parsed.append(toleration)
    return parsed


def policy(text: str) -> Json:
    """Return the policy of `default 2, values 1 2 4`, `default 1, min 1, step 4, max 9` or `empty`."""
    params: dict[str, Json] = {}
    for part in listed(text) if text != "empty" else ():
        name, _, rest = part.partition(" ")
        params[name] = rest.split() if name == "values" else rest
    return params


def attribute(text: str) -> Json:
    """Return the attribute of a cell such as `int 1`, `bool true`, `string a b` or `ints 1 2`."""
    kind, _, value = text.partition(" ")
    match kind:
        case "int":
            return {"int": int(value)}
        case "bool":
            return {"bool": _bool(value, text)}
        case "string" | "version":
            return {kind: value}
        case "ints":
            return {"ints": [int(item) for item in value.split()]}
        case "bools":
            return {"bools": [_bool(item, text) for item in value.split()]}
        case "strings" | "versions":
            return {kind: value.split()}
    raise StepError(
        f"attribute {text!r} is malformed, expected int, bool, string, version, ints, bools, strings or "
        "versions, and a value"
    )


def _bool(value: str, text: str) -> bool:
    if value not in ("true", "false"):
        raise StepError(f"attribute {text!r} is malformed, expected true or false")
    return value == "true"
