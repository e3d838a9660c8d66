"""Admission of one write: decode, set defaults, drop disabled fields, validate, and encode.

Most rules validate the internal version and report its paths. Since 1.37 some rules are declarative, and
report the paths of the written version, v1beta1 too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from dra_conform.apiserver import metadata
from dra_conform.apiserver.decoding import Undecodable
from dra_conform.apiserver.kinds import STRATEGIES, serves
from dra_conform.apiserver.response import Admitted, Crash, FieldErrors, Rejected, StatusReason
from dra_conform.apiserver.specs import read
from dra_conform.apiserver.strategy import (
    Part,
    Review,
    Strategy,
    Surroundings,
    Verb,
    WriteRequest,
)
from dra_conform.apiserver.trees import Tree, encode
from dra_conform.kube.errors import ErrorType, FieldError
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.api_server import ApiServerSwitches
from dra_conform.kube.versions import from_v1, to_v1

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


def _in_v1beta1(error: FieldError) -> FieldError:
    """Return the error with the path that API servers since 1.37 report for v1beta1."""
    if error.path.endswith(".allocationMode") and not error.value:
        return error  # No declarative rule requires a mode, since v1beta1 has requests without one.
    for pattern, rows, between in ((_DEVICE, _DEVICE_RULES, ".basic."), (_REQUEST, _REQUEST_RULES, ".")):
        match = pattern.fullmatch(error.path)
        if match and any(error.type in types and re.fullmatch(path, match[2]) for path, types in rows):
            return replace(error, path=f"{match[1]}{between}{match[2]}")
    return error


_TYPE = ("apiVersion", "kind")


def admit(write: WriteRequest, surroundings: Surroundings, profile: Profile) -> Admitted | Rejected:
    """Return the object as the API server of a profile serves it after a write, or the rejection with all
    errors.

    The object is returned in the version of the write. Unknown fields are dropped with a warning, as with
    `fieldValidation: Warn`. UID, timestamps and generation are not added here.
    """
    raw = write.object
    api_version, kind = map(raw.get, _TYPE) if isinstance(raw, Mapping) else (None, None)
    if not isinstance(kind, str) or not isinstance(api_version, str):
        return Rejected(StatusReason.BAD_REQUEST, "the object must have apiVersion and kind")
    strategy = STRATEGIES.get(kind)
    if strategy is None or not serves(kind, api_version, profile):
        return Rejected(StatusReason.NOT_FOUND, "the server could not find the requested resource")
    part = strategy.subresources.get(write.subresource) if write.subresource else strategy.main
    creating = write.verb is Verb.CREATE
    if part is None or (creating and write.subresource) or (not creating and write.old is None):
        return Rejected(StatusReason.NOT_FOUND, "the server could not find the requested resource")
    switches = ApiServerSwitches.of(profile)
    errors = FieldErrors(switches.long_lists_validated, switches.milli_units_overflow)
    review = Review(_version(api_version), profile, switches, surroundings, errors, user=write.user)
    try:
        tree = _read(raw, strategy, review, review.warnings)
        old = _read_stored(write.old, raw, tree, strategy, review) if write.old and not creating else None
        if old is not None and not metadata.same_object(tree["metadata"], old["metadata"]):
            return Rejected(
                StatusReason.BAD_REQUEST, "the name of the object does not match the name on the URL"
            )
        if old is not None and metadata.has_other_uid(tree["metadata"], old["metadata"]):
            return Rejected(StatusReason.CONFLICT, "Precondition failed: the stored object has another UID")
        _store(tree, old, strategy, part, review, status=bool(write.subresource))
    except Undecodable as error:
        message = f'{kind} in version "{review.version}" cannot be handled as a {kind}: {error}'
        return Rejected(StatusReason.BAD_REQUEST, message)
    except Crash as error:
        return Rejected(StatusReason.INTERNAL_ERROR, str(error))
    if review.errors:
        versioned = switches.versioned_paths and review.version == "v1beta1"
        reported: Iterable[FieldError] = review.errors
        if switches.identical_errors_once and api_version.startswith("resource.k8s.io/"):
            reported = _without_repeated(review.errors)
        errors_found = tuple(map(_in_v1beta1, reported) if versioned else reported)
        message = (
            f'{kind} "{tree["metadata"].get("name", "")}" is invalid: {"; ".join(map(str, errors_found))}'
        )
        return Rejected(StatusReason.INVALID, message, errors_found)
    stored = encode(from_v1(tree, api_version), not switches.trailing_zeros_lost)
    return Admitted(stored, tuple(review.warnings))


def _without_repeated(errors: Iterable[FieldError]) -> list[FieldError]:
    return list({str(error): error for error in reversed(list(errors))}.values())[::-1]


def _read(raw: Mapping[str, Any], strategy: Strategy, review: Review, collected: list[str]) -> Tree:
    """Return the v1 form of an object with defaults, and append the warnings to `collected`."""
    version = _version(raw["apiVersion"])
    review = review if version == review.version else replace(review, version=version)
    decoded, warnings = read(raw, strategy, review)
    collected.extend(warnings)
    tree = to_v1({"apiVersion": raw["apiVersion"], "kind": raw["kind"], **decoded})
    tree["metadata"] = metadata.with_namespace(tree.get("metadata", {}), strategy.namespaced)
    strategy.default(tree, review)
    return tree


def _read_stored(
    stored: Mapping[str, Any], raw: Mapping[str, Any], tree: Tree, strategy: Strategy, review: Review
) -> Tree:
    """Return the stored object in v1 form; it shares the parts that are identical in the new object."""
    if stored["apiVersion"] != raw["apiVersion"]:
        return _read(stored, strategy, review, [])
    shared = {name: part for name, part in tree.items() if stored.get(name) is raw.get(name)}
    others = {name: part for name, part in stored.items() if name in _TYPE or name not in shared}
    all_shared = len(others) == len(_TYPE)
    return {**(others if all_shared else _read(others, strategy, review, [])), **shared}


def _store(
    tree: Tree, old: Tree | None, strategy: Strategy, part: Part, review: Review, status: bool
) -> None:
    if old is None:
        tree["metadata"] = metadata.of_new_object(tree["metadata"])
    else:
        tree["metadata"] = metadata.with_stored(tree["metadata"], old["metadata"], part.kept, status)
        metadata.validate_update(tree["metadata"], old["metadata"], review.errors)
    part.prepare(tree, old, review)
    stored = old is not None
    metadata.validate(tree["metadata"], strategy.named, review.errors, review.switches, stored)
    part.validate(tree, old, review)


def _version(api_version: str) -> str:
    return api_version.rpartition("/")[2]
