from functools import partial

import pytest

from dra_conform.conformance.suite.collected_problems import ENOUGH, each
from dra_conform.kube.errors import InputError, InputErrors


def _wrong(number: int) -> list[str]:
    raise InputError("trial.yaml", number, "given", f"is {number}, expected a text")


def _problems(count: int) -> list[str]:
    with pytest.raises(InputErrors) as caught:
        list(each(partial(_wrong, number) for number in range(1, count + 1)))
    return str(caught.value).splitlines()


def test_all_problems_are_told() -> None:
    assert len(_problems(ENOUGH)) == ENOUGH


def test_who_stops_reading_says_so() -> None:
    *told, last = _problems(ENOUGH + 1)
    assert len(told) == ENOUGH
    assert last == "trial.yaml:100: has 100 problems up to this line; the rest of the file was not read"
