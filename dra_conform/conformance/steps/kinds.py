"""The kinds of objects in sentences: as in the API, except `pod`, `node` and `namespace`."""

from __future__ import annotations

import re

from dra_conform.kube.objects import COLLECTIONS

_KIND_OF = {kind.lower() if kind in ("Pod", "Node", "Namespace") else kind: kind for kind in COLLECTIONS}

KINDS = "|".join(_KIND_OF)
"""The regular expression of a kind in a sentence."""


def kind_and_name(match: re.Match[str]) -> dict[str, str]:
    """Return the parameters `kind` and `name` from the match of a phrase that has both fields."""
    return {"kind": _KIND_OF[match["kind"]], "name": match["name"]}


def kind_in(match: re.Match[str]) -> str:
    """Return the kind from the match of a phrase with the field `kind`."""
    return _KIND_OF[match["kind"]]
