"""The size limits of the API: the bound, where it applies, and the reported error."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass

from dra_conform.apiserver.response import FieldErrors
from dra_conform.kube.errors import ErrorType


@dataclass(frozen=True, slots=True)
class Limit:
    """The maximum size of the value at `path` (`[]` is each item of a list, `{}` each value of a map)."""

    bound: int
    path: str
    error: ErrorType

    def allows(self, items: Sized, path: str, errors: FieldErrors) -> bool:
        """Whether the items of a list or map are to be validated; a list above the bound is reported."""
        if len(items) <= self.bound:
            return True
        self.exceeded(path, len(items), errors)
        return errors.long_lists_validated

    def exceeded(self, path: str, size: int, errors: FieldErrors) -> None:
        """Report that `size` exceeds the bound."""
        match self.error:
            case ErrorType.TOO_MANY:
                errors.too_many(path, size, self.bound)
            case ErrorType.TOO_LONG:
                errors.too_long(path, self.bound)
            case _:
                errors.invalid(path, size, f"the total number must not exceed {self.bound}")


_MANY, _LONG, _INVALID = ErrorType.TOO_MANY, ErrorType.TOO_LONG, ErrorType.INVALID

DEVICES = Limit(128, "slice spec.devices", _MANY)
DEVICES_WITH_FEATURES = Limit(64, "slice spec.devices, if one has taints, counters or lists", _MANY)
ATTRIBUTES_AND_CAPACITIES = Limit(32, "slice spec.devices[]", _INVALID)
ATTRIBUTE_VALUES = Limit(48, "slice spec.devices[]", _INVALID)
ATTRIBUTE_LENGTH = Limit(64, "slice spec.devices[].attributes{}.string", _LONG)
VALID_VALUES = Limit(10, "slice spec.devices[].capacity{}.requestPolicy.validValues", _MANY)
TAINTS = Limit(16, "slice spec.devices[].taints", _MANY)
TAINTS_BEFORE_1_35 = Limit(4, "slice spec.devices[].taints", _MANY)
BINDING_CONDITIONS = Limit(4, "slice spec.devices[].bindingConditions", _MANY)
CONSUMPTIONS = Limit(2, "slice spec.devices[].consumesCounters", _MANY)
CONSUMED_COUNTERS = Limit(32, "slice spec.devices[].consumesCounters[].counters", _MANY)
COMPATIBILITY_GROUPS = Limit(2, "slice spec.devices[].consumesCounters[].compatibilityGroups", _MANY)
COUNTER_SETS = Limit(8, "slice spec.sharedCounters", _MANY)
COUNTERS = Limit(32, "slice spec.sharedCounters[].counters", _MANY)
COUNTERS_OF_SLICE = Limit(32, "slice spec.sharedCounters, before 1.35 over all sets", _INVALID)
COUNTERS_OF_DEVICE = Limit(32, "slice spec.devices[], before 1.35 over all its sets", _INVALID)
COUNTERS_OF_DEVICES = Limit(1024, "slice spec.devices, before 1.35 over all devices", _INVALID)

REQUESTS = Limit(32, "claim spec.devices.requests", _MANY)
SUBREQUESTS = Limit(8, "claim spec.devices.requests[].firstAvailable", _MANY)
CONSTRAINTS = Limit(32, "claim spec.devices.constraints", _MANY)
CONFIG = Limit(32, "claim spec.devices.config, class spec.config", _MANY)
TOLERATIONS = Limit(16, "claim spec.devices.requests[].exactly.tolerations, and those of results", _MANY)
REQUEST_REFERENCES = Limit(32, "claim spec.devices.constraints[].requests", _MANY)
SELECTORS = Limit(32, "claim spec.devices.requests[].exactly.selectors, class spec.selectors", _MANY)
EXPRESSION_LENGTH = Limit(10 * 1024, "selectors[].cel.expression", _LONG)
EXPRESSION_COST = 1_000_000
"""The maximum estimated cost of an expression in CEL cost units; a higher cost is Forbidden."""
PARAMETERS_LENGTH = Limit(10 * 1024, "config[].opaque.parameters", _LONG)

RESULTS = Limit(32, "claim status.allocation.devices.results", _MANY)
ALLOCATED_CONFIG = Limit(64, "claim status.allocation.devices.config", _MANY)
RESERVED_FOR = Limit(256, "claim status.reservedFor", _MANY)
DEVICE_CONDITIONS = Limit(8, "claim status.devices[].conditions", _MANY)
DEVICE_DATA_LENGTH = Limit(10 * 1024, "claim status.devices[].data", _LONG)
INTERFACE_NAME_LENGTH = Limit(256, "claim status.devices[].networkData.interfaceName", _LONG)
HARDWARE_ADDRESS_LENGTH = Limit(128, "claim status.devices[].networkData.hardwareAddress", _LONG)
IPS = Limit(16, "claim status.devices[].networkData.ips", _MANY)

RULE_CONDITIONS = Limit(8, "rule status.conditions", _MANY)

DRIVER_LENGTH = Limit(63, "driver, the domain of a qualified name", _LONG)
IDENTIFIER_LENGTH = Limit(32, "the name of a qualified name", _LONG)
POOL_LENGTH = Limit(253, "pool, pool.name", _LONG)
ANNOTATIONS_SIZE = Limit(256 * 1024, "metadata.annotations", _LONG)
