"""Write what limits.yaml says: `page` prints docs/limits.md, `cases` prints golden/api/limits.yaml.

Each limit is three cases: one less, as many, and one more. `make limits` writes both.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dra_conform.kube.yaml import parse_yaml

Json = Any
HERE = Path(__file__).parent

_PAGE = """# Limits

How large things may be, as the API reference states it. Each row is three cases of `golden/api/limits.yaml`:
one less and as many are stored, one more is refused. Texts are counted in bytes. `make limits` writes this
page and the cases from `tools/docs/limits.yaml`.

| in | what is counted | at most | since | one more is |
|---|---|---|---|---|"""

_CASES = """# yaml-language-server: $schema=../../dra_conform/schemas/golden.schema.json
# Made of tools/docs/limits.yaml by `make limits`.
document: API
area: limits
title: How large things may be
given:
  - devices: [{device: d0}]
  - claim: {name: c, class: any}
  - template: {name: t, class: any}
  - class: {name: any}
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

_STATUS = "the status of a ResourceClaim"
_OF = {
    "slice": ("a ResourceSlice", "create", "ResourceSlice", "pool-1-slice"),
    "claim": ("a ResourceClaim", "create", "ResourceClaim", "c"),
    "template": ("a ResourceClaimTemplate", "create", "ResourceClaimTemplate", "t"),
    "class": ("a DeviceClass", "create", "DeviceClass", "any"),
    "allocation": (_STATUS, "update", "ResourceClaim", "pending"),
    "status": (_STATUS, "update", "ResourceClaim", "allocated"),
    "rule": ("the status of a DeviceTaintRule", "update", "DeviceTaintRule", "rule"),
}
"""What has a limit: in words, and how and as which of the given objects it is written."""

_SIZE = re.compile(r"\{(last|x)(-\d+)?\}")


def limits() -> list[dict[str, Json]]:
    """The entries of limits.yaml."""
    [document] = parse_yaml((HERE / "limits.yaml").read_text("utf-8"), "limits.yaml")
    found: list[dict[str, Json]] = document.value
    return found


def page() -> Iterator[str]:
    """The lines of docs/limits.md."""
    yield _PAGE
    for one in limits():
        error, at = one.get("error", "TooMany"), one.get("at")
        more = "taken by every release" if one.get("unchecked") else f"{error} at `{at}`" if at else error
        yield f"| {_OF[one['of']][0]} | {one['counted']} | {one['most']} | {_since(one)} | {more} |"


def cases() -> Iterator[str]:
    """The lines of golden/api/limits.yaml."""
    yield _CASES
    for one in limits():
        for size in (one["most"] - 1, one["most"], one["most"] + 1):
            yield from _case(one, size)


def _case(one: dict[str, Json], size: int) -> Iterator[str]:
    words, verb, kind, name = _OF[one["of"]]
    fits = size <= one["most"]
    written = {"kind": kind, "name": name, "fields": _sized(one["fields"], size)}
    status = {"status": True} if verb == "update" else {}
    yield f"  - case: {one['limit']}-{size}"
    what = f"{words[0].upper()}{words[1:]} {_counted(one['counted'], size)}"
    yield f"    title: {what} is {'stored' if fits else 'refused'}"
    yield f"    requirements: [{one['requirement']}]"
    yield f"    profiles: [kep, since {_since(one)}]"
    yield f"    when: {json.dumps({verb: {**written, **status}})}"
    if fits:
        yield "    then: [stored: true]"
        return
    at = f", path: '{one['at']}'" if "at" in one else ""
    then = f"rejected: {{type: {one.get('error', 'TooMany')}{at}}}"
    unchecked = one.get("unchecked")
    reason = "no release counts them" if unchecked else "the document does not say which error it is"
    yield "    then: [rejected: true]"
    yield "    in:"
    yield f"      - profiles: [since {_since(one)}]"
    yield f"        reason: {reason}"
    yield f"        then: [{'stored: true' if unchecked else then}]"


def _counted(counted: str, size: int) -> str:
    """`with 3 taints of a device`, but `in which the name of a device has 3 characters`."""
    unit, _, of = counted.partition(" of ")
    if unit not in ("characters", "bytes"):
        return f"with {size} {counted}"
    return f"in which {of} {'have' if of.startswith('the parameters') else 'has'} {size} {unit}"


def _since(one: dict[str, Json]) -> str:
    return str(one.get("since", "1.34"))


def _sized(value: Json, size: int) -> Json:
    """The value with `{last}` and `{x}` as they are for a size."""
    if isinstance(value, dict):
        return {_sized(name, size): _sized(item, size) for name, item in value.items()}
    if isinstance(value, list):
        return [_sized(item, size) for item in value]
    return _SIZE.sub(lambda found: _filled(found, size), value) if isinstance(value, str) else value


def _filled(found: re.Match[str], size: int) -> str:
    less = int(found[2] or 0)
    return str(size - 1 + less) if found[1] == "last" else "x" * (size + less)


if __name__ == "__main__":
    print("\n".join({"page": page, "cases": cases}[sys.argv[1]]()))
