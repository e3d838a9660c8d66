"""Random cases with a few devices and claims."""

from __future__ import annotations

from hypothesis import strategies as st

from dra_conform.conformance.case import Case
from dra_conform.kube.json_values import Json
from tests.support.conformance.allocate.judging import case_of

AMOUNTS = st.sampled_from(["0", "1", "2", "3", "1500m", "4", "5", "10"])
VALUES = st.sampled_from(["2", "4", "10", "10500m"])
POLICIES = st.sampled_from(
    [
        None,
        {},
        {"default": "1", "min": "1", "step": "2", "max": "9"},
        {"default": "2", "min": "2", "max": "3"},
        {"default": "500m", "min": "500m", "step": "500m"},
        {"default": "2", "values": ["1", "2", "4"]},
        {"default": "3"},
    ]
)
NUMA = st.sampled_from([None, {"int": 0}, {"int": 1}, {"string": "0"}])
SELECTORS = st.sampled_from(
    [
        "device.allowMultipleAllocations",
        "!device.allowMultipleAllocations",
        'device.driver == "dra.example.com"',
        '"bw" in device.capacity["dra.example.com"]',
        'device.capacity["dra.example.com"].?bw.orValue(quantity("0")).compareTo(quantity("4")) >= 0',
    ]
)
NAMES = st.sampled_from(["bw", "bw", "bw", "mem", "dra.example.com/bw", "nope"])


@st.composite
def devices(draw: st.DrawFn, name: str) -> Json:
    """Draw a device of the default driver or another one, on some node."""
    capacity, policy = {}, {}
    for which in ("bw", "mem"):
        if draw(st.booleans()) or which == "bw":
            capacity[which] = draw(VALUES)
            capacity_policy = draw(POLICIES)
            if capacity_policy is not None:
                policy[which] = capacity_policy
    numa = draw(NUMA)
    return {
        "device": name,
        "driver": draw(st.sampled_from(["dra.example.com"] * 4 + ["net.example.org"])),
        "pool": draw(st.sampled_from(["pool-1", "pool-1", "pool-2"])),
        "node": draw(st.sampled_from(["left", "left", "left", "*", "right"])),
        "allowMultipleAllocations": draw(st.sampled_from([True, True, False, None])),
        "capacity": capacity,
        "requestPolicy": policy,
        "attributes": {} if numa is None else {"numa": numa},
    }


@st.composite
def holdings(draw: st.DrawFn, device: Json, number: int) -> Json:
    """Draw an exclusive or shared allocation of the device."""
    result = {"device": device["device"], "driver": device["driver"], "pool": device["pool"]}
    if draw(st.sampled_from([True, True, True, False])):
        result |= {
            "shareID": f"s{number}",
            "consumedCapacity": {name: draw(AMOUNTS) for name in device["capacity"]},
        }
    return {"allocated": {"resourceClaim": f"other-{number}", "results": [result]}}


@st.composite
def asked(draw: st.DrawFn) -> Json:
    """Draw the fields of a request or subrequest."""
    mode = draw(st.sampled_from(["ExactCount"] * 4 + ["All"]))
    fields: Json = {"deviceClassName": "any", "allocationMode": mode}
    if mode == "ExactCount":
        fields["count"] = draw(st.sampled_from([1, 1, 2]))
    if draw(st.sampled_from([True, True, False])):
        names = draw(st.lists(NAMES, max_size=2, unique_by=lambda name: name.rpartition("/")[2]))
        fields["capacity"] = {"requests": {name: draw(AMOUNTS) for name in names}}
    if draw(st.sampled_from([True, False, False])):
        fields["selectors"] = [{"cel": {"expression": draw(SELECTORS)}}]
    return fields


@st.composite
def claims(draw: st.DrawFn, name: str) -> Json:
    """Draw a claim with one or two requests, some with subrequests, some with a constraint."""
    requests = []
    for place in range(draw(st.sampled_from([1, 1, 2]))):
        if draw(st.sampled_from([True, False, False, False])):
            subs = [{"name": f"s{which}", **draw(asked())} for which in range(draw(st.integers(1, 2)))]
            requests.append({"name": f"r{place}", "firstAvailable": subs})
        else:
            requests.append({"name": f"r{place}", "exactly": draw(asked())})
    body: Json = {"requests": requests}
    kind = draw(st.sampled_from(["", "", "matchAttribute", "distinctAttribute"]))
    if kind:
        body["constraints"] = [{kind: "dra.example.com/numa"}]
        if draw(st.booleans()):
            body["constraints"][0]["requests"] = ["r0"]
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": name},
        "spec": {"devices": body},
    }


@st.composite
def tiny_cases(draw: st.DrawFn) -> Case:
    """Draw a case that accepts any valid allocation of one or two claims on node `left`."""
    setup: list[Json] = [
        {"node": {"name": "left"}},
        {"node": {"name": "right"}},
        {"deviceClass": {"name": "any"}},
    ]
    if draw(st.sampled_from([True] + [False] * 9)):
        setup.append({"featureGates": {"DRAConsumableCapacity": False}})
    placed = [draw(devices(f"d{place}")) for place in range(draw(st.integers(1, 4)))]
    setup.append({"devices": placed})
    for number, device in enumerate(placed):
        if draw(st.sampled_from([True, False, False])):
            setup.append(draw(holdings(device, number)))
    names = ["c", "b"][: draw(st.sampled_from([1, 1, 2]))]
    setup.append({"objects": [draw(claims(name)) for name in names]})
    return case_of(setup, claims=names)
