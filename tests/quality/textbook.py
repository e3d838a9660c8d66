"""A second allocator, written straight from KEP-5075 with fractions and recursion, for judging the suite.

It shares no code with the built-in one but the selector language, and each rule is one small method, so that
`wrong.py` can get one of them wrong. It is slow and does not care.
"""

from __future__ import annotations

import math
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dra_conform import cel
from dra_conform.kube.codec import convert
from dra_conform.kube.core import Node
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import Device as ApiDevice
from dra_conform.kube.resource import NodeSelector
from dra_conform.kube.selectors import node_matches

Json = Any
NANO = 10**9


def amount(text: Json) -> Fraction:
    """The exact value of a quantity."""
    return Fraction(Quantity.parse(str(text)).nano, NANO)


def text_of(value: Fraction) -> str:
    """An exact value as a quantity in nano units; nothing needs canonical text here."""
    scaled = value * NANO
    assert scaled.denominator == 1
    return f"{scaled.numerator}n"


@dataclass(eq=False)
class Device:
    """A published device with what is taken of it: exclusively, or amounts by capacity name."""

    driver: str
    pool: str
    body: Mapping[str, Json]
    exclusive: bool = False
    shares: list[str] = field(default_factory=list)
    used: list[Mapping[str, Fraction]] = field(default_factory=list)

    @property
    def name(self) -> str:
        return str(self.body["name"])

    @property
    def shared(self) -> bool:
        return bool(self.body.get("allowMultipleAllocations"))

    @property
    def capacity(self) -> Mapping[str, Json]:
        return self.body.get("capacity") or {}

    def attribute(self, name: str) -> tuple[str, Json] | None:
        attributes = self.body.get("attributes") or {}
        domain, _, bare = name.partition("/")
        found = attributes.get(name) or (attributes.get(bare) if domain == self.driver else None)
        return next(iter(found.items())) if found else None


@dataclass
class Result:
    request: str
    device: Device
    consumed: Mapping[str, Fraction] | None
    share: str | None


class Refused(Exception):  # noqa: N818 - an outcome, not an error
    """The claim is in error; the message says why, and which of the categories it is."""

    def __init__(self, message: str, category: str = "Other") -> None:
        super().__init__(message)
        self.category = category


class Textbook:
    """The allocator. Every rule of the KEP is a method of its own."""

    name = "Textbook"
    version = "1"

    def __init_subclass__(cls) -> None:
        cls.name = cls.__name__

    def allocate(self, objects: Json, ask: Json, profile: Profile) -> Json:
        """The body of a result message for an allocate request."""
        self.gate = profile.enabled("DRAConsumableCapacity")
        self.lists = profile.enabled("DRAPrioritizedList")
        claims = {self._key(claim): claim for claim in objects.get("resourceClaims", ())}
        node = next(item for item in objects["nodes"] if item["metadata"]["name"] == ask["node"])
        self.classes = {item["metadata"]["name"]: item for item in objects.get("deviceClasses", ())}
        self.counter = 0
        self.devices = list(self.order(list(self._visible(objects.get("resourceSlices", ()), node))))
        self._occupy([claim for key, claim in claims.items() if key not in ask["claims"]])
        work = [(key, claims[key]) for key in ask["claims"]]
        try:
            for _, claim in work:
                self._validate(claim)
            answer = next(self._claims(work), None)
        except Refused as error:
            return {"outcome": "errored", "reasons": [{"category": error.category, "message": str(error)}]}
        except cel.EvaluationError as error:
            reason = {"category": "SelectorRuntimeError", "message": str(error)}
            return {"outcome": "errored", "reasons": [reason]}
        except cel.CompileError as error:
            reason = {"category": "SelectorCompileError", "message": str(error)}
            return {"outcome": "errored", "reasons": [reason]}
        if answer is None:
            return {"outcome": "unallocatable"}
        return {
            "outcome": "allocated",
            "allocations": {
                key: {"devices": {"results": [self._result(one) for one in results]}}
                for key, results in answer
            },
        }

    # --- the rules -------------------------------------------------------------------------------------

    def order(self, devices: list[Device]) -> list[Device]:
        return devices

    def rounded(self, policy: Mapping[str, Json] | None, value: Fraction) -> Fraction | None:
        """The amount consumed for a requested one, None where the policy refuses it."""
        policy = policy or {}
        allowed = policy.get("validRange")
        if allowed:
            low = amount(allowed["min"])
            if value < low:
                result = low
            elif "step" in allowed:
                result = low + self.steps((value - low) / amount(allowed["step"])) * amount(allowed["step"])
            else:
                result = value
            return self.within(result, amount(allowed["max"]) if "max" in allowed else None)
        values = [amount(one) for one in policy.get("validValues") or ()]
        if values:
            return next((one for one in values if one >= value), None)
        return value

    def steps(self, exact: Fraction) -> int:
        return math.ceil(exact)

    def within(self, value: Fraction, high: Fraction | None) -> Fraction | None:
        return None if high is not None and value > high else value

    def unrequested(self, capacity: Mapping[str, Json]) -> Fraction:
        """What a share consumes of a capacity that the request does not name."""
        default = (capacity.get("requestPolicy") or {}).get("default")
        return amount(capacity["value"] if default is None else default)

    def room(self, device: Device, name: str) -> Fraction:
        taken = sum((used.get(name, Fraction(0)) for used in device.used), Fraction(0))
        return amount(device.capacity[name]["value"]) - taken

    def free(self, device: Device) -> bool:
        """Whether a further allocation of the device is possible at all."""
        if device.exclusive:
            return False
        return self.is_shared(device) or not device.shares

    def is_shared(self, device: Device) -> bool:
        return self.gate and device.shared

    def unknown(self, device: Device, names: Sequence[str]) -> list[str]:
        return [name for name in names if self.own_name(device, name) is None]

    def own_name(self, device: Device, name: str) -> str | None:
        """The device's spelling of a capacity name; a bare name is in the driver's domain."""
        full = name if "/" in name else f"{device.driver}/{name}"
        for own in device.capacity:
            if (own if "/" in own else f"{device.driver}/{own}") == full:
                return own
        return None

    def recorded(self, consumed: Mapping[str, Fraction]) -> Mapping[str, Fraction]:
        return consumed

    def share_id(self, device: Device) -> str:
        self.counter += 1
        return str(uuid.UUID(int=(4 << 76) | (2 << 62) | self.counter))

    def distinct(self, values: Sequence[tuple[str, Json] | None]) -> bool:
        return None not in values and len({repr(one) for one in values}) == len(values)

    def matching(self, values: Sequence[tuple[str, Json] | None]) -> bool:
        return None not in values and len({repr(one) for one in values}) <= 1

    def give_back(self, device: Device) -> None:
        """Undo the last consumption of a shared device."""
        device.used.pop()
        device.shares.pop()

    # --- the search ------------------------------------------------------------------------------------

    def _claims(self, work: list[tuple[str, Json]]) -> Iterator[list[tuple[str, list[Result]]]]:
        if not work:
            yield []
            return
        (key, claim), *rest = work
        for results in self._requests(claim, claim["spec"]["devices"].get("requests", ()), []):
            for others in self._claims(rest):
                yield [(key, list(results)), *others]

    def _requests(self, claim: Json, requests: Sequence[Json], done: list[Result]) -> Iterator[list[Result]]:
        if not requests:
            yield done
            return
        request, *rest = requests
        alternatives = (
            [(request["name"], request["exactly"])]
            if "exactly" in request
            else [(f"{request['name']}/{sub['name']}", sub) for sub in request["firstAvailable"]]
        )
        for name, asked in alternatives:
            if asked.get("allocationMode") == "All":
                every = [device for device in self.devices if self._in_all(device, asked)]
                found = self._all(claim, name, asked, every, done) if every else iter(())
            else:
                found = self._some(claim, name, asked, asked.get("count") or 1, 0, done)
            for chosen in found:
                yield from self._requests(claim, rest, chosen)

    def _some(
        self, claim: Json, name: str, asked: Json, count: int, start: int, done: list[Result]
    ) -> Iterator[list[Result]]:
        if count == 0:
            yield done
            return
        for index in range(start, len(self.devices)):
            device = self.devices[index]
            if not self.free(device) or not self._selected(device, asked):
                continue
            for result in self._take(claim, name, asked, device, done):
                yield from self._some(claim, name, asked, count - 1, index + 1, [*done, result])

    def _all(
        self, claim: Json, name: str, asked: Json, every: list[Device], done: list[Result]
    ) -> Iterator[list[Result]]:
        if not every:
            yield done
            return
        device, *rest = every
        if self.free(device):
            for result in self._take(claim, name, asked, device, done):
                yield from self._all(claim, name, asked, rest, [*done, result])

    def _in_all(self, device: Device, asked: Json) -> bool:
        if not self._selected(device, asked):
            return False
        for name, wanted in self._asked(asked).items():
            own = self.own_name(device, name)
            if own is None or amount(device.capacity[own]["value"]) < amount(wanted):
                return False
        return True

    def _take(
        self, claim: Json, name: str, asked: Json, device: Device, done: list[Result]
    ) -> Iterator[Result]:
        """Take the device for the time the caller looks at the result, then give it back."""
        wanted = self._asked(asked)
        if self.unknown(device, list(wanted)):
            return
        own = {self.own_name(device, key) or key: amount(value) for key, value in wanted.items()}
        consumed: dict[str, Fraction] = {}
        for key, capacity in device.capacity.items():
            if not self.is_shared(device):
                if key in own and own[key] > amount(capacity["value"]):
                    return
                continue
            value: Fraction | None = (
                self.rounded(capacity.get("requestPolicy"), own[key])
                if key in own
                else self.unrequested(capacity)
            )
            if value is None or value > self.room(device, key):
                return
            consumed[key] = value
        shared = self.is_shared(device)
        result = Result(name, device, consumed if shared and device.capacity else None, None)
        if not self._constrained(claim, [*done, result]):
            return
        if shared:
            result.share = self.share_id(device)
            device.used.append(consumed)
            device.shares.append(result.share)
        else:
            device.exclusive = True
        yield result
        if shared:
            self.give_back(device)
        else:
            device.exclusive = False

    def _asked(self, asked: Json) -> Mapping[str, Json]:
        return (asked.get("capacity") or {}).get("requests") or {}

    def _constrained(self, claim: Json, results: list[Result]) -> bool:
        for constraint in claim["spec"]["devices"].get("constraints", ()):
            names = constraint.get("requests") or ()
            covered = [
                one
                for one in results
                if not names or one.request in names or one.request.split("/")[0] in names
            ]
            if "matchAttribute" in constraint:
                holds = self.matching([one.device.attribute(constraint["matchAttribute"]) for one in covered])
            else:
                holds = self.distinct(
                    [one.device.attribute(constraint["distinctAttribute"]) for one in covered]
                )
            if not holds:
                return False
        return True

    def _selected(self, device: Device, asked: Json) -> bool:
        body = dict(device.body)
        if not self.gate:
            body.pop("allowMultipleAllocations", None)
        view = cel.device_of(device.driver, convert(body, ApiDevice))
        selectors = (
            *(self.classes[asked["deviceClassName"]].get("spec") or {}).get("selectors", ()),
            *asked.get("selectors", ()),
        )
        return all(cel.compile(one["cel"]["expression"]).evaluate(view) for one in selectors)

    # --- the world -------------------------------------------------------------------------------------

    def _key(self, claim: Json) -> str:
        return f"{claim['metadata'].get('namespace') or 'default'}/{claim['metadata']['name']}"

    def _visible(self, slices: Sequence[Json], node: Json) -> Iterator[Device]:
        typed = convert({key: node[key] for key in node if key not in ("apiVersion", "kind")}, Node)
        self.unfinished = False
        pools: dict[tuple[str, str], list[Json]] = {}
        for one in slices:
            pools.setdefault((one["spec"]["driver"], one["spec"]["pool"]["name"]), []).append(one)
        for (driver, pool), members in sorted(pools.items()):
            newest = max(one["spec"]["pool"].get("generation", 0) for one in members)
            current = [one for one in members if one["spec"]["pool"].get("generation", 0) == newest]
            here = any(self._reaches(one["spec"], typed) for one in current)
            names = [body["name"] for one in current for body in one["spec"].get("devices", ())]
            complete = len(current) == current[0]["spec"]["pool"]["resourceSliceCount"]
            if not complete or len(set(names)) < len(names):
                self.unfinished = self.unfinished or here
                continue
            for one in sorted(current, key=lambda item: str(item["metadata"]["name"])):
                if self._reaches(one["spec"], typed):
                    yield from (Device(driver, pool, body) for body in one["spec"].get("devices", ()))

    def _reaches(self, spec: Json, node: Node) -> bool:
        if spec.get("nodeName"):
            return bool(spec["nodeName"] == node.metadata.name)
        if spec.get("allNodes"):
            return True
        selector = spec.get("nodeSelector")
        return bool(selector) and node_matches(convert(selector, NodeSelector), node)

    def _occupy(self, held: Sequence[Json]) -> None:
        by_key = {(one.driver, one.pool, one.name): one for one in self.devices}
        for claim in held:
            results = (
                ((claim.get("status") or {}).get("allocation") or {}).get("devices", {}).get("results", ())
            )
            for result in results:
                device = by_key.get((result["driver"], result["pool"], result["device"]))
                if device is None:
                    continue
                if result.get("shareID") and self.gate:
                    device.shares.append(result["shareID"])
                    consumed = result.get("consumedCapacity") or {}
                    device.used.append({key: amount(value) for key, value in consumed.items()})
                else:
                    device.exclusive = True

    def _validate(self, claim: Json) -> None:
        for request in claim["spec"]["devices"].get("requests", ()):
            if "exactly" not in request and not self.lists:
                raise Refused("a request has alternatives and DRAPrioritizedList is off")
            for asked in [request["exactly"]] if "exactly" in request else request["firstAvailable"]:
                if asked["deviceClassName"] not in self.classes:
                    raise Refused(f"no device class {asked['deviceClassName']}")
                if "capacity" in asked and not self.gate:
                    raise Refused("capacity is requested and DRAConsumableCapacity is off")
                if asked.get("allocationMode") == "All" and self.unfinished:
                    raise Refused("all devices are asked for and a pool is not complete", "PoolIncomplete")

    def _result(self, one: Result) -> Json:
        body: dict[str, Json] = {
            "request": one.request,
            "driver": one.device.driver,
            "pool": one.device.pool,
            "device": one.device.name,
        }
        if one.share is not None:
            body["shareID"] = one.share
        if one.consumed is not None:
            body["consumedCapacity"] = {
                key: text_of(value) for key, value in self.recorded(one.consumed).items()
            }
        return body
