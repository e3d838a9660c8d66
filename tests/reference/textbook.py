"""Independent allocator, written from the specification with fractions and recursion, to check the suite.

It shares only the selector language with the built-in. Each rule is a small method, so that
`faulty/implementations/allocators.py` can violate a single rule. Rules use no cached state, so it is slow.
"""

from __future__ import annotations

import math
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from dra_conform import cel
from dra_conform.kube.codec import convert
from dra_conform.kube.core import Node
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from tests.reference.textbook_world import (
    LISTS,
    Device,
    Pool,
    SelectorError,
    amount,
    pools_of,
    reaches,
    selected,
    text_of,
)

MOST = 32


@dataclass(eq=False)
class Taken:
    """Exclusive or shared allocation of a device to a claim, existing or made by this call."""

    key: tuple[str, str, str]
    groups: Mapping[str, Sequence[str]]
    share: str | None
    consumed: Mapping[str, Fraction] | None
    admin: bool = False
    claim: str = ""
    request: str = ""
    device: Device | None = None
    requested: Json = field(default_factory=dict)


class CannotAllocate(Exception):  # noqa: N818 - an outcome, not an error
    """The claims cannot be processed, for a reason of this category."""

    def __init__(self, message: str, category: str = "Other") -> None:
        super().__init__(message)
        self.category = category


class Textbook:
    """Allocator with a method for each rule of the specification."""

    name = "Textbook"
    version = "1"
    most = MOST

    def __init_subclass__(cls) -> None:
        cls.name = cls.__name__

    def allocate(self, objects: Json, ask: Json, profile: Profile) -> Json:
        """Return the body of a result of the operation `allocate`."""
        on = profile.enabled
        self.sharing = on("DRAConsumableCapacity")
        self.alternatives = on("DRAPrioritizedList")
        self.admin = on("DRAAdminAccess")
        self.partitions = on("DRAPartitionableDevices")
        self.tainting = on("DRADeviceTaints")
        self.rules = self.tainting and on("DRADeviceTaintRules")
        self.binding = on("DRADeviceBindingConditions") and on("DRAResourceClaimDeviceStatus")
        self.grouping = on("DRADeviceCompatibilityGroups")
        self.lists = on("DRAListTypeAttributes")
        self.counter = 0
        self.selections: dict[tuple[Device, str], bool] = {}
        self.classes = {item["metadata"]["name"]: item for item in objects.get("deviceClasses", ())}
        claims = {self._key(claim): claim for claim in objects.get("resourceClaims", ())}
        raw = next(item for item in objects["nodes"] if item["metadata"]["name"] == ask["node"])
        self.node = convert({key: raw[key] for key in raw if key not in ("apiVersion", "kind")}, Node)
        try:
            self._read_inventory(objects)
            self.taken = [
                taken for key in claims if key not in ask["claims"] for taken in self._held(claims[key])
            ]
            work = [(key, claims[key]) for key in ask["claims"]]
            for _, claim in work:
                self._validate(claim)
            answer = next(self._claims(work), None)
        except CannotAllocate as error:
            return {"outcome": "errored", "reasons": [{"category": error.category, "message": str(error)}]}
        except cel.EvaluationError as error:
            reason = {"category": "SelectorRuntimeError", "message": str(error)}
            return {"outcome": "errored", "reasons": [reason]}
        except cel.CompileError as error:
            reason = {"category": "SelectorCompileError", "message": str(error)}
            return {"outcome": "errored", "reasons": [reason]}
        except SelectorError as error:
            return {"outcome": "errored", "reasons": [{"category": "FieldInvalid", "message": str(error)}]}
        if answer is None:
            return {"outcome": "unallocatable"}
        return {
            "outcome": "allocated",
            "allocations": {key: self._allocation(claims[key], found) for key, found in answer},
        }

    # --- capacity (KEP-5075) ---------------------------------------------------------------------------

    def order(self, devices: list[Device]) -> list[Device]:
        """Return the devices in the order in which a request tries them. Every order is correct."""
        return devices

    def rounded(self, policy: Mapping[str, Json] | None, value: Fraction) -> Fraction | None:
        """Return the consumed quantity for a requested one, None if the policy does not allow it."""
        policy = policy or {}
        allowed = policy.get("validRange")
        if allowed:
            low = amount(allowed["min"])
            if value < low:
                result = low
            elif "step" in allowed and amount(allowed["step"]) <= 0:
                return None if value > low else low
            elif "step" in allowed:
                result = low + self.steps((value - low) / amount(allowed["step"])) * amount(allowed["step"])
            else:
                result = value
            return self.within(result, amount(allowed["max"]) if "max" in allowed else None)
        values = [amount(valid) for valid in policy.get("validValues") or ()]
        if values:
            return next((valid for valid in values if valid >= value), None)
        return value

    def steps(self, exact: Fraction) -> int:
        return math.ceil(exact)

    def within(self, value: Fraction, high: Fraction | None) -> Fraction | None:
        return None if high is not None and value > high else value

    def unrequested(self, capacity: Mapping[str, Json]) -> Fraction:
        """Return what a shared allocation consumes of a capacity that is not requested."""
        default = (capacity.get("requestPolicy") or {}).get("default")
        return amount(capacity["value"] if default is None else default)

    def remaining(self, device: Device, name: str) -> Fraction:
        """Return what earlier allocations leave of a capacity. None of them consumes less than nothing."""
        used = (
            max(consumed, Fraction(0))
            for taken in self.of(device)
            for spelling, consumed in (taken.consumed or {}).items()
            if self.own_name(device, spelling) == name
        )
        return amount(device.capacity[name]["value"]) - sum(used, Fraction(0))

    def unknown(self, device: Device, names: Sequence[str]) -> list[str]:
        return [name for name in names if self.own_name(device, name) is None]

    def own_name(self, device: Device, name: str) -> str | None:
        """Return the device's spelling of a capacity name. A name without domain is in the driver's domain."""
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

    # --- availability of a device ----------------------------------------------------------------------

    def of(self, device: Device) -> list[Taken]:
        """Return the allocations of the device, except those with adminAccess."""
        return [taken for taken in self.taken if taken.key == device.key and self.uses(taken)]

    def uses(self, taken: Taken) -> bool:
        return not taken.admin

    def is_shared(self, device: Device) -> bool:
        return self.sharing and device.shared

    def free(self, device: Device, claim: str, requested: Json) -> bool:
        """Return whether existing allocations of the device allow another one."""
        mine = any(taken.claim == claim and taken.key == device.key for taken in self.taken)
        if self.is_shared(device):
            return self.is_admin(requested) or not any(taken.share is None for taken in self.of(device))
        return not mine and (self.is_admin(requested) or not self.of(device))

    def is_admin(self, requested: Json) -> bool:
        return bool(requested.get("adminAccess"))

    # --- counters and groups (the page, KEP-5963) --------------------------------------------------------

    def consumers(self, pool: Pool) -> set[str]:
        """Return the devices of the pool that consume its counters, each once."""
        keys = {taken.key for taken in self.taken if self.uses(taken)}
        return {device.name for device in pool.devices if device.key in keys}

    def counters_left(self, pool: Pool, counter_set: str, counter: str) -> Fraction:
        declared = next(
            counter_set_of_pool
            for counter_set_of_pool in pool.sets()
            if counter_set_of_pool["name"] == counter_set
        )
        left = amount(declared["counters"][counter]["value"])
        names = self.consumers(pool)
        for device in pool.devices:
            if device.name in names:
                left -= self.draws(device, counter_set, counter)
        return left

    def draws(self, device: Device, counter_set: str, counter: str) -> Fraction:
        mine = [entry for entry in device.entries if entry["counterSet"] == counter_set]
        values = [
            amount(taken["counters"][counter]["value"]) for taken in mine if counter in taken["counters"]
        ]
        return sum(values, Fraction(0))

    def counted(self, device: Device) -> bool:
        """Return whether the counters suffice, or the device consumes them already."""
        if device.entries and not self.partitions:
            return False
        if self.already_draws(device):
            return True
        return all(
            amount(needed["value"]) <= self.counters_left(device.pool, entry["counterSet"], counter)
            for entry in device.entries
            for counter, needed in (entry.get("counters") or {}).items()
        )

    def already_draws(self, device: Device) -> bool:
        return self.is_shared(device) and bool(self.of(device))

    def members(self, pool: Pool, counter_set: str) -> list[frozenset[str]]:
        """Return the recorded groups of all allocations that consume a counter set."""
        published = {device.key: device for device in pool.devices}
        groups = []
        for taken in self.taken:
            if taken.key[:2] != (pool.driver, pool.name) or not self.uses(taken):
                continue
            device = published.get(taken.key)
            drawn = device is not None and counter_set in device.groups()
            if taken.groups.get(counter_set) or drawn:
                groups.append(frozenset(taken.groups.get(counter_set) or ()))
        return groups

    def have_common_group(self, members: Sequence[frozenset[str]], candidate: frozenset[str]) -> bool:
        """Return whether no member has groups, or all have a common group."""
        everyone = [*members, candidate]
        return not any(everyone) or bool(frozenset.intersection(*everyone))

    def compatible(self, device: Device) -> bool:
        groups = device.groups()
        if not self.grouping:
            locked = any(any(self.members(device.pool, name)) for name in groups)
            return not any(groups.values()) and not locked
        return all(
            self.have_common_group(self.members(device.pool, name), frozenset(mine))
            for name, mine in groups.items()
        )

    def compatible_for(self, device: Device, requested: Json) -> bool:
        """Return whether groups admit the device for a request. They do not matter for adminAccess."""
        return self.is_admin(requested) or self.compatible(device)

    # --- taints ------------------------------------------------------------------------------------------

    def untolerated(self, device: Device, requested: Json) -> list[Json]:
        tolerations = requested.get("tolerations") or ()
        return [
            taint
            for taint in device.taints
            if self.prevents(taint)
            and not any(self.tolerates(toleration, taint) for toleration in tolerations)
        ]

    def prevents(self, taint: Json) -> bool:
        return taint["effect"] in ("NoSchedule", "NoExecute")

    def tolerates(self, toleration: Json, taint: Json) -> bool:
        key, value, effect = (toleration.get(name) or "" for name in ("key", "value", "effect"))
        if effect not in ("", taint["effect"]):
            return False
        if not key and not value:
            return True
        if key not in ("", taint["key"]):
            return False
        operator = toleration.get("operator") or "Equal"
        return operator == "Exists" or (operator == "Equal" and value == (taint.get("value") or ""))

    def rule_selects(self, rule: Json, device: Device) -> bool:
        """Return whether a DeviceTaintRule taints the device. Without a selector it taints no device."""
        selector = rule["spec"].get("deviceSelector")
        if selector is None:
            return False
        identity = {"driver": device.driver, "pool": device.pool.name, "device": device.name}
        if any(selector.get(name) is not None and selector[name] != identity[name] for name in identity):
            return False
        expressions = list(selector.get("selectors") or ())
        if selector.get("deviceClassName") is not None:
            named = self.classes.get(selector["deviceClassName"])
            if named is None:
                return False
            expressions += (named.get("spec") or {}).get("selectors") or ()
        try:
            return selected(device, expressions)
        except (cel.EvaluationError, cel.CompileError):
            return False

    # --- constraints -------------------------------------------------------------------------------------

    def values(self, attribute: Json) -> frozenset[tuple[str, Json]]:
        """Return types and values of an attribute: several for a list, none for an unknown type."""
        [(kind, value)] = attribute.items()
        if kind in LISTS:
            return frozenset((kind[:-1], item) for item in value) if self.lists else frozenset()
        return frozenset({(kind, value)})

    def matching(self, values: Sequence[frozenset[tuple[str, Json]]]) -> bool:
        return not values or bool(frozenset.intersection(*values))

    def distinct(self, values: Sequence[frozenset[tuple[str, Json]]]) -> bool:
        return all(values) and len(frozenset().union(*values)) == sum(map(len, values))

    # --- the search --------------------------------------------------------------------------------------

    def alternatives_of(self, request: Json) -> list[tuple[str, Json]]:
        """Return the names in results with their requests, in order of preference."""
        if "exactly" in request:
            return [(request["name"], request["exactly"])]
        return [(f"{request['name']}/{sub['name']}", sub) for sub in request["firstAvailable"]]

    def enter(self, taken: Taken) -> None:
        self.taken.append(taken)

    def leave(self, taken: Taken) -> None:
        assert self.taken.pop() is taken

    def _claims(self, work: list[tuple[str, Json]]) -> Iterator[list[tuple[str, list[Taken]]]]:
        if not work:
            yield []
            return
        (key, claim), *rest = work
        for results in self._requests(key, claim, claim["spec"]["devices"].get("requests") or (), []):
            for others in self._claims(rest):
                yield [(key, list(results)), *others]

    def _requests(
        self, key: str, claim: Json, requests: Sequence[Json], done: list[Taken]
    ) -> Iterator[list[Taken]]:
        if not requests:
            yield done
            return
        request, *rest = requests
        spare = self.most - len(done) - sum(map(self._least, rest))
        for name, requested in self.alternatives_of(request):
            for chosen in self._alternative(key, claim, name, requested, spare, done):
                yield from self._requests(key, claim, rest, chosen)

    def _alternative(
        self, key: str, claim: Json, name: str, requested: Json, spare: int, done: list[Taken]
    ) -> Iterator[list[Taken]]:
        candidates = self.order(list(self.devices))
        if requested.get("allocationMode") == "All":
            candidates = [device for device in candidates if self.in_all(device, requested)]
        if 0 < (count := self._count(requested)) <= spare:
            yield from self._some(key, claim, name, requested, candidates, count, done)

    def _count(self, requested: Json) -> int:
        """Return the number of requested devices."""
        if requested.get("allocationMode") == "All":
            return sum(self.in_all(device, requested) for device in self.devices)
        return requested.get("count") or 1

    def _least(self, request: Json) -> int:
        """Return the smallest number of devices that satisfies a request."""
        return min(self._count(requested) for _, requested in self.alternatives_of(request))

    def _some(
        self,
        key: str,
        claim: Json,
        name: str,
        requested: Json,
        devices: list[Device],
        count: int,
        done: list[Taken],
    ) -> Iterator[list[Taken]]:
        if count == 0:
            yield done
            return
        for place, device in enumerate(devices):
            if len(devices) - place < count:
                return
            for taken in self._take(key, claim, name, requested, device, done):
                yield from self._some(
                    key, claim, name, requested, devices[place + 1 :], count - 1, [*done, taken]
                )

    def in_all(self, device: Device, requested: Json) -> bool:
        """Return whether mode All needs the device: it matches, and its total capacity is sufficient."""
        if not self.usable(device) or not self._selected(device, requested):
            return False
        for name, wanted in self._requested_capacity(requested).items():
            own = self.own_name(device, name)
            if own is None or amount(device.capacity[own]["value"]) < amount(wanted):
                return False
        return True

    def usable(self, device: Device) -> bool:
        return self.binding or not device.body.get("bindingConditions")

    def _take(
        self, key: str, claim: Json, name: str, requested: Json, device: Device, done: list[Taken]
    ) -> Iterator[Taken]:
        """Allocate the device while the caller uses the result, then release it."""
        if not (
            self.usable(device) and self.free(device, key, requested) and self._selected(device, requested)
        ):
            return
        consumed = self._consumed(device, requested)
        if consumed is None or (self.tainting and self.untolerated(device, requested)):
            return
        if not self.is_admin(requested) and not self.counted(device):
            return
        if not self.compatible_for(device, requested):
            return
        if device.entries and not self.partitions:
            return
        shared = self.is_shared(device)
        taken = Taken(
            device.key,
            self.snapshot(device),
            None,
            consumed if shared and device.capacity else None,
            self.is_admin(requested),
            key,
            name,
            device,
            requested,
        )
        if not self._constrained(claim, [*done, taken]):
            return
        taken.share = self.share_id(device) if shared else None
        self.enter(taken)
        yield taken
        self.leave(taken)

    def snapshot(self, device: Device) -> Mapping[str, Sequence[str]]:
        return {name: groups for name, groups in device.groups().items() if groups} if self.grouping else {}

    def _consumed(self, device: Device, requested: Json) -> Mapping[str, Fraction] | None:
        """Return what the request consumes of each capacity, None if one is insufficient."""
        wanted = self._requested_capacity(requested)
        if self.unknown(device, list(wanted)):
            return None
        own = {self.own_name(device, key) or key: amount(value) for key, value in wanted.items()}
        consumed: dict[str, Fraction] = {}
        for key, capacity in device.capacity.items():
            if not self.is_shared(device):
                if key in own and own[key] > amount(capacity["value"]):
                    return None
                continue
            policy = capacity.get("requestPolicy")
            value = self.rounded(policy, own[key]) if key in own else self.unrequested(capacity)
            available = amount(capacity["value"]) if self.is_admin(requested) else self.remaining(device, key)
            if value is None or not 0 <= value <= available:
                return None
            consumed[key] = value
        return consumed

    def _requested_capacity(self, requested: Json) -> Mapping[str, Json]:
        return (requested.get("capacity") or {}).get("requests") or {}

    def _constrained(self, claim: Json, results: list[Taken]) -> bool:
        for constraint in claim["spec"]["devices"].get("constraints") or ():
            names = constraint.get("requests") or ()
            kind = "matchAttribute" if "matchAttribute" in constraint else "distinctAttribute"
            values = []
            for result in results:
                if names and result.request not in names and result.request.split("/")[0] not in names:
                    continue
                assert result.device is not None
                attribute = result.device.attribute(constraint[kind])
                if not attribute:
                    return False
                values.append(self.values(attribute))
            if not (self.matching(values) if kind == "matchAttribute" else self.distinct(values)):
                return False
        return True

    def _selected(self, device: Device, requested: Json) -> bool:
        selectors = (
            *((self.classes[requested["deviceClassName"]].get("spec") or {}).get("selectors") or ()),
            *(requested.get("selectors") or ()),
        )
        key = (device, repr(selectors))
        if key not in self.selections:
            self.selections[key] = selected(device, selectors, sharing=self.sharing)
        return self.selections[key]

    # --- the inventory ----------------------------------------------------------------------------------

    def _key(self, claim: Json) -> str:
        return f"{claim['metadata'].get('namespace') or 'default'}/{claim['metadata']['name']}"

    def _read_inventory(self, objects: Json) -> None:
        """Find the devices that the node can access in valid, complete pools, and taint them."""
        self.devices: list[Device] = []
        self.unusable = ""
        for pool in self.pools(objects.get("resourceSlices") or ()):
            reachable = [
                device
                for device in pool.devices
                if self.is_accessible(device.source())
                and (self.partitions or device.spec.get("perDeviceNodeSelection") is None)
            ]
            if not self.complete(pool) or not pool.valid(counters=self.partitions):
                if reachable or any(
                    self.is_accessible(resource_slice["spec"]) for resource_slice in pool.slices
                ):
                    self.unusable = "PoolInvalid" if self.complete(pool) else "PoolIncomplete"
                continue
            self.devices += reachable
        if self.rules:
            for device in self.devices:
                rules = objects.get("deviceTaintRules") or ()
                device.taints += [rule["spec"]["taint"] for rule in rules if self.rule_selects(rule, device)]

    def pools(self, slices: Sequence[Json]) -> Iterator[Pool]:
        return pools_of(slices)

    def complete(self, pool: Pool) -> bool:
        return all(
            len(pool.slices) == resource_slice["spec"]["pool"]["resourceSliceCount"]
            for resource_slice in pool.slices
        )

    def is_accessible(self, source: Json) -> bool:
        return reaches(source, self.node)

    def _held(self, claim: Json) -> Iterator[Taken]:
        allocation = (claim.get("status") or {}).get("allocation") or {}
        for result in (allocation.get("devices") or {}).get("results") or ():
            consumed = result.get("consumedCapacity") or {}
            yield Taken(
                (result["driver"], result["pool"], result["device"]),
                result.get("compatibilityGroups") or {},
                result.get("shareID") if self.sharing else None,
                {key: amount(value) for key, value in consumed.items()},
                bool(result.get("adminAccess")),
            )

    def _validate(self, claim: Json) -> None:
        requests = claim["spec"]["devices"].get("requests") or ()
        for request in requests:
            if "exactly" not in request and not self.alternatives:
                raise CannotAllocate(
                    "a request has firstAvailable, expected none with DRAPrioritizedList off",
                    "FeatureDisabled",
                )
            for _, requested in self.alternatives_of(request):
                self._validate_one(requested)
        least = sum(map(self._least, requests))
        if least > self.most:
            raise CannotAllocate(
                f"{least} devices are requested, expected at most {self.most}", "ClaimLimitExceeded"
            )

    def _validate_one(self, requested: Json) -> None:
        if requested["deviceClassName"] not in self.classes:
            raise CannotAllocate(
                f"DeviceClass {requested['deviceClassName']} does not exist", "ClassNotFound"
            )
        if requested.get("capacity") is not None and not self.sharing:
            raise CannotAllocate(
                "capacity is requested, expected none with DRAConsumableCapacity off", "FeatureDisabled"
            )
        if requested.get("adminAccess") is not None and not self.admin:
            raise CannotAllocate(
                "adminAccess is requested, expected none with DRAAdminAccess off", "FeatureDisabled"
            )
        mode = requested.get("allocationMode") or "ExactCount"
        if mode not in ("ExactCount", "All"):
            raise CannotAllocate(f"unknown allocationMode {mode}", "UnsupportedRequest")
        if mode == "All" and self.unusable:
            raise CannotAllocate(
                "allocationMode All is requested and a pool is invalid or incomplete", self.unusable
            )

    # --- the answer ------------------------------------------------------------------------------------

    def _allocation(self, claim: Json, results: list[Taken]) -> Json:
        allocation: dict[str, Json] = {
            "devices": {
                "results": [self.result(result) for result in results],
                "config": self.config(claim, results),
            }
        }
        selector = self.node_selector([result.device for result in results if result.device is not None])
        if selector:
            allocation["nodeSelector"] = {"nodeSelectorTerms": selector}
        return allocation

    def node_selector(self, devices: Sequence[Device]) -> list[Json]:
        """Return the terms that match the nodes with access to all devices, none if every node has."""
        terms: list[Json] = [{}]
        for device in devices:
            source = device.source()
            if source.get("nodeName") or (self.binding and device.body.get("bindsToNode")):
                term = {"key": "metadata.name", "operator": "In", "values": [self.node.metadata.name]}
                return [{"matchFields": [term]}]
            mine = (source.get("nodeSelector") or {}).get("nodeSelectorTerms") or [{}]
            terms = [
                {
                    part: [*have.get(part, ()), *(more.get(part) or ())]
                    for part in ("matchExpressions", "matchFields")
                    if have.get(part) or more.get(part)
                }
                for have in terms
                for more in mine
            ]
        return [] if terms == [{}] else terms

    def config(self, claim: Json, results: list[Taken]) -> list[Json]:
        """Return the configuration of the DeviceClasses of the chosen requests, then of the claim."""
        spec = claim["spec"]["devices"]
        chosen = {result.request: result.requested for result in results}
        used = [
            (name, requested)
            for request in spec.get("requests") or ()
            for name, requested in self.alternatives_of(request)
            if name in chosen
        ]
        by_class: dict[str, list[str]] = {}
        for name, requested in used:
            by_class.setdefault(requested["deviceClassName"], []).append(name)
        entries = [
            {**entry, "source": "FromClass", "requests": names}
            for of, names in by_class.items()
            for entry in (self.classes[of].get("spec") or {}).get("config") or ()
        ]
        names = {part for name, _ in used for part in (name, name.split("/")[0])}
        for entry in spec.get("config") or ():
            if not entry.get("requests") or names & set(entry["requests"]):
                entries.append({**entry, "source": "FromClaim", "requests": entry.get("requests") or []})
        return entries

    def result(self, taken: Taken) -> Json:
        device = taken.device
        assert device is not None
        body: dict[str, Json] = {
            "request": taken.request,
            "driver": device.driver,
            "pool": device.pool.name,
            "device": device.name,
        }
        if taken.admin:
            body["adminAccess"] = True
        if taken.requested.get("tolerations"):
            body["tolerations"] = taken.requested["tolerations"]
        for name in ("bindingConditions", "bindingFailureConditions"):
            if device.body.get(name) is not None:
                body[name] = device.body[name]
        if taken.share is not None:
            body["shareID"] = taken.share
        if taken.consumed is not None:
            body["consumedCapacity"] = {
                key: text_of(value) for key, value in self.recorded(taken.consumed).items()
            }
        if taken.groups:
            body["compatibilityGroups"] = taken.groups
        return body
