"""The result of device selectors on a device."""

from __future__ import annotations

import pytest

from dra_conform import cel
from dra_conform.cel.evaluation.planner import plan_of
from tests.support.cel.examples import NIC, short

MATCHES = r"""
true
device.driver == "dra.example.com"
device.driver.startsWith("dra.")
device.driver in ["dra.example.com", "other.example.com"]
device.allowMultipleAllocations
A.healthy
device.attributes["dra.example.com"]["healthy"]
A.numa == 1
A.numa == 1.0
A.numa == 1u
A.numa < 1.5
A.numa != "1"
A.model == "fish"
A.model != 3
A.model.matches("^f.*h$")
A.model in ["fish", "bird"]
A.lanes.exists(l, l > 1)
A.lanes.all(i, l, l == i + 1)
A.lanes.size() == 2
1 in A.lanes
A.services.includes("web")
A.model.includes("fish")
A.firmware.isGreaterThan(semver("1.0.0"))
A.firmware == semver("1.2.3")
C.memory == quantity("10Gi")
C.memory == quantity("10240Mi")
C.memory.compareTo(quantity("10Gi")) == 0
C.memory.isGreaterThan(quantity("9Gi"))
quantity("1Gi").isLessThan(C.memory)
"dra.example.com" in device.attributes
"dra.example.com" in device.capacity
"model" in device.attributes["dra.example.com"]
has(A.model)
has(device.driver)
has(device.attributes)
has(device.attributes.unknown)
size(device.attributes) == 1
device.attributes.exists(d, d == "dra.example.com")
cel.bind(a, device.attributes["dra.example.com"], a.healthy && a.numa == 1)
cel.bind(d, device, d.driver == "dra.example.com" && has(d.capacity) && !has(d.attributes.x.y))
device.?driver.hasValue()
A.?model.orValue("") == "fish"
A.?missing.orValue(true)
device.attributes[?"unknown"].hasValue()
device.attributes["unknown"].?model.orValue("") == ""
A.missing || true
true || A.missing
A.numa || true
type(A.numa) == int
type(C.memory) == type(quantity("1"))
dyn(A.numa) == 1 && dyn(A.model) == "fish"
[1, 2].transformList(i, v, i + v) == [1, 3]
[1, 2].transformList(i, v, v > 1, i) == [1]
{"a": 1}.transformMap(k, v, v + 1) == {"a": 2}
{"a": 1, "b": 2}.transformMap(k, v, v > 1, v) == {"b": 2}
{"a": 1}.transformMapEntry(k, v, {v: k}) == {1: "a"}
{"a": 1}.existsOne(k, v, v == 1)
[1, 2].exists(i, v, i == 1 && v == 2)
[1, 1].exists_one(i, v, v == 1) == false
1 == 1 && duration("1h") > duration("59m")
string(duration("-1.5s")) == "-1.5s"
string(timestamp("2020-02-29T12:00:00.5Z")) == "2020-02-29T12:00:00.5Z"
bool("T")
R'raw\' == "raw\\"
!(1 / 0 in [])
A.firmware != 1
1 != A.firmware
"a" != A.firmware
(A.numa == A.firmware) == false
(A.firmware == null) == false
[A.firmware] == [A.numa]
{"a": A.firmware} == {"a": A.numa}
!(A.firmware in [A.numa, A.model])
!A.firmware.includes(1)
[A.firmware].indexOf(A.numa) == -1
{"a": 1, "a": 2} == {"a": 2}
{1.5: "a"}[1.5] == "a"
!(dyn(1) in {1.0: "a"})
optional.of(A.numa).orValue(1 / 0) == 1
optional.of(A.numa).or(optional.of(1 / 0)).hasValue()
string(1e-7) == "1e-07"
"%s %d".format(["a", 1]) == "a 1"
[A.model, A.numa].isSorted()
timestamp("2020-02-29T12:00:00Z").getHours("") == 12
optional.none()[1 / 0] == optional.none()
[2, 1].sort() == [1, 2] && [1, 2].reverse() == [2, 1]
[3, 1, 2].sortBy(x, -x) == [3, 2, 1]
[[1], [2, 3]].flatten() == [1, 2, 3] && [[[1]]].flatten(2) == [1]
[1, 1, 2].distinct() == [1, 2] && lists.range(3) == [0, 1, 2]
[1, 2, 3].slice(1, 3) == [2, 3]
[1, 2].first().value() == 1 && [1, 2].last().value() == 2
[optional.of(1), optional.none()].unwrapOpt() == [1]
"\u00e9".size() == 1 && b"\303\251".size() == 2
"""

REJECTS = """
false
device.driver == ""
A.numa == 2
A.numa == true
A.healthy == 1
A.model == 1
"unknown" in device.attributes
"unknown" in device.attributes["unknown"]
has(A.missing)
has(device.attributes["unknown"].model)
A.services.includes("mail")
A.missing && false
false && A.missing
device.attributes.exists(d, d == "unknown")
"""

FAILURES = {
    "A.missing": "no such key: missing",
    'device.attributes["unknown"].x': "no such key: x",
    'device.attributes["unknown"]["x"] == 1': "no such key: x",
    'C.missing.isGreaterThan(quantity("1"))': "no such key: missing",
    "A.missing && true": "no such key: missing",
    "A.missing || A.other": "no such key: missing",
    "A.missing ? true : true": "no such key: missing",
    "A.numa.x": "no such key: x",
    'A.numa > "1"': "no such overload",
    "A.numa && true": "no such overload",
    "true && A.numa": "no such overload",
    "A.model ? true : false": "no such overload",
    "A.model + 1 == 2": "no such overload",
    "!(false ? true : A.numa)": "no such overload",
    "!(true ? A.numa : true)": "no such overload",
    "([1] + A.services).map(x, x + 1) == []": "no such overload",
    "([true] + A.services).map(x, !x) == []": "no such overload",
    "([[1]] + A.services).map(x, x + [2]) == []": "no such overload",
    "([{'a': 1}] + A.services).map(x, x.a) == []": "no such key: a",
    "([1] + A.services).map(x, size('a' + 'b') + x + 1 + 2) == []": "no such overload",
    "([duration('1s')] + A.services).map(x, x.getHours()) == []": "no such overload",
    "([true] + A.lanes).all(x, x)": "no such overload",
    'A.numa.isGreaterThan(quantity("1"))': "no such overload: isGreaterThan(int, kubernetes.Quantity)",
    "A.numa": "CEL result of type int could not be converted to bool",
    "A.model": "CEL result of type string could not be converted to bool",
    "A.lanes": "CEL result of type list could not be converted to bool",
    "A.numa.exists(x, x > 0)": "got 'types.Int', expected iterable type",
    "A.model.all(x, x > 0)": "got 'types.String', expected iterable type",
    "A.lanes[2] == 1": "index out of bounds: 2",
    "A.numa / 0 == 1": "division by zero",
    "A.numa % 0 == 1": "modulus by zero",
    "A.numa + 9223372036854775807 == 1": "integer overflow",
    "A.lanes.map(x, x / (x - 1)) == []": "division by zero",
    "A.firmware == 1": "no such overload",
    "A.firmware == A.model": "no such overload",
    "C.memory == A.numa": "no such overload",
    "ip('10.0.0.1') == A.model": "no such overload",
    "optional.of(A.firmware) == optional.of(A.numa)": "no such overload",
    "A.firmware in ['1.2.3'] || true": (
        "internal error: runtime error: hash of unhashable type kubernetes.Semver"
    ),
    "{'a': 1}[A.lanes] == 1": "invalid qualifier type: list",
    "[A.lanes].isSorted()": "no such overload: isSorted(list)",
    "duration(A.numa) > duration('0s')": "type conversion error from 'int' to 'google.protobuf.Duration'",
    "quantity('9223372036854775807').asInteger() > 0": "cannot convert value to integer",
    "0.0 / 0.0 < 1.0": "NaN values cannot be ordered",
    "[A.lanes, dyn(1)].reverse().isSorted()": "no such overload",
    "[1, 2].slice(1, 3) == []": "cannot slice(1, 3), list is length 2",
    "[A.numa, A.model].sort() == []": "list elements must have the same type",
}


@pytest.mark.parametrize("expression", MATCHES.strip().split("\n"))
def test_matches(expression: str) -> None:
    assert cel.compile(short(expression)).evaluate(NIC) is True


@pytest.mark.parametrize("expression", REJECTS.strip().split("\n"))
def test_rejects(expression: str) -> None:
    assert cel.compile(short(expression)).evaluate(NIC) is False


@pytest.mark.parametrize(("expression", "message"), FAILURES.items())
def test_fails(expression: str, message: str) -> None:
    with pytest.raises(cel.EvaluationError) as failure:
        cel.compile(short(expression)).evaluate(NIC)
    assert str(failure.value) == message


def test_counting_does_not_change_the_meaning() -> None:
    for expression in (*MATCHES.strip().split("\n"), *REJECTS.strip().split("\n")):
        program = cel.compile(short(expression))
        expected = program.evaluate(NIC)
        counting = plan_of(program.ast, counting=True)
        assert counting.run([NIC, 0, *counting.locals]) is expected, expression


def test_compiled_programs_are_kept() -> None:
    assert cel.compile("device.driver == 'x'") is cel.compile("device.driver == 'x'")
