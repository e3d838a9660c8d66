"""Break the built-in allocator on purpose, one rule at a time, and see the suite notice: `make mutants`.

The suite (features and golden cases, no unit test) is run on each mutant in profile `kep`, up to the first
case that fails. A mutant that passes is a hole in the suite. `python -m tests.quality.mutants taint` tries
only those with the word in their names.
"""

from __future__ import annotations

import sys
from time import perf_counter

from tests.quality.mutation import Mutant, Stale, Trial, changed, kill

CAPACITY = (
    Mutant("rounds down", ("        count = -((minimum.nano - requested.nano) // step.nano)",
           "        count = (requested.nano - minimum.nano) // step.nano")),
    Mutant("one step too many", ("minimum.nano + count * step.nano, requested", "minimum.nano + (count + 1) * step.nano, requested")),
    Mutant("steps from zero", ("        count = -((minimum.nano - requested.nano) // step.nano)\n        return Quantity(minimum.nano + count",
           "        count = -(-requested.nano // step.nano)\n        return Quantity(0 + count")),
    Mutant("whole steps only", ("        count = -((minimum.nano - requested.nano) // step.nano)",
           "        count = -((minimum.value() - requested.value()) // step.value())")),
    Mutant("below min is kept", ("    if requested.nano < minimum.nano:\n        return minimum\n", "")),
    Mutant("max itself is refused", ("amount.nano > valid.max.nano", "amount.nano >= valid.max.nano")),
    Mutant("max does not count", ("valid.max is not None and amount.nano > valid.max.nano", "False")),
    Mutant("max is where it ends", ("        return Quantity(minimum.nano + count * step.nano, requested.format)",
           "        return min(Quantity(minimum.nano + count * step.nano, requested.format), valid.max or Quantity(10**30))")),
    Mutant("the next value though equal", ("value.nano >= requested.nano", "value.nano > requested.nano")),
    Mutant("the largest value instead", ("return next((value for value in values if value.nano >= requested.nano), requested)",
           "return max((value for value in values if value.nano >= requested.nano), default=requested)")),
    Mutant("above all values is allowed", ("elif policy.valid_values and amount not in policy.valid_values:", "elif False:")),
    Mutant("the default is forgotten", ("if policy is not None and policy.default is not None:", "if False:")),
    Mutant("zero is no request", ("if requested is None:\n        if policy", "if not requested:\n        if policy")),
    Mutant("the remainder must be larger", ("used.get(name, 0) + amount <= values[name]", "used.get(name, 0) + amount < values[name]")),
    Mutant("compares with the total", ("used.get(name, 0) + amount <= values[name]", "amount <= values[name]")),
    Mutant("any capacity suffices", ("return all(used.get(name, 0)", "return not amounts or any(used.get(name, 0)")),
    Mutant("an unknown capacity passes", ("            if name not in capacities:\n                return _undeclared(name)\n        if not self._devices.shared",
           "            pass\n        if not self._devices.shared")),
    Mutant("dedicated devices are not filtered", ("return self.too_small(index) or NO_NEED", "return NO_NEED")),
    Mutant("dedicated devices must be larger", ("if value < amount:", "if value <= amount:")),
    Mutant("policies round on dedicated devices", ('policy_on_dedicated: bool = switch("since 1.33")', 'policy_on_dedicated: bool = switch("kep")')),
    Mutant("bare names have no domain", ('return name if "/" in name else f"{driver}/{name}"', "return name")),
    Mutant("zero amounts are left out", ("return dict(known)", "return {name: amount for name, amount in known.items() if amount}")),
    Mutant("capacity with its gate off is ignored", ("if capacity is None or behaviour.features.consumable_capacity or not", "if True or not")),
    Mutant("selectors see nothing shared", ("self._sharing = behaviour.see_sharing", "self._sharing = False")),
    Mutant("selectors see sharing though its gate is off", ('see_sharing: bool = switch(gate("DRAConsumableCapacity"),', 'see_sharing: bool = switch("kep",')),
)  # fmt: skip

SHARING = (
    Mutant("undo keeps capacity", ("        self.occupancy.consumed.remove(index, need.amounts)", "        pass")),
    Mutant("shares of a call are not counted", ("self.occupancy.consumed.add(index, need.amounts)", "pass")),
    Mutant("shares of other claims are not counted", ("self.consumed.add(index, {name: amount.nano for name, amount in amounts.items()})", "pass")),
    Mutant("shares do not block a device turned dedicated", ("if self._behaviour.capacity.shares_block_dedicated and not self._devices.shared[index]:", "if False:")),
    Mutant("a shared device ignores its exclusive holder", ("        if not self._is_share(result):\n            self.in_use[index] = ALLOCATED",
           "        if not self._is_share(result):\n            self.in_use[index] = FREE if self._devices.shared[index] else ALLOCATED")),
    Mutant("every device may be shared", ("device.allow_multiple_allocations is True for", "device.allow_multiple_allocations is not None for")),
    Mutant("a count takes one device several times", ("at + 1 if choices.capacity.one_share_a_request else 0", "at")),
    Mutant("no share IDs", ("share_ids.new(claim, place, used) if shared else None", "None")),
    Mutant("share IDs everywhere", ("share_ids.new(claim, place, used) if shared else None", "share_ids.new(claim, place, used)")),
    Mutant("equal share IDs", ("            if found not in used:", "            found = '6ba7b810-9dad-41d1-80b4-00c04fd430c8'\n            if True:")),
    Mutant("no consumedCapacity", ("slot.needs.consumed(index) if shared and device.capacity else None", "None")),
    Mutant("consumedCapacity on dedicated devices", ("slot.needs.consumed(index) if shared and device.capacity else None",
           "slot.needs.consumed(index) if device.capacity else None")),
    Mutant("devices are shared though the gate is off", ("        sharing = self._behaviour.features.consumable_capacity", "        sharing = True")),
)  # fmt: skip

IN_USE = (
    Mutant("held devices are free", ("        if not self._is_share(result):\n            self.in_use[index] = ALLOCATED\n            return", "        if not self._is_share(result):\n            return")),
    Mutant("held devices are known by pool and name", ("self._places = {key: index for", "self._places = {key[1:]: index for"), ("index = self._places.get(key)", "index = self._places.get(key[1:])")),
    Mutant("dedicated devices are not marked", ("        else:\n            self.occupancy.in_use[index] = CHOSEN\n        self.chosen", "        self.chosen")),
    Mutant("undo keeps the device", ("        else:\n            self.occupancy.in_use[index] = chosen.before\n", "")),
)  # fmt: skip

SEARCH = (
    Mutant("gives up at the first full device", ("                choices.note_full(position.claim, slot, index, need)\n                continue",
           "                choices.note_full(position.claim, slot, index, need)\n                break")),
    Mutant("gives up at the first device in use", ("                choices.note_in_use(position.claim, slot, index)\n                continue",
           "                choices.note_in_use(position.claim, slot, index)\n                break")),
    Mutant("gives up at the first refusal", ("            if refused:\n                continue", "            if refused:\n                break")),
    Mutant("does not backtrack", ("        order = range(len(choices.devices.keys)) if", "        if failure is not None:\n            return failure\n        order = range(len(choices.devices.keys)) if")),
    Mutant("claims are not reconsidered", ("            return Position(\n                position.claim, position.request, position.subrequest, position.device + 1, following\n            )",
           "            if len(choices.plans) > position.claim + 1:\n                self._start = len(order)\n            return Position(\n                position.claim, position.request, position.subrequest, position.device + 1, following\n            )")),
    Mutant("a count is one", ("else requested.count or 1", "else 1")),
    Mutant("a count is one more", ("else requested.count or 1", "else (requested.count or 0) + 1")),
    Mutant("devices only as far as they are there", ("        return Failure.NOTHING_FITS\n\n    def _eligible",
           "        return Position(position.claim, position.request + 1) if position.device and not self._holds else Failure.NOTHING_FITS\n\n    def _eligible")),
    Mutant("33 devices", ("RESULTS_MAX = 32", "RESULTS_MAX = 33")),
    Mutant("31 devices", ("RESULTS_MAX = 32", "RESULTS_MAX = 31")),
    Mutant("no limit of devices", ("RESULTS_MAX = 32", "RESULTS_MAX = 320")),
    Mutant("the limit counts devices twice", ("+ slot.count - position.device > RESULTS_MAX:", "+ slot.count > RESULTS_MAX:")),
    Mutant("the limit counts the largest alternatives", ("self.least = min(", "self.least = max(")),
    Mutant("an alternative beyond the limit ends it all", ("        if failure is Failure.NOTHING_FITS:\n            self._too_many = False", "        if failure is Failure.TOO_MANY:\n            return failure")),
    Mutant("an error for one claim only", ("            plans = [planner.plan(claim) for claim in claims]", "            plans = [planner.plan(claim) for claim in claims[:1]]")),
    Mutant("a request starts behind the one before", ("        return Passage(Position(position.claim, position.request + 1))", "        return Passage(Position(position.claim, position.request + 1, -1, 0, position.start))")),
)  # fmt: skip

SELECTORS = (
    Mutant("the class does not select", ("    groups = ((device_class.metadata.name, device_class.spec.selectors), (\"\", selectors))", "    groups = ((\"\", selectors),)")),
    Mutant("the request does not select", ("    groups = ((device_class.metadata.name, device_class.spec.selectors), (\"\", selectors))", "    groups = ((device_class.metadata.name, device_class.spec.selectors),)")),
    Mutant("only the first selector counts", ("        for owner, place, expression in self._chain:\n            word", "        for owner, place, expression in self._chain[:1]:\n            word")),
    Mutant("a selector that fails does not match", ("raise Stop(Failed(Category.SELECTOR_RUNTIME_ERROR, message)) from error", "return NO")),
    Mutant("a selector that is wrong does not match", ('raise Stop(Failed(Category.SELECTOR_COMPILE_ERROR, message)) from error', "return NO")),
    Mutant("no class, any class", ("        device_class = self.classes.get(name)", "        device_class = self.classes.get(name) or next(iter(self.classes.values()))")),
    Mutant("attributes of every driver have one domain", ("cel.device_of(self._devices.keys[index][0], self._seen(device))", 'cel.device_of("dra.example.com", self._seen(device))')),
)  # fmt: skip

CONSTRAINTS = (
    Mutant("undo keeps the constraint", ("constraint.remove(chosen.slot.request, value)", "pass")),
    Mutant("a refused device stays in an earlier constraint", ("earlier.remove(slot.request, known)", "pass")),
    Mutant("match ignores the value", ("if kind != common or not narrowed:", "if kind != common:")),
    Mutant("match ignores the type", ("if kind != common or not narrowed:", "if not narrowed:")),
    Mutant("distinct ignores the value", ("        if mine & self._used:\n            return False\n", "")),
    Mutant("distinct ignores the type", ("mine = {(kind, member) for member in members}", 'mine = {("", str(member)) for member in members}'),
           ("self._used -= {(kind, member) for member in members}", 'self._used -= {("", str(member)) for member in members}')),
    Mutant("distinct forgets nothing", ("        self._used -= {(kind, member) for member in members}\n", "")),
    Mutant("distinct knows one value a request", ('distinct_by_request: bool = switch("until 1.36")', 'distinct_by_request: bool = switch("kep")')),
    Mutant("constraints cover every request", ("return not names or request in names", "return True or request in names")),
    Mutant("constraints do not cover alternatives", ("return not names or request in names or", "return not names or")),
    Mutant("constraints of an alternative cover nothing", ('(subrequest != "" and f"{request}/{subrequest}" in names)', "False")),
    Mutant("only the first constraint counts", ("tuple(item for item in constraints if item.covers", "tuple(item for item in constraints[:1] if item.covers")),
    Mutant("a missing attribute does no harm", ("if value is not None and constraint.add(slot.request, value):", "if value is None or constraint.add(slot.request, value):")),
    Mutant("bare attributes are of every domain", ("        if bare and domain == devices.keys[index][0]:", "        if bare:")),
    Mutant("bare attributes have no domain", ("        if bare and domain == devices.keys[index][0]:", "        if False:")),
    Mutant("in mode All a constraint is an error", ('constraint_is_error: bool = switch("since 1.33")', 'constraint_is_error: bool = switch("kep")')),
    Mutant("lists match by their narrowest pair", ("        self._common.append((kind, narrowed))", "        self._common.append((kind, members))")),
    Mutant("lists match when they are equal", ("if kind != common or not narrowed:", "if kind != common or members != self._common[-1][1]:")),
    Mutant("lists match by what any device has", ("        self._common.append((kind, narrowed))", "        self._common.append((kind, self._common[-1][1] | members))")),
    Mutant("lists stay narrow", ("        if self._stays:\n", "        if True:\n")),
    Mutant("a single value is no list", ("if kind != common or not narrowed:", "if kind != common or not narrowed or (self._list is not value[2]):"),
           ("            self._common.append((kind, members))\n            return True", "            self._list = value[2]\n            self._common.append((kind, members))\n            return True")),
    Mutant("lists are distinct unless equal", ("        if mine & self._used:", "        if mine and mine <= self._used:")),
    Mutant("lists are unknown", ("return (kind, members) if self._lists or not is_list else", "return (kind, members) if not is_list else")),
    Mutant("only the first of a list counts", ("            return (kind, frozenset(values), True)", "            return (kind, frozenset(values[:1]), True)")),
)  # fmt: skip

ALL_MODE = (
    Mutant("All of nothing is enough", ("            if not slot.every:", "            if False:")),
    Mutant("All is one", ("count=len(every) if every is not None", "count=min(len(every), 1) if every is not None")),
    Mutant("All leaves devices in use out", ("        if index in self.devices.hidden:\n            return Category.FEATURE_DISABLED\n", "        if index in self.devices.hidden or occupancy.in_use[index]:\n            return Category.FEATURE_DISABLED\n")),
    Mutant("All leaves exhausted devices out", ('AllCapacity.VALUE: "kep"', 'AllCapacity.VALUE: "in 1.33"'), ('AllCapacity.REMAINING: "until 1.36"', 'AllCapacity.REMAINING: "kep"')),
    Mutant("All leaves what a policy refuses out", ('AllCapacity.VALUE: "kep"', 'AllCapacity.VALUE: "in 1.33"'), ('AllCapacity.EMPTY: "since 1.37"', 'AllCapacity.EMPTY: "kep"')),
    Mutant("All needs devices that are too small", ('return small.lack if small is not None else None', 'return None')),
    Mutant("All ignores selectors", ("        if not selectors.accepts(index, claim):\n            return Category.SELECTOR_NOT_MATCHED\n", "")),
    Mutant("All takes devices of other nodes", ("        if not self.devices.reaches(index):\n            return Category.NODE_MISMATCH\n", "")),
    Mutant("All does with incomplete pools", ("            if pool.state is PoolState.COMPLETE:\n                continue\n            incomplete",
           "            if pool.state is not PoolState.INVALID:\n                continue\n            incomplete")),
    Mutant("All leaves tainted devices out", ("        if index in self.devices.hidden:\n            return Category.FEATURE_DISABLED\n", "        if index in self.devices.hidden or self.devices.devices[index].taints:\n            return Category.FEATURE_DISABLED\n")),
    Mutant("All leaves devices with groups out when they are off", ("        if index in self.devices.hidden:\n            return Category.FEATURE_DISABLED\n",
           '        if index in self.devices.hidden or (self._behaviour.groups == "refused" and any(one.compatibility_groups for one in self.devices.devices[index].consumes_counters)):\n            return Category.FEATURE_DISABLED\n')),
    Mutant("All passes over what is refused", ("                raise Stop(Failed(Category.CONSTRAINT_UNSATISFIED, self._cannot_add(index)))\n            return Failure.NOTHING_FITS",
           "                raise Stop(Failed(Category.CONSTRAINT_UNSATISFIED, self._cannot_add(index)))\n            return Position(position.claim, position.request, position.subrequest, position.device + 1)")),
    Mutant("All is not undone", ("            if self._holds:\n                choices.take_back(position.claim)\n            return failure", "            return failure")),
)  # fmt: skip

LISTS = (
    Mutant("the last alternative first", ("        return Position(self._position.claim, self._position.request, self._tried - 1)",
           "        return Position(self._position.claim, self._position.request, self._count - self._tried)")),
    Mutant("only the first alternative", ("        if self._tried == self._count:", "        if self._tried == 1:")),
    Mutant("the smallest alternative first", ("return RequestPlan(request.name, slots, is_list=True)", "return RequestPlan(request.name, tuple(sorted(slots, key=lambda slot: slot.count)), is_list=True)")),
    Mutant("the largest alternative first", ("return RequestPlan(request.name, slots, is_list=True)", "return RequestPlan(request.name, tuple(sorted(slots, key=lambda slot: -slot.count)), is_list=True)")),
    Mutant("no other alternative for later requests", ("        if self._tried == self._count:", "        if self._tried == self._count or (failure is not None and self._depth > 0):"),
           ("        self._tried = 0\n        self._too_many", "        self._tried = 0\n        self._depth = position.request\n        self._too_many")),
    Mutant("results do not name the alternative", ('return f"{self.request}/{self.subrequest}" if self.subrequest else self.request', "return self.request")),
    Mutant("results name only the alternative", ('return f"{self.request}/{self.subrequest}" if self.subrequest else self.request', "return self.subrequest or self.request")),
    Mutant("alternatives though their gate is off", ("            if not self.behaviour.features.prioritized_list:", "            if False:")),
    Mutant("alternatives have the class of the first", ("        name = requested.device_class_name\n", "        name = earlier[0].device_class.metadata.name if earlier else requested.device_class_name\n")),
    Mutant("alternatives have the count of the first", ("else requested.count or 1", "else earlier[0].count if earlier else requested.count or 1")),
    Mutant("alternatives have the tolerations of all", ("            tolerations=requested.tolerations,", "            tolerations=tuple(one for slot in earlier for one in slot.tolerations) + requested.tolerations,")),
)  # fmt: skip

CONFIGURATION = (
    Mutant("configuration of the class is forgotten", ("        for entry in classes[name].spec.config\n", "        for entry in ()\n")),
    Mutant("configuration of the claim is forgotten", ("        entries += [entry] * times", "        pass")),
    Mutant("the claim's configuration first", ("        entries += [entry] * times", "        entries = [entry] * times + entries")),
    Mutant("configuration of every alternative", ("else matching if behaviour.results.config_repeats else min(matching, 1)", "else 1")),
    Mutant("configuration of the first alternative", ("    return [used.get(request.name, request.slots[0]) for request in plan.requests]", "    return [request.slots[0] for request in plan.requests]")),
    Mutant("configuration for an alternative is forgotten", ("matching = sum(slot.request in item.requests or slot.name in item.requests for slot in slots)", "matching = sum(slot.request in item.requests for slot in slots)")),
    Mutant("configuration for a request is forgotten in its alternatives", ("matching = sum(slot.request in item.requests or slot.name in item.requests for slot in slots)", "matching = sum(slot.name in item.requests for slot in slots)")),
    Mutant("configuration for all requests is forgotten", ("        times = 1 if not item.requests else", "        times = 0 if not item.requests else")),
    Mutant("configuration names no requests", ("return () if behaviour.results.config_clears_requests and covered == everyone else requests", "return ()")),
    Mutant("configuration twice for two requests", ('config_repeats: bool = switch("until 1.36")', 'config_repeats: bool = switch("kep")')),
    Mutant("configuration loses its parameters", ("source=FROM_CLAIM, requests=recorded(item.requests), opaque=item.opaque", "source=FROM_CLAIM, requests=recorded(item.requests), opaque=None")),
    Mutant("a class is configured once a request", ("        names.setdefault(slot.device_class.metadata.name, []).append(slot.name)", "        names[slot.device_class.metadata.name] = [slot.name]")),
    Mutant("the last configuration first", ("    for item in claim.config:\n        matching", "    for item in reversed(claim.config):\n        matching")),
)  # fmt: skip

POOLS = (
    Mutant("older slices win", ("if found is None or generation > found[0].spec.pool.generation:", "if found is None or generation < found[0].spec.pool.generation:")),
    Mutant("older slices stay", ("            elif generation == found[0].spec.pool.generation:", "            else:")),
    Mutant("obsolete pools are used", ("            if any(item.spec.pool.generation > first.generation for item in everywhere):\n                return None\n", "")),
    Mutant("older slices complete a pool", ("                if item.spec.pool.generation == first.generation and not self._ignored(item)", "                if not self._ignored(item)")),
    Mutant("incomplete pools are used", ('incomplete_serve: bool = switch("until 1.34")', 'incomplete_serve: bool = switch("kep")')),
    Mutant("too few slices are enough", ("            complete = len(current) == first.resource_slice_count", "            complete = len(current) <= first.resource_slice_count")),
    Mutant("a pool ends at the node", ('seen_whole: bool = switch("kep")', 'seen_whole: bool = switch("in 1.33")'), ('from_node_only: bool = switch("until 1.34")', 'from_node_only: bool = switch("kep")')),
    Mutant("what is complete on the node is enough", ('seen_whole: bool = switch("kep")', 'seen_whole: bool = switch("in 1.33")')),
    Mutant("a device twice is one", ('                if device.name in names:\n                    return f"duplicate device name {device.name}"\n', "")),
    Mutant("a device twice is looked for on the node only", ("fault = self._fault(current if behaviour.pools.seen_whole else found, whole)", "fault = self._fault(found, whole)")),
    Mutant("a counter set twice is one", ('                if counter_set.name in sets:\n                    return f"duplicate counter set name {counter_set.name}"\n', "")),
    Mutant("unknown counter sets are unlimited", ('        if known is None:\n            return f"counter set {consumption.counter_set} not found"', "        if known is None:\n            continue")),
    Mutant("unknown counters are unlimited", ("            if name not in known:", "            if False:")),
    Mutant("pools of all drivers are one", ("            key = (item.spec.driver, item.spec.pool.name)\n            found = newest", '            key = ("dra.example.com", item.spec.pool.name)\n            found = newest'),
           ("self._by_pool.setdefault((spec.driver, spec.pool.name), []).append(item)", 'self._by_pool.setdefault(("dra.example.com", spec.pool.name), []).append(item)')),
    Mutant("one invalid pool spoils all", ("        if self._has_invalid_pool:\n", "        if self._has_invalid_pool or any(pool.state is PoolState.INCOMPLETE for pool in self.devices.pools):\n")),
)  # fmt: skip

PLACES = (
    Mutant("the name of the node does not count", ("        return item.node_name == node.metadata.name", "        return True")),
    Mutant("all nodes means none", ("    if item.all_nodes:\n        return True\n", "")),
    Mutant("node selectors do not count", ("    return item.node_selector is not None and node_matches(item.node_selector, node)", "    return item.node_selector is not None")),
    Mutant("devices do not choose their nodes", ("            if not choices.devices.reaches(index):", "            if False:")),
    Mutant("devices never choose their nodes", ("            if spec.per_device_node_selection:\n                return any(", "            if spec.per_device_node_selection:\n                return all(")),
    Mutant("an allocation is bound to no node", ("        if source.node_name is not None or (device.binds_to_node and behaviour.results.binds_to_node):", "        if False:")),
    Mutant("devices that bind to their node do not", ("(device.binds_to_node and behaviour.results.binds_to_node)", "False")),
    Mutant("every allocation is bound to its node", ("        if source.node_name is not None or (device.binds_to_node and behaviour.results.binds_to_node):", "        if True:")),
    Mutant("the node selector is that of the slice", ("        source = device if spec.per_device_node_selection else spec", "        source = spec")),
    Mutant("the node selector is that of the first device", ("    for one in chosen:\n        device, spec", "    for one in chosen[:1]:\n        device, spec")),
    Mutant("the node selector is that of the last device", ("    for one in chosen:\n        device, spec", "    for one in chosen[-1:]:\n        device, spec")),
    Mutant("the node selector has no labels", ("            _unite(expressions, term.match_expressions)\n", "")),
    Mutant("the node selector has no fields", ("            _unite(fields, term.match_fields)\n", "")),
    Mutant("binding conditions are not recorded", ("binding_conditions=device.binding_conditions,", "binding_conditions=None,")),
    Mutant("binding failure conditions are not recorded", ("binding_failure_conditions=device.binding_failure_conditions,", "binding_failure_conditions=None,")),
    Mutant("binding conditions though their gate is off", ("self._behaviour.features.binding_conditions", "True")),
    Mutant("binding conditions need one gate", ('BINDING = gate("DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus")', 'BINDING = gate("DRADeviceBindingConditions")')),
    Mutant("binding conditions hide a device", ("self._behaviour.features.binding_conditions", "False")),
)  # fmt: skip

COUNTERS = (
    Mutant("counters are not looked at", ("            if counter in left and left[counter] < amount:", "            if False:")),
    Mutant("a counter must not run out", ("            if counter in left and left[counter] < amount:", "            if counter in left and left[counter] <= amount:")),
    Mutant("only the first counter is looked at", ("        for counter, amount in draws.items():\n            if counter in left and", "        for counter, amount in list(draws.items())[:1]:\n            if counter in left and")),
    Mutant("only the first counter set is looked at", ("        for counter, amount in draws.items():\n            if counter in left and", "        for counter, amount in draws.items():\n            if counter[0] != next(iter(draws))[0]:\n                continue\n            if counter in left and")),
    Mutant("only the first counter is drawn on", ("        for counter, amount in draws.items():\n            if counter in left:\n                left[counter] -= amount",
           "        for counter, amount in list(draws.items())[:1]:\n            if counter in left:\n                left[counter] -= amount")),
    Mutant("nothing is drawn", ("            if counter in left:\n                left[counter] -= amount\n        return", "            pass\n        return")),
    Mutant("undo keeps the counters", ("    if drawn.counted:\n        occupancy.counters.give_back(index)\n", "")),
    Mutant("a refused device keeps its counters", ("            if not self.behaviour.refusals_leak:\n                give_back(index, self.occupancy, drawn)\n            return refused", "            return refused")),
    Mutant("counters are counted in whole numbers", ("draws[key] = draws.get(key, 0) + counter.value.nano", "draws[key] = draws.get(key, 0) + counter.value.value() * 10**9")),
    Mutant("held devices draw nothing", ("                if (pool.driver, pool.name, device.name) in self._drawing:", "                if False:")),
    Mutant("held devices of other nodes draw nothing", ("                if (pool.driver, pool.name, device.name) in self._drawing:", "                if item in pool.slices and (pool.driver, pool.name, device.name) in self._drawing:")),
    Mutant("held devices of any driver draw", ("                if (pool.driver, pool.name, device.name) in self._drawing:", "                if any((pool.name, device.name) == one[1:] for one in self._drawing):")),
    Mutant("counters of other nodes do not count", ("            for counter_set in item.spec.shared_counters:\n                for name, declared", "            for counter_set in item.spec.shared_counters if item in pool.slices else ():\n                for name, declared")),
    Mutant("counter sets are one", ("left[counter_set.name, name] = declared.value.nano", 'left["", name] = declared.value.nano'), ("self._formats[counter_set.name, name] =", 'self._formats["", name] ='),
           ("            key = (consumption.counter_set, name)", '            key = ("", name)')),
    Mutant("pools of one name have the same counters", ('CounterScope.POOL_NAME: "in 1.35"', 'CounterScope.POOL_NAME: "kep"')),
    Mutant("counters are those of the slice", ('CounterScope.SLICE: "until 1.34"', 'CounterScope.SLICE: "kep"')),
    Mutant("an overdrawn counter blocks its neighbours", ('short_blocks_all: bool = switch("since 1.33")', 'short_blocks_all: bool = switch("kep")')),
    Mutant("every share draws", ("    again = drawn_before and not behaviour.counters.each_share_draws", "    again = False")),
    Mutant("shares after those of other claims draw", ("(shares > 0 or index in occupancy.marked)", "shares > 0")),
    Mutant("shares after those of the call draw", ("(shares > 0 or index in occupancy.marked)", "index in occupancy.marked")),
    Mutant("shares of other claims draw nothing", ("        if self._behaviour.counters.shares_draw or not self._is_share(result):", "        if not self._is_share(result):")),
    Mutant("the second share gives the counters back", ("    if drawn.counted:\n", "    if devices_draw(occupancy, index):\n"), ("def give_back(index: int, occupancy: Occupancy, drawn: Drawn) -> None:", "def devices_draw(occupancy: Occupancy, index: int) -> bool:\n    return bool(occupancy._devices.devices[index].consumes_counters)\n\n\ndef give_back(index: int, occupancy: Occupancy, drawn: Drawn) -> None:")),
    Mutant("counters though their gate is off", ("    if not behaviour.features.partitionable_devices:", "    if False:")),
    Mutant("devices beside counters are none", ('slices_have_devices: bool = switch("kep", "until 1.34")', 'slices_have_devices: bool = switch("until 1.34")')),
    Mutant("counters limit devices that consume none", ("            special=[bool(device.consumes_counters or device.taints) for *_, device in placed],", "            special=[bool(device.consumes_counters or device.taints) or any(one.spec.shared_counters for one in pool.everywhere) for _, pool, _, device in placed],"),
           ("    if not device.consumes_counters:\n        return NOTHING_DRAWN\n", "    if not device.consumes_counters and any(one.spec.shared_counters for one in devices.pool_of(index).everywhere):\n        return Refused(Category.COUNTER_EXHAUSTED, '')\n    if not device.consumes_counters:\n        return NOTHING_DRAWN\n")),
)  # fmt: skip

GROUPS = (
    Mutant("groups are ignored", ("        agreed = self._agreed[key]\n        if (agreed is None and not groups)", "        return \"\"\n        if (agreed is None and not groups)")),
    Mutant("a device without groups goes everywhere", ("if (agreed is None and not groups) or (agreed is not None and agreed & groups):", "if not groups or (agreed is not None and agreed & groups):")),
    Mutant("devices with groups go beside those without", ("if (agreed is None and not groups) or (agreed is not None and agreed & groups):", "if agreed is None or agreed & groups:")),
    Mutant("two devices without groups exclude each other", ("if (agreed is None and not groups) or (agreed is not None and agreed & groups):", "if agreed is not None and agreed & groups:")),
    Mutant("all groups must be the same", ("(agreed is not None and agreed & groups):", "(agreed is not None and agreed == groups):")),
    Mutant("all groups of the newcomer must be there", ("(agreed is not None and agreed & groups):", "(agreed is not None and groups and agreed >= groups):")),
    Mutant("the newcomer must have all groups", ("(agreed is not None and agreed & groups):", "(agreed is not None and agreed <= groups):")),
    Mutant("group names are short for longer ones", ("(agreed is not None and agreed & groups):", "(agreed is not None and any(a.startswith(b) or b.startswith(a) for a in agreed for b in groups)):")),
    Mutant("group names have no case", ("            groups = frozenset(consumption.compatibility_groups)\n            refused", "            groups = frozenset(one.lower() for one in consumption.compatibility_groups)\n            refused")),
    Mutant("groups are compared with the latest device", ("        self._agreed[key] = (agreed or frozenset()) & groups", "        self._agreed[key] = groups")),
    Mutant("groups are compared with the first device", ("        self._agreed[key] = (agreed or frozenset()) & groups", "        self._agreed[key] = agreed")),
    Mutant("groups are compared with any device", ("        self._agreed[key] = (agreed or frozenset()) & groups", "        self._agreed[key] = (agreed or frozenset()) | groups")),
    Mutant("undo keeps the groups narrow", ("            if occupied:\n                self._agreed[key] = agreed\n            else:", "            if occupied:\n                pass\n            else:")),
    Mutant("undo keeps the counter set occupied", ("            else:\n                del self._agreed[key]\n\n", "            else:\n                pass\n\n")),
    Mutant("undo opens the counter set", ("            if occupied:\n                self._agreed[key] = agreed\n            else:", "            if False:\n                pass\n            elif key in self._agreed:")),
    Mutant("a refusal on one set narrows the others", ("            if refused:\n                self.leave(undo)\n                return refused, ()", "            if refused:\n                return refused, ()")),
    Mutant("a refusal by counters narrows the groups", ("        occupancy.groups.leave(joined)\n        return Refused", "        return Refused")),
    Mutant("groups stay when the device goes", ("    occupancy.groups.leave(drawn.joined)", "    pass")),
    Mutant("only the first set is compared", ("        for consumption in self._devices.devices[index].consumes_counters:\n            key", "        for consumption in self._devices.devices[index].consumes_counters[:1]:\n            key")),
    Mutant("one set that agrees is enough", ("            if refused:\n                self.leave(undo)\n                return refused, ()", "            if refused and len(self._devices.devices[index].consumes_counters) == 1:\n                self.leave(undo)\n                return refused, ()")),
    Mutant("groups are those of the pool", ("            key = ((driver, pool), consumption.counter_set)", '            key = ((driver, pool), "")'), ("            self._fold((pool, name), recorded", '            self._fold((pool, ""), recorded')),
    Mutant("sets of one name are one in all pools", ("            key = ((driver, pool), consumption.counter_set)", '            key = (("", ""), consumption.counter_set)'), ("            self._fold((pool, name), recorded", '            self._fold((("", ""), name), recorded')),
    Mutant("pools of one name have the same groups", ("            key = ((driver, pool), consumption.counter_set)", '            key = (("", pool), consumption.counter_set)'), ("            self._fold((pool, name), recorded", '            self._fold((("", pool[1]), name), recorded')),
    Mutant("records of all drivers count", ("            if key[:2] == pool:", "            if key[1] == pool[1]:")),
    Mutant("held devices have no groups", ("                    self._recorded(pool, published.get(key), result)", "                    pass")),
    Mutant("the slice says what held devices agree on", ("        if self._behaviour.groups is GroupReading.LIVE:\n            for", "        if True:\n            for")),
    Mutant("held devices that left the slice do not count", ("        for key, results in self._held.items():\n            if key[:2] == pool:", "        for key, results in self._held.items():\n            if key[:2] == pool and key in published:")),
    Mutant("held devices without a record do not count", ("        for name in dict.fromkeys((*recorded, *drawn)):", "        for name in recorded:")),
    Mutant("records count where the device draws", ("        for name in dict.fromkeys((*recorded, *drawn)):", "        for name in drawn:")),
    Mutant("an empty record is a record", ("            self._agreed[key] = groups or None\n", "            self._agreed[key] = groups\n")),
    Mutant("groups are not recorded", ("    return found or None", "    return None")),
    Mutant("groups are recorded for the first set", ("        for one in device.consumes_counters\n        if one.compatibility_groups", "        for one in device.consumes_counters[:1]\n        if one.compatibility_groups")),
    Mutant("groups are recorded for all sets alike", ("        one.counter_set: one.compatibility_groups\n        for one", "        one.counter_set: tuple(dict.fromkeys(name for each in device.consumes_counters for name in each.compatibility_groups))\n        for one")),
    Mutant("without the gate groups are ignored", ("    if behaviour.groups is GroupReading.REFUSED and has_groups((device,)):", "    if False:")),
    Mutant("without the gate records are ignored", ("            if key in self._closed:", "            if False:")),
    Mutant("without the gate empty records close the set", ("for name, groups in recorded.items() if groups)", "for name, groups in recorded.items())")),
    Mutant("without the gate records close the pool", ("            if key in self._closed:", "            if any(one[0] == key[0] for one in self._closed):")),
    Mutant("without the gate empty lists are groups", ("    return any(one.compatibility_groups for device in devices for one in device.consumes_counters)", "    return any(device.consumes_counters for device in devices)")),
    Mutant("without the gate slices with groups are ignored", ('GroupReading.REFUSED: "kep"', 'GroupReading.REFUSED: "in 1.33"'), ('GroupReading.SLICES_IGNORED: "since 1.37"', 'GroupReading.SLICES_IGNORED: "kep"')),
    Mutant("further shares of a device are not compared", ("    if not (again and behaviour.groups is GroupReading.LIVE):", "    if not again:")),
    Mutant("a further share that goes leaves the groups narrow", ("        return Drawn(joined, counted=False)", "        return Drawn((), counted=False)")),
)  # fmt: skip

TAINTS = (
    Mutant("taints are ignored", ("            if self._taints:", "            if False:")),
    Mutant("taints though their gate is off", ("            if self._taints:", "            if True:")),
    Mutant("NoExecute does not prevent allocation", ('_BLOCKING = frozenset({"NoSchedule", "NoExecute"})', '_BLOCKING = frozenset({"NoSchedule"})')),
    Mutant("NoSchedule does not prevent allocation", ('_BLOCKING = frozenset({"NoSchedule", "NoExecute"})', '_BLOCKING = frozenset({"NoExecute"})')),
    Mutant("every effect prevents allocation", ('any_effect_blocks: bool = switch("until 1.34")', 'any_effect_blocks: bool = switch("kep")')),
    Mutant("only the first taint counts", ("    for taint in device.taints:\n", "    for taint in device.taints[:1]:\n")),
    Mutant("only the last taint counts", ("    for taint in device.taints:\n", "    for taint in device.taints[-1:]:\n")),
    Mutant("one tolerated taint is enough", ("            return taint\n    return None", "            return taint\n        if blocks:\n            return None\n    return None")),
    Mutant("any toleration tolerates", ("blocks and not any(_tolerates(one, taint, behaviour) for one in tolerations)", "blocks and not tolerations")),
    Mutant("all tolerations must match", ("blocks and not any(_tolerates(one, taint, behaviour) for one in tolerations)", "blocks and not (tolerations and all(_tolerates(one, taint, behaviour) for one in tolerations))")),
    Mutant("only the first toleration counts", ("not any(_tolerates(one, taint, behaviour) for one in tolerations)", "not any(_tolerates(one, taint, behaviour) for one in tuple(tolerations)[:1])")),
    Mutant("a toleration's effect does not count", ("    if toleration.effect and toleration.effect != taint.effect:\n        return False\n", "")),
    Mutant("a toleration needs an effect", ("    if toleration.effect and toleration.effect != taint.effect:", "    if toleration.effect != taint.effect:")),
    Mutant("NoSchedule tolerates NoExecute", ("    if toleration.effect and toleration.effect != taint.effect:", '    if toleration.effect and toleration.effect != taint.effect and toleration.effect != "NoSchedule":')),
    Mutant("NoExecute tolerates NoSchedule", ("    if toleration.effect and toleration.effect != taint.effect:", '    if toleration.effect and toleration.effect != taint.effect and toleration.effect != "NoExecute":')),
    Mutant("a toleration's key does not count", ("    if toleration.key and toleration.key != taint.key:\n        return False\n", "")),
    Mutant("a toleration needs a key", ("    if toleration.key and toleration.key != taint.key:", "    if toleration.key != taint.key:")),
    Mutant("keys have no case", ("    if toleration.key and toleration.key != taint.key:", "    if toleration.key and toleration.key.lower() != taint.key.lower():")),
    Mutant("keys have no domain", ("    if toleration.key and toleration.key != taint.key:", '    if toleration.key and toleration.key.rpartition("/")[2] != taint.key.rpartition("/")[2]:')),
    Mutant("a toleration's value does not count", ("        return toleration.value == taint.value or", "        return True or")),
    Mutant("values have no case", ("        return toleration.value == taint.value or", "        return toleration.value.lower() == taint.value.lower() or")),
    Mutant("Exists compares the value", ('    return toleration.operator == "Exists"', '    return toleration.operator == "Exists" and toleration.value == taint.value')),
    Mutant("Exists matches nothing", ('    return toleration.operator == "Exists"', "    return False")),
    Mutant("without an operator a key is enough", ('    if toleration.operator in ("", "Equal"):', '    if toleration.operator == "Equal":'), ('    return toleration.operator == "Exists"', "    return True")),
    Mutant("Equal is not the default", ('    if toleration.operator in ("", "Equal"):', '    if toleration.operator == "Equal":')),
    Mutant("an empty toleration matches an empty value", ('empty_toleration_tolerates_all: bool = switch("kep")', 'empty_toleration_tolerates_all: bool = switch("in 1.33")')),
    Mutant("a toleration without a value is empty", ("        empty = not toleration.key and not toleration.value", "        empty = not toleration.value")),
    Mutant("a limited toleration is none", ("    if toleration.effect and toleration.effect != taint.effect:", "    if toleration.toleration_seconds is not None or toleration.effect and toleration.effect != taint.effect:")),
    Mutant("tolerations are of the claim", ("untolerated(self.devices.devices[index], slot.tolerations, self.behaviour.taints)", "untolerated(self.devices.devices[index], [one for plan in self.plans for request in plan.requests for each in request.slots for one in each.tolerations], self.behaviour)")),
    Mutant("tolerations are not recorded", ("slot.tolerations if behaviour.taints.tolerations_recorded else ()", "()")),
    Mutant("admin access is exempt from taints", ("            if self._taints:", "            if self._taints and not slot.admin:")),
)  # fmt: skip

TAINT_RULES = (
    Mutant("taint rules are ignored", ("    live = [rule for rule in rules if", "    live = [rule for rule in () if")),
    Mutant("only the first taint rule counts", ("    live = [rule for rule in rules if", "    live = [rule for rule in tuple(rules)[:1] if")),
    Mutant("a rule without a selector taints everything", ('rules_need_selector: bool = switch("kep", "in 1.37")', 'rules_need_selector: bool = switch("in 1.37")')),
    Mutant("a rule with an empty selector taints nothing", ("    return rule.spec.device_selector is not None or", "    return rule.spec.device_selector not in (None, DeviceTaintSelector()) or")),
    Mutant("a rule's driver does not count", ("wanted = (selector.driver, selector.pool, selector.device)", "wanted = (None, selector.pool, selector.device)")),
    Mutant("a rule's pool does not count", ("wanted = (selector.driver, selector.pool, selector.device)", "wanted = (selector.driver, None, selector.device)")),
    Mutant("a rule's device does not count", ("wanted = (selector.driver, selector.pool, selector.device)", "wanted = (selector.driver, selector.pool, None)")),
    Mutant("one criterion of a rule is enough", ("    if any(want is not None and want != have for want, have in zip(wanted, found, strict=True)):",
           "    if all(want is None or want != have for want, have in zip(wanted, found, strict=True)) and any(wanted):")),
    Mutant("a rule's class does not count", ("    if selector.device_class_name is not None:", "    if False:")),
    Mutant("a rule of no known class taints everything", ("            yield None\n", "            pass\n")),
    Mutant("a rule's class selects by its first selector", ("            yield from device_class.spec.selectors\n", "            yield from device_class.spec.selectors[:1]\n")),
    Mutant("a rule's expressions do not count", ("    yield from selector.selectors\n", "    yield from ()\n")),
    Mutant("a rule's first expression counts", ("    yield from selector.selectors\n", "    yield from selector.selectors[:1]\n")),
    Mutant("one expression of a rule is enough", ("    return all(_holds(", "    return not list(_expressions(selector, classes)) or any(_holds(")),
    Mutant("a rule's expression that fails selects", ("    except (cel.CompileError, cel.EvaluationError):\n        return False", "    except (cel.CompileError, cel.EvaluationError):\n        return True")),
    Mutant("a rule takes the device's own taints away", ("taints=(*device.taints, *more)", "taints=more")),
    Mutant("a rule taints the whole slice", ("        devices = tuple(_tainted(device, item, live, classes, behaviour) for device in item.spec.devices)",
           "        devices = tuple(_tainted(device, item, live, classes, behaviour) for device in item.spec.devices)\n        spoilt = next((one.taints for one, old in zip(devices, item.spec.devices, strict=True) if one is not old), None)\n        devices = devices if spoilt is None else tuple(msgspec.structs.replace(one, taints=spoilt) for one in devices)")),
)  # fmt: skip

ADMIN = (
    Mutant("admin access reaches no device in use", ("        if not slot.admin:\n            if self.occupancy.in_use[index]:", "        if True:\n            if self.occupancy.in_use[index]:")),
    Mutant("admin access of one request is that of all", ("        if not slot.admin:\n            if self.occupancy.in_use[index]:", "        if not self.with_admin:\n            if self.occupancy.in_use[index]:")),
    Mutant("admin access takes the device", ("        uses = not (slot.admin and self.behaviour.admin_is_free)", "        uses = True")),
    Mutant("admin access of other claims takes the device", ("            if result.admin_access:\n                continue\n", "")),
    Mutant("admin access takes a device once in a call", ("any(one.index == index for one in self.chosen[claim])", "any(one.index == index for chosen in self.chosen for one in chosen)")),
    Mutant("admin access is not recorded", ("admin_access=True if slot.admin else None", "admin_access=None")),
    Mutant("admin access is recorded everywhere", ("admin_access=True if slot.admin else None", "admin_access=True")),
    Mutant("admin access that is false is true", ("        return requested.admin_access\n", "        return True\n")),
    Mutant("admin access though its gate is off", ("        if not self.behaviour.features.admin_access:\n", "        if False:\n")),
    Mutant("admin access needs capacity", ("        if slot.admin and self.behaviour.admin_is_free:\n            return True\n", "")),
    Mutant("admin access needs counters and groups", ("    if not uses:\n        return NOTHING_DRAWN\n", "")),
    Mutant("admin access ignores selectors", ("        if slot.selectors.accepts(index, choices.plans[claim].label):\n            return True", "        if slot.admin or slot.selectors.accepts(index, choices.plans[claim].label):\n            return True")),
    Mutant("admin access ignores constraints", ("        refused = refused or self._constrain(claim, slot, index)", '        refused = refused or (None if slot.admin else self._constrain(claim, slot, index))')),
    Mutant("admin access takes exhausted shares of the rest", ("        if not uses:\n            pass\n        elif self.devices.shared[index]:\n            self.occupancy.consumed.add", "        if not uses and not self.devices.shared[index]:\n            pass\n        elif self.devices.shared[index]:\n            self.occupancy.consumed.add"),
           ("        if not chosen.uses:\n            pass\n        elif shared:", "        if not chosen.uses and not shared:\n            pass\n        elif shared:")),
)  # fmt: skip

AREAS = {
    ("rounding", "default", "filter", "quantit", "policy"): CAPACITY,
    ("shar", "accounting", "status"): SHARING,
    ("exclusive", "dedicated", "held"): IN_USE,
    ("search", "count", "limit", "claim"): SEARCH,
    ("selector", "class"): SELECTORS,
    ("constraint", "match", "list-attribute"): CONSTRAINTS,
    ("all-mode", "allocation-mode"): ALL_MODE,
    ("prioritized-list",): LISTS,
    ("config",): CONFIGURATION,
    ("pool", "generation", "order"): POOLS,
    ("node", "binding"): PLACES,
    ("partitionable", "counter"): COUNTERS,
    ("kep-5963",): GROUPS,
    ("taint", "toleration"): TAINTS,
    ("taint-rule",): TAINT_RULES,
    ("admin-access",): ADMIN,
}
MUTANTS = tuple(
    Mutant(mutant.name, *mutant.changes, near=near) for near, mutants in AREAS.items() for mutant in mutants
)


def main(words: list[str]) -> int:
    """Try the mutants whose names have one of the words, all without words; 0 if all are killed."""
    began = perf_counter()
    trial = Trial()
    total = len(trial.cases)
    wanted = []
    for mutant in MUTANTS:
        if words and not any(word in mutant.name for word in words):
            continue
        try:
            changed(mutant, trial.texts)
        except Stale as stale:
            print(f"stale     {stale}")
            continue
        wanted.append(mutant)
    survivors = []
    for killing in kill(trial, wanted):
        how = f"{killing.case} (number {killing.after + 1})" if killing.case else ""
        print(f"{'killed' if how else 'SURVIVES':9} {killing.mutant:58} {how}", flush=True)
        if not how:
            survivors.append(killing.mutant)
    if len(trial.cases) < total:
        print(f"left out  {total - len(trial.cases)} cases that fail without a mutant")
    print(f"\n{len(wanted) - len(survivors)} of {len(wanted)} mutants killed, {perf_counter() - began:.0f} s")
    for name in survivors:
        print(f"  survives: {name}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
