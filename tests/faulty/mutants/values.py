"""Mutants that are wrong at one number or with one kind of text only."""

from __future__ import annotations

from tests.faulty.mutants.mutation import Mutant

_FITS = "used.get(name, 0) + amount <= values[name]"
_ASKED = "        amount = requested\n        if policy is not None:\n"
_DRAWS = "            if counter in left and left[counter] < amount:"
_HELD = "            key = (result.driver, result.pool, result.device)\n"
_ATTRIBUTE = "    found = attributes.get(name)\n"
_SINGLE = "        if value is not None:\n            return (kind, frozenset((value,)), False)"
_LIST = "            return (kind, frozenset(values), True)"


def _compared(what: str) -> tuple[str, str]:
    """Single values are compared by this."""
    return (_SINGLE, f"        if value is not None:\n            return (kind, frozenset(({what},)), False)")


NUMBERS = (
    Mutant("nothing is not to be had where nothing is left", (_FITS, "used.get(name, 0) + max(amount, 1) <= values[name]")),
    Mutant("the largest amount of 64 bits is refused", (_FITS, f"{_FITS} and amount < (2**63 - 1) * 10**9")),
    Mutant("capacities beyond 64 bits are that large", (_FITS, "used.get(name, 0) + amount <= min(values[name], (2**63 - 1) * 10**9)")),
    Mutant("what is used is rounded up to thousandths", (_FITS, "-(-used.get(name, 0) // 10**6) * 10**6 + amount <= values[name]")),
    Mutant("a min of zero is none", ("    if minimum is None:\n        return requested\n", "    if minimum is None or not minimum.nano:\n        return requested\n")),
    Mutant("a step of one is none", ("    if step is None:\n        return requested\n    if arithmetic.has_errors", "    if step is None or step.nano == NANO:\n        return requested\n    if arithmetic.has_errors")),
    Mutant("a step below one is one", ("            return Violation(INVALID_STEP, f\"step {step} is not positive\")\n        count = -((minimum.nano - requested.nano) // step.nano)", "            return Violation(INVALID_STEP, f\"step {step} is not above zero\")\n        step = max(step, Quantity(NANO))\n        count = -((minimum.nano - requested.nano) // step.nano)")),
    Mutant("a max equal to min does not count", ("valid.max is not None and amount.nano > valid.max.nano", "valid.max is not None and valid.max != valid.min and amount.nano > valid.max.nano")),
    Mutant("a default of zero is none", ("if policy is not None and policy.default is not None:", "if policy is not None and policy.default is not None and policy.default.nano:")),
    Mutant("a valid value of zero is none", ("value.nano >= requested.nano", "0 < value.nano >= requested.nano")),
    Mutant("one valid value is any value", ("elif policy.valid_values and amount not in policy.valid_values:", "elif len(policy.valid_values) > 1 and amount not in policy.valid_values:")),
    Mutant("a valid value of another notation is none", ("value.nano >= requested.nano", "value.nano >= requested.nano and (value.nano > requested.nano or value.format is requested.format)")),
    Mutant("a policy that says nothing has a default of zero", ("        amount = capacity.value\n", "        empty = policy is not None and policy.valid_range is None and not policy.valid_values\n        amount = Quantity(0) if empty else capacity.value\n")),
    Mutant("an explicit whole value is the default", (_ASKED, "        if policy is not None and policy.default is not None and requested == capacity.value:\n            return Consumed(policy.default)\n" + _ASKED)),
    Mutant("an amount of another notation is in whole units", (_ASKED, "        if requested.format is not capacity.value.format:\n            requested = Quantity.whole(requested.value())\n" + _ASKED)),
    Mutant("zero of a capacity that is not there", ("        for name in requested:\n            if name not in capacities:\n                return _undeclared(name)\n        if not", "        for name in requested:\n            if name not in capacities and requested[name]:\n                return _undeclared(name)\n        if not"),
           ("            if name not in capacities:\n                return _undeclared(name)\n            value", "            if name not in capacities:\n                continue\n            value")),
    Mutant("a capacity of zero is not there", ("            if name not in capacities:\n                return _undeclared(name)\n            value", "            if name not in capacities or not capacities[name].value:\n                return _undeclared(name)\n            value")),
    Mutant("a counter of zero is unlimited", (_DRAWS, "            if counter in left and left[counter] < amount and (left[counter] or amount > 10**12):")),
    Mutant("a device draws at least one of a counter", (_DRAWS, "            if counter in left and left[counter] < max(amount, 10**9):")),
    Mutant("counters are of 53 bits", (_DRAWS, "            if counter in left and float(left[counter]) < float(amount):")),
    Mutant("amounts are of 53 bits", (_FITS, "float(used.get(name, 0)) + float(amount) <= float(values[name])")),
    Mutant("a generation of zero is none", ("            generation = item.spec.pool.generation\n", "            generation = item.spec.pool.generation or 1\n")),
    Mutant("a count beyond 16 is 16", ("else requested.count or 1", "else min(requested.count or 1, 16)")),
    Mutant("toleration seconds below zero are none", ("    if toleration.key and toleration.key != taint.key:", "    if (toleration.toleration_seconds or 0) < 0:\n        return False\n    if toleration.key and toleration.key != taint.key:")),
    Mutant("true is one", _compared("int(value) if type(value) is bool else value"), ('_SINGLE = (("int", "int_"), ("bool", "bool_"),', '_SINGLE = (("int", "int_"), ("int", "bool_"),')),
    Mutant("whole numbers have no sign", _compared("abs(value) if type(value) is int else value")),
    Mutant("whole numbers are of 53 bits", _compared("float(value) if type(value) is int else value")),
)  # fmt: skip

TEXTS = (
    Mutant("a version without what follows its second dot", _compared("value.rpartition('.')[0] if kind == 'version' else value")),
    Mutant("texts are compared in 63 characters", _compared("value[:63] if isinstance(value, str) else value")),
    Mutant("texts are compared by their last 16 characters", _compared("value[-16:] if isinstance(value, str) else value")),
    Mutant("texts that look like numbers are numbers", _compared("float(value) if kind == 'string' and value.replace('.', '', 1).isdigit() else value")),
    Mutant("texts are joined where a blank is", _compared("value.replace(' ', '') if kind == 'string' else value")),
    Mutant("texts of a list have no case", (_LIST, "            return (kind, frozenset(one.lower() if isinstance(one, str) else one for one in values), True)")),
    Mutant("attribute names have no case", (_ATTRIBUTE, "    found = next((one for key, one in attributes.items() if key.lower() == name.lower()), None)\n")),
    Mutant("an attribute of a subdomain is the domain's", (_ATTRIBUTE, "    found = attributes.get(name) or next((one for key, one in attributes.items() if '/' in key and key.endswith('.' + name)), None)\n")),
    Mutant("an attribute of the domain is the subdomain's", (_ATTRIBUTE, "    found = attributes.get(name) or next((one for key, one in attributes.items() if '/' in key and name.endswith('.' + key)), None)\n")),
    Mutant("bare attributes are of subdomains of the driver", ("        if bare and domain == devices.keys[index][0]:", "        if bare and ('.' + domain).endswith('.' + devices.keys[index][0]):")),
    Mutant("bare attributes are of domains above the driver", ("        if bare and domain == devices.keys[index][0]:", "        if bare and ('.' + devices.keys[index][0]).endswith('.' + domain):")),
    Mutant("capacity of a subdomain is the domain's", ('return name if "/" in name else f"{driver}/{name}"', 'return f"{driver}/{name.rpartition(chr(47))[2]}" if name.partition("/")[0].endswith(driver) or "/" not in name else name')),
    Mutant("held devices are known by 16 characters", ("self._places = {key: index for", "self._places = {(*key[:2], key[2][:16]): index for"), ("index = self._places.get(key)", "index = self._places.get((*key[:2], key[2][:16]))")),
    Mutant("held devices are known by 32 characters of the pool", ("self._places = {key: index for", "self._places = {(key[0], key[1][:32], key[2]): index for"), ("index = self._places.get(key)", "index = self._places.get((key[0], key[1][:32], key[2]))")),
    Mutant("pools are known by what follows their last slash", ("            key = (item.spec.driver, item.spec.pool.name)\n            found = newest", "            key = (item.spec.driver, item.spec.pool.name.rpartition('/')[2])\n            found = newest"), ("self._by_pool.setdefault((spec.driver, spec.pool.name), []).append(item)", "self._by_pool.setdefault((spec.driver, spec.pool.name.rpartition('/')[2]), []).append(item)")),
    Mutant("drivers of a held device are known without their subdomain", (_HELD, "            short = result.driver.rpartition('.')[2]\n            alike = [one for one in self._devices.keys if one[0].endswith(short) and one[1:] == (result.pool, result.device)]\n            key = alike[0] if alike else (result.driver, result.pool, result.device)\n")),
    Mutant("counters of names that begin alike are one", ("            key = (consumption.counter_set, name)", "            key = (consumption.counter_set, name.partition('-')[0])"), ("left[counter_set.name, name] = declared.value.nano", "left[counter_set.name, name.partition('-')[0]] = declared.value.nano"), ("self._formats[counter_set.name, name] =", "self._formats[counter_set.name, name.partition('-')[0]] =")),
    Mutant("counter sets of names that begin alike are one", ("            key = (consumption.counter_set, name)", "            key = (consumption.counter_set.partition('-')[0], name)"), ("left[counter_set.name, name] = declared.value.nano", "left[counter_set.name.partition('-')[0], name] = declared.value.nano"), ("self._formats[counter_set.name, name] =", "self._formats[counter_set.name.partition('-')[0], name] =")),
    Mutant("groups are known by their beginnings", ("            groups = frozenset(consumption.compatibility_groups)\n            reason", "            groups = frozenset(one[:3] for one in consumption.compatibility_groups)\n            reason")),
    Mutant("taint keys are known without what follows a dot", ("    if toleration.key and toleration.key != taint.key:", "    if toleration.key and toleration.key.rpartition('.')[2] != taint.key.rpartition('.')[2]:")),
    Mutant("taint values are compared in 16 characters", ("        return toleration.value == taint.value or", "        return toleration.value[:16] == taint.value[:16] or")),
    Mutant("labels are compared in 16 characters", ("            return value is not None and value in requirement.values", "            return value is not None and value[:16] in [one[:16] for one in requirement.values]")),
    Mutant("label keys have no domain", ("    expressions_match = all(_matches(item, labels.get(item.key)) for", "    labels = labels | {key.rpartition('/')[2]: value for key, value in labels.items()}\n    expressions_match = all(_matches(item, labels.get(item.key.rpartition('/')[2])) for")),
    Mutant("names of requests are compared to their first dash", ("return not names or request in names", "return not names or request.partition('-')[0] in {name.partition('-')[0] for name in names}")),
    Mutant("a configuration is for names that begin so", ("        matching = sum(slot.request in item.requests or slot.name in item.requests for slot in slots)", "        matching = sum(any(slot.name.startswith(one) for one in item.requests) for slot in slots)")),
    Mutant("In compares whole numbers", ("            return value is not None and value in requirement.values", "            return value is not None and (value.lstrip('0') or '0') in [one.lstrip('0') or '0' for one in requirement.values]")),
)  # fmt: skip
