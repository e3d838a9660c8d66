"""The isolation that a scenario needs: which scenarios may run at the same time on one cluster, each in a
thread."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from enum import IntEnum

from dra_conform.cluster_state.components import APISERVER
from dra_conform.conformance.implementation import Reply, Request
from dra_conform.kube.field_paths import ABSENT, field_at
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import COLLECTIONS

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
    """The scenario changes components, judges more of them than objects, or could affect devices of other
    scenarios."""


def isolation_of(objects: Objects, ask: Mapping[str, Json]) -> Isolation:
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
    return Isolation.WHOLE_CLUSTER if any(map(_selects_any_driver, selectors)) else Isolation.OWN_OBJECTS


def has_only_writes(objects: Objects, ask: Mapping[str, Json]) -> bool:
    """Whether a scenario involves only the API server and never waits for a steady state."""
    others = {name for action in ask["actions"] for name in action.get("components", ())} - {APISERVER}
    waits = any(action["do"] in ("settle", "advance") for action in ask["actions"])
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
