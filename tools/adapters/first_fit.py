#!/usr/bin/env python3
"""An adapter for dra-conform around a first-fit allocator of its own: exec:tools/adapters/first_fit.py

The allocator is deliberately simple: whole devices only, and a request gets the first free ones of the driver
that its selectors name, `device.driver == "..."`. What it cannot do it says, in `hello` and again in `run`.
"""

import json
import re
import sys

LACKS = """admin-access allocation-mode-all binding-conditions compatibility-groups consumable-capacity
    device-taints distinct-attribute list-attributes match-attribute partitionable-devices prioritized-list"""
HAS = {"cel-selectors": "partial", **dict.fromkeys(LACKS.split(), "none")}
WHO = {"name": "first-fit", "version": "1.0.0", "language": "python"}
HELLO = {"type": "hello", "protocol": 1, "implementation": WHO, "operations": ["allocate"], "features": HAS}
OTHER_VERSION = {"type": "error", "code": "protocol-version", "message": "only version 1"}


def first_fit(objects, ask):  # the part to replace by a call of your own allocator
    classes = {c["metadata"]["name"]: c.get("spec", {}) for c in objects["deviceClasses"]}
    claims = {c["metadata"]["namespace"] + "/" + c["metadata"]["name"]: c for c in objects["resourceClaims"]}
    held = [c["status"]["allocation"] for c in claims.values() if "allocation" in c.get("status", {})]
    used = [(r["driver"], r["pool"], r["device"]) for a in held for r in a["devices"]["results"]]
    slices = [s["spec"] for s in objects["resourceSlices"]]
    near = [s for s in slices if s.get("allNodes") or s.get("nodeName") == ask["node"]]
    devices = [(s["driver"], s["pool"]["name"], d["name"]) for s in near for d in s.get("devices", [])]
    results = {name: [] for name in ask["claims"]}
    for name, request in [(n, r) for n in results for r in claims[n]["spec"]["devices"]["requests"]]:
        want, count = request["exactly"], request["exactly"].get("count", 1)
        if set(want) - {"deviceClassName", "selectors", "allocationMode", "count"}:
            return {"status": "unsupported", "message": "only plain requests for whole devices"}
        selectors = classes[want["deviceClassName"]].get("selectors", []) + want.get("selectors", [])
        drivers = {re.fullmatch(r'device\.driver == "(.+)"', s["cel"]["expression"])[1] for s in selectors}
        free = [d for d in devices if d not in used and drivers <= {d[0]}]
        if len(free) < count:
            return {"status": "ok", "outcome": "unallocatable"}
        used += free[:count]
        names = (dict(zip(("driver", "pool", "device"), one, strict=True)) for one in free[:count])
        results[name] += [{"request": request["name"], **one} for one in names]
    here = [{"key": "metadata.name", "operator": "In", "values": [ask["node"]]}]
    on = {"nodeSelectorTerms": [{"matchFields": here}]}
    given = {name: {"devices": {"results": found}, "nodeSelector": on} for name, found in results.items()}
    return {"status": "ok", "outcome": "allocated", "allocations": given}


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
        except (KeyError, TypeError) as gap:  # no `exactly`, or a selector that names no driver
            answer = {"type": "result", "status": "unsupported", "message": f"not understood: {gap!r}"}
    print(json.dumps({**answer, "id": frame["id"]}), flush=True)
