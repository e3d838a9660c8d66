"""Lint of setups: each object is admitted by the API server, or the case has the step `rejectedObjects`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from dra_conform.apiserver import (
    Admitted,
    Rejected,
    StatusReason,
    Surroundings,
    Verb,
    WriteRequest,
    admit,
)
from dra_conform.conformance.case import Case
from dra_conform.conformance.features import useful_gates
from dra_conform.kube.errors import InputError
from dra_conform.kube.json_values import Json, encode_json
from dra_conform.kube.profile import KEP, PROFILES, Profile

_ADMIN_ACCESS = dict.fromkeys(("resource.k8s.io/admin-access", "resource.kubernetes.io/admin-access"), "true")


def inadmissible_setups(cases: Iterable[Case]) -> Iterator[InputError]:
    """Yield an error for each case in which the step `rejectedObjects` is missing or not needed.

    Objects are written with all gates on that they need, as if the gates were turned off later, and in
    namespaces that allow admin access. `rejectedObjects` applies to all cases of a table.
    """
    rejections: dict[str, str] = {}

    def rejection(raw: Json, profile: Profile, gates: str) -> str:
        key = f"{profile.name} {gates} {encode_json(raw)!r}"
        if key not in rejections:
            rejections[key] = _rejection(raw, profile)
        return rejections[key]

    tables: dict[str, list[tuple[Case, str]]] = defaultdict(list)
    for case in cases:
        if case.operation == "admit":
            continue
        profile, gates = _profile(case)
        problems = (rejection(raw, profile, gates) for objects in case.objects.values() for raw in objects)
        tables[case.id.partition("[")[0]].append((case, next(filter(None, problems), "")))
    for rows in tables.values():
        yield from _errors(rows)


def _errors(rows: list[tuple[Case, str]]) -> Iterator[InputError]:
    for case, problem in rows:
        if problem and not case.not_admitted:
            yield case.error(f"{problem}; expected an admitted object, or the step rejectedObjects")
    first, _ = rows[0]
    if first.not_admitted and not any(problem for _, problem in rows):
        yield first.error("has the step rejectedObjects, but every object is admitted; expected no such step")


def _profile(case: Case) -> tuple[Profile, str]:
    """Return profile `kep` or the latest release of the case with needed gates on, and the gates' names."""
    candidates = (KEP, *reversed(PROFILES))
    name = next(profile for profile in candidates if case.profiles is None or profile in case.profiles)
    needed = {gate for gate, on in case.gates.items() if on} | useful_gates(case)
    on = {"DynamicResourceAllocation"} | needed
    return Profile.named(name).with_gates(dict.fromkeys(sorted(on), True)), " ".join(sorted(on))


def _rejection(raw: Json, profile: Profile) -> str:
    """Return why the API server rejects an object or its status, empty if it admits both.

    An object in an API version that the release does not serve counts as admitted.
    """
    metadata = raw.get("metadata") or {}
    around = Surroundings({metadata.get("namespace", "default"): _ADMIN_ACCESS})
    without_status = {name: value for name, value in raw.items() if name != "status"}
    answer = admit(WriteRequest(Verb.CREATE, without_status), around, profile)
    if isinstance(answer, Admitted) and raw["kind"] == "ResourceClaim" and raw.get("status"):
        written = {**answer.object, "status": raw["status"]}
        answer = admit(WriteRequest(Verb.UPDATE, written, answer.object, "status"), around, profile)
    if not isinstance(answer, Rejected) or answer.reason == StatusReason.NOT_FOUND:
        return ""
    [reason, *_] = [f"{error.path}: {error.detail}" for error in answer.errors] or [answer.message]
    return f"{raw['kind']} {metadata.get('name')} is not admitted: {reason.partition(chr(10))[0]}"
