"""The operation `schedule`: scheduling attempts phase by phase, and the changes that cause retries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dra_conform.conformance.operation import Operation
from dra_conform.conformance.schedule.answer import read, write
from dra_conform.conformance.schedule.documents import actual, align, expected
from dra_conform.conformance.schedule.expectation import ScheduleExpectationBuilder
from dra_conform.conformance.schedule.judging import judge
from dra_conform.conformance.schedule.negations import negations
from dra_conform.conformance.schedule.posing import features, pose
from dra_conform.conformance.schedule.probes import PROBES
from dra_conform.conformance.schedule.then_steps import THEN_STEPS
from dra_conform.conformance.schedule.when_steps import WHEN_STEPS
from dra_conform.conformance.usage.posing import take

Json = Any


def _question(ask: Mapping[str, Json]) -> str:
    return "schedule: " + ", ".join(
        f"{one['do']} {one['pod']}" if "pod" in one else one["do"] for one in ask["actions"]
    )


SCHEDULE = Operation(
    name="schedule",
    steps=(*WHEN_STEPS, *THEN_STEPS),
    take=take,
    pose=pose,
    features=features,
    expect=ScheduleExpectationBuilder,
    read=read,
    write=write,
    judge=judge,
    negations=negations,
    probes=PROBES,
    question=_question,
    expected=expected,
    actual=actual,
    align=align,
    multi_step=True,
)
"""Scheduling attempts of pods, phase by phase, with one observation for each action."""
