"""The kinds of objects in sentences: as in the API, except `pod`, `node` and `namespace`."""

from __future__ import annotations

import re

from dra_conform.kube.objects import COLLECTIONS

_KIND_OF = {kind.lower() if kind in ("Pod", "Node", "Namespace") else kind: kind for kind in COLLECTIONS}

KINDS = "|".join(_KIND_OF)
"""The regular expression of a kind in a sentence."""


def kind_and_name(found: re.Match[str]) -> dict[str, str]:
    """Return `kind` and `name` of a phrase with these fields."""
    return {"kind": _KIND_OF[found["kind"]], "name": found["name"]}


def kind_in(found: re.Match[str]) -> str:
    """Return the kind of a phrase with the field `kind`."""
    return _KIND_OF[found["kind"]]
