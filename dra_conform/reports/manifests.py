"""The setup of a case as manifests for `kubectl apply`."""

from __future__ import annotations

import yaml

from dra_conform.conformance.case import Case
from dra_conform.reports.plain import plain

_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


def manifests(case: Case) -> str:
    """Return the objects of a case as YAML documents in ASCII, in an order in which they can be applied."""
    documents = [
        yaml.dump(plain(item), Dumper=_DUMPER, sort_keys=False, allow_unicode=False).rstrip("\n")
        for objects in case.objects.values()
        for item in objects
    ]
    return "\n---\n".join(documents)
