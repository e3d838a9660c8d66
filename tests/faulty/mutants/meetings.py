"""Mutants that are wrong where two features, two requests or two claims meet."""

from __future__ import annotations

from tests.faulty.mutants.mutation import Mutant

_DRAW = (
    "            found = draw(index, self.devices, self.occupancy, self.behaviour, uses=uses, shares=shares)"
)
_TAINTS = "            if self._taints:"
_IN_USE = "            if in_use[index] if plain else choices.blocks(position.claim, slot, index):\n"
_ADMIN = "            if result.admin_access:\n                continue\n"
_HOLD = (
    "        for claim in allocated:\n            if claim.allocation is not None:\n                self.hold"
)
_CONSTRAIN = "            value = self.value(index, constraint.attribute)\n            if value is not None and constraint.add"
_SHARES = (
    "        if not self._is_share(result):\n            self.in_use[index] = ALLOCATED\n            return"
)
_JOIN = "        for consumption in self._devices.devices[index].consumes_counters:\n            key"


def _recorded(field: str, unless: str) -> tuple[str, str]:
    """A binding field that is left out of some results."""
    return (f"        {field}=device.{field},", f"        {field}=None if {unless} else device.{field},")


FEATURES = (
    Mutant("alternatives draw nothing", (_DRAW, _DRAW.replace("uses=uses", "uses=uses and not slot.subrequest"))),
    Mutant("of all devices the first draws", (_DRAW, _DRAW.replace("uses=uses", "uses=uses and not (number and slot.every is not None)"))),
    Mutant("of a count the first draws", (_DRAW, _DRAW.replace("uses=uses", "uses=uses and not (number and slot.every is None)"))),
    Mutant("tainted devices draw nothing", (_DRAW, _DRAW.replace("uses=uses", "uses=uses and not self.devices.devices[index].taints"))),
    Mutant("shared devices draw nothing", (_DRAW, _DRAW.replace("uses=uses", "uses=uses and not self.devices.shared[index]"))),
    Mutant("devices under constraints draw nothing", (_DRAW, _DRAW.replace("uses=uses", "uses=uses and not slot.constraints"))),
    Mutant("devices that ask for capacity draw nothing", (_DRAW, _DRAW.replace("uses=uses", "uses=uses and not need.amounts"))),
    Mutant("devices with binding conditions draw nothing", (_DRAW, _DRAW.replace("uses=uses", "uses=uses and not self.devices.devices[index].binding_conditions"))),
    Mutant("what draws is not shared beyond one", (_DRAW, "            if shares:\n                return Category.COUNTER_EXHAUSTED\n" + _DRAW)),
    Mutant("shared devices have no groups", (_JOIN, _JOIN.replace("consumes_counters:", "consumes_counters if not self._devices.shared[index] else ():"))),
    Mutant("tainted devices have no groups", (_JOIN, _JOIN.replace("consumes_counters:", "consumes_counters if not self._devices.devices[index].taints else ():"))),
    Mutant("a device with a share is not tainted", (_TAINTS, "            if self._taints and not self.occupancy.consumed.shares(index):")),
    Mutant("devices with binding conditions are not tainted", (_TAINTS, "            if self._taints and not self.devices.devices[index].binding_conditions:")),
    Mutant("devices under constraints are not tainted", (_TAINTS, "            if self._taints and not slot.constraints:")),
    Mutant("devices of which capacity is asked are not tainted", (_TAINTS, "            if self._taints and not slot.needs._requested:")),
    Mutant("the tolerations of one request are those of all", ("untolerated(self.devices.devices[index], slot.tolerations, self.behaviour.taints)", "untolerated(self.devices.devices[index], [one for request in self.plans[claim].requests for one in request.slots[0].tolerations] + list(slot.tolerations), self.behaviour.taints)")),
    Mutant("constraints are not for alternatives of all", (_CONSTRAIN, "            if slot.subrequest and slot.every is not None:\n                continue\n" + _CONSTRAIN)),
    Mutant("constraints are not for admin access to devices in use", (_CONSTRAIN, "            if slot.admin and self.occupancy.in_use[index]:\n                continue\n" + _CONSTRAIN)),
    Mutant("a constraint of one claim is that of the next", ("        constraints = [self._constraint(item, spec.requests) for item in spec.constraints]", "        constraints = [self.plans.setdefault(repr(item), self._constraint(item, spec.requests)) for item in spec.constraints]")),
    Mutant("with constraints counts are one", ("            count=len(every) if every is not None else requested.count or 1,", "            count=len(every) if every is not None else 1 if constraints else requested.count or 1,")),
    Mutant("constraints are for those who name no alternative", ('(subrequest != "" and f"{request}/{subrequest}" in names)', 'any(name.partition("/")[0] == request for name in names)')),
    Mutant("alternatives of a list have all its devices", ("        return Position(self._position.claim, self._position.request, self._tried - 1)", "        return Position(self._position.claim, self._position.request, self._tried - 1, start=self._tried - 1)")),
    Mutant("a second list keeps to the choice of the first", ("        self._tried = 0\n        self._too_many", "        self._tried = 0 if position.request == 0 else position.request - 1\n        self._too_many")),
    Mutant("shared devices record no binding conditions", _recorded("binding_conditions", "shared")),
    Mutant("shared devices record no binding failure conditions", _recorded("binding_failure_conditions", "shared")),
    Mutant("admin access records no binding conditions", _recorded("binding_conditions", "slot.admin")),
    Mutant("alternatives record no binding conditions", _recorded("binding_conditions", "slot.subrequest")),
    Mutant("partitions record no binding conditions", _recorded("binding_conditions", "device.consumes_counters")),
    Mutant("all devices record no binding conditions", _recorded("binding_conditions", "slot.every is not None")),
    Mutant("admin access records no tolerations", ("slot.tolerations if behaviour.taints.tolerations_recorded else ()", "slot.tolerations if behaviour.taints.tolerations_recorded and not slot.admin else ()")),
    Mutant("alternatives record no tolerations", ("slot.tolerations if behaviour.taints.tolerations_recorded else ()", "slot.tolerations if behaviour.taints.tolerations_recorded and not slot.subrequest else ()")),
    Mutant("all devices record no tolerations", ("slot.tolerations if behaviour.taints.tolerations_recorded else ()", "slot.tolerations if behaviour.taints.tolerations_recorded and slot.every is None else ()")),
    Mutant("alternatives consume without saying so", ("slot.needs.consumed(index) if shared and device.capacity else None", "slot.needs.consumed(index) if shared and device.capacity and not slot.subrequest else None")),
    Mutant("all devices have no share IDs", ("share_ids.new(claim, place, used) if shared else None", "share_ids.new(claim, place, used) if shared and slot.every is None else None")),
    Mutant("shared partitions have no share IDs", ("share_ids.new(claim, place, used) if shared else None", "share_ids.new(claim, place, used) if shared and not device.consumes_counters else None")),
    Mutant("shared devices without capacity have no share IDs", ("share_ids.new(claim, place, used) if shared else None", "share_ids.new(claim, place, used) if shared and device.capacity else None")),
    Mutant("shared partitions record no groups", ("            if behaviour.groups is GroupSemantics.RECORDED and device.consumes_counters\n", "            if behaviour.groups is GroupSemantics.RECORDED and device.consumes_counters and not shared\n")),
    Mutant("admin access records no groups", ("            if behaviour.groups is GroupSemantics.RECORDED and device.consumes_counters\n", "            if behaviour.groups is GroupSemantics.RECORDED and device.consumes_counters and not slot.admin\n")),
    Mutant("alternatives record no groups", ("            if behaviour.groups is GroupSemantics.RECORDED and device.consumes_counters\n", "            if behaviour.groups is GroupSemantics.RECORDED and device.consumes_counters and not slot.subrequest\n")),
    Mutant("admin access binds to no node", ("    for chosen_device in chosen:\n        index =", "    for chosen_device in [each for each in chosen if not each.slot.admin]:\n        index =")),
    Mutant("alternatives bind to no node", ("    for chosen_device in chosen:\n        index =", "    for chosen_device in [each for each in chosen if not each.slot.subrequest]:\n        index =")),
    Mutant("shared devices bind to no node", ("    for chosen_device in chosen:\n        index =", "    for chosen_device in [each for each in chosen if not devices.shared[each.index]]:\n        index =")),
    Mutant("All leaves devices that draw too much out", ("        if index in self.devices.hidden:\n            return Category.FEATURE_DISABLED\n", "        if index in self.devices.hidden or (self.devices.devices[index].consumes_counters and occupancy.counters.draw(index)):\n            return Category.FEATURE_DISABLED\n")),
    Mutant("a rule does not taint partitions", ("    if selector is None:\n        return True\n    wanted", "    if device.consumes_counters:\n        return False\n    if selector is None:\n        return True\n    wanted")),
    Mutant("a rule does not taint shared devices", ("    if selector is None:\n        return True\n    wanted", "    if device.allow_multiple_allocations:\n        return False\n    if selector is None:\n        return True\n    wanted")),
    Mutant("a rule does not taint what chooses its node", ("    if selector is None:\n        return True\n    wanted", "    if item.spec.per_device_node_selection:\n        return False\n    if selector is None:\n        return True\n    wanted")),
    Mutant("held devices that choose their node draw nothing", ("                if (pool.driver, pool.name, device.name) in self._drawing:", "                if not item.spec.per_device_node_selection and (pool.driver, pool.name, device.name) in self._drawing:")),
)  # fmt: skip

CLAIMS = (
    Mutant("devices of another claim of the call are free", (_IN_USE, "            if (in_use[index] == 1 or any(one.index == index for one in choices.chosen[position.claim]) and in_use[index]) if plain else choices.blocks(position.claim, slot, index):\n")),
    Mutant("shares of another claim of the call are free", ("            if not (fits(index, need.values, need.amounts) if plain else choices.fits(slot, index, need)):", "            others = [one for at, chosen in enumerate(choices.chosen) if at != position.claim for one in chosen if one.index == index]\n            values = {name: value + sum(one.need.amounts.get(name, 0) for one in others) for name, value in need.values.items()}\n            if not (fits(index, values, need.amounts) if plain else choices.fits(slot, index, need)):")),
    Mutant("the last claim of a call may share what is dedicated", (_IN_USE, "            if (in_use[index] == 1 or in_use[index] and position.claim < len(choices.plans) - 1) if plain else choices.blocks(position.claim, slot, index):\n")),
    Mutant("held claims of one name are one", (_HOLD, "        for claim in {one.metadata.name: one for one in allocated}.values():\n            if claim.allocation is not None:\n                self.hold")),
    Mutant("claims that are bound to a node hold nothing", (_HOLD, "        for claim in allocated:\n            if claim.allocation is not None and claim.allocation.node_selector is None:\n                self.hold")),
    Mutant("claims that are bound to no node hold nothing", (_HOLD, "        for claim in allocated:\n            if claim.allocation is not None and claim.allocation.node_selector is not None:\n                self.hold")),
    Mutant("claims without a request of that name hold nothing", ("        for result in results:\n            self._log.add(result)", "        for result in results:\n            if result.request == 'r1':\n                continue\n            self._log.add(result)")),
    Mutant("held alternatives hold nothing", ("        for result in results:\n            self._log.add(result)", "        for result in results:\n            if '/' in result.request:\n                continue\n            self._log.add(result)")),
    Mutant("a result that says it has no admin access holds nothing", (_ADMIN, "            if result.admin_access is not None:\n                continue\n")),
    Mutant("a device that is held twice is free", (_SHARES, "        if not self._is_share(result):\n            self.in_use[index] ^= ALLOCATED\n            return")),
    Mutant("what is held with tolerations is free", (_ADMIN, _ADMIN + "            if result.tolerations:\n                continue\n")),
    Mutant("what is held with binding conditions is free", (_ADMIN, _ADMIN + "            if result.binding_conditions:\n                continue\n")),
    Mutant("a device that is held and shared is free for shares", (_SHARES, "        if not self._is_share(result):\n            self.in_use[index] = FREE if self.consumed.shares(index) else ALLOCATED\n            return")),
    Mutant("three shares of a device are summed", ("            sums[name] = sums.get(name, 0) + amount", "            if self._shares[device] <= 3:\n                sums[name] = sums.get(name, 0) + amount")),
    Mutant("the same amount twice is one share", ("            sums[name] = sums.get(name, 0) + amount", "            if sums.get(name) != amount or len(amounts) > 1:\n                sums[name] = sums.get(name, 0) + amount")),
    Mutant("equal claims of a call get the same", ("            return Position(\n                position.claim,", "            if position.claim and choices.plans[position.claim].claim.spec == choices.plans[position.claim - 1].claim.spec and choices.devices.shared[index] and len(choices.plans) > 3:\n                raise Stop(Failed(Category.OTHER, ''))\n            return Position(\n                position.claim,")),
    Mutant("two requests of a claim have the same class", ("        name = requested.device_class_name\n", "        name = self.plans.setdefault((claim, 'class'), requested.device_class_name)\n")),
    Mutant("two requests of a claim have the same count", ("            count=len(every) if every is not None else requested.count or 1,", "            count=len(every) if every is not None else self.plans.setdefault((claim, 'count'), requested.count or 1),")),
    Mutant("a request without an amount has that of the one before", ("        needs = self.needs_of(requested.capacity.requests if requested.capacity is not None else {})", "        needs = self.needs_of(self.plans.setdefault((claim, 'amounts'), requested.capacity.requests if requested.capacity is not None else {}) if requested.capacity is None else requested.capacity.requests)\n        if requested.capacity is not None:\n            self.plans[claim, 'amounts'] = requested.capacity.requests")),
    Mutant("requests after one of all devices get none", ("        if slot.every is not None:\n            if not slot.every:", "        if position.request and self._plans[position.claim].requests[position.request - 1].slots[0].every is not None:\n            return DeadEnd(Failure.NOTHING_FITS)\n        if slot.every is not None:\n            if not slot.every:")),
)  # fmt: skip
