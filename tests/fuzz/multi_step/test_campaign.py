"""A campaign on two clusters: differences are found, shrunk, and written as golden cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dra_conform.conformance.cluster.answer import Read
from dra_conform.conformance.suite.golden import golden_cases
from dra_conform.conformance.writes.answer import Admission, AdmissionAnswer
from dra_conform.fuzz.multi_step.cluster_scenario import ClusterScenario
from dra_conform.fuzz.multi_step.counterexamples import (
    ScenarioCounts,
    find_scenario_differences,
    shrink_scenario,
)
from dra_conform.fuzz.multi_step.golden_scenarios import write_golden_scenario
from dra_conform.fuzz.multi_step.sorts import scenarios_of
from dra_conform.fuzz.multi_step.step_difference import StepDifferenceKind
from dra_conform.kube.errors import FieldError
from tests.support.fuzz.multi_step.clusters import PROFILE, with_changed_observations

COUNT = 12


def other_uids(observed: Any) -> Any:
    """Change values that may differ between clusters: UIDs, resource versions, times."""
    if isinstance(observed, AdmissionAnswer) and observed.object:
        made = {"uid": "other", "resourceVersion": "77", "creationTimestamp": "2030-01-01T00:00:00Z"}
        return replace(
            observed, object={**observed.object, "metadata": {**observed.object["metadata"], **made}}
        )
    return observed


def takes_nothing(observed: Any) -> Any:
    if isinstance(observed, AdmissionAnswer) and observed.outcome is Admission.ADMITTED:
        return AdmissionAnswer(Admission.REJECTED, reason="Forbidden")
    return observed


def one_error_more(observed: Any) -> Any:
    if isinstance(observed, AdmissionAnswer) and observed.errors:
        return replace(observed, errors=(*observed.errors, FieldError("spec.more", "Invalid", "", "")))
    return observed


def drops_labels(observed: Any) -> Any:
    if isinstance(observed, AdmissionAnswer | Read) and observed.object:
        metadata = {name: value for name, value in observed.object["metadata"].items() if name != "labels"}
        return replace(observed, object={**observed.object, "metadata": metadata})
    return observed


def counterexamples(twist: Callable[[Any], Any], counts: ScenarioCounts, *, tries: int = 1) -> list[Any]:
    both = with_changed_observations(twist, tries=tries)
    scenarios = scenarios_of("writes", range(COUNT), 1, PROFILE)
    finds = find_scenario_differences(both, both.compare(scenarios), counts, shrinks=60, go_on=lambda: True)
    return [find for find in finds if find is not None]


def test_generated_values_are_no_difference() -> None:
    counts = ScenarioCounts()
    assert counterexamples(other_uids, counts) == []
    assert (counts.scenarios, counts.agreed) == (COUNT, COUNT)


@pytest.mark.parametrize(
    ("twist", "kind", "most_actions"),
    [
        (takes_nothing, StepDifferenceKind.OUTCOME, 1),
        (one_error_more, StepDifferenceKind.REJECTION, 2),
        (drops_labels, StepDifferenceKind.OBJECT, 2),
    ],
)
def test_a_wrong_server_is_found_with_a_small_scenario(
    twist: Callable[[Any], Any], kind: StepDifferenceKind, most_actions: int
) -> None:
    counts = ScenarioCounts()
    finds = counterexamples(twist, counts)
    assert counts.disagreements[kind]
    assert {find.difference.kind for find in finds} == {kind}
    assert min(len(find.scenario.actions) for find in finds) <= most_actions


def test_a_difference_that_does_not_occur_again_is_no_disagreement() -> None:
    met = []

    def once(observed: Any) -> Any:
        twisted = observed if met else takes_nothing(observed)
        met.extend([True] if twisted is not observed else [])
        return twisted

    counts = ScenarioCounts()
    assert counterexamples(once, counts, tries=3) == []
    assert (counts.agreed, counts.not_reproduced, counts.disagreements.total()) == (COUNT, 1, 0)


def test_a_difference_that_occurs_again_is_a_disagreement() -> None:
    counts = ScenarioCounts()
    assert counterexamples(takes_nothing, counts, tries=3)
    assert counts.not_reproduced == 0


def test_a_counterexample_expects_the_observations_of_the_second_implementation(tmp_path: Path) -> None:
    for find in counterexamples(drops_labels, ScenarioCounts()):
        path = write_golden_scenario(find, ("builtin", "twisted"), PROFILE, "fuzz", tmp_path)
        [case] = golden_cases(path.read_text(), "golden/dra/fuzz.yaml", lambda _: ())
        create = {"do": "create", **{name: case.ask[name] for name in ("object", "user") if name in case.ask}}
        written = case.ask["actions"] if case.operation == "cluster" else [create]
        assert list(written) == list(find.scenario.actions[: find.difference.step + 1])
        assert find.scenario.objects.items() <= case.objects.items()
        assert dict(case.gates) == dict(find.scenario.gates)


def test_a_scenario_is_not_shrunk_without_runs() -> None:
    [scenario] = scenarios_of("writes", [3], 1, PROFILE)
    assert shrink_scenario(scenario, 0, lambda _: True, limit=0) == scenario
    asked: list[ClusterScenario] = []
    shrink_scenario(scenario, 0, lambda scenario: not asked.append(scenario), limit=5)
    assert len(asked) == 5


def test_the_coverage_of_scenarios_is_counted() -> None:
    counts = ScenarioCounts()
    counterexamples(other_uids, counts)
    lines = list(counts.coverage.lines())
    assert lines[0].split() == ["kind", "action", "admitted", "rejected"]
    assert any(line.startswith("ResourceClaim ") for line in lines)
    assert any(line.startswith("DRAConsumableCapacity ") for line in lines)
