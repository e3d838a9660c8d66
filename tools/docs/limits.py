"""Print the limits of limits.yaml: `page` prints docs/limits.md, `cases` prints golden/api/limits.yaml.

Each limit has three cases: one below, the limit itself, and one above. `make limits` writes both.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from golden_text import golden_text

from dra_conform.kube.json_values import Json
from dra_conform.kube.yaml import parse_yaml

HERE = Path(__file__).parent

_PAGE = """# Limits

You want to know how large an API object may be. The table has the size limits of the API reference. Each
limit has three cases in `golden/api/limits.yaml`: objects one below the maximum and at the maximum are
stored, an object one above is rejected. Strings are counted in bytes. `make limits` generates this page
and the cases from `tools/docs/limits.yaml`.

| object | what is counted | maximum | since | error above the maximum |
|---|---|---|---|---|"""

_CASES = """# yaml-language-server: $schema=../../dra_conform/schemas/golden.schema.json
# Made by `make limits` from tools/docs/limits.yaml.
document: API
area: limits
title: Size limits of API objects
given:
  - devices: [{device: d0}]
  - resourceClaim: {name: c, deviceClassName: any}
  - resourceClaimTemplate: {name: t, deviceClassName: any}
  - deviceClass: {name: any}
  - objects:
      - apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: allocated, namespace: default}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: All}}]}}
        status:
          allocation:
            devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: d0}]}
          devices: [{driver: dra.example.com, pool: pool-1, device: d0}]
      - apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: pending, namespace: default}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: All}}]}}
      - apiVersion: resource.k8s.io/v1alpha3
        kind: DeviceTaintRule
        metadata: {name: rule}
        spec: {taint: {key: k, effect: NoExecute}}
cases:"""

_STATUS = "a ResourceClaim status"
_OF = {
    "slice": ("a ResourceSlice", "create", "ResourceSlice", "pool-1-slice"),
    "claim": ("a ResourceClaim", "create", "ResourceClaim", "c"),
    "template": ("a ResourceClaimTemplate", "create", "ResourceClaimTemplate", "t"),
    "class": ("a DeviceClass", "create", "DeviceClass", "any"),
    "allocation": (_STATUS, "update", "ResourceClaim", "pending"),
    "status": (_STATUS, "update", "ResourceClaim", "allocated"),
    "rule": ("a DeviceTaintRule status", "update", "DeviceTaintRule", "rule"),
}
"""By object with limits: its name in titles, and the verb, kind and name of the write."""

_SIZE = re.compile(r"\{(last|x)(-\d+)?\}")


def limits() -> list[dict[str, Json]]:
    """Return the entries of limits.yaml."""
    [document] = parse_yaml((HERE / "limits.yaml").read_text("utf-8"), "limits.yaml")
    entries: list[dict[str, Json]] = document.value
    return entries


def page() -> Iterator[str]:
    """Yield the lines of docs/limits.md."""
    yield _PAGE
    for limit in limits():
        error, at = limit.get("error", "TooMany"), limit.get("at")
        more = f"{error} at `{at}`" if at else error
        if limit.get("unchecked"):
            more = "none, every release stores it"
        yield f"| {_OF[limit['of']][0]} | {limit['counted']} | {limit['most']} | {_since(limit)} | {more} |"


def cases() -> str:
    """Return the text of golden/api/limits.yaml."""
    sizes = ((limit, limit["most"] + more) for limit in limits() for more in (-1, 0, 1))
    return golden_text(_CASES, [_case(limit, size) for limit, size in sizes])


def _case(limit: dict[str, Json], size: int) -> Json:
    words, verb, kind, name = _OF[limit["of"]]
    fits = size <= limit["most"]
    written = {"kind": kind, "name": name, "fields": _sized(limit["fields"], size)}
    status = {"status": True} if verb == "update" else {}
    what = f"{words[0].upper()}{words[1:]} {_counted(limit['counted'], size)}"
    case: dict[str, Json] = {
        "case": f"{limit['limit']}-{size}",
        "title": f"{what} is {'stored' if fits else 'rejected'}",
        "requirements": [limit["requirement"]],
        "profiles": ["kep", f"since {_since(limit)}"],
        "when": {verb: {**written, **status}},
    }
    if fits:
        return {**case, "then": [{"stored": True}]}
    if limit.get("unchecked"):
        reason, then = "no release checks this limit", {"stored": True}
    else:
        path = {"path": limit["at"]} if "at" in limit else {}
        reason = "the document does not name the error"
        then = {"rejected": {"type": limit.get("error", "TooMany"), **path}}
    deviation = {"profiles": [f"since {_since(limit)}"], "reason": reason, "then": [then]}
    return {**case, "then": [{"rejected": True}], "in": [deviation]}


def _counted(counted: str, size: int) -> str:
    """Return a size in words, such as `with 3 taints of a device` or `with a device name of 3 bytes`."""
    if size == 1:
        counted = re.sub(r"s\b", "", counted, count=1)
    unit, _, of = counted.partition(" of ")
    return f"with {of} of {size} {unit}" if unit in ("characters", "bytes") else f"with {size} {counted}"


def _since(limit: dict[str, Json]) -> str:
    return str(limit.get("since", "1.34"))


def _sized(value: Json, size: int) -> Json:
    """Return the value of limits.yaml for a size, with its placeholders `{last}` and `{x}` replaced."""
    if isinstance(value, dict):
        return {_sized(name, size): _sized(item, size) for name, item in value.items()}
    if isinstance(value, list):
        return [_sized(item, size) for item in value]
    return _SIZE.sub(lambda match: _filled(match, size), value) if isinstance(value, str) else value


def _filled(match: re.Match[str], size: int) -> str:
    less = int(match[2] or 0)
    return str(size - 1 + less) if match[1] == "last" else "x" * (size + less)


if __name__ == "__main__":
    print(cases() if sys.argv[1] == "cases" else "\n".join([*page(), ""]), end="")
