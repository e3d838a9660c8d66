"""Generate device selectors with every overload of the language and with typical uses of device fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from dra_conform.cel.checking.environment import FULL
from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.values import types
from dra_conform.cel.values.types import Type

DOMAIN = "dra.example.com"

_A = f'device.attributes["{DOMAIN}"]'
_C = f'device.capacity["{DOMAIN}"]'

_LITERALS: Mapping[str, Sequence[str]] = {
    "bool": ("true", "false"),
    "int": ("0", "1", "-1", "2", "3", "7", "10", "1000", "9223372036854775807", "-9223372036854775808"),
    "uint": ("0u", "1u", "3u", "18446744073709551615u"),
    "double": ("0.0", "1.0", "-1.5", "2.5", "1e20", "1e-7", "0.1", "123456789.125", "-0.0"),
    "string": (
        '""', '"a"', '"b"', '"abc"', '"A100"', '"a,b,c"', '"ABC def"', '"  x "', '"é"', '"1.2.3"', '"v1.2"',
        '"1.10.0-rc.1+b"', '"10Gi"', '"1500m"', '"1e3"', '"-5"', '"3.14"', '"true"', '"10.0.0.1"', '"::1"',
        '"fe80::1"', '"192.168.0.0/16"', '"10.1.2.3/8"', '"https://u@example.com:8443/p%20q?k=v&k=w#f"', '"/x"',
        '"[a-c]+"', '"^a.*c$"', '"(a)(b)?"', '"("', '"\\\\d+"', '"1h30m"', '"2024-02-29T12:00:00Z"', '"%s-%d"',
        '"my-name.example"', '"UTC"', '"Europe/Berlin"', '"uuid"', '"2020-01-01"', '"a\\n\\t\\"\\\\"', '"YWJj"',
    ),
    "bytes": ('b""', 'b"abc"', 'b"\\xff"'),
    "null_type": ("null",),
    types.DURATION.name: ('duration("1h")', 'duration("-1.5s")', 'duration("0s")', 'duration("100ms")'),
    types.TIMESTAMP.name: (
        'timestamp("2024-02-29T23:59:59.5Z")', 'timestamp("1970-01-01T00:00:00Z")',
        'timestamp("0001-01-01T00:00:00Z")', 'timestamp("9999-12-31T23:59:59Z")',
    ),
    types.QUANTITY.name: (
        'quantity("0")', 'quantity("1")', 'quantity("10Gi")', 'quantity("1500m")', 'quantity("-3k")',
        'quantity("1e3")', 'quantity("9223372036854775807")', 'quantity("0.1n")', f"{_C}.memory", f"{_C}.bw",
    ),
    "kubernetes.Semver": (
        'semver("1.2.3")', 'semver("1.10.0")', 'semver("1.0.0-rc.1")', 'semver("0.0.0")', f"{_A}.firmware",
        'semver("v1.2", true)',
    ),
    "net.IP": ('ip("10.0.0.1")', 'ip("::1")', 'ip("fe80::1")', 'ip("0.0.0.0")', 'ip("224.0.0.1")', 'ip("ff02::1")'),
    "net.CIDR": ('cidr("10.0.0.0/8")', 'cidr("10.1.2.3/8")', 'cidr("2001:db8::/32")', 'cidr("0.0.0.0/0")'),
    "kubernetes.URL": (
        'url("https://u@example.com:8443/p%20q?k=v&k=w#f")', 'url("http://[::1]:80/")', 'url("/only/path?x")',
    ),
    "kubernetes.NamedFormat": ("format.dns1123Label()", "format.uuid()", "format.date()", "format.byte()"),
    "dyn": (
        f"{_A}.model", f"{_A}.numa", f"{_A}.healthy", f"{_A}.lanes", f"{_A}.tags", f"{_A}.missing",
        'device.attributes["other.example.com"].rack', "dyn(1)", 'dyn("a")', "dyn(1.5)", "dyn([1, 2])",
    ),
    "type": ("int", "string", "bool", "type(1)", "list", "map"),
}  # fmt: skip

_SELECTORS = (
    'device.driver == "{d}"',
    '"numa" in {A}',
    '"x.example.com" in device.attributes',
    '"{d}" in device.attributes',
    "has({A}.model)",
    "has({A}.missing)",
    '{A}.?model.orValue("none") == "A100"',
    '{A}[?"numa"].orValue(-1) >= 1',
    "{A}.numa in [0, 1]",
    "{A}.healthy",
    "{A}.missing",
    "{A}.model",
    "{A}.numa == 1.0",
    "{A}.lanes.includes(2)",
    '{A}.model.includes("A100")',
    '{A}.tags.exists(t, t.startsWith("g"))',
    "{A}.tags.all(t, size(t) > 1)",
    "{A}.lanes.exists_one(x, x > 1)",
    "{A}.lanes.map(x, x * 2)[0] == 2",
    "{A}.lanes.filter(x, x > 1).size() == 1",
    '{A}.tags.join("-") == "gpu-fast"',
    "cel.bind(a, {A}, a.numa == 1 && a.healthy)",
    '{A}.exists(k, k == "model")',
    'device.attributes.exists(d, d == "{d}")',
    "device.attributes.all(d, size(device.attributes[d]) > 0)",
    '{C}.memory.compareTo(quantity("10Gi")) >= 0',
    '{C}.memory.isGreaterThan(quantity("1Gi"))',
    '{C}.missing.isLessThan(quantity("1"))',
    'device.capacity["none"].size() == 0',
    '{A}.firmware.isGreaterThan(semver("1.0.0"))',
    '{A}.firmware.compareTo(semver("1.2.3")) == 0',
    "{A}.firmware.major() == 1",
    "device.allowMultipleAllocations",
    "device.unknown",
    'device.attributes["{d}"]["numa"] + 1 == 2',
    "{A} == {A}",
    "size({A}) > 3",
    "type({A}.numa) == int",
    'string({A}.numa) == "1"',
    '{A}.model.matches("^A[0-9]+$")',
    '{A}.model < "B"',
    "{A}.numa < {A}.model",
    "optional.of({A}.numa).optMap(x, x + 1).orValue(0) == 2",
    "optional.of({A}.numa).optFlatMap(x, optional.none()).hasValue()",
    "{A}.lanes == [1, 2]",
    "{A}.lanes + [3] == [1, 2, 3]",
    "[1, 2, 3].all(x, x in {A}.lanes)",
    "sets.contains({A}.lanes, [1])",
)

_INFIX = {"_&&_", "_||_", "_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_", "_+_", "_-_", "_*_", "_/_", "_%_"}
_UNWRITABLE = {"@not_strictly_false", "cel.@mapInsert", "@sortByAssociatedKeys"}
_DANGEROUS = {"lists.range"}
"""Functions that are not generated: cel-go builds a list of any length before it checks the cost."""

_CONCRETE = (types.INT, types.STRING, types.BOOL, types.DOUBLE, types.DYN)


class Expressions:
    """Stream of random expressions, equal for equal seeds."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._by_result: dict[str, list[Overload]] = {}
        self.overloads = [
            o for named in FULL.functions.values() for o in named if o.name not in _UNWRITABLE | _DANGEROUS
        ]
        for overload in self.overloads:
            self._by_result.setdefault(overload.result.name, []).append(overload)

    def selector(self) -> str:
        """Return a boolean expression about devices."""
        template = self._random.choice(_SELECTORS)
        text = template.replace("{A}", _A).replace("{C}", _C).replace("{d}", DOMAIN)
        kind = self._random.random()
        if kind < 0.4:
            return text
        if kind < 0.5:
            return f"!({text})"
        operator = self._random.choice(("&&", "||"))
        return f"({text}) {operator} ({self.selector() if kind < 0.7 else self.of(types.BOOL, 3)})"

    def calling(self, overload: Overload, depth: int = 2) -> str:
        """Return a call of an overload."""
        bound: dict[str, Type] = {}
        arguments = [self.of(self._bind(parameter, bound), depth - 1) for parameter in overload.params]
        return _call(overload, arguments)

    def of(self, wanted: Type, depth: int) -> str:
        """Return an expression of a type."""
        if wanted.variable:
            wanted = self._random.choice(_CONCRETE)
        candidates = self._by_result.get(wanted.name, [])
        if depth > 0 and candidates and self._random.random() < 0.6:
            return self.calling(self._random.choice(candidates), depth)
        return self._leaf(wanted, depth)

    def _leaf(self, wanted: Type, depth: int) -> str:
        match wanted.name:
            case "list":
                items = [
                    self.of(wanted.params[0], depth - 1) for _ in range(self._random.choice((0, 1, 2, 3)))
                ]
                return "[" + ", ".join(items) + "]"
            case "map":
                key, value = wanted.params
                entries = [
                    (self._leaf(key, 0), self.of(value, depth - 1))
                    for _ in range(self._random.choice((0, 1, 2)))
                ]
                return "{" + ", ".join(f"{k}: {v}" for k, v in dict(entries).items()) + "}"
            case "optional_type":
                return self._random.choice(
                    (f"optional.of({self.of(wanted.params[0], depth - 1)})", "optional.none()")
                )
            case name:
                literal = self._random.choice(_LITERALS[name])
                if name in {"bool", "int", "string"} and self._random.random() < 0.1:
                    return self._random.choice(_LITERALS["dyn"])
                return literal

    def _bind(self, parameter: Type, bound: dict[str, Type]) -> Type:
        if parameter.variable:
            return bound.setdefault(parameter.name, self._random.choice(_CONCRETE))
        return Type(parameter.name, tuple(self._bind(p, bound) for p in parameter.params))


def _call(overload: Overload, arguments: Sequence[str]) -> str:
    name = overload.name
    if name in _INFIX:
        return f"({arguments[0]} {name[1:-1]} {arguments[1]})"
    match name:
        case "!_" | "-_":
            return f"{name[0]}({arguments[0]})"
        case "_?_:_":
            return f"({arguments[0]} ? {arguments[1]} : {arguments[2]})"
        case "@in":
            return f"({arguments[0]} in {arguments[1]})"
        case "_[_]":
            return f"{arguments[0]}[{arguments[1]}]"
        case "_[?_]":
            return f"{arguments[0]}[?{arguments[1]}]"
    if overload.member:
        return f"{arguments[0]}.{name}({', '.join(arguments[1:])})"
    return f"{name}({', '.join(arguments)})"
