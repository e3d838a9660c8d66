"""The tables of allocation results and configuration in Then steps."""

from __future__ import annotations

import re

from dra_conform.conformance.steps.step import Json, Table, listed
from dra_conform.conformance.steps.table_cells import columns, flag, plain


def _result(row: dict[str, str]) -> Json:
    params: dict[str, Json] = dict(plain(row, "consumedCapacity", "compatibilityGroups"))
    params.pop("choice", None)
    for name in ("shareID", "adminAccess"):
        if name in params:
            params[name] = flag(params[name])
    for name in ("bindingConditions", "bindingFailureConditions"):
        if name in params:
            params[name] = listed(params[name])
    groups = columns(row, "compatibilityGroups")
    if groups:
        params["compatibilityGroups"] = {name: listed(text) for name, text in groups.items()}
    consumed = columns(row, "consumedCapacity")
    if consumed:
        params["consumedCapacity"] = consumed
    return params


def result_rows(match: re.Match[str], rows: Table, _: str) -> Json:
    """Return the parameters of a Then step about allocation results, one result for each row of its table."""
    return {"resourceClaim": match["claim"], "results": [_result(dict(row)) for row in rows]}


def choice_rows(match: re.Match[str], rows: Table, _: str) -> Json:
    """Return the parameters of a Then step with a choice of results, one list for each value of `choice`."""
    choices: dict[str, list[Json]] = {}
    for row in rows:
        choices.setdefault(row.get("choice", ""), []).append(_result(dict(row)))
    return {"resourceClaim": match["claim"], "choices": list(choices.values())}


def entry_rows(match: re.Match[str], rows: Table, _: str) -> Json:
    """Return the parameters of a Then step about the configuration, one entry for each row of its table."""
    entries = [
        {
            "source": row.get("source", ""),
            "parameters": {"profile": row.get("profile", "")},
            "requests": listed(row.get("requests", "")),
        }
        for row in rows
    ]
    return {"resourceClaim": match["claim"], "entries": entries}
