"""The error paths of an object that was written in v1beta1.

Most rules look at the form that all versions share and report its paths. Since 1.37 some are declared with
the types of each version, and report the paths of the version written in.
"""

from __future__ import annotations

import re
from dataclasses import replace

from dra_conform.kube.field_error import ErrorType, FieldError

_EVERY_TYPE = frozenset(ErrorType)
_TOO_MANY = frozenset({ErrorType.TOO_MANY})
_KEY = r"\[[^\]]*\]"

_OF_DEVICES = (
    (rf"attributes{_KEY}", _EVERY_TYPE),
    (rf"nodeAllocatableResources{_KEY}\.mapping", _EVERY_TYPE),
    (r"consumesCounters", _EVERY_TYPE),
    (rf"consumesCounters{_KEY}", _EVERY_TYPE),
    (rf"consumesCounters{_KEY}\.counterSet", _EVERY_TYPE),
    (rf"consumesCounters{_KEY}\.counters", _EVERY_TYPE - _TOO_MANY),
    (rf"consumesCounters{_KEY}\.compatibilityGroups({_KEY})?", _EVERY_TYPE),
    (rf"taints{_KEY}\.effect", _EVERY_TYPE),
    (r"bindingConditions", _TOO_MANY),
    (r"bindingFailureConditions", _TOO_MANY),
)
_OF_REQUESTS = (
    (r"selectors", _TOO_MANY),
    (r"allocationMode", _EVERY_TYPE),
    (rf"tolerations{_KEY}\.(key|operator|effect)", _EVERY_TYPE),
)
"""The declared rules, by the path below a device or a request and the types of their errors."""

_DEVICE = re.compile(rf"(spec\.devices{_KEY})\.(.*)")
_REQUEST = re.compile(rf"((?:spec\.)?spec\.devices\.requests{_KEY})\.exactly\.(.*)")


def in_v1beta1(error: FieldError) -> FieldError:
    """The error with the path that an API server since 1.37 gives for an object written in v1beta1."""
    if error.path.endswith(".allocationMode") and not error.value:
        return error  # v1beta1 has requests without a mode, so that one is missing is not declared wrong
    for pattern, rows, between in ((_DEVICE, _OF_DEVICES, ".basic."), (_REQUEST, _OF_REQUESTS, ".")):
        found = pattern.fullmatch(error.path)
        if found and any(error.type in types and re.fullmatch(path, found[2]) for path, types in rows):
            return replace(error, path=f"{found[1]}{between}{found[2]}")
    return error
