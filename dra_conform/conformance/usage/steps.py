"""The When and Then steps of quota usage."""

from __future__ import annotations

import re
from typing import Any

from dra_conform.conformance.steps.given import Given
from dra_conform.conformance.steps.quota_steps import quantities
from dra_conform.conformance.steps.step import AMOUNTS, Json, Step, Table, amounts, phrase
from dra_conform.conformance.usage.expectation import UsageExpectationBuilder


def _ask(_: Given, namespace: str) -> Json:
    return {"namespace": namespace}


def _uses(then: UsageExpectationBuilder, params: dict[str, Any]) -> None:
    then.use(quantities(params))


def _amounts(found: re.Match[str], _: Table, __: str) -> Json:
    return amounts(found["amounts"])


STEPS: tuple[Step, ...] = (
    Step(
        "when",
        "quotaUsage",
        str,
        (
            phrase(
                'the quota usage of namespace "{namespace}" is computed',
                lambda found, _, __: found["namespace"],
            ),
        ),
        _ask,
    ),
    Step(
        "then",
        "namespaceUses",
        dict[str, Any],
        (phrase("the namespace uses {amounts}", _amounts, amounts=AMOUNTS),),
        _uses,
    ),
)
"""The When and Then steps."""
