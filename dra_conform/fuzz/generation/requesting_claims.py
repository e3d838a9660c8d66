"""Random claims to allocate: requests, subrequests, capacity, selectors, tolerations, constraints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dra_conform.conformance.steps.given import CLASS, DRIVER, NAMESPACE, cel_selectors
from dra_conform.fuzz.generation.amounts import EXTREMES, Scale
from dra_conform.fuzz.generation.attributes import CONSTRAINED
from dra_conform.fuzz.generation.chance import Choose, happens
from dra_conform.fuzz.generation.taints_and_tolerations import TOLERATED
from dra_conform.fuzz.scenario import api_object
from dra_conform.kube.json_values import Json

PARAMETERS: tuple[Json, ...] = ({"mode": "a"}, {"mode": "b", "depth": 2}, {"list": [1, "x", None]})
"""Opaque parameters for drivers: strings, numbers, lists."""


def _class_configuration(choose: Choose) -> list[Json]:
    """Generate up to two configuration entries of a DeviceClass."""
    return [_opaque(choose) for _ in range(choose((1, 0, 2)))]


def _claim_configuration(choose: Choose, scopes: Sequence[tuple[str, ...]]) -> list[Json]:
    """Generate up to two configuration entries of a claim, each for one scope (names of requests)."""
    return [
        {**({"requests": list(scope)} if (scope := choose(scopes)) else {}), **_opaque(choose)}
        for _ in range(choose((1, 0, 2)))
    ]


def _opaque(choose: Choose) -> dict[str, Json]:
    return {
        "opaque": {"driver": choose((DRIVER, DRIVER, "net.example.com")), "parameters": choose(PARAMETERS)}
    }


_COUNTS = (*(1,) * 64, *(2,) * 14, *(3,) * 4, 4, 33)
_COUNTS_TOGETHER = (*(1,) * 38, *(2,) * 34, *(3,) * 8, 4, 33)
"""Counts for features that relate the devices of a claim to each other."""
_COUNTS_OF_LISTS = (1, 2, 2, 3, 3, 2)

_TOGETHER = frozenset({"match-attribute", "distinct-attribute", "compatibility-groups"})
_MISSING_CLASS = 80
"""One in this many requests names a DeviceClass that does not exist."""


@dataclass(frozen=True, slots=True)
class RequestOptions:
    """The options of requests: features, classes, selectors, and quantities in nano-units by capacity name.

    `scale` is the unit of the quantities. If `configured`, claims have configuration for drivers.
    """

    features: frozenset[str]
    classes: tuple[str, ...]
    selectors: tuple[str, ...]
    scale: Scale
    amounts: Mapping[str, tuple[int, ...]]
    configured: bool


def device_classes(choose: Choose, selectors: Sequence[str], *, configured: bool) -> tuple[Json, ...]:
    """Generate a DeviceClass without selectors, and sometimes another one with selectors.

    If `configured`, both can have configuration for drivers.
    """
    specs: list[dict[str, Json]] = [{}]
    if configured or (selectors and happens(choose, 3)):
        specs.append({"selectors": cel_selectors([choose(selectors)])} if selectors else {})
    for spec in specs if configured else ():
        if entries := _class_configuration(choose):
            spec["config"] = entries
    return tuple(
        api_object("DeviceClass", name, spec) for name, spec in zip((CLASS, "chosen"), specs, strict=False)
    )


def requesting_claim(choose: Choose, name: str, options: RequestOptions) -> Json:
    """Generate a claim to allocate, with 1 to 3 requests and up to 2 constraints."""
    requests = [
        _request(choose, f"r{number}", options) for number in range(choose((1, 1, 1, 1, 1, 1, 2, 2, 3)))
    ]
    devices: dict[str, Json] = {"requests": requests}
    if constraints := list(_constraints(choose, options.features, requests)):
        devices["constraints"] = constraints
    if options.configured and (entries := _claim_configuration(choose, _scopes(requests))):
        devices["config"] = entries
    return api_object("ResourceClaim", name, {"devices": devices}, namespace=NAMESPACE)


def _request(choose: Choose, name: str, options: RequestOptions) -> Json:
    if "prioritized-list" in options.features and happens(choose, 3):
        count = choose((2, 2, 3))
        return {
            "name": name,
            "firstAvailable": [
                {"name": f"s{position}", **_requested(choose, options)} for position in range(count)
            ],
        }
    requested = _requested(choose, options)
    if "admin-access" in options.features and (admin := choose((None, None, True, True, False))) is not None:
        requested["adminAccess"] = admin
    return {"name": name, "exactly": requested}


def _requested(choose: Choose, options: RequestOptions) -> dict[str, Json]:
    features = options.features
    every = "allocation-mode-all" in features and happens(
        choose, 2 if "consumable-capacity" in features else 3
    )
    count = 0 if every else choose(_counts(features))
    name = "missing" if happens(choose, _MISSING_CLASS) else choose(options.classes)
    requested: dict[str, Json] = {"deviceClassName": name}
    requested |= {"allocationMode": "ExactCount", "count": count} if count else {"allocationMode": "All"}
    if options.selectors and happens(choose, 3):
        requested["selectors"] = cel_selectors([choose(options.selectors)])
    if "consumable-capacity" in features:
        requested |= _capacity(choose, options)
    if "device-taints" in features and (tolerations := choose(TOLERATED)):
        requested["tolerations"] = [dict(toleration) for toleration in tolerations]
    return requested


def _counts(features: frozenset[str]) -> tuple[int, ...]:
    if "list-attributes" in features:
        return _COUNTS_OF_LISTS
    return _COUNTS_TOGETHER if features & _TOGETHER else _COUNTS


def _capacity(choose: Choose, options: RequestOptions) -> dict[str, Json]:
    known = tuple(options.amounts)
    first = known[:1]
    named: Sequence[tuple[str, ...] | None] = (
        *(first,) * 8,
        *(known,) * 4,
        *(None,) * 6,
        (),
        ("nope",),
    )
    names = choose(named)
    if names is None:
        return {}
    if not names:
        return {"capacity": {}}
    scale = options.scale
    requests = {name: scale.text(choose(options.amounts.get(name, (scale.unit, 0)))) for name in names}
    if happens(choose, 30):
        requests[names[0]] = choose(EXTREMES)
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
        scope = choose(_scopes(requests))
        yield {**({"requests": list(scope)} if scope else {}), choose(kinds): choose(CONSTRAINED)}


def _scopes(requests: Sequence[Json]) -> tuple[tuple[str, ...], ...]:
    """Return the scopes that a constraint or configuration can have.

    These are no names (which means all requests), the first request, the last two, all, one or two
    subrequests, and a subrequest with another request.
    """
    names = [str(request["name"]) for request in requests]
    subs = [
        f"{request['name']}/{sub['name']}"
        for request in requests
        for sub in request.get("firstAvailable", ())
    ]
    scopes: list[tuple[str, ...]] = [(), (), (names[0],)]
    if len(names) > 1:
        scopes += [tuple(names[-2:]), tuple(names)]
    if subs:
        scopes += [(subs[0],), (subs[-1],), tuple(subs[:2])]
        others = [name for name in names if name != subs[0].partition("/")[0]]
        scopes += [(subs[0], name) for name in others[:1]]
    return tuple(scopes)
