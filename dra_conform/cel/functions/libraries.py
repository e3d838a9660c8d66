"""The functions that Kubernetes adds to standard CEL for device selectors."""

from __future__ import annotations

from dra_conform.cel.functions import (
    cidr,
    formats,
    includes,
    ip,
    list_extension,
    lists,
    optionals,
    quantities,
    regex,
    semver,
    sets,
    strings,
    url,
)
from dra_conform.cel.functions.overloads import Overload

OVERLOADS: tuple[Overload, ...] = (
    *quantities.OVERLOADS,
    *semver.OVERLOADS,
    *strings.OVERLOADS,
    *lists.OVERLOADS,
    *list_extension.OVERLOADS,
    *regex.OVERLOADS,
    *sets.OVERLOADS,
    *optionals.OVERLOADS,
    *includes.OVERLOADS,
    *ip.OVERLOADS,
    *cidr.OVERLOADS,
    *url.OVERLOADS,
    *formats.OVERLOADS,
)
"""The overloads of all libraries, without the standard functions."""
