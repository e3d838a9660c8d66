#!/usr/bin/env python3
"""Adapter for dra-conform around its own first-fit allocator: exec:tools/adapters/first_fit.py

The allocator is deliberately simple. A request is allocated the first free devices of the driver that its
selectors name, `device.driver == "..."`. Other requests are answered with `unsupported`.
"""

import json
import re
import sys

UNSUPPORTED = """admin-access allocation-mode-all binding-conditions compatibility-groups consumable-capacity
    device-taints distinct-attribute list-attributes match-attribute partitionable-devices prioritized-list"""
ABOUT = {"implementation": {"name": "first-fit", "version": "1.0.0", "language": "python"}}
FEATURES = {"cel-selectors": "partial", **dict.fromkeys(UNSUPPORTED.split(), "none")}
HELLO = {"type": "hello", "protocol": 1, **ABOUT, "operations": ["allocate"], "features": FEATURES}
OTHER_VERSION = {"type": "error", "code": "protocol-version", "message": "only version 1"}


def first_fit(objects, ask):  # the part to replace by a call of your own allocator
    classes = {c["metadata"]["name"]: c.get("spec", {}) for c in objects["deviceClasses"]}
    claims = {c["metadata"]["namespace"] + "/" + c["metadata"]["name"]: c for c in objects["resourceClaims"]}
    allocated = [c["status"]["allocation"] for c in claims.values() if "allocation" in c.get("status", {})]
    used = [(r["driver"], r["pool"], r["device"]) for a in allocated for r in a["devices"]["results"]]
    slices = [s["spec"] for s in objects["resourceSlices"]]
    near = [s for s in slices if s.get("allNodes") or s.get("nodeName") == ask["node"]]
    devices = [(s["driver"], s["pool"]["name"], d["name"]) for s in near for d in s.get("devices", [])]
    results = {name: [] for name in ask["claims"]}
    for name, request in [(n, r) for n in results for r in claims[n]["spec"]["devices"]["requests"]]:
        want, count = request["exactly"], request["exactly"].get("count", 1)
        if set(want) - {"deviceClassName", "selectors", "allocationMode", "count"}:
            return {"status": "unsupported", "message": "only class, selectors, mode and count are supported"}
        selectors = classes[want["deviceClassName"]].get("selectors", []) + want.get("selectors", [])
        drivers = {re.fullmatch(r'device\.driver == "(.+)"', s["cel"]["expression"])[1] for s in selectors}
        free = [d for d in devices if d not in used and drivers <= {d[0]}]
        if len(free) < count:
            return {"status": "ok", "outcome": "unallocatable"}
        used += free[:count]
        chosen = [dict(zip(("driver", "pool", "device"), device, strict=True)) for device in free[:count]]
        results[name] += [{"request": request["name"], **device} for device in chosen]
    this_node = [{"key": "metadata.name", "operator": "In", "values": [ask["node"]]}]
    on = {"nodeSelectorTerms": [{"matchFields": this_node}]}
    bodies = {name: {"devices": {"results": rows}, "nodeSelector": on} for name, rows in results.items()}
    return {"status": "ok", "outcome": "allocated", "allocations": bodies}


for line in sys.stdin:  # one frame a line, until bye or the end of the input
    frame = json.loads(line)
    if frame["type"] == "bye":
        break
    if frame["type"] == "hello":
        answer = HELLO if frame["protocol"]["min"] <= 1 <= frame["protocol"]["max"] else OTHER_VERSION
    elif frame["type"] == "configure":  # a profile that cannot be emulated would go to "refused"
        answer = {"type": "configured", "accepted": list(frame["profiles"]), "refused": []}
    else:
        try:
            answer = {"type": "result", **first_fit(frame["case"]["objects"], frame["case"]["ask"])}
        except (KeyError, TypeError) as error:  # no `exactly`, or a selector that names no driver
            answer = {"type": "result", "status": "unsupported", "message": f"cannot be read: {error!r}"}
    print(json.dumps({**answer, "id": frame["id"]}), flush=True)
