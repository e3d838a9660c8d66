"""Lint of setups: an API server would store each object, or the case says why it is there all the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from dra_conform.conformance.case import Case
from dra_conform.conformance.features import useful_gates
from dra_conform.controlplane.apiserver import (
    Admitted,
    Rejected,
    StatusReason,
    Surroundings,
    Verb,
    Write,
    admit,
)
from dra_conform.kube.errors import InputError
from dra_conform.kube.json_writing import encode_json
from dra_conform.kube.profile import KEP, PROFILES, Profile

Json = Any
_ADMIN_ACCESS = dict.fromkeys(("resource.k8s.io/admin-access", "resource.kubernetes.io/admin-access"), "true")


def inadmissible_setups(cases: Iterable[Case]) -> Iterator[InputError]:
    """Cases in which something is given that is not admitted and that do not say so, or that say so in vain.

    Objects are written with the gates on that they need, as if these were turned off later, and in namespaces
    where admin access may be asked for. The cases of one table share what they say.
    """
    refused: dict[str, str] = {}

    def refusal(one: Json, profile: Profile, gates: str) -> str:
        key = f"{profile.name} {gates} {encode_json(one)!r}"
        if key not in refused:
            refused[key] = _refusal(one, profile)
        return refused[key]

    tables: dict[str, list[tuple[Case, str]]] = defaultdict(list)
    for case in cases:
        if case.operation == "admit":
            continue
        profile, gates = _profile(case)
        found = (refusal(one, profile, gates) for objects in case.objects.values() for one in objects)
        tables[case.id.partition("[")[0]].append((case, next(filter(None, found), "")))
    for rows in tables.values():
        yield from _complaints(rows)


def _complaints(rows: list[tuple[Case, str]]) -> Iterator[InputError]:
    for case, problem in rows:
        if problem and not case.not_admitted:
            yield _at(case, f"{problem}; expected an object that is admitted, or the step rejectedObjects")
    first, _ = rows[0]
    if first.not_admitted and not any(problem for _, problem in rows):
        yield _at(first, "says that something given is not admitted, expected so of nothing: all is admitted")


def _at(case: Case, message: str) -> InputError:
    return InputError(case.source.file, case.source.line, case.id, message)


def _profile(case: Case) -> tuple[Profile, str]:
    """The text of the documents, or the latest release that a case holds in, with what it needs on."""
    name = next(one for one in (KEP, *reversed(PROFILES)) if case.profiles is None or one in case.profiles)
    wanted = {gate for gate, on in case.gates.items() if on} | useful_gates(case)
    on = {"DynamicResourceAllocation"} | wanted
    return Profile.named(name).with_gates(dict.fromkeys(sorted(on), True)), " ".join(sorted(on))


def _refusal(one: Json, profile: Profile) -> str:
    """Why an object is not admitted, first without its status and then with it; empty where it is.

    A release that does not serve its version has no say in it.
    """
    metadata = one.get("metadata") or {}
    around = Surroundings({metadata.get("namespace", "default"): _ADMIN_ACCESS})
    bare = {name: value for name, value in one.items() if name != "status"}
    answer = admit(Write(Verb.CREATE, bare), around, profile)
    if isinstance(answer, Admitted) and one["kind"] == "ResourceClaim" and one.get("status"):
        written = {**answer.object, "status": one["status"]}
        answer = admit(Write(Verb.UPDATE, written, answer.object, "status"), around, profile)
    if not isinstance(answer, Rejected) or answer.reason == StatusReason.NOT_FOUND:
        return ""
    [why, *_] = [f"{error.path}: {error.detail}" for error in answer.errors] or [answer.message]
    return f"{one['kind']} {metadata.get('name')} is not admitted: {why.partition(chr(10))[0]}"
