"""Mutants that read amounts, versions and the names in selectors wrong."""

from __future__ import annotations

from tests.faulty.mutants.mutation import Mutant

_SUFFIX = '_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}'
_VIEW = "    return DeviceView(driver, attributes, capacity, bool(device.allow_multiple_allocations))"
_NAMED = "    return (domain, short) if slash else (driver, name)"
_CAPACITY = "        capacity.setdefault(domain, {})[short] = amount.value"
_ATTRIBUTE = "        attributes.setdefault(domain, {})[short] = _value(name, attribute)"
_PRECEDENCE = "(self.major, self.minor, self.patch, released, identifiers))"

AMOUNTS = (
    Mutant("n is u", (_SUFFIX, _SUFFIX.replace('"n": -9', '"n": -6'))),
    Mutant("u is n", (_SUFFIX, _SUFFIX.replace('"u": -6', '"u": -9'))),
    Mutant("m is M", (_SUFFIX, _SUFFIX.replace('"m": -3', '"m": 6'))),
    Mutant("k is Ki", ('        exponent, form = _DECIMAL[suffix], Format.DECIMAL_SI\n', '        if suffix == "k":\n            return digits * 1024 * NANO, 10**places, Format.DECIMAL_SI\n        exponent, form = _DECIMAL[suffix], Format.DECIMAL_SI\n')),
    Mutant("M is Mi", ('        exponent, form = _DECIMAL[suffix], Format.DECIMAL_SI\n', '        if suffix == "M":\n            return digits * 1024**2 * NANO, 10**places, Format.DECIMAL_SI\n        exponent, form = _DECIMAL[suffix], Format.DECIMAL_SI\n')),
    Mutant("G is Gi", ('        exponent, form = _DECIMAL[suffix], Format.DECIMAL_SI\n', '        if suffix == "G":\n            return digits * 1024**3 * NANO, 10**places, Format.DECIMAL_SI\n        exponent, form = _DECIMAL[suffix], Format.DECIMAL_SI\n')),
    Mutant("T is Ti", ('        exponent, form = _DECIMAL[suffix], Format.DECIMAL_SI\n', '        if suffix == "T":\n            return digits * 1024**4 * NANO, 10**places, Format.DECIMAL_SI\n        exponent, form = _DECIMAL[suffix], Format.DECIMAL_SI\n')),
    Mutant("Ki is k", ("        return (digits << _BINARY[suffix]) * NANO, 10**places, Format.BINARY_SI", "        return digits * 1000 ** (_BINARY[suffix] // 10) * NANO, 10**places, Format.BINARY_SI")),
    Mutant("binary fractions are cut off", ("        return (digits << _BINARY[suffix]) * NANO, 10**places, Format.BINARY_SI", "        return (digits // 10**places << _BINARY[suffix]) * NANO, 1, Format.BINARY_SI")),
    Mutant("decimal fractions are cut off", ("    shift = max(exponent, -2 * MAX_LENGTH) - places + 9", "    digits, places = digits // 10**places, 0\n    shift = max(exponent, -2 * MAX_LENGTH) - places + 9")),
    Mutant("a decimal exponent is cut at 9", ("        exponent, form = int(written[1]), Format.DECIMAL_EXPONENT", "        exponent, form = min(int(written[1]), 9), Format.DECIMAL_EXPONENT")),
    Mutant("a decimal exponent has no sign", ("        exponent, form = int(written[1]), Format.DECIMAL_EXPONENT", "        exponent, form = abs(int(written[1])), Format.DECIMAL_EXPONENT")),
    Mutant("a decimal exponent is one of two", ("        exponent, form = int(written[1]), Format.DECIMAL_EXPONENT", "        return digits * 2 ** int(written[1]) * NANO, 10**places, Format.DECIMAL_EXPONENT\n        exponent, form = int(written[1]), Format.DECIMAL_EXPONENT")),
    Mutant("E3 is exa", ('_EXPONENT = re.compile(r"[eE]([+-]?[0-9]+)")', '_EXPONENT = re.compile(r"e([+-]?[0-9]+)")')),
    Mutant("finer than nano is cut off", ("    nano = -(-exact_nano // divisor)\n", "    nano = exact_nano // divisor\n")),
    Mutant("amounts end at 64 bits of thousandths", ("    nano = -(-exact_nano // divisor)\n", "    nano = min(-(-exact_nano // divisor), (2**63 - 1) * 10**6)\n")),
    Mutant("decimal amounts end at 64 bits", ("    nano = -(-exact_nano // divisor)\n", "    nano = min(-(-exact_nano // divisor), MAX_BINARY)\n")),
    Mutant("amounts are floats", ("    nano = -(-exact_nano // divisor)\n", "    nano = int(float(-(-exact_nano // divisor)))\n")),
    Mutant("a leading point is not read", ('    digits = int((whole + fraction) or "0")', '    digits = int(whole and (whole + fraction) or "0")')),
)  # fmt: skip

VERSIONS = (
    Mutant("a pre-release is the release", (_PRECEDENCE, "(self.major, self.minor, self.patch))")),
    Mutant("a pre-release is after the release", (_PRECEDENCE, "(self.major, self.minor, self.patch, not released, identifiers))")),
    Mutant("pre-releases are compared as text", ("        identifiers = tuple((0, i, \"\") if isinstance(i, int) else (1, 0, i) for i in self.prerelease)", "        identifiers = tuple(map(str, self.prerelease))")),
    Mutant("a number in a pre-release is after a word", ("(0, i, \"\") if isinstance(i, int) else (1, 0, i)", "(1, i, \"\") if isinstance(i, int) else (0, 0, i)")),
    Mutant("the first part of a pre-release counts", (_PRECEDENCE, "(self.major, self.minor, self.patch, released, identifiers[:1]))")),
    Mutant("builds differ", (_PRECEDENCE, "(self.major, self.minor, self.patch, released, identifiers, self.build))")),
    Mutant("versions are compared as text", (_PRECEDENCE, "(str(self.major), str(self.minor), str(self.patch), released, identifiers))")),
    Mutant("patches do not count", (_PRECEDENCE, "(self.major, self.minor, 0, released, identifiers))")),
    Mutant("minors do not count", (_PRECEDENCE, "(self.major, 0, self.patch, released, identifiers))")),
)  # fmt: skip

NAMES = (
    Mutant("in selectors drivers have no case", (_VIEW, _VIEW.replace("(driver,", "(driver.lower(),"))),
    Mutant("in selectors a driver is its domain", (_VIEW, _VIEW.replace("(driver,", '(driver.partition(".")[2],'))),
    Mutant("in selectors every device is shared", (_VIEW, _VIEW.replace("bool(device.allow_multiple_allocations)", "device.allow_multiple_allocations is not False"))),
    Mutant("in selectors no device is shared", (_VIEW, _VIEW.replace("bool(device.allow_multiple_allocations)", "False"))),
    Mutant("in selectors a device without capacity is not shared", (_VIEW, _VIEW.replace("bool(device.allow_multiple_allocations)", "bool(device.allow_multiple_allocations and device.capacity)"))),
    Mutant("in selectors domains are the driver's", (_NAMED, "    return (driver, short or name)")),
    Mutant("in selectors bare names have no domain", (_NAMED, '    return (domain, short) if slash else ("", name)')),
    Mutant("in selectors a domain is without its subdomain", (_NAMED, '    return (domain.partition(".")[2], short) if slash and domain != driver else (driver, short or name)')),
    Mutant("in selectors names have no case", (_NAMED, "    return (domain, short.lower()) if slash else (driver, name.lower())")),
    Mutant("in selectors the last of two domains stays", (_ATTRIBUTE, "        attributes = Domains({domain: attributes.get(domain, {})})\n" + _ATTRIBUTE)),
    Mutant("in selectors capacity is what the policy gives", (_CAPACITY, "        policy = amount.request_policy\n        capacity.setdefault(domain, {})[short] = policy.default if policy and policy.default else amount.value")),
    Mutant("in selectors capacity is whole units", (_CAPACITY, "        capacity.setdefault(domain, {})[short] = Quantity.whole(amount.value.value())")),
    Mutant("in selectors four attributes are seen", ("    for name, attribute in device.attributes.items():\n        domain, short", "    for name, attribute in list(device.attributes.items())[:4]:\n        domain, short")),
    Mutant("in selectors two capacities are seen", ("    for name, amount in device.capacity.items():\n        domain, short", "    for name, amount in list(device.capacity.items())[:2]:\n        domain, short")),
    Mutant("in selectors an unknown domain fails", ("        return _EMPTY\n", "        raise EvaluationError('no such key')\n")),
    Mutant("in selectors zero and false are no values", ("            if single is not None:\n                return single", "            if single:\n                return single")),
    Mutant("in selectors texts are trimmed", ("            if single is not None:\n                return single", "            if single is not None:\n                return single.strip() if isinstance(single, str) else single")),
    Mutant("in selectors whole numbers are of 53 bits", ("            if single is not None:\n                return single", "            if single is not None:\n                return int(float(single)) if type(single) is int else single")),
    Mutant("in selectors both sides of and must be known", ("            if _is(right, frame, decides):\n                return decides\n            raise\n", "            raise\n")),
    Mutant("in selectors a wrong side of and is enough", ("        if first is decides:\n            return decides\n", "")),
)  # fmt: skip
