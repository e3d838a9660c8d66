"""Specs that many objects have in common, such as claims of one template: each is read once."""

from __future__ import annotations

import marshal
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from dra_conform.controlplane.apiserver.decoding import Undecodable, decode
from dra_conform.controlplane.apiserver.strategy import Review, Strategy
from dra_conform.controlplane.apiserver.trees import SharedTree, StoredMetadata, Tree, encode
from dra_conform.kube import core

_LONGEST = 4096
"""The bytes of a spec beyond which it is read each time."""
_MOST = 4096
"""How many specs are kept; the one that was asked for longest ago goes first."""
_OF_ONE = "nodeName"
"""What the spec of a pod gets at last, and pods that are alike do not share."""
_FORM = 2
"""The form of marshal in which equal values are equal bytes."""

_read: OrderedDict[tuple[object, ...], SharedTree] = OrderedDict()
"""What was read depends on the key alone, so that nothing here can become wrong."""


def read(raw: Mapping[str, Any], strategy: Strategy, review: Review) -> tuple[Tree, list[str]]:
    """The tree of an object and a warning for each unknown field, as of `decode`; the spec with its defaults
    where it is shared.

    Raises Undecodable.
    """
    known: Tree = {}
    spec, metadata = _shared(raw.get("spec"), strategy, review), raw.get("metadata")
    if spec is not None:
        known["spec"] = spec
    if isinstance(metadata, StoredMetadata):
        known["metadata"] = metadata
    others = {name: value for name, value in raw.items() if name not in known}
    tree, warnings = decode(others, strategy.type, review.version, review.profile)
    tree |= known
    return {name: tree[name] for name in raw if name in tree}, warnings


def _shared(spec: Any, strategy: Strategy, review: Review) -> SharedTree | None:
    """None for a spec that is read by itself: a long one, or one with something wrong or unknown in it."""
    if not strategy.specs_shared or review.version != "v1" or not isinstance(spec, dict):
        return None
    if strategy.type is core.Pod and next(reversed(spec), "") == _OF_ONE:
        return _on_its_node(spec, strategy, review)
    return _as_read_before(spec, strategy, review)


def _on_its_node(spec: dict[str, Any], strategy: Strategy, review: Review) -> SharedTree | None:
    """The spec of a pod that was bound: that of the pod before, and then its node."""
    before = {name: value for name, value in spec.items() if name != _OF_ONE}
    found, node = _as_read_before(before, strategy, review), spec[_OF_ONE]
    plain = isinstance(node, str) and node.isascii() and node
    if found is None or not plain or found.json.keys() != before.keys():
        return _as_read_before(spec, strategy, review)
    return SharedTree({**found, _OF_ONE: node}, {**found.json, _OF_ONE: node})


def _as_read_before(spec: dict[str, Any], strategy: Strategy, review: Review) -> SharedTree | None:
    try:
        text = marshal.dumps(spec, _FORM)
    except ValueError:
        return None  # it has values that JSON does not have
    if len(text) > _LONGEST:
        return None
    key = (strategy.type, review.profile.name, review.profile.on, text)
    found = _read.get(key)
    if found is None:
        found = _made(spec, strategy, review)
        if found is None:
            return None
        _read[key] = found
        if len(_read) > _MOST:
            _read.popitem(last=False)
    else:
        _read.move_to_end(key)
    return found


def _made(spec: dict[str, Any], strategy: Strategy, review: Review) -> SharedTree | None:
    try:
        tree, warnings = decode({"spec": spec}, strategy.type, review.version, review.profile)
    except Undecodable:
        return None
    if warnings or "spec" not in tree:
        return None
    strategy.default(tree, review)
    return SharedTree(tree["spec"], encode(tree["spec"]))
