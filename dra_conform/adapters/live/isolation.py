"""The isolation that a scenario needs: which scenarios may run at the same time on one cluster, each in a
thread."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import suppress
from enum import IntEnum

from dra_conform.cluster_state.components import APISERVER
from dra_conform.conformance.implementation import Reply, Request
from dra_conform.kube.field_paths import ABSENT, field_at, with_field
from dra_conform.kube.json_values import Json
from dra_conform.kube.merge_patch import merge_patch
from dra_conform.kube.objects import COLLECTIONS
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.allocation import CounterSwitches

DEFAULT_CONCURRENCY = 4
"""The default number of scenarios that run on a cluster at the same time."""


def run_concurrently(
    threads: Executor,
    count: int,
    requests: Iterable[Request],
    run: Callable[[Request], Reply],
    interrupt: Callable[[], None],
    waits: Callable[[Request], bool] = lambda _: False,
) -> Iterator[Reply]:
    """Yield the replies in the order in which they finish; at most `count` requests run at the same time.

    Requests for which `waits` is true do not count, because they need hardly any CPU.
    `interrupt` makes running requests end early. It is called before an exception leaves this iterator or
    the iterator is closed: the executor waits for running requests.
    """
    waiting = iter(requests)
    running: dict[Future[Reply], bool] = {}
    """Whether the request of each future counts."""
    try:
        while True:
            while sum(running.values()) < count and (request := next(waiting, None)):
                running[threads.submit(run, request)] = not waits(request)
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                del running[future]
                yield future.result()
    except BaseException:
        interrupt()
        raise


Objects = Mapping[str, Sequence[Json]]

_COMPONENT_ACTIONS = ("set-gates", "set-version", "restart")
_WAITS = ("settle", "advance")
_SLICE = "ResourceSlice"
_RULE = "DeviceTaintRule"
_SELECTOR = "spec.deviceSelector"


class Isolation(IntEnum):
    """The isolation that a scenario needs.

    Scenarios that need the same isolation may run at the same time.
    """

    ONLY_WRITES = 0
    """Only the API server is involved, so scenarios do not affect each other."""
    OWN_OBJECTS = 1
    """All components are involved, but only with objects of the scenario."""
    WHOLE_CLUSTER = 2
    """The scenario changes components, judges more of them than objects, or could affect devices or claims of
    other scenarios."""


def isolation_of(objects: Objects, ask: Mapping[str, Json], profile: Profile) -> Isolation:
    """Return the isolation that a scenario needs."""
    actions = ask["actions"]
    changes_components = any(action["do"] in _COMPONENT_ACTIONS for action in actions)
    observes_components = any(map(ask.get, ("metrics", "requests", "log")))
    if ask.get("components") or observes_components or changes_components:
        return Isolation.WHOLE_CLUSTER
    if has_only_writes(objects, ask):
        return Isolation.ONLY_WRITES
    rules = objects.get(COLLECTIONS[_RULE], ())
    selectors = [field_at(rule, _SELECTOR) for rule in rules] + [_selector_in(action) for action in actions]
    affects_others = any(map(_selects_any_driver, selectors)) or (
        CounterSwitches.of(profile).slices_everywhere and _has_incomplete_counters(objects, actions)
    )
    return Isolation.WHOLE_CLUSTER if affects_others else Isolation.OWN_OBJECTS


def has_only_writes(objects: Objects, ask: Mapping[str, Json]) -> bool:
    """Whether a scenario involves only the API server and never waits for a steady state."""
    others = {name for action in ask["actions"] for name in action.get("components", ())} - {APISERVER}
    waits = any(action["do"] in _WAITS for action in ask["actions"])
    return not (waits or others or ask.get("components") or objects.get("nodes") or objects.get("pods"))


def _selector_in(action: Mapping[str, Json]) -> Json:
    """Return the device selector of a DeviceTaintRule in an action; an empty selector for `change`."""
    target = action.get("object") or action.get("of") or {}
    if target.get("kind") != _RULE:
        return ABSENT
    return {} if action["do"] == "change" else field_at(action.get("patch") or target, _SELECTOR)


def _selects_any_driver(selector: Json) -> bool:
    """Whether the selector of a DeviceTaintRule names no driver. An absent selector selects no device."""
    return isinstance(selector, Mapping) and not selector.get("driver")


def _has_incomplete_counters(objects: Objects, actions: Iterable[Json]) -> bool:
    """Whether a scenario waits while a pool with sharedCounters is incomplete.

    If every node can access such a pool, requests of all scenarios with allocationMode All fail meanwhile.
    The API server is assumed to accept all writes.
    """
    slices = {_text(raw, "metadata.name"): raw for raw in objects.get(COLLECTIONS[_SLICE], ())}
    for action in actions:
        written, of = action.get("object") or {}, action.get("of") or {}
        name = _text(written, "metadata.name") or _text(of, "name")
        if action["do"] in _WAITS:
            if any(map(_is_incomplete_with_counters, _pools(slices.values()))):
                return True
        elif _SLICE not in (written.get("kind"), of.get("kind")):
            continue
        elif action["do"] == "delete":
            slices.pop(name, None)
        elif written:
            slices[name] = written
        elif name in slices:
            slices[name] = _changed(slices[name], action)
    return False


def _text(value: Json, path: str) -> str:
    found = field_at(value, path)
    return found if isinstance(found, str) else ""


def _changed(raw: Json, action: Json) -> Json:
    for path, value in action.get("fields", {}).items():
        with suppress(ValueError):
            raw = with_field(raw, path, value)
    return merge_patch(raw, action.get("patch", {}))


def _pools(slices: Iterable[Json]) -> Iterable[list[Json]]:
    pools: dict[tuple[str, str], list[Json]] = {}
    for raw in slices:
        pools.setdefault((_text(raw, "spec.driver"), _text(raw, "spec.pool.name")), []).append(raw)
    return pools.values()


def _is_incomplete_with_counters(pool: Sequence[Json]) -> bool:
    generations = [field_at(raw, "spec.pool.generation") for raw in pool]
    newest = max((one for one in generations if isinstance(one, int)), default=0)
    slices = [raw for raw, generation in zip(pool, generations, strict=True) if generation == newest]
    complete = all(field_at(raw, "spec.pool.resourceSliceCount") == len(slices) for raw in slices)
    return not complete and any(field_at(raw, "spec.sharedCounters") is not ABSENT for raw in slices)
