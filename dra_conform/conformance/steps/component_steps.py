"""The Given steps of components with their own feature gates and releases."""

from __future__ import annotations

import re

from dra_conform.conformance.steps.given import Given
from dra_conform.conformance.steps.step import Params, Step, StepError, Table, given
from dra_conform.kube.gates import CHECKED_WITH, GATES
from dra_conform.kube.json_values import Json

COMPONENTS = {
    "the API server": "apiserver",
    "the scheduler": "scheduler",
    "the controller manager": "controller-manager",
    "the kubelet": "kubelet",
}
"""The components of a cluster, in words and by name."""

_COMPONENT = "|".join(COMPONENTS)
SOME = f"(?:{_COMPONENT})(?:(?:,| and) (?:{_COMPONENT}))*"
"""The regular expression of the words that `components_in` reads."""


class ComponentParams(Params, frozen=True, kw_only=True):
    """Components with their feature gates or their release."""

    components: tuple[str, ...] = tuple(COMPONENTS.values())
    feature_gates: dict[str, bool] = {}
    release: str | None = None


def components_in(words: str) -> list[str]:
    """Return the names of the components in `the API server and the scheduler`."""
    return [COMPONENTS[word] for word in re.findall(_COMPONENT, words)]


def checked(params: ComponentParams) -> ComponentParams:
    """Return the parameters; raises StepError for an unknown component, gate or release."""
    for noun, names, known in (
        ("component", params.components, COMPONENTS.values()),
        ("feature gate", params.feature_gates, GATES),
        ("release", [params.release] if params.release else [], CHECKED_WITH),
    ):
        for name in names:
            if name not in known:
                raise StepError(f"unknown {noun} {name!r}, expected one of {', '.join(known)}")
    return params


def gate_in(match: re.Match[str], _: Table, __: str) -> Json:
    """Return the parameters of a gate with its state and components."""
    components = components_in(match["components"] or "")
    gates = {match["gate"]: match["state"] == "on"}
    return {"featureGates": gates, **({"components": components} if components else {})}


def release_of(match: re.Match[str], _: Table, __: str) -> Json:
    """Return the parameters of a release and its components."""
    return {"components": components_in(match["components"]), "release": match["release"]}


@given('the feature gate "{gate}" is {state} in {components}', gate_in, state="on|off", components=SOME)
@given("{components} run[s] Kubernetes {release}", release_of, components=SOME, release=r"1\.[0-9]+")
def component(given: Given, params: ComponentParams) -> None:
    if not params.feature_gates and params.release is None:
        raise StepError("has no featureGates and no release, expected one of them")
    for name in checked(params).components:
        settings = given.components.setdefault(name, {})
        if params.release is not None:
            settings["release"] = params.release
        if params.feature_gates:
            settings["gates"] = {**settings.get("gates", {}), **params.feature_gates}


RUNNING: tuple[Step, ...] = (component,)
"""The Given steps of components."""
