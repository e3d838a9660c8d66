"""The columns agree with the interpreter, device by device."""

from __future__ import annotations

import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dra_conform import cel
from dra_conform.cel.columns.device_table import match_column
from dra_conform.cel.columns.translation import translate
from dra_conform.cel.values.cel_errors import CompileError
from tests.support.cel.columns.random_devices import (
    AMOUNTS,
    DRIVERS,
    INTS,
    MODELS,
    NAMES,
    TABLE,
    VERSIONS,
    expected,
)
from tests.support.draws import examples

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


@examples(700)
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
def test_translates_completely(expression: str) -> None:
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


@pytest.mark.parametrize("frames", [0, 300, 600, 900])
def test_deep_expressions_on_a_deep_stack(frames: int) -> None:
    program = cel.compile("!(" * 200 + 'device.attributes["gpu.example.com"].numa == 1' + ")" * 200)
    wanted = expected(program, TABLE)

    def below(depth: int) -> list[bool | None]:
        return below(depth - 1) if depth else match_column(program, TABLE).to_list()

    here = len(inspect.stack(0))
    assert below(max(frames - here, 0)) == wanted
