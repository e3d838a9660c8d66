"""Break what is counted of pods on purpose, and see the suite notice: `make mutants-of-footprint`.

As in `faulty/mutants/allocation.py`, with the cases of `footprint` and the stories. Words in the command try only the mutants with
one of them in their names.
"""

from __future__ import annotations

import sys

from tests.faulty.mutants.campaign import main
from tests.faulty.mutants.mutation import Mutant
from tests.faulty.mutants.subjects import FOOTPRINT

NEAR = ("kep-5517",)


def _mutant(name: str, *changes: tuple[str, str]) -> Mutant:
    return Mutant(name, *changes, near=NEAR)


AMOUNTS = (
    _mutant(
        "the last amount instead of the sum",
        ("total[name] + quantity if name in total else quantity", "quantity"),
    ),
    _mutant("the smaller amount", ("max(first.get(name, ZERO)", "min(first.get(name, ZERO)")),
    _mutant(
        "multiplied by a thousand",
        ("times.nano // NANO), amount.format", "times.nano // 10**6), amount.format"),
    ),
    _mutant("multiplier is added", ("-(-amount.nano * times.nano // NANO)", "amount.nano + times.nano")),
)

CONTAINERS = (
    _mutant("init containers are forgotten", ("peak = greatest(peak, running)", "peak = dict(peak)")),
    _mutant(
        "init containers add up", ("running = added(sidecars, requests)", "running = added(peak, requests)")
    ),
    _mutant("sidecars end", ("if is_sidecar:", "if False:")),
    _mutant("every init container is a sidecar", ("if is_sidecar:", "if True:")),
    _mutant(
        "sidecars are forgotten beside the app",
        ("greatest(peak, added(sidecars, *containers))", "greatest(peak, added(*containers))"),
    ),
    _mutant(
        "only the peak counts", ("return greatest(peak, added(sidecars, *containers))", "return dict(peak)")
    ),
    _mutant(
        "an init container without restart policy is a sidecar",
        (
            "container.restart_policy == SIDECAR, container.resources.req",
            "container.restart_policy != SIDECAR, container.resources.req",
        ),
    ),
)

DEVICES = (
    _mutant("a missing multiplier is nothing", ("ONE = Quantity.whole(1)", "ONE = Quantity.whole(0)")),
    _mutant("the capacity is not looked at", ("        if not key:\n", "        if True:\n")),
    _mutant(
        "multipliers of capacities do not count",
        ("yield name, multiplied(consumed, times)", "yield name, consumed"),
    ),
    _mutant(
        "the capacity of the device instead of what is consumed",
        (
            "return result.consumed_capacity.get(key)",
            "return device.capacity[key].value if key in device.capacity else None",
        ),
    ),
    _mutant(
        "unknown consumption is nothing",
        (
            'raise CountingFailed(f"device {result.device}: the consumed',
            'return Quantity(0)\n    raise CountingFailed(f"device {result.device}: the consumed',
        ),
    ),
    _mutant(
        "whole devices are not known in the documents",
        ("if rules.whole_capacity and not", "if False and not"),
    ),
    _mutant(
        "shared devices count whole",
        ("rules.whole_capacity and not device.allow_multiple_allocations", "rules.whole_capacity"),
    ),
    _mutant(
        "any driver will do", ('("" if self._any_driver else driver, pool, device)', '("", pool, device)')
    ),
    _mutant(
        "the driver counts everywhere",
        ('("" if self._any_driver else driver, pool, device)', "(driver, pool, device)"),
    ),
    _mutant(
        "any pool will do",
        (
            '("" if self._any_driver else driver, pool, device)',
            '("" if self._any_driver else driver, "", device)',
        ),
    ),
    _mutant(
        "old generations count",
        ("newest[pool] = max(newest.get(pool, 0)", "newest[pool] = min(newest.get(pool, 9)"),
    ),
    _mutant(
        "the form of 1.37 everywhere",
        ("    if not rules.overhead:\n        mappings", "    if False:\n        mappings"),
    ),
    _mutant(
        "the form of 1.36 everywhere",
        ("    if not rules.overhead:\n        mappings", "    if True:\n        mappings"),
    ),
    _mutant("overhead is not read", ("if resource.overhead is not None", "if False")),
    _mutant(
        "overhead of several devices is that of one", ("    return first + second\n", "    return first\n")
    ),
)

CLAIMS = (
    _mutant(
        "only the first device counts",
        (
            "total += device_usage(device, result, rules)",
            "total = total or device_usage(device, result, rules)",
        ),
    ),
    _mutant("claims that take nothing have entries", ("        if total:\n", "        if True:\n")),
    _mutant("overhead per pod is forgotten", ("overhead.per_pod + each", "each")),
    _mutant(
        "overhead per container counts once",
        ("times = Quantity.whole(len(self.containers))", "times = Quantity.whole(1)"),
    ),
    _mutant(
        "overhead does not count",
        ("added(self.resources, *map(self._total_overhead, self.overhead))", "dict(self.resources)"),
    ),
    _mutant(
        "the status counts with the gate off",
        ("if not rules.claims_count or pod.status is None", "if pod.status is None"),
    ),
    _mutant("what is recorded never counts", ("if not rules.claims_count or pod.status is None", "if True")),
    _mutant(
        "init containers use no claims",
        (
            "containers = (*pod.spec.init_containers, *pod.spec.containers)",
            "containers = pod.spec.containers",
        ),
    ),
    _mutant(
        "only init containers use claims",
        (
            "containers = (*pod.spec.init_containers, *pod.spec.containers)",
            "containers = pod.spec.init_containers",
        ),
    ),
    _mutant(
        "every container uses every claim",
        (
            "for used in container.resources.claims\n        if used.name in names\n    ",
            "for used in container.resources.claims",
        ),
    ),
    _mutant(
        "containers are named once in every release",
        (
            "return tuple(dict.fromkeys(using)) if once else tuple(using)",
            "return tuple(dict.fromkeys(using))",
        ),
    ),
    _mutant(
        "containers are named for each request",
        ("return tuple(dict.fromkeys(using)) if once else tuple(using)", "return tuple(using)"),
    ),
    _mutant("entries without amounts", ("resources=dict(sorted(self.resources.items()))", "resources={}")),
    _mutant(
        "entries without containers",
        (
            "                containers=self.containers,\n                resources",
            "                resources",
        ),
    ),
)

PODS = (
    _mutant(
        "claims count twice",
        ("*(claim.total for claim in claims))", "*(claim.total for claim in (*claims, *claims)))"),
    ),
    _mutant(
        "claims do not count",
        ("added(requested(pod), *(claim.total for claim in claims))", "added(requested(pod))"),
    ),
    _mutant(
        "containers do not count",
        (
            "added(requested(pod), *(claim.total for claim in claims))",
            "added(*(claim.total for claim in claims))",
        ),
    ),
    _mutant("what is requested as a whole does not count", ("total.update(pod_level_requests(pod))", "pass")),
    _mutant(
        "what is requested as a whole is added",
        ("total.update(pod_level_requests(pod))", "total = added(total, pod_level_requests(pod))"),
    ),
    _mutant(
        "overhead of pods is forgotten",
        ("total if options.without_overhead else added(total, pod.spec.overhead)", "total"),
    ),
    _mutant(
        "overhead of pods always counts",
        (
            "total if options.without_overhead else added(total, pod.spec.overhead)",
            "added(total, pod.spec.overhead)",
        ),
    ),
    _mutant("pod level always counts", ("if not options.without_pod_level:", "if True:")),
    _mutant("no budget is exceeded", ('> budget[name]), "")', '> budget[name] + budget[name]), "")')),
    _mutant(
        "a budget must not be used up",
        ("usage.get(name, ZERO) > budget[name]", "usage.get(name, ZERO) >= budget[name]"),
    ),
)

SCHEDULING = (
    _mutant("claims may be shared", ("        if claim in in_use:\n", "        if False:\n")),
    _mutant(
        "claims without containers are fine everywhere",
        ("if not claim_usage.containers and rules.unreferenced_refused", "if False"),
    ),
    _mutant(
        "claims without containers are refused everywhere",
        ("if not claim_usage.containers and rules.unreferenced_refused", "if not claim_usage.containers"),
    ),
    _mutant("budgets are not looked at", ("    resource = exceeded(pod, usage)\n", '    resource = ""\n')),
    _mutant(
        "claims that were allocated before do not count",
        ("self.cycle.claims if self._rules.earlier_allocations else ()", "()"),
    ),
    _mutant(
        "claims that were allocated before count in 1.36",
        ("self.cycle.claims if self._rules.earlier_allocations else ()", "self.cycle.claims"),
    ),
    _mutant("nothing is recorded", ("if records and pod is not None:", "if False:")),
    _mutant(
        "what is recorded stays",
        ("            write_status(pod, {FIELD: []}, self._client)", "            pass"),
    ),
    _mutant(
        "the node is not checked",
        (
            "self._check_fit(node, footprint(self.cycle.typed, claims), used)",
            "pass",
        ),
    ),
    _mutant(
        "only claims are checked",
        (
            "self._check_fit(node, footprint(self.cycle.typed, claims), used",
            "self._check_fit(node, {k: v for one in claims for k, v in one.total.items()}, used",
        ),
    ),
    _mutant(
        "only what is offered is checked",
        (
            "missing = [name for name in node_demand if allocatable and name not in allocatable]",
            "missing: list[str] = []",
        ),
    ),
    _mutant(
        "every shortage is resolvable",
        ("never = missing or insufficient_resources(node_demand, node, {})", "never = False"),
    ),
    _mutant(
        "no shortage is resolvable",
        ("never = missing or insufficient_resources(node_demand, node, {})", "never = True"),
    ),
    _mutant(
        "others take nothing of the node",
        ("added(*(footprint(pod, recorded(pod, rules)) for pod in pods))", "{}"),
    ),
    _mutant(
        "claims of others do not count",
        (
            "added(*(footprint(pod, recorded(pod, rules)) for pod in pods))",
            "added(*(footprint(pod, ()) for pod in pods))",
        ),
    ),
    _mutant(
        "a node must not be used up",
        ("demand[name] > allocatable[name] - used", "demand[name] >= allocatable[name] - used"),
    ),
    _mutant(
        "claims of other namespaces count",
        ("if pod.metadata.namespace == cycle.typed.metadata.namespace", "if True"),
    ),
    _mutant("kubelets admit every pod", ("        if not insufficient:\n", "        if True:\n")),
    _mutant(
        "kubelets do not look at the status",
        ("demand: Amounts = footprint(pod, recorded(pod, rules))", "demand: Amounts = footprint(pod, ())"),
    ),
    _mutant(
        "kubelets count no other pods",
        ("usage: Amounts = usage_of_pods(others, rules)", "usage: Amounts = {}"),
    ),
)

POLICIES = (
    _mutant(
        "classes go before devices",
        ("policy = own or policies.get(resource)", "policy = policies.get(resource) or own"),
    ),
    _mutant("classes say nothing", ("policy = own or policies.get(resource)", "policy = own")),
    _mutant(
        "devices say nothing", ("policy = own or policies.get(resource)", "policy = policies.get(resource)")
    ),
    _mutant("a missing policy is none", ("            if policy is None:\n", "            if False:\n")),
    _mutant(
        "references count once",
        ("times = Quantity.whole(max(1, len(claim.containers)))", "times = Quantity.whole(1)"),
    ),
    _mutant(
        "a claim without containers has no reference",
        ("Quantity.whole(max(1, len(claim.containers)))", "Quantity.whole(len(claim.containers))"),
    ),
    _mutant(
        "the smaller of both",
        (
            "name: max(requests.get(name, ZERO), largest.get(name, ZERO))",
            "name: min(requests.get(name, ZERO), largest.get(name, ZERO))",
        ),
    ),
    _mutant(
        "Max adds",
        (
            "name: max(requests.get(name, ZERO), largest.get(name, ZERO))",
            "name: requests.get(name, ZERO) + largest.get(name, ZERO)",
        ),
    ),
    _mutant("requests come on top of the pool", ("        if name not in pools\n", "")),
    _mutant("Max and ConsumeFrom go together", ("if len(policies) > 1:", "if False:")),
    _mutant("drivers go together", ("if len({part.driver for part in base}) > 1:", "if False:")),
    _mutant(
        "resources conflict with each other",
        ("if part.resource == resource and part.policy in", "if part.policy in"),
    ),
    _mutant("containers conflict with each other", ("if container.name in claim.containers]", "if True]")),
    _mutant(
        "pools are not reserved",
        (
            "SHARED = frozenset({AccountingPolicy.ADD_PER_CLAIM, AccountingPolicy.CONSUME_FROM})",
            "SHARED = frozenset({AccountingPolicy.ADD_PER_CLAIM})",
        ),
    ),
    _mutant(
        "each pod is charged for its claims",
        ("self._shared[claim] = {**self._shared.get(claim, {}), **amounts}", "self._own.append(amounts)"),
    ),
    _mutant("pools never run out", ("if drawn > sum(", "if drawn < -sum(")),
    _mutant("pools must not be used up", ("if drawn > sum(", "if drawn >= sum(")),
    _mutant(
        "one container at a time",
        (
            "drawn = sum((draw.amount for draw in draws if draw.claims <= pools), ZERO)",
            "drawn = max((draw.amount for draw in draws if draw.claims <= pools), default=ZERO)",
        ),
    ),
    _mutant("another pod's claims count again", (".items() if claim not in known", ".items() if claim")),
    _mutant("nothing conflicts", ("        if conflict:\n", "        if False:\n")),
    _mutant("no pool is looked at", ("        if charge.overdrawn:\n", "        if False:\n")),
)

MUTANTS = (*AMOUNTS, *CONTAINERS, *DEVICES, *CLAIMS, *PODS, *SCHEDULING, *POLICIES)

if __name__ == "__main__":
    sys.exit(main((FOOTPRINT, MUTANTS)))
