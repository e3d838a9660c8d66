"""Claims that ask: requests, counts, capacity, selectors, constraints, prioritized lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dra_conform.conformance.building import CLASS, DRIVER, NAMESPACE, cel_selectors
from dra_conform.fuzz.amounts import Scale
from dra_conform.fuzz.scenario import Choose, api_object

Json = Any

SELECTORS = (
    f'device.driver == "{DRIVER}"',
    f'"numa" in device.attributes["{DRIVER}"] && device.attributes["{DRIVER}"].numa == 0',
    f'device.attributes["{DRIVER}"].?model.orValue("") == "a"',
    f'device.attributes["{DRIVER}"].numa == 1',
    f'"bw" in device.capacity["{DRIVER}"]',
)
SHARING_SELECTORS = ("device.allowMultipleAllocations == true", "!device.allowMultipleAllocations")
RARELY = (False, False, False, False, True)
SOMETIMES = (False, False, True)
ATTRIBUTES = (f"{DRIVER}/numa", f"{DRIVER}/numa", f"{DRIVER}/model")


@dataclass(frozen=True, slots=True)
class Means:
    """What a claim can ask with: features, classes, and amounts in nano by capacity name."""

    features: frozenset[str]
    classes: tuple[str, ...]
    scale: Scale
    amounts: Mapping[str, tuple[int, ...]]


def classes(choose: Choose, features: frozenset[str]) -> tuple[Json, ...]:
    """One class without selectors, and sometimes one with."""
    plain = api_object("DeviceClass", CLASS, {})
    selectors = _selectors(features)
    if not selectors or choose((False, False, True)) is False:
        return (plain,)
    return plain, api_object("DeviceClass", "chosen", {"selectors": cel_selectors([choose(selectors)])})


def _selectors(features: frozenset[str]) -> tuple[str, ...]:
    if "cel-selectors" not in features:
        return ()
    return SELECTORS + (SHARING_SELECTORS if "consumable-capacity" in features else ())


def claim(choose: Choose, name: str, means: Means) -> Json:
    """A claim with 1 to 3 requests and up to 2 constraints."""
    features = means.features
    requests: list[Json] = []
    for number in range(choose((1, 1, 1, 2, 2, 3))):
        if "prioritized-list" in features and choose(RARELY):
            alternatives = [{"name": f"s{place}", **_asked(choose, means)} for place in range(2)]
            requests.append({"name": f"r{number}", "firstAvailable": alternatives})
        else:
            asked = _asked(choose, means)
            if "admin-access" in features and choose(RARELY):
                asked["adminAccess"] = True
            requests.append({"name": f"r{number}", "exactly": asked})
    constraints = list(_constraints(choose, features, requests))
    devices = {"requests": requests, **({"constraints": constraints} if constraints else {})}
    return api_object("ResourceClaim", name, {"devices": devices}, namespace=NAMESPACE)


def _asked(choose: Choose, means: Means) -> dict[str, Json]:
    features = means.features
    every = (0,) if "allocation-mode-all" in features else ()
    count = choose((*(1,) * 8, 2, 2, 3, *every))
    asked: dict[str, Json] = {"deviceClassName": choose(means.classes)}
    asked |= {"allocationMode": "ExactCount", "count": count} if count else {"allocationMode": "All"}
    selectors = _selectors(features)
    selects: bool = bool(selectors) and choose(RARELY)
    if selects:
        asked["selectors"] = cel_selectors([choose(selectors)])
    if "consumable-capacity" in features:
        asked |= _capacity(choose, means)
    if "device-taints" in features and choose(SOMETIMES):
        asked["tolerations"] = [{"key": "dra.example.com/bad", "operator": "Exists"}]
    return asked


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
    if "bw" in requests and choose((False,) * 24 + (True,)):
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
    for _ in range(choose((0, 0, 0, 0, 0, 1, 1, 2))):
        covered = choose(_scopes(requests))
        yield {**({"requests": list(covered)} if covered else {}), choose(kinds): choose(ATTRIBUTES)}


def _scopes(requests: Sequence[Json]) -> tuple[tuple[str, ...], ...]:
    """Which requests a constraint may name: all (by naming none), the first, the last two, an alternative."""
    names = [str(one["name"]) for one in requests]
    subs = [f"{one['name']}/{sub['name']}" for one in requests for sub in one.get("firstAvailable", ())]
    scopes: list[tuple[str, ...]] = [(), (), (names[0],)]
    if len(names) > 1:
        scopes.append(tuple(names[-2:]))
    scopes += [(sub,) for sub in subs[:1]]
    return tuple(scopes)
