from __future__ import annotations

from typing import Any

import pytest

from dra_conform.cel.functions.strings import join
from dra_conform.cel.functions.text_format import format_text
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.value import Duration, Timestamp, UInt
from tests.support.cel.functions.calling import call, function


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("charAt", ("hello", 4), "o"),
        ("charAt", ("hello", 5), ""),
        ("charAt", ("né", 1), "é"),
        ("indexOf", ("hello mellow", ""), 0),
        ("indexOf", ("hello mellow", "ello"), 1),
        ("indexOf", ("hello mellow", "jello"), -1),
        ("indexOf", ("hello mellow", "ello", 2), 7),
        ("indexOf", ("hello mellow", "ello", 20), -1),
        ("indexOf", ("hello mellow", "", 3), 3),
        ("lastIndexOf", ("hello mellow", ""), 12),
        ("lastIndexOf", ("hello mellow", "ello"), 7),
        ("lastIndexOf", ("hello mellow", "ello", 6), 1),
        ("lastIndexOf", ("hello mellow", "ello", 7), 7),
        ("lastIndexOf", ("", "x"), -1),
        ("lowerAscii", ("TacoCÆt Xii",), "tacocÆt xii"),
        ("upperAscii", ("TacoCæt Xii",), "TACOCæT XII"),
        ("replace", ("hello hello", "he", "we"), "wello wello"),
        ("replace", ("hello hello", "he", "we", 1), "wello hello"),
        ("replace", ("hello hello", "he", "we", 0), "hello hello"),
        ("replace", ("hello hello", "he", "we", -7), "wello wello"),
        ("replace", ("ab", "", "_"), "_a_b_"),
        ("split", ("a b c", " "), ("a", "b", "c")),
        ("split", ("abc", ""), ("a", "b", "c")),
        ("split", ("", ","), ("",)),
        ("split", ("", ""), ()),
        ("split", ("a b c", " ", 0), ()),
        ("split", ("a b c", " ", 1), ("a b c",)),
        ("split", ("a b c", " ", 2), ("a", "b c")),
        ("split", ("a b c", " ", -1), ("a", "b", "c")),
        ("split", ("abc", "", 2), ("a", "bc")),
        ("split", ("ab", "", 5), ("a", "b")),
        ("substring", ("tacocat", 4), "cat"),
        ("substring", ("tacocat", 7), ""),
        ("substring", ("tacocat", 0, 4), "taco"),
        ("substring", ("ta©o©äT", 2, 6), "©o©ä"),
        ("trim", ("\u00a0 \ttrim\n \u3000",), "trim"),
        ("trim", ("\u200btrim",), "\u200btrim"),
        ("join", (("a", "b"),), "ab"),
        ("join", (("a", "b"), ", "), "a, b"),
        ("join", ((), ","), ""),
    ],
)
def test_strings(name: str, arguments: tuple[Any, ...], result: object) -> None:
    if name == "join":
        assert join(*arguments) == result
    else:
        assert call(name, *arguments) == result


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("charAt", ("hello", 6), "index out of range: 6"),
        ("charAt", ("hello", -1), "index out of range: -1"),
        ("indexOf", ("hello", "l", -1), "index out of range: -1"),
        ("lastIndexOf", ("hello", "l", -1), "index out of range: -1"),
        ("substring", ("tacocat", 40), "index out of range: 40"),
        ("substring", ("tacocat", -1), "index out of range: -1"),
        ("substring", ("tacocat", 2, 1), "invalid substring range. start: 2, end: 1"),
        ("substring", ("tacocat", 1, 50), "index out of range: 50"),
    ],
)
def test_strings_out_of_range(name: str, arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(EvaluationError, match=message):
        call(name, *arguments)


def test_quote() -> None:
    assert function("strings.quote", 'a"b\\c\nd\té') == '"a\\"b\\\\c\\nd\\té"'


@pytest.mark.parametrize(
    ("pattern", "arguments", "result"),
    [
        ("no clause", (), "no clause"),
        ("100%%", (), "100%"),
        ("%s and %s", ("a", b"b"), "a and b"),
        ("%s %s %s %s", (1, UInt(2), True, None), "1 2 true null"),
        ("%s", (("a", 1, 2.5, (True,)),), '["a", 1, 2.500000, [true]]'),
        ("%s", ({"b": 1, "a": "x"},), '{"a":"x", "b":1}'),
        ("%s", (Duration(1_500_000_000),), "1.5s"),
        ("%s", (Timestamp(0),), "1970-01-01T00:00:00Z"),
        ("%s", ((Duration(-1),),), '[duration("-0.000000001s")]'),
        ("%d", (-3,), "-3"),
        ("%f", (1.5,), "1.500000"),
        ("%.2f", (2.0,), "2.00"),
        ("%f", ("NaN",), "NaN"),
        ("%b", (5,), "101"),
        ("%b", (True,), "1"),
        ("%o", (8,), "10"),
        ("%x", (255,), "ff"),
        ("%X", ("hi",), "6869"),
        ("%X", (b"\xff",), "FF"),
        ("%.6e", (1052.032911275,), "1.052033\u202f×\u202f10⁰³"),  # noqa: RUF001
    ],
)
def test_format(pattern: str, arguments: tuple[Any, ...], result: str) -> None:
    assert format_text(pattern, arguments) == result


@pytest.mark.parametrize(
    ("pattern", "arguments", "message"),
    [
        ("%", (), "unexpected end of string"),
        ("%q", ("a",), 'unrecognized formatting clause "q"'),
        ("%s", (), "index 0 out of range"),
        ("%d", ("a",), "decimal clause can only be used on integer"),
        ("%f", (True,), "fixed-point clause can only be used on double"),
        ("%x", (1.5,), "hex clause"),
        ("%.99999f", (1.5,), "too large"),
        ("%." + "9" * 5000 + "f", (1.5,), "too large"),
    ],
)
def test_format_errors(pattern: str, arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(EvaluationError, match=message):
        format_text(pattern, arguments)
