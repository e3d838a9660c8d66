"""The tables of allocation results and configuration in Then steps."""

from __future__ import annotations

import re

from dra_conform.conformance.steps.step import Json, Table, listed
from dra_conform.conformance.steps.table_cells import columns, flag, plain


def _result(row: dict[str, str]) -> Json:
    made: dict[str, Json] = dict(plain(row, "consumedCapacity", "compatibilityGroups"))
    made.pop("choice", None)
    for name in ("shareID", "adminAccess"):
        if name in made:
            made[name] = flag(made[name])
    for name in ("bindingConditions", "bindingFailureConditions"):
        if name in made:
            made[name] = listed(made[name])
    groups = columns(row, "compatibilityGroups")
    if groups:
        made["compatibilityGroups"] = {name: listed(text) for name, text in groups.items()}
    consumed = columns(row, "consumedCapacity")
    if consumed:
        made["consumedCapacity"] = consumed
    return made


def result_rows(found: re.Match[str], rows: Table, _: str) -> Json:
    return {"resourceClaim": found["claim"], "results": [_result(dict(row)) for row in rows]}


def choice_rows(found: re.Match[str], rows: Table, _: str) -> Json:
    choices: dict[str, list[Json]] = {}
    for row in rows:
        choices.setdefault(row.get("choice", ""), []).append(_result(dict(row)))
    return {"resourceClaim": found["claim"], "choices": list(choices.values())}


def entry_rows(found: re.Match[str], rows: Table, _: str) -> Json:
    entries = [
        {
            "source": row.get("source", ""),
            "parameters": {"profile": row.get("profile", "")},
            "requests": listed(row.get("requests", "")),
        }
        for row in rows
    ]
    return {"resourceClaim": found["claim"], "entries": entries}
