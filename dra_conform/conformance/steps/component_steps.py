"""The given steps of components with their own feature gates and releases."""

from __future__ import annotations

import re

from dra_conform.conformance.steps.given import Given
from dra_conform.conformance.steps.step import Json, Params, Step, StepError, Table, phrase
from dra_conform.kube.gates import CHECKED_WITH, GATES

COMPONENTS = {
    "the API server": "apiserver",
    "the scheduler": "scheduler",
    "the controller manager": "controller-manager",
    "the kubelet": "kubelet",
}
"""The components of a cluster, in words and as a case writes them."""

_ONE = "|".join(COMPONENTS)
SOME = f"(?:{_ONE})(?:(?:,| and) (?:{_ONE}))*"
"""The words that `components_in` reads."""


class ComponentParams(Params, frozen=True, kw_only=True):
    """Some components, and the gates or the release they run with."""

    components: tuple[str, ...] = tuple(COMPONENTS.values())
    feature_gates: dict[str, bool] = {}
    release: str | None = None


def components_in(words: str) -> list[str]:
    """`the API server and the scheduler` as names of components."""
    return [COMPONENTS[word] for word in re.findall(_ONE, words)]


def checked(params: ComponentParams) -> ComponentParams:
    """The parameters; raises StepError for a component, a gate or a release that is not known."""
    for what, names, known in (
        ("component", params.components, COMPONENTS.values()),
        ("feature gate", params.feature_gates, GATES),
        ("release", [params.release] if params.release else [], CHECKED_WITH),
    ):
        for name in names:
            if name not in known:
                raise StepError(f"{what} {name!r} is unknown, expected one of {', '.join(known)}")
    return params


def _component(given: Given, params: ComponentParams) -> None:
    if not params.feature_gates and params.release is None:
        raise StepError("says nothing of the components, expected featureGates or a release")
    for name in checked(params).components:
        said = given.components.setdefault(name, {})
        if params.release is not None:
            said["release"] = params.release
        if params.feature_gates:
            said["gates"] = {**said.get("gates", {}), **params.feature_gates}


def gate_in(found: re.Match[str], _: Table, __: str) -> Json:
    """A gate that is switched, with the components that are named."""
    some = components_in(found["components"] or "")
    gates = {found["gate"]: found["state"] == "on"}
    return {"featureGates": gates, **({"components": some} if some else {})}


def release_of(found: re.Match[str], _: Table, __: str) -> Json:
    """A release, with the components that are named."""
    return {"components": components_in(found["components"]), "release": found["release"]}


RUNNING: tuple[Step, ...] = (
    Step(
        "given",
        "component",
        ComponentParams,
        (
            phrase(
                'the feature gate "{gate}" is {state} in {components}',
                gate_in,
                state="on|off",
                components=SOME,
            ),
            phrase(
                "{components} run[s] Kubernetes {release}", release_of, components=SOME, release=r"1\.[0-9]+"
            ),
        ),
        _component,
    ),
)
"""The given steps of components."""
