"""A device table returns its devices, for every size."""

from __future__ import annotations

import subprocess
import sys

import pytest

from dra_conform import cel
from dra_conform.cel.columns.device_table import SMALL, DeviceTable, match, match_column
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.kube.resource import Device, DeviceAttribute
from tests.support.cel.columns.random_devices import (
    devices,
    expected,
)


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


def test_every_selector_fails_on_a_device_with_an_invalid_attribute() -> None:
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


def test_few_devices_do_not_import_polars() -> None:
    program = """
import sys
from dra_conform import cel
from dra_conform.kube.resource import Device
table = cel.DeviceTable([("d", Device(name="a"))])
assert cel.match(cel.compile("device.driver == 'd'"), table) == [True]
assert "polars" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=300)
