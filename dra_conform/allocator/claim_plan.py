"""A claim prepared for the search: its requests are checked, defaulted and expanded."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from dra_conform.allocator.allocation_decision import Failed, Stop
from dra_conform.allocator.capacity_needs import CapacityNeeds
from dra_conform.allocator.constraints import (
    ConstraintState,
    DistinctAttribute,
    DistinctAttributeByRequest,
    MatchAttribute,
)
from dra_conform.allocator.eligibility import Selectors
from dra_conform.kube.category import Category
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import (
    ALL,
    EXACT_COUNT,
    CapacityRequirements,
    DeviceClass,
    DeviceConstraint,
    DeviceRequest,
    DeviceSelector,
    DeviceSubRequest,
    DeviceToleration,
    ExactDeviceRequest,
    ResourceClaim,
)
from dra_conform.kube.switches.allocation import AllocationSwitches

RESULTS_MAX = 32
"""The most devices of a claim (AllocationResultsMaxSize)."""


@dataclass(slots=True, eq=False)
class Slot:
    """A request or one subrequest of a prioritized list, prepared for the search.

    `every` has the devices that allocationMode All needs, None for ExactCount. `admin` is adminAccess.
    """

    request: str
    subrequest: str
    device_class: DeviceClass
    count: int
    selectors: Selectors
    needs: CapacityNeeds
    tolerations: tuple[DeviceToleration, ...]
    constraints: tuple[ConstraintState, ...]
    every: tuple[int, ...] | None = None
    admin: bool = False

    @property
    def name(self) -> str:
        """Return the name in allocation results: `request`, or `request/subrequest`."""
        return f"{self.request}/{self.subrequest}" if self.subrequest else self.request


@dataclass(slots=True, eq=False)
class RequestPlan:
    """The slots of a request in order of preference; only a prioritized list has several.

    `admin` is adminAccess, which a prioritized list cannot have. `least` is the smallest number of devices
    that the request can get.
    """

    name: str
    slots: tuple[Slot, ...]
    is_list: bool
    admin: bool = field(init=False)
    least: int = field(init=False)

    def __post_init__(self) -> None:
        self.admin = self.slots[0].admin
        self.least = min(slot.count for slot in self.slots)


@dataclass(slots=True, eq=False)
class ClaimPlan:
    """A claim, its label for messages (`namespace/name`), and its prepared requests."""

    claim: ResourceClaim
    label: str
    requests: tuple[RequestPlan, ...]


SelectorsOf = Callable[[DeviceClass, tuple[DeviceSelector, ...]], Selectors]
NeedsOf = Callable[[Mapping[str, Quantity]], CapacityNeeds]
AllOf = Callable[[str, str, str, Selectors, CapacityNeeds], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Planner:
    """Prepares claims for the search on a node.

    `selectors_of`, `needs_of` and `all_of` evaluate selectors, capacity requests and allocationMode All on
    the devices of the node.
    """

    switches: AllocationSwitches
    classes: Mapping[str, DeviceClass]
    selectors_of: SelectorsOf
    needs_of: NeedsOf
    all_of: AllOf
    plans: dict[Hashable, RequestPlan] = field(default_factory=dict)

    def plan(self, claim: ResourceClaim) -> ClaimPlan:
        """Return the plan of a claim. Raise Stop for the error that kube-scheduler finds first."""
        label = f"{claim.metadata.namespace}/{claim.metadata.name}".lstrip("/")
        spec = claim.spec.devices
        constraints = [self._constraint(item, spec.requests) for item in spec.constraints]
        known = [constraint for constraint in constraints if constraint is not None]
        requests = tuple(
            self._request(label, request, known) if known else self._known(label, request)
            for request in spec.requests
        )
        least = sum([request.least for request in requests])
        if least > RESULTS_MAX:
            raise _failed(
                Category.CLAIM_LIMIT_EXCEEDED,
                f"claim {label}: number of requested devices {least} exceeds the claim limit of "
                f"{RESULTS_MAX}",
            )
        if len(known) < len(constraints):
            place = constraints.index(None)
            raise _failed(
                Category.CONSTRAINT_INVALID,
                f"claim {label}, constraint #{place}: empty constraint (unsupported constraint type?)",
            )
        return ClaimPlan(claim, label, requests)

    def _known(self, claim: str, request: DeviceRequest) -> RequestPlan:
        """Return the cached plan of a request without constraints; equal requests share it."""
        exactly = request.exactly
        if exactly is None or request.first_available or exactly.allocation_mode == ALL:
            return self._request(claim, request, [])
        capacity = exactly.capacity
        key = (
            request.name,
            exactly.device_class_name,
            exactly.selectors,
            exactly.allocation_mode,
            exactly.count,
            exactly.admin_access,
            exactly.tolerations,
            None
            if capacity is None
            else tuple((name, q.nano, q.format) for name, q in capacity.requests.items()),
        )
        plan = self.plans.get(key)
        if plan is None:
            plan = self.plans[key] = self._request(claim, request, [])
        return plan

    def _constraint(
        self, item: DeviceConstraint, requests: Sequence[DeviceRequest]
    ) -> ConstraintState | None:
        switches = self.switches
        lists = switches.features.list_attributes
        if item.match_attribute is not None:
            stays = switches.constraints.list_intersection_stays
            return MatchAttribute(item.match_attribute, item.requests, lists=lists, stays=stays)
        if item.distinct_attribute is None or not switches.constraints.distinct_known:
            return None
        if not switches.constraints.distinct_by_request:
            return DistinctAttribute(item.distinct_attribute, item.requests, lists=lists)
        return DistinctAttributeByRequest(
            item.distinct_attribute,
            item.requests,
            lists=lists,
            forgets=any(map(_takes_several, requests)),
            never_equal=switches.constraints.distinct_compares_devices,
        )

    def _request(self, claim: str, request: DeviceRequest, constraints: list[ConstraintState]) -> RequestPlan:
        where = f"claim {claim}, request {request.name}"
        if request.first_available:
            if not self.switches.features.prioritized_list:
                raise _failed(
                    Category.FEATURE_DISABLED,
                    f"{where}: has subrequests, but the DRAPrioritizedList feature is disabled",
                )
            for sub in request.first_available:
                self._check_capacity(f"claim {claim}, subrequest {sub.name}", sub.capacity)
            slots: tuple[Slot, ...] = ()
            for sub in request.first_available:
                slots += (self._slot(claim, request.name, sub.name, sub, constraints, slots),)
            return RequestPlan(request.name, slots, is_list=True)
        exactly = request.exactly
        if exactly is None:
            raise _failed(Category.UNSUPPORTED_REQUEST, f"{where}: unknown request type")
        self._check_capacity(where, exactly.capacity)
        return RequestPlan(
            request.name, (self._slot(claim, request.name, "", exactly, constraints),), is_list=False
        )

    def _check_capacity(self, where: str, capacity: CapacityRequirements | None) -> None:
        switches = self.switches
        if capacity is None or switches.features.consumable_capacity or not switches.capacity.off_is_error:
            return
        raise _failed(
            Category.FEATURE_DISABLED,
            f"{where}: has capacity requests, but the DRAConsumableCapacity feature is disabled",
        )

    def _slot(
        self,
        claim: str,
        request: str,
        subrequest: str,
        requested: ExactDeviceRequest | DeviceSubRequest,
        constraints: list[ConstraintState],
        earlier: tuple[Slot, ...] = (),
    ) -> Slot:
        where = f"claim {claim}, request {subrequest or request}"
        for place, selector in enumerate(requested.selectors):
            if selector.cel is None:
                raise _failed(
                    Category.UNSUPPORTED_REQUEST,
                    f"{where}, selector #{place}: CEL expression empty (unsupported selector type?)",
                )
        if requested.derived_attributes and self.switches.derived_attributes_known:
            raise _failed(
                Category.FEATURE_DISABLED, f"{where}: has derived attributes, but that feature is disabled"
            )
        admin = self._admin_access(where, requested)
        name = requested.device_class_name
        if not name:
            raise _failed(
                Category.UNSUPPORTED_REQUEST,
                f"{where}: missing device class name (unsupported request type?)",
            )
        device_class = self.classes.get(name)
        if device_class is None:
            raise _failed(
                Category.CLASS_NOT_FOUND,
                f"{where}: could not retrieve device class {name}: "
                f'deviceclass.resource.k8s.io "{name}" not found',
            )
        selectors = self.selectors_of(device_class, requested.selectors)
        needs = self.needs_of(requested.capacity.requests if requested.capacity is not None else {})
        mode, every = requested.allocation_mode or EXACT_COUNT, None
        if mode == ALL:
            confused = self.switches.all_mode.confuses_subrequests and len(earlier) == 1
            selecting = earlier[0].selectors if confused and earlier[0].every is not None else selectors
            every = self.all_of(claim, request, subrequest, selecting, needs)
        elif mode != EXACT_COUNT:
            raise _failed(Category.UNSUPPORTED_REQUEST, f"{where}: unsupported count mode {mode}")
        return Slot(
            request=request,
            subrequest=subrequest,
            device_class=device_class,
            count=len(every) if every is not None else requested.count or 1,
            selectors=selectors,
            needs=needs,
            tolerations=requested.tolerations,
            constraints=tuple(item for item in constraints if item.covers(request, subrequest)),
            every=every,
            admin=admin,
        )

    def _admin_access(self, where: str, requested: ExactDeviceRequest | DeviceSubRequest) -> bool:
        """Whether the request has adminAccess; a subrequest never has."""
        if not isinstance(requested, ExactDeviceRequest) or requested.admin_access is None:
            return False
        if not self.switches.features.admin_access:
            raise _failed(
                Category.FEATURE_DISABLED, f"{where}: admin access is requested, but the feature is disabled"
            )
        return requested.admin_access


def _takes_several(request: DeviceRequest) -> bool:
    """Whether a request or one of its subrequests may get more than one device."""
    exact = (request.exactly,) if request.exactly is not None else request.first_available
    return any(item.allocation_mode == ALL or (item.count or 1) > 1 for item in exact)


def _failed(category: Category, message: str) -> Stop:
    return Stop(Failed(category, message))
