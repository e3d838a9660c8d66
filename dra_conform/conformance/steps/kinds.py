"""Kinds of objects in sentences: as the API writes them, but Pod, Node and Namespace in small letters."""

from __future__ import annotations

import re

from dra_conform.kube.objects import COLLECTIONS

_KIND_OF = {kind.lower() if kind in ("Pod", "Node", "Namespace") else kind: kind for kind in COLLECTIONS}

KINDS = "|".join(_KIND_OF)
"""The expression for the word of a kind."""


def kind_and_name(found: re.Match[str]) -> dict[str, str]:
    """The members `kind` and `name` of a phrase with these names."""
    return {"kind": _KIND_OF[found["kind"]], "name": found["name"]}


def kind_in(found: re.Match[str]) -> str:
    """The kind of a phrase with this name."""
    return _KIND_OF[found["kind"]]
