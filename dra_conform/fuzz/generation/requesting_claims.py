"""Claims that ask: requests, counts, capacity, selectors, tolerations, constraints, prioritized lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dra_conform.conformance.building import CLASS, DRIVER, NAMESPACE, cel_selectors
from dra_conform.fuzz.generation import device_configuration as config
from dra_conform.fuzz.generation.amounts import Scale
from dra_conform.fuzz.generation.attributes import CONSTRAINED
from dra_conform.fuzz.generation.taints_and_tolerations import TOLERATED
from dra_conform.fuzz.scenario import Choose, api_object, happens

Json = Any

COUNTS = (*(1,) * 64, *(2,) * 14, *(3,) * 4, 4, 33)
TOGETHER = (*(1,) * 38, *(2,) * 34, *(3,) * 8, 4, 33)
"""Where devices of a claim have something to do with each other."""
_LISTED = (1, 2, 2, 3, 3, 2)

_TOGETHER = frozenset({"match-attribute", "distinct-attribute", "compatibility-groups"})
_MISSING_CLASS = 80


@dataclass(frozen=True, slots=True)
class Means:
    """What a claim can ask with: features, classes, selectors, and amounts in nano by capacity name.

    `configured`: claims bring configuration for drivers.
    """

    features: frozenset[str]
    classes: tuple[str, ...]
    selectors: tuple[str, ...]
    scale: Scale
    amounts: Mapping[str, tuple[int, ...]]
    configured: bool


def classes(choose: Choose, selectors: Sequence[str], *, configured: bool) -> tuple[Json, ...]:
    """One class without selectors, and where there is something to say another with selectors."""
    specs: list[dict[str, Json]] = [{}]
    if configured or (selectors and happens(choose, 3)):
        specs.append({"selectors": cel_selectors([choose(selectors)])} if selectors else {})
    for spec in specs if configured else ():
        if entries := config.of_class(choose):
            spec["config"] = entries
    return tuple(
        api_object("DeviceClass", name, spec) for name, spec in zip((CLASS, "chosen"), specs, strict=False)
    )


def claim(choose: Choose, name: str, means: Means) -> Json:
    """A claim with 1 to 3 requests and up to 2 constraints."""
    requests = [
        _request(choose, f"r{number}", means) for number in range(choose((1, 1, 1, 1, 1, 1, 2, 2, 3)))
    ]
    devices: dict[str, Json] = {"requests": requests}
    if constraints := list(_constraints(choose, means.features, requests)):
        devices["constraints"] = constraints
    if means.configured and (entries := config.of_claim(choose, _scopes(requests))):
        devices["config"] = entries
    return api_object("ResourceClaim", name, {"devices": devices}, namespace=NAMESPACE)


def _request(choose: Choose, name: str, means: Means) -> Json:
    if "prioritized-list" in means.features and happens(choose, 3):
        count = choose((2, 2, 3))
        return {
            "name": name,
            "firstAvailable": [{"name": f"s{place}", **_asked(choose, means)} for place in range(count)],
        }
    asked = _asked(choose, means)
    if "admin-access" in means.features and (admin := choose((None, None, True, True, False))) is not None:
        asked["adminAccess"] = admin
    return {"name": name, "exactly": asked}


def _asked(choose: Choose, means: Means) -> dict[str, Json]:
    features = means.features
    every = "allocation-mode-all" in features and happens(
        choose, 2 if "consumable-capacity" in features else 3
    )
    count = 0 if every else choose(_counts(features))
    name = "missing" if happens(choose, _MISSING_CLASS) else choose(means.classes)
    asked: dict[str, Json] = {"deviceClassName": name}
    asked |= {"allocationMode": "ExactCount", "count": count} if count else {"allocationMode": "All"}
    if means.selectors and happens(choose, 3):
        asked["selectors"] = cel_selectors([choose(means.selectors)])
    if "consumable-capacity" in features:
        asked |= _capacity(choose, means)
    if "device-taints" in features and (tolerations := choose(TOLERATED)):
        asked["tolerations"] = [dict(toleration) for toleration in tolerations]
    return asked


def _counts(features: frozenset[str]) -> tuple[int, ...]:
    if "list-attributes" in features:
        return _LISTED
    return TOGETHER if features & _TOGETHER else COUNTS


def _capacity(choose: Choose, means: Means) -> dict[str, Json]:
    known = tuple(means.amounts)
    one = known[:1]
    options: Sequence[tuple[str, ...] | None] = (
        *(one,) * 8,
        *(known,) * 4,
        *(None,) * 6,
        (),
        ("nope",),
    )
    names = choose(options)
    if names is None:
        return {}
    if not names:
        return {"capacity": {}}
    requests = {
        name: means.scale.text(choose(means.amounts.get(name, (means.scale.unit, 0)))) for name in names
    }
    if "bw" in requests and happens(choose, 25):
        requests[f"{DRIVER}/bw"] = requests.pop("bw")
    return {"capacity": {"requests": requests}}


def _constraints(choose: Choose, features: frozenset[str], requests: Sequence[Json]) -> Iterator[Json]:
    kinds = tuple(
        field
        for field, feature in (
            ("matchAttribute", "match-attribute"),
            ("distinctAttribute", "distinct-attribute"),
        )
        if feature in features
    )
    if not kinds:
        return
    for _ in range(choose((1, 1, 2) if "list-attributes" in features else (1, 0, 1, 1, 1, 2))):
        covered = choose(_scopes(requests))
        yield {**({"requests": list(covered)} if covered else {}), choose(kinds): choose(CONSTRAINED)}


def _scopes(requests: Sequence[Json]) -> tuple[tuple[str, ...], ...]:
    """Which requests a constraint or configuration may name.

    All by naming none, the first, the last two, an alternative of each, an alternative and a request.
    """
    names = [str(one["name"]) for one in requests]
    subs = [f"{one['name']}/{sub['name']}" for one in requests for sub in one.get("firstAvailable", ())]
    scopes: list[tuple[str, ...]] = [(), (), (names[0],)]
    if len(names) > 1:
        scopes += [tuple(names[-2:]), tuple(names)]
    if subs:
        scopes += [(subs[0],), (subs[-1],), tuple(subs[:2])]
        others = [name for name in names if name != subs[0].partition("/")[0]]
        scopes += [(subs[0], name) for name in others[:1]]
    return tuple(scopes)
