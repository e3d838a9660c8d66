"""The columns agree with the interpreter, device by device."""

from __future__ import annotations

import inspect
import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dra_conform import cel
from dra_conform.cel.columns.device_match import match, match_column
from dra_conform.cel.columns.device_table import SMALL, DeviceTable
from dra_conform.cel.columns.translation import translate
from dra_conform.cel.evaluation.program import interpret
from dra_conform.cel.values.cel_errors import CompileError, EvaluationError
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import Device, DeviceAttribute, DeviceCapacity

DRIVERS = ("gpu.example.com", "nic.example.com", "x")
MODELS = ("a100", "A100", "h100-80GB", "", "gpu.example.com", "1", "é\n")
INTS = (0, 1, -1, 2, 7, 2**63 - 1, -(2**63))
VERSIONS = ("1.0.0", "1.0.0-rc.1", "1.2.3+build", "1.2.3", "2.10.0")
AMOUNTS = ("0", "1", "1500m", "1Gi", "1024Mi", "40Gi", "80Gi", "1n", "-3", "8Ei", "1e20")


def attribute(kind: str, rng: random.Random) -> DeviceAttribute:
    match kind:
        case "int":
            return DeviceAttribute(int_=rng.choice(INTS))
        case "bool":
            return DeviceAttribute(bool_=rng.random() < 0.5)
        case "version":
            return DeviceAttribute(version=rng.choice(VERSIONS))
        case "ints":
            return DeviceAttribute(ints=tuple(rng.sample(INTS, rng.randrange(4))))
        case "bools":
            return DeviceAttribute(bools=(True,) * rng.randrange(3))
        case "strings":
            return DeviceAttribute(strings=tuple(rng.sample(MODELS, rng.randrange(4))))
    return DeviceAttribute(string=rng.choice(MODELS))


KINDS = {
    "model": ["string"],
    "numa": ["int"],
    "healthy": ["bool"],
    "version": ["version"],
    "mixed": ["string", "int", "bool", "version"],
    "listed": ["ints", "strings", "bools", "string", "int"],
    "other.example.com/model": ["string", "int"],
    "other.example.com/pcie": ["string"],
}
NAMES = ("model", "numa", "healthy", "version", "mixed", "listed", "pcie", "nothing")


def devices(count: int, seed: int) -> Iterator[tuple[str, Device]]:
    rng = random.Random(seed)
    for i in range(count):
        attributes = {
            name: attribute(rng.choice(kinds), rng) for name, kinds in KINDS.items() if rng.random() < 0.7
        }
        capacity = {
            name: DeviceCapacity(value=Quantity.parse(rng.choice(AMOUNTS)))
            for name in ("memory", "slots", "other.example.com/memory")
            if rng.random() < 0.7
        }
        if rng.random() < 0.04:
            attributes["broken"] = DeviceAttribute()
        if rng.random() < 0.02:
            capacity["wide"] = DeviceCapacity(value=Quantity.of(10**50))
        yield (
            rng.choice(DRIVERS),
            Device(
                name=f"device-{i}",
                attributes=attributes,
                capacity=capacity,
                allow_multiple_allocations=rng.choice((None, False, True)),
            ),
        )


TABLE = DeviceTable(devices(100, 7))


def expected(program: cel.Program, table: DeviceTable) -> list[bool | None]:
    rows: list[bool | None] = []
    for row in range(len(table)):
        try:
            rows.append(program.evaluate(table.device(row)))
        except EvaluationError:
            rows.append(None)
    return rows


quoted = st.sampled_from([*MODELS, *DRIVERS, "a", "h1", "00"]).map(
    lambda s: '"' + s.replace("\n", "\\n") + '"'
)
domain = st.sampled_from(
    ['"gpu.example.com"', '"nic.example.com"', '"other.example.com"', '"missing.example.com"']
)
name = st.sampled_from(NAMES)
value = st.builds("device.attributes[{}].{}".format, domain, name)
amount = st.builds(
    "device.capacity[{}].{}".format, domain, st.sampled_from(("memory", "slots", "wide", "no"))
)
quantity = st.sampled_from(AMOUNTS).map('quantity("{}")'.format)
version = st.sampled_from(VERSIONS).map('semver("{}")'.format)
integer = st.sampled_from([*INTS, 5]).map(str)
number = st.one_of(integer, st.sampled_from(["1.0", "1.5", "-0.5", "1u", "7u", "1e300"]))
literal = st.one_of(quoted, number, st.sampled_from(["true", "false"]), version)
operand = st.one_of(
    value,
    value,
    literal,
    st.just("device.driver"),
    st.just("device.allowMultipleAllocations"),
    amount,
    quantity,
    st.builds("{}.compareTo({})".format, amount, quantity),
    st.builds("{}.compareTo({})".format, value, version),
    st.builds("sign({})".format, amount),
    st.builds("{}.asInteger()".format, amount),
    st.builds(
        "{}.{}({})".format, amount, st.sampled_from(("add", "sub")), st.one_of(quantity, amount, integer)
    ),
    st.builds("{}.{}()".format, value, st.sampled_from(("major", "minor", "lowerAscii", "size"))),
    st.builds("size({})".format, value),
    st.builds("{} + {}".format, value, st.one_of(integer, value)),
    st.builds("device.attributes[{}].?{}.orValue({})".format, domain, name, literal),
    st.builds("device.attributes[{}][?{}].orValue({})".format, domain, name.map('"{}"'.format), literal),
    st.builds("device.capacity[{}].?memory.orValue({})".format, domain, quantity),
    st.builds(
        "({} ? {} : {})".format, st.sampled_from(("true", "device.allowMultipleAllocations")), value, literal
    ),
    st.builds("device.attributes[device.driver].{}".format, name),
)
atom = st.one_of(
    value,
    st.builds("{} {} {}".format, operand, st.sampled_from(("==", "!=", "<", "<=", ">", ">=")), operand),
    st.builds("{} {} {}".format, value, st.sampled_from(("==", "!=", "<", "<=", ">", ">=")), literal),
    st.builds("{} in [{}]".format, operand, st.lists(literal, max_size=4).map(", ".join)),
    st.builds("{} in device.{}".format, domain, st.sampled_from(("attributes", "capacity"))),
    st.builds(
        "{} in device.{}[{}]".format,
        name.map('"{}"'.format),
        st.sampled_from(("attributes", "capacity")),
        domain,
    ),
    st.builds("has({})".format, st.one_of(value, amount)),
    st.builds(
        "{}.{}({})".format,
        st.one_of(value, st.just("device.driver")),
        st.sampled_from(("startsWith", "endsWith", "contains", "includes")),
        quoted,
    ),
    st.builds("{}.includes({})".format, value, st.one_of(integer, st.just("true"))),
    st.builds("{}.matches({})".format, value, st.sampled_from(('"^[aA]"', '"(?i)a1"', '"0+$"', '"["'))),
    st.builds("{}.{}({})".format, amount, st.sampled_from(("isGreaterThan", "isLessThan")), quantity),
    st.builds("{}.{}({})".format, value, st.sampled_from(("isGreaterThan", "isLessThan")), version),
    st.builds("device.attributes[{}].?{}.hasValue()".format, domain, name),
    st.builds(
        "[{}].{}(m, {} == m)".format,
        st.lists(quoted, max_size=3).map(", ".join),
        st.sampled_from(("exists", "all")),
        value,
    ),
    st.builds("{}.exists(v, v == {})".format, value, literal),
    st.builds(
        "cel.bind(d, device.attributes[{}], d.{} == {} || has(d.{}))".format, domain, name, literal, name
    ),
    st.builds("cel.bind(v, {}, v == {} || v != {})".format, value, literal, literal),
    st.just("device.allowMultipleAllocations"),
    st.sampled_from(("true", "false", "1 == 1", "1 / 0 == 1")),
)
expressions = st.recursive(
    atom,
    lambda e: st.one_of(
        st.builds("({} && {})".format, e, e),
        st.builds("({} || {})".format, e, e),
        st.builds("!({})".format, e),
        st.builds("({} ? {} : {})".format, e, e, e),
        st.builds("(({}) == ({}))".format, e, e),
    ),
    max_leaves=6,
)


@settings(max_examples=700, deadline=None)
@given(expressions)
def test_columns_and_interpreter_agree(expression: str) -> None:
    try:
        program = cel.compile(expression)
    except CompileError:
        return
    assert match_column(program, TABLE).to_list() == expected(program, TABLE)


@pytest.mark.parametrize(
    "expression",
    [
        'device.driver == "gpu.example.com"',
        'device.driver.startsWith("gpu") && device.attributes["gpu.example.com"].model == "a100"',
        'device.attributes["gpu.example.com"].numa >= 1',
        'device.attributes["gpu.example.com"].numa < 1.5',
        'device.attributes["gpu.example.com"].healthy',
        'device.attributes["gpu.example.com"].mixed == 1',
        'device.attributes["gpu.example.com"].model in ["1", "a100"]',
        'device.attributes["gpu.example.com"].model.matches("^[ah]1")',
        'device.attributes["gpu.example.com"].version.compareTo(semver("1.2.0")) >= 0',
        'device.attributes["gpu.example.com"].version.major() == 1',
        'device.attributes["gpu.example.com"].model == device.attributes["other.example.com"].pcie',
        'device.capacity["gpu.example.com"].memory.compareTo(quantity("40Gi")) >= 0',
        'device.capacity["gpu.example.com"].memory.isGreaterThan(device.capacity["gpu.example.com"].slots)',
        'device.capacity["gpu.example.com"].memory.sub(quantity("1Gi")).compareTo(quantity("0")) > 0',
        'device.capacity["gpu.example.com"].memory == quantity("1024Mi")',
        'device.attributes["gpu.example.com"].version == 1',
        '1 != device.attributes["gpu.example.com"].version',
        'device.attributes["gpu.example.com"].mixed != device.attributes["gpu.example.com"].version',
        'device.attributes["gpu.example.com"].version.includes("1.0.0")',
        'has(device.attributes["gpu.example.com"].model)',
        '"model" in device.attributes["gpu.example.com"]',
        '"gpu.example.com" in device.attributes',
        'device.attributes["gpu.example.com"].?model.orValue("") == "a100"',
        'device.attributes["gpu.example.com"].?numa.orValue(3) > 2',
        'device.attributes["gpu.example.com"].?model.orValue("1") == device.attributes["gpu.example.com"].model',
        'cel.bind(d, device.attributes["gpu.example.com"], d.healthy && d.model == "a100")',
        '["a100", "1"].exists(m, device.attributes["gpu.example.com"].model == m)',
        "device.allowMultipleAllocations",
        'device.attributes["missing.example.com"].model == "a"',
        "[1, 2].sum() / 0 == 1",
        "true",
    ],
)
def test_translates_whole(expression: str) -> None:
    program = cel.compile(expression)
    assert translate(program.ast, TABLE.columns).complete
    assert match_column(program, TABLE).to_list() == expected(program, TABLE)


@pytest.mark.parametrize(
    "expression",
    [
        'device.attributes["gpu.example.com"].numa + 1 > 0',
        'device.attributes["gpu.example.com"].listed.exists(v, v == 1)',
        "device.attributes[device.driver].healthy",
        'device.attributes["gpu.example.com"].exists(k, k.startsWith("m"))',
        'device.driver == "x" || device.attributes["gpu.example.com"].listed.includes(1)',
        'device.capacity["gpu.example.com"].wide.isGreaterThan(quantity("1"))',
        "1 + 1 == 2",
    ],
)
def test_leaves_the_rest_to_the_interpreter(expression: str) -> None:
    program = cel.compile(expression)
    assert not translate(program.ast, TABLE.columns).complete
    assert match_column(program, TABLE).to_list() == expected(program, TABLE)


@pytest.mark.parametrize("count", [0, 1, SMALL, SMALL + 1, 40_000])
def test_any_size_gives_the_same_answers(count: int) -> None:
    pool = list(devices(50, 3))
    table = DeviceTable(pool[i % 50] for i in range(count))
    assert len(table) == count
    assert table.small is (count <= SMALL)
    for expression in (
        'device.attributes["gpu.example.com"].model == "a100"',
        'device.driver != "x"',
        'device.attributes["gpu.example.com"].numa + 1 > 1',
    ):
        program = cel.compile(expression)
        few = expected(program, DeviceTable(pool))
        assert match(program, table) == [few[i % 50] for i in range(count)]


def test_a_column_that_begins_late_is_null_before() -> None:
    plain = ("d", Device(name="a"))
    late = ("d", Device(name="b", attributes={"x/late": DeviceAttribute(int_=1)}))
    table = DeviceTable([*[plain] * 40_000, late])
    rows = match(cel.compile('has(device.attributes["x"].late)'), table)
    assert (rows.count(True), rows[-1]) == (1, True)


def test_devices_come_back_from_the_columns() -> None:
    few = list(devices(60, 11))
    small, large = DeviceTable(few), DeviceTable([*few] * 10)
    assert not large.small
    for row in range(len(few)):
        try:
            wanted = small.device(row)
        except EvaluationError as e:
            with pytest.raises(EvaluationError, match=str(e)):
                large.device(row)
            continue
        assert large.device(row) == wanted


def test_a_device_that_cel_cannot_see_fails_every_selector() -> None:
    table = DeviceTable(
        [
            ("d", Device(name="a")),
            ("d", Device(name="b", attributes={"v": DeviceAttribute(version="1")})),
            ("d", Device(name="c")),
        ]
    )
    assert match(cel.compile("true"), table) == [True, None, True]
    assert match_column(cel.compile("true"), table).to_list() == [True, None, True]
    assert "attribute v: parse semantic version" in str(table.errors[1])
    with pytest.raises(EvaluationError, match="attribute v"):
        table.device(1)


def test_interpret_yields_none_for_an_error() -> None:
    program = cel.compile('device.attributes["d"].x == 1')
    seen = [cel.Device("d", {"d": {"x": 1}}, {}, False), cel.Device("d", {}, {}, False)]
    assert list(interpret(program, seen)) == [True, None]


@pytest.mark.parametrize(
    "expression",
    ['!(false ? true : device.attributes["d"].x)', '!(true ? device.attributes["d"].x : true)'],
)
def test_an_attribute_that_is_no_bool_cannot_be_negated_wherever_it_comes_from(expression: str) -> None:
    program = cel.compile(expression)
    assert list(interpret(program, [cel.Device("d", {"d": {"x": "a"}}, {}, False)])) == [None]


@pytest.mark.parametrize("frames", [0, 300, 600, 900])
def test_deep_expressions_on_a_deep_stack(frames: int) -> None:
    program = cel.compile("!(" * 200 + 'device.attributes["gpu.example.com"].numa == 1' + ")" * 200)
    wanted = expected(program, TABLE)

    def below(depth: int) -> list[bool | None]:
        return below(depth - 1) if depth else match_column(program, TABLE).to_list()

    here = len(inspect.stack(0))
    assert below(max(frames - here, 0)) == wanted
