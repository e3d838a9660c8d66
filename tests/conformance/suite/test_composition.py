from functools import partial

import pytest

from dra_conform.conformance.suite.composition import MAX_PROBLEMS, collect_from
from dra_conform.kube.errors import InputError, InputErrors


def _wrong(number: int) -> list[str]:
    raise InputError("trial.yaml", number, "given", f"is {number}, expected a text")


def _problems(count: int) -> list[str]:
    with pytest.raises(InputErrors) as caught:
        list(collect_from(partial(_wrong, number) for number in range(1, count + 1)))
    return str(caught.value).splitlines()


def test_all_problems_are_reported() -> None:
    assert len(_problems(MAX_PROBLEMS)) == MAX_PROBLEMS


def test_stopping_is_reported() -> None:
    *told, last = _problems(MAX_PROBLEMS + 1)
    assert len(told) == MAX_PROBLEMS
    assert last == "trial.yaml:100: has 100 problems up to this line; the rest of the file was not read"
