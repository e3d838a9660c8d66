"""Mutants that forget what comes after the first few: of each list in a claim, a class, a slice or a device."""

from __future__ import annotations

from collections.abc import Iterator

from tests.faulty.mutants.mutation import Mutant

_LISTS = {
    "requests": ("            for request in spec.requests\n        )\n        least", "spec.requests", (2, 4, 7, 8, 31)),
    "alternatives": ("            for sub in request.first_available:\n                slots", "request.first_available", (3, 7)),
    "constraints": ("constraints = [self._constraint(item, spec.requests) for item in spec.constraints]", "spec.constraints", (2, 3)),
    "tolerations": ("            tolerations=requested.tolerations,", "requested.tolerations", (2, 8, 15)),
    "selectors of a request": ('("", selectors))', "selectors", (2, 3)),
    "selectors of a class": ("(device_class.metadata.name, device_class.spec.selectors)", "device_class.spec.selectors", (2, 3)),
    "taints": ("    for taint in device.taints:\n", "device.taints", (3, 8, 15)),
    "rules": ("            for rule in rules\n        if _selects(", "rules", ()),
    "devices of a slice": ("            for device in item.spec.devices\n        ]\n        return NodeDevices", "item.spec.devices", (32, 63, 64, 127)),
    "slices of a pool": ("            for item in pool.slices\n            for device", "pool.slices", (2, 3, 8)),
    "pools": ("            for home, pool in enumerate(pools)\n            for item", "enumerate(pools)", ()),
    "counter sets": ("            for counter_set in item.spec.shared_counters:\n                for name, declared", "item.spec.shared_counters", (2, 4, 7)),
    "groups": ("            groups = frozenset(consumption.compatibility_groups)\n            reason", "consumption.compatibility_groups", (3,)),
    "values of a list": ("            return (kind, frozenset(values), True)", "values", (3,)),
    "configurations of a class": ("        for entry in classes[name].spec.config\n", "classes[name].spec.config", (2,)),
    "configurations of a claim": ("    for item in claim.config:\n        matching", "claim.config", (3,)),
    "requests of a configuration": ("        matching = sum(slot.request in item.requests or slot.name in item.requests for slot in slots)", "item.requests", ()),
}  # fmt: skip
"""What is walked through, where, and after how many it is forgotten."""


def _forgetting() -> Iterator[Mutant]:
    for name, (where, what, numbers) in _LISTS.items():
        for number in numbers:
            yield Mutant(
                f"{name} after the first {number}", (where, where.replace(what, f"{what}[:{number}]"))
            )


SIZES = (
    *_forgetting(),
    Mutant("claims after the first 3", ("            plans = [planner.plan(claim) for claim in claims]\n            search", "            if len(claims) > 3:\n                raise Stop(Failed(Category.OTHER, ''))\n            plans = [planner.plan(claim) for claim in claims]\n            search")),
    Mutant("held claims after the first 4", ("        for claim in allocated:\n            if", "        for claim in list(allocated)[:4]:\n            if")),
    Mutant("held claims after the first 8", ("        for claim in allocated:\n            if", "        for claim in list(allocated)[:8]:\n            if")),
    Mutant("held claims after the first 32", ("        for claim in allocated:\n            if", "        for claim in list(allocated)[:32]:\n            if")),
    Mutant("devices of a claim after the first 2", ("        for result in results:\n            self._log.add(result)", "        for result in tuple(results)[:2]:\n            self._log.add(result)")),
    Mutant("devices of a claim after the first 16", ("        for result in results:\n            self._log.add(result)", "        for result in tuple(results)[:16]:\n            self._log.add(result)")),
    Mutant("devices of a node after the first 64", ("        for at in range(start, len(order)):\n", "        for at in range(start, min(len(order), 64)):\n")),
    Mutant("devices of a node after the first 128", ("        for at in range(start, len(order)):\n", "        for at in range(start, min(len(order), 128)):\n")),
    Mutant("devices of a node after the first 256", ("        for at in range(start, len(order)):\n", "        for at in range(start, min(len(order), 256)):\n")),
    Mutant("capacities after the first 2", ("        for name, capacity in capacities.items():\n            found = consume(capacity, requested.get(name), self._behaviour.arithmetic)\n            if isinstance(found, Violation)", "        for name, capacity in list(capacities.items())[:2]:\n            found = consume(capacity, requested.get(name), self._behaviour.arithmetic)\n            if isinstance(found, Violation)")),
    Mutant("capacities after the first 8", ("        for name, capacity in capacities.items():\n            found = consume(capacity, requested.get(name), self._behaviour.arithmetic)\n            if isinstance(found, Violation)", "        for name, capacity in list(capacities.items())[:8]:\n            found = consume(capacity, requested.get(name), self._behaviour.arithmetic)\n            if isinstance(found, Violation)")),
    Mutant("valid values after the first 4", ("next((value for value in values if value.nano >= requested.nano), requested)", "next((value for value in values[:4] if value.nano >= requested.nano), Quantity(-1))")),
    Mutant("valid values after the first 9", ("next((value for value in values if value.nano >= requested.nano), requested)", "next((value for value in values[:9] if value.nano >= requested.nano), Quantity(-1))")),
    Mutant("many capacities: nothing is refused", ("            if amount is None:\n                found = consume", "            if amount is None:\n                continue\n                found = consume")),
    Mutant("many capacities: none is too small", ("            if amount > capacity.value.nano:\n", "            if False:\n")),
    Mutant("many capacities: equal values are equal capacities", ("                row.append((name, known.setdefault(capacity, len(known))))", "                row.append((name, next((place for one, place in known.items() if one.value == capacity.value), None) if any(one.value == capacity.value for one in known) else known.setdefault(capacity, len(known))))")),
)  # fmt: skip
