"""The error paths of objects written in v1beta1.

Most rules validate the internal version and report its paths. Since 1.37 some rules are declarative, and
report the paths of the written version.
"""

from __future__ import annotations

import re
from dataclasses import replace

from dra_conform.kube.field_error import ErrorType, FieldError

_EVERY_TYPE = frozenset(ErrorType)
_TOO_MANY = frozenset({ErrorType.TOO_MANY})
_KEY = r"\[[^\]]*\]"

_DEVICE_RULES = (
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
_REQUEST_RULES = (
    (r"selectors", _TOO_MANY),
    (r"allocationMode", _EVERY_TYPE),
    (rf"tolerations{_KEY}\.(key|operator|effect)", _EVERY_TYPE),
)
"""The declarative rules by path below a device or a request, with the types of their errors."""

_DEVICE = re.compile(rf"(spec\.devices{_KEY})\.(.*)")
_REQUEST = re.compile(rf"((?:spec\.)?spec\.devices\.requests{_KEY})\.exactly\.(.*)")


def in_v1beta1(error: FieldError) -> FieldError:
    """Return the error with the path that API servers since 1.37 report for v1beta1."""
    if error.path.endswith(".allocationMode") and not error.value:
        return error  # No declarative rule requires a mode, since v1beta1 has requests without one.
    for pattern, rows, between in ((_DEVICE, _DEVICE_RULES, ".basic."), (_REQUEST, _REQUEST_RULES, ".")):
        match = pattern.fullmatch(error.path)
        if match and any(error.type in types and re.fullmatch(path, match[2]) for path, types in rows):
            return replace(error, path=f"{match[1]}{between}{match[2]}")
    return error
