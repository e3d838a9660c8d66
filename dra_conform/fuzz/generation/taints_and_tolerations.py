"""Random taints of devices and DeviceTaintRules, and tolerations of requests."""

from __future__ import annotations

from collections.abc import Sequence

from dra_conform.conformance.steps.given import cel_selectors
from dra_conform.fuzz.generation.chance import Choose, happens
from dra_conform.fuzz.scenario import api_object
from dra_conform.kube.json_values import Json

BAD = "dra.example.com/bad"
WORN = "dra.example.com/worn"

_BAD = {"key": BAD, "effect": "NoSchedule"}
_BAD_X = {"key": BAD, "value": "x", "effect": "NoSchedule"}
_BAD_Z_OUT = {"key": BAD, "value": "z", "effect": "NoExecute"}
_BAD_OUT = {"key": BAD, "effect": "NoExecute"}
_WORN_X = {"key": WORN, "value": "x", "effect": "NoExecute"}
_WORN = {"key": WORN, "effect": "NoSchedule"}
_NO_EFFECT = {"key": BAD, "effect": "None"}

TAINTED: tuple[tuple[Json, ...], ...] = (
    *((),) * 11,
    *((_BAD,), (_BAD_X,), (_BAD_OUT,), (_WORN,), (_NO_EFFECT,), (_NO_EFFECT, _WORN_X), (_BAD, _WORN_X)),
    *((_BAD_X, _BAD_Z_OUT), (_BAD_X, _BAD_OUT, _WORN)),
)
"""Possible taints of a device, mostly none."""

TOLERATED: tuple[tuple[Json, ...], ...] = (
    *((),) * 4,
    ({"key": BAD, "operator": "Exists"},),
    ({"key": BAD, "operator": "Exists"},),
    ({"operator": "Exists"},),
    ({"key": BAD, "operator": "Exists", "effect": "NoSchedule"},),
    ({"key": BAD, "operator": "Equal"},),
    ({"key": BAD, "operator": "Equal", "value": "x"},),
    ({"key": BAD, "operator": "Equal", "value": "x", "effect": "NoExecute"},),
    ({"operator": "Exists", "effect": "NoExecute"},),
    ({"operator": "Equal"},),
    ({"key": BAD, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 30},),
    ({"key": BAD, "operator": "Exists"}, {"key": WORN, "operator": "Exists"}),
    (
        {"key": BAD, "operator": "Equal", "value": "x"},
        {"key": WORN, "operator": "Equal", "value": "x", "effect": "NoExecute"},
    ),
)
"""Possible tolerations of a request, often none."""

_OF_RULES = (_BAD, _BAD, _BAD_X, _WORN_X, _NO_EFFECT)


def device_taint_rules(
    choose: Choose,
    devices: Sequence[tuple[str, str, Json]],
    classes: Sequence[str],
    selectors: Sequence[str],
) -> tuple[Json, ...]:
    """Generate up to two DeviceTaintRules that select by driver, pool and device, or some of these.

    `devices` has driver, pool and body. An empty selector matches all devices, an absent selector matches
    none. Some rules also select by one of `classes` (names) or `selectors` (CEL), if there are any.
    """
    rules = []
    for number in range(choose((0, 0, 1, 0, 1, 2))):
        driver, pool, body = choose(devices)
        full = {"driver": driver, "pool": pool, "device": body["name"]}
        members = choose(
            (
                *(("driver", "pool", "device"),) * 5,
                *(("device",), ("device",), ("pool", "device"), ("pool",), ("driver",), ("driver", "pool")),
                *((), None),
            )
        )
        spec: dict[str, Json] = {"taint": dict(choose(_OF_RULES))}
        if members is not None:
            spec["deviceSelector"] = {name: full[name] for name in members}
            if classes and happens(choose, 3):
                spec["deviceSelector"]["deviceClassName"] = choose(classes)
            if selectors and happens(choose, 3):
                spec["deviceSelector"]["selectors"] = cel_selectors([choose(selectors)])
        rules.append(api_object("DeviceTaintRule", f"rule-{number}", spec))
    return tuple(rules)


def rules_gate(choose: Choose, rules: Sequence[Json]) -> dict[str, bool]:
    """Return the gate of DeviceTaintRules, mostly on, if there are rules."""
    return {"DRADeviceTaintRules": not happens(choose, 8)} if rules else {}
