"""Cases of writes to the API server in both formats, and their judgement."""

from __future__ import annotations

from textwrap import indent

from dra_conform.conformance.admit.operation import Admit
from dra_conform.conformance.case import Case
from dra_conform.conformance.features import profile_of
from dra_conform.conformance.suite.gherkin import feature_cases
from dra_conform.conformance.suite.golden import golden_cases
from dra_conform.conformance.verdict import Judgement
from dra_conform.conformance.writes.answer import Admission, AdmissionAnswer
from dra_conform.kube.errors import FieldError
from dra_conform.kube.json_values import Json

ADMIT = Admit()


CLASS = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "DeviceClass",
    "metadata": {"name": "nic"},
    "spec": {"selectors": [{"cel": {"expression": "true"}}], "extendedResourceName": "example.com/nic"},
}
GIVEN = 'deviceClass: {name: nic, selectors: ["true"]}'
SAID = 'a DeviceClass "nic" with the selector\n  """\n  true\n  """'


def from_golden(when: str, *then: str, given: str = GIVEN) -> Case:
    """Return the case of a golden file."""
    steps = "".join(f"      - {step}\n" for step in then)
    text = (
        "document: DRA\narea: a\ntitle: t\ncases:\n  - case: one\n    title: One\n    requirements: [DRA/a/b]\n"
        f"    given: [{{{given}}}]\n    when: {{{when}}}\n    then:\n{steps}"
    )
    (case,) = golden_cases(text, "golden/dra/trial.yaml", lambda name: [])
    return case


def from_gherkin(when: str, *then: str, given: str = SAID) -> Case:
    """Return the case of a feature file."""
    steps = "".join(
        f"{step}\n"
        for step in (f"Given {given}", f"When {when}", *(f"Then {expectation}" for expectation in then))
    )
    text = "Feature: F\n  @case:one\n  Scenario: One\n" + indent(steps, "    ")
    (case,) = feature_cases(text, "features/dra/trial.feature", lambda name: [])
    return case


def stored(**fields: Json) -> AdmissionAnswer:
    """Return the answer that stores the DeviceClass with other members of its spec."""
    return AdmissionAnswer(Admission.ADMITTED, {**CLASS, "spec": {**CLASS["spec"], **fields}})  # type: ignore[dict-item]


def warned(*warnings: str) -> AdmissionAnswer:
    """Return the answer that stores the DeviceClass with warnings."""
    return AdmissionAnswer(Admission.ADMITTED, CLASS, warnings)


def rejected(*errors: tuple[str, str], reason: str = "Invalid") -> AdmissionAnswer:
    """Return the answer that rejects the write with errors, each a type and a path."""
    field_errors = tuple(FieldError(path, error_type) for error_type, path in errors)
    return AdmissionAnswer(Admission.REJECTED, reason=reason, errors=field_errors)


def judged(case: Case, answer: AdmissionAnswer, *, strict: bool = False) -> Judgement:
    """Return the judgement in profile `kep`."""
    return ADMIT.judge(case, profile_of(case, "kep")[0], case.expected("kep"), answer, strict=strict)
