from __future__ import annotations

from typing import Any

from dra_conform.kube.quantity import Quantity
from dra_conform.reports.plain import plain


def test_plain_makes_json_of_anything() -> None:
    loop: list[Any] = []
    loop.append(loop)
    made = plain(
        {1: (True, None), "set": {"b", "a"}, "nan": float("nan"), "q": Quantity.parse("1Gi"), "o": b"x"}
    )
    assert made == {"1": [True, None], "set": ["a", "b"], "nan": "nan", "q": "1Gi", "o": "b'x'"}
    assert "..." in repr(plain(loop))
