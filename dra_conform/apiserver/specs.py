"""A cache of decoded specs, since many objects such as claims of one template have equal specs."""

from __future__ import annotations

import marshal
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from dra_conform.apiserver.decoding import Undecodable, decode
from dra_conform.apiserver.strategy import Review, Strategy
from dra_conform.apiserver.trees import SharedTree, StoredMetadata, Tree, encode
from dra_conform.kube import core

_MAX_BYTES = 4096
"""The maximum length in bytes of a cached spec."""
_MAX_SPECS = 4096
"""The maximum number of cached specs; the least recently used one is removed first."""
_NODE_NAME = "nodeName"
"""The last field of a bound pod's spec, in which otherwise equal pods differ."""
_MARSHAL_VERSION = 2
"""The version of the marshal format in which equal values have equal bytes."""

_read: OrderedDict[tuple[object, ...], SharedTree] = OrderedDict()
"""The cached specs, which never become invalid, because each depends on its key only."""


def read(raw: Mapping[str, Any], strategy: Strategy, review: Review) -> tuple[Tree, list[str]]:
    """Return the tree of an object and a warning for each unknown field, like `decode`; raise Undecodable.

    A shared spec has its defaults already.
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
    """Return the cached spec, None for a spec that cannot be cached: too long, malformed, or with unknown
    fields."""
    if not strategy.specs_shared or review.version != "v1" or not isinstance(spec, dict):
        return None
    if strategy.type is core.Pod and next(reversed(spec), "") == _NODE_NAME:
        return _with_node_name(spec, strategy, review)
    return _cached(spec, strategy, review)


def _with_node_name(spec: dict[str, Any], strategy: Strategy, review: Review) -> SharedTree | None:
    """Return the spec of a bound pod from the cached spec of the unbound pod."""
    before = {name: value for name, value in spec.items() if name != _NODE_NAME}
    unbound, node = _cached(before, strategy, review), spec[_NODE_NAME]
    plain = isinstance(node, str) and node.isascii() and node
    if unbound is None or not plain or unbound.json.keys() != before.keys():
        return _cached(spec, strategy, review)
    return SharedTree({**unbound, _NODE_NAME: node}, {**unbound.json, _NODE_NAME: node})


def _cached(spec: dict[str, Any], strategy: Strategy, review: Review) -> SharedTree | None:
    try:
        encoded = marshal.dumps(spec, _MARSHAL_VERSION)
    except ValueError:
        return None  # The spec has values that JSON does not have.
    if len(encoded) > _MAX_BYTES:
        return None
    profile = review.profile
    key = (strategy.type, profile.name, profile.on, profile.retained, encoded)
    cached = _read.get(key)
    if cached is None:
        cached = _decoded(spec, strategy, review)
        if cached is None:
            return None
        _read[key] = cached
        if len(_read) > _MAX_SPECS:
            _read.popitem(last=False)
    else:
        _read.move_to_end(key)
    return cached


def _decoded(spec: dict[str, Any], strategy: Strategy, review: Review) -> SharedTree | None:
    try:
        tree, warnings = decode({"spec": spec}, strategy.type, review.version, review.profile)
    except Undecodable:
        return None
    if warnings or "spec" not in tree:
        return None
    strategy.default(tree, review)
    return SharedTree(tree["spec"], encode(tree["spec"], not review.switches.trailing_zeros_lost))
