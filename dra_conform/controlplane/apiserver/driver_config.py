"""Validation of opaque driver configuration and of `status.devices[].data`."""

from __future__ import annotations

from typing import Any

from dra_conform.controlplane.apiserver import limits
from dra_conform.controlplane.apiserver.limits import Limit
from dra_conform.controlplane.apiserver.name_rules import driver
from dra_conform.controlplane.apiserver.response import FieldErrors
from dra_conform.controlplane.apiserver.walk import Rule, fields
from dra_conform.kube.switches.api_server import ApiServerSwitches


def config(switches: ApiServerSwitches, stored: bool = False) -> Rule:
    """Return the rule for one entry: a driver and a JSON object whose size is limited unless it is stored."""
    parameters = json_object(None if stored else limits.PARAMETERS_LENGTH)
    opaque = fields({"driver": driver(switches), "parameters": parameters})

    def rule(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        if "opaque" in value:
            opaque(value["opaque"], None, f"{path}.opaque", errors)
        else:
            errors.required(f"{path}.opaque")

    return rule


def json_object(limit: Limit | None) -> Rule:
    """Return the rule for a JSON object whose length in bytes is limited."""

    def rule(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        if value is None:
            errors.required(path)
        elif limit is not None and (size := len(value.json)) > limit.bound:
            limit.exceeded(path, size, errors)
        elif not isinstance(value.value, dict):
            errors.invalid(path, "<value omitted>", "must be a valid JSON object")

    return rule
