"""Which stories can be told side by side on one control plane."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.adapters.live.company import Company, company_of

Json = Any
SETTLE = {"do": "settle"}
CREATE = {"do": "create", "object": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}}}
RULE = {"kind": "DeviceTaintRule", "name": "r"}


def rule(selector: Json) -> Json:
    spec = {"deviceSelector": selector} if selector is not None else {}
    return {"kind": "DeviceTaintRule", "metadata": {"name": "r"}, "spec": spec}


@pytest.mark.parametrize(
    ("actions", "company"),
    [
        ([CREATE], Company.WRITERS),
        ([CREATE, SETTLE], Company.RESTERS),
        ([CREATE, {"do": "advance", "seconds": 12}], Company.RESTERS),
        ([CREATE, SETTLE, {"do": "restart", "components": ["scheduler"]}], Company.NOBODY),
        ([{"do": "restart", "components": ["apiserver"]}], Company.NOBODY),
        ([{"do": "set-gates", "components": ["scheduler"], "gates": {}}], Company.NOBODY),
        ([{"do": "create", "object": rule({"driver": "d"})}, SETTLE], Company.RESTERS),
        ([{"do": "create", "object": rule({"device": "gpu-0"})}, SETTLE], Company.NOBODY),
        ([{"do": "create", "object": rule({})}], Company.WRITERS),
        ([{"do": "create", "object": rule(None)}, SETTLE], Company.RESTERS),
        ([{"do": "patch", "of": RULE, "patch": {"metadata": {"labels": {}}}}, SETTLE], Company.RESTERS),
        ([{"do": "patch", "of": RULE, "patch": rule({"driver": None})}, SETTLE], Company.NOBODY),
        (
            [{"do": "change", "of": RULE, "fields": {"spec.deviceSelector.driver": ""}}, SETTLE],
            Company.NOBODY,
        ),
    ],
)
def test_who_is_told_beside_whom(actions: list[Json], company: Company) -> None:
    assert company_of({}, {"actions": actions}) is company


def test_a_given_rule_without_a_driver_reaches_everybody() -> None:
    assert company_of({"deviceTaintRules": [rule({})]}, {"actions": [SETTLE]}) is Company.NOBODY
    assert company_of({"deviceTaintRules": [rule({"driver": "d"})]}, {"actions": [SETTLE]}) is Company.RESTERS


def test_a_story_with_components_of_its_own_is_told_alone() -> None:
    assert company_of({}, {"actions": [SETTLE], "components": {"scheduler": {}}}) is Company.NOBODY
