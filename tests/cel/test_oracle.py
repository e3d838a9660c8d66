"""Core CEL agrees with Google's C++ engine, on a table and on random expressions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.cel.oracle import google_outcome, own_outcome
from tests.support.draws import examples

AGREED = r"""
1
-9223372036854775808
9223372036854775807
9223372036854775808
-9223372036854775809
18446744073709551615u
18446744073709551616u
0xff
0xFFu
-0x10
1.5
.5
1.
1e3
1e-7
2E+2
true
null
"a\n\t\"\x41\u00e9\U0001F600\101"
'single'
r"raw\n"
"""
AGREED_BLOCK = r'''
"""triple "quoted" text"""
b"ab\xff\101"
b'\u0041'
br"raw\n"
"bad \q escape"
"\ud800"
"\8"
"unclosed
1 + 2 * 3 - 4 / 2 % 3
-(1 + 2)
--1
---1
!!true
!!!true
1 - -1
1-1
-1.5
- 1
7 / -2
-7 / 2
-7 % 3
7 % -3
1 / 0
1 % 0
1u / 0u
1.0 / 0.0
-1.0 / 0.0
0.0 / 0.0 == 0.0 / 0.0
9223372036854775807 + 1
-9223372036854775808 - 1
-(-9223372036854775808)
9223372036854775807 * 2
-9223372036854775808 / -1
-9223372036854775808 % -1
1u - 2u
18446744073709551615u + 1u
1 + 1u
1 + 1.0
"a" + "b"
b"a" + b"b"
[1] + [2, 3]
"a" + 1
1 == 1
1 == 1.0
dyn(1) == 1.0
dyn(1) == 1u
dyn(1) == "a"
dyn(1) != "a"
dyn(true) == 1
dyn(1u) < 2.5
dyn(1) < "a"
dyn("a") < "b"
dyn([1]) == [1.0]
[1, 2] == [1, 2]
[1, 2] == [2, 1]
{"a": 1} == {"a": 1}
{"a": 1, "b": 2} == {"b": 2, "a": 1}
{"a": 1} == {"a": 2}
dyn({1: "a"}) == {1u: "a"}
"b" > "a"
"é" > "z"
b"a" < b"b"
false < true
null == null
dyn(null) == 1
duration("1h") < duration("61m")
[1] < [2]
true && false
false && 1 / 0 == 1
1 / 0 == 1 && false
1 / 0 == 1 && true
true || 1 / 0 == 1
1 / 0 == 1 || true
1 / 0 == 1 || false
dyn(1) && true
dyn(1) && false
dyn("a") || true
1 && true
true ? 1 : 2
false ? 1 / 0 : 2
1 / 0 == 1 ? 1 : 2
dyn(1) ? 1 : 2
true ? 1 : "a"
true ? false ? 1 : 2 : 3
false ? 1 : true ? 2 : 3
1 in [1, 2]
3 in [1, 2]
3 in []
"a" in {"a": 1}
1 in {"a": 1}
1 in dyn([1.0])
dyn(1) in dyn({1u: 2})
1 in 1
1 in dyn(1)
[1, 2][0]
[1, 2][2]
[1, 2][-1]
[1, 2][dyn(0.0)]
[1, 2][dyn(0.5)]
[1, 2]["a"]
{"a": 1}["a"]
{"a": 1}["b"]
{"a": 1}.a
{"a": 1}.b
{"a": {"b": 2}}.a.b
{1: 2}[1]
{1u: 2}[dyn(1)]
{true: 1}[true]
{true: "t"}[dyn(1)]
{1: "a"}[dyn(true)]
dyn({"a": 1}).a
dyn(1).a
has({"a": 1}.a)
has({"a": 1}.b)
has({"a": {}}.a.b)
has({}.a.b)
has("a")
has(1 .a)
size("é")
"é".size()
size(b"abc")
size([1, 2, 3])
size({"a": 1})
size(1)
size(dyn(1))
"abc".contains("b")
"abc".startsWith("ab")
"abc".endsWith("bc")
"abc".contains(1)
dyn(1).contains("a")
"abc".matches("^a.c$")
"abc".matches("b")
matches("abc", "x")
"a\nb".matches("a.b")
int("12")
int("-12")
int("x")
int(1.9)
int(-1.9)
int(9.3e18)
int(1u)
int(18446744073709551615u)
int(timestamp("1970-01-01T00:01:40Z"))
int(true)
uint(1)
uint(-1)
uint("7")
uint("-7")
uint(3.7)
uint(-0.5)
double("1.5")
double("x")
double(1)
string(1)
string(-1)
string(1u)
string(1.0)
string(1.5)
string(0.1)
string(100000.0)
string(1000000.0)
string(123456789.0)
string(0.0001)
string(0.00001)
string(true)
string(b"abc")
string(b"\xff")
string(duration("1h30m"))
string(timestamp("2020-02-29T12:00:00+02:00"))
string("a")
string(null)
bytes("é")
bool("true")
bool("yes")
bool(true)
type(1) == int
type(1u) == uint
type(1.0) == double
type("") == string
type(b"") == bytes
type(true) == bool
type(null) == null_type
type([]) == list
type({}) == map
type(type(1)) == type
type(1) == type(type(1))
type(duration("1s")) == google.protobuf.Duration
type(timestamp("2020-01-01T00:00:00Z")) == google.protobuf.Timestamp
type(1) == type("a")
duration("1h") + duration("1m")
duration("1h") - duration("2h")
duration("x")
duration("1")
duration("0")
duration("1.5h")
duration("300us")
timestamp("2020-01-01T00:00:00Z") + duration("24h")
duration("24h") + timestamp("2020-01-01T00:00:00Z")
timestamp("2020-01-02T00:00:00Z") - timestamp("2020-01-01T00:00:00Z")
timestamp("2020-01-01T00:00:00Z") - duration("1s")
timestamp("9999-12-31T23:59:59Z") + duration("1s")
timestamp("0001-01-01T00:00:00Z") - duration("1s")
timestamp("2020-13-01T00:00:00Z")
timestamp("nonsense")
timestamp(0)
timestamp("2020-02-29T12:34:56.789Z").getFullYear()
timestamp("2020-02-29T12:34:56.789Z").getMonth()
timestamp("2020-02-29T12:34:56.789Z").getDate()
timestamp("2020-02-29T12:34:56.789Z").getDayOfMonth()
timestamp("2020-02-29T12:34:56.789Z").getDayOfYear()
timestamp("2020-02-29T12:34:56.789Z").getDayOfWeek()
timestamp("2020-03-01T12:34:56.789Z").getDayOfWeek()
timestamp("2020-02-29T12:34:56.789Z").getHours()
timestamp("2020-02-29T12:34:56.789Z").getHours("02:00")
timestamp("2020-02-29T12:34:56.789Z").getHours("-05:30")
timestamp("2020-02-29T12:34:56.789Z").getMinutes("-05:30")
timestamp("2020-02-29T23:34:56.789Z").getDate("Europe/Berlin")
timestamp("2020-02-29T23:34:56.789Z").getDate("Nowhere/Land")
timestamp("2020-02-29T12:34:56.789Z").getSeconds()
timestamp("2020-02-29T12:34:56.789Z").getMilliseconds()
duration("3h5m").getHours()
duration("3h5m").getMinutes()
duration("-90s").getMinutes()
duration("3h5m").getSeconds()
[1, 2, 3].all(x, x > 0)
[1, 2, 3].all(x, x > 1)
[1, 2, 3].exists(x, x == 2)
[1, 2, 3].exists(x, x == 5)
[1, 2, 3].exists_one(x, x == 2)
[1, 2, 2].exists_one(x, x == 2)
[1, 2, 3].map(x, x * 2)
[1, 2, 3].map(x, x > 1, x * 2)
[1, 2, 3].filter(x, x > 1)
[].all(x, x / 0 == 1)
[1, 0].all(x, 1 / x == 0)
[1, 0].exists(x, 1 / x == 1)
[0, 1].exists(x, 1 / x == 1)
[0, 1].all(x, 1 / x == 5)
[0, 1].exists_one(x, 1 / x == 1)
[0, 1].map(x, 1 / x)
[1, 2].map(x, [3, 4].map(y, x * y))
[1, 2].map(x, [x].map(x, x + 1))
[[1], [2, 3]].map(l, l.size())
[[1], [2, 3]].exists(l, l.exists(x, x == 3))
{"a": 1, "b": 2}.all(k, k != "")
{"a": 1}.map(k, k + "!")
{"a": 1}.exists(k, k == "a")
1.all(x, true)
dyn(1).all(x, true)
"abc".all(x, true)
[1].all(x, x)
[1].all(1, true)
[1].all(x.y, true)
[1].map(x, y)
[1].all(x, true).b
cel.bind(x, 1, x + x)
cel.bind(x, 1 / 0, true)
cel.bind(x, 1 / 0, x == 1)
cel.bind(x, 1, cel.bind(y, x + 1, x * y))
cel.bind(x, 1, [1, 2].map(y, x + y))
cel.bind(1, 1, 1)
optional.of(1).hasValue()
optional.none().hasValue()
optional.of(1).value()
optional.none().value()
optional.none().orValue(2)
optional.of(1).orValue(2)
optional.of(1).or(optional.of(2)).value()
optional.none().or(optional.of(2)).value()
optional.ofNonZeroValue(0).hasValue()
optional.ofNonZeroValue("a").hasValue()
optional.of(1) == optional.of(1)
optional.of(1) == optional.none()
optional.of(1).optMap(x, x + 1).value()
optional.none().optMap(x, x + 1).hasValue()
optional.of(1).optFlatMap(x, optional.of(x + 1)).value()
{"a": 1}.?a.value()
{"a": 1}.?b.hasValue()
{"a": 1}[?"a"].orValue(0)
{"a": 1}[?"b"].orValue(0)
{"a": {"b": 2}}.?a.b.orValue(0)
{"a": {"b": 2}}.?a.c.orValue(0)
{"a": {"b": 2}}.?z.b.orValue(0)
[1, 2][?0].orValue(9)
[1, 2][?5].orValue(9)
[?optional.of(1), ?optional.none()]
[1, ?{"a": 2}.?a]
{?"a": optional.of(1), ?"b": optional.none()}
[?1]
has({"a": 1}.?a.b)
1 +
(1
1)
[1, 2
[1, 2,]
{"a": 1,}
{"a" 1}
[,]
[,1]
[1,,]
[1,,2]
{,}
if
package
for.x
a.b.c
{"for": 1}.for
x
.x
f(1)
"a".f()
1.f()
1 // comment
// only a comment
1 == 2 == false
1 < 2 < 3
1 ? 2 : 3
'''

TABLE = [line for line in (AGREED + AGREED_BLOCK).split("\n") if line.strip()]


@pytest.mark.parametrize("expression", TABLE)
def test_table_agrees(expression: str) -> None:
    assert own_outcome(expression) == google_outcome(expression)


_INT_LITERAL = st.sampled_from(["0", "1", "-1", "2", "3", "7", "9223372036854775807", "-9223372036854775808"])
_STRING_LITERAL = st.sampled_from(['""', '"a"', '"ab"', '"b"', '"é"'])
_BOOL_LITERAL = st.sampled_from(["true", "false"])


def _joined(template: str, *parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(*parts).map(lambda values: template.format(*values))


def _ints(scope: tuple[str, ...], depth: int) -> st.SearchStrategy[str]:
    leaf = st.one_of(_INT_LITERAL, st.sampled_from(scope)) if scope else _INT_LITERAL
    if depth == 0:
        return leaf
    part, texts, tests = _ints(scope, depth - 1), _strings(scope, depth - 1), _bools(scope, depth - 1)
    return st.one_of(
        leaf,
        *(_joined(f"({{}} {o} {{}})", part, part) for o in ("+", "-", "*", "/", "%")),
        _joined("(-{})", part),
        _joined("size({})", texts),
        _joined("({} ? {} : {})", tests, part, part),
        _joined("{}[{}]", _lists(scope, depth - 1), part),
        _joined('{{"a": {}}}[{}]', part, texts),
        _joined('int("" + {})', texts),
    )


def _strings(scope: tuple[str, ...], depth: int) -> st.SearchStrategy[str]:
    if depth == 0:
        return _STRING_LITERAL
    part = _strings(scope, depth - 1)
    return st.one_of(
        _STRING_LITERAL,
        _joined("({} + {})", part, part),
        _joined("string({})", _ints(scope, depth - 1)),
        _joined("({} ? {} : {})", _bools(scope, depth - 1), part, part),
    )


def _lists(scope: tuple[str, ...], depth: int) -> st.SearchStrategy[str]:
    if depth == 0:
        return st.sampled_from(["[]", "[1]", "[1, 2]", "[0, 3]"])
    part, inner = _lists(scope, depth - 1), _ints((*scope, "x"), depth - 1)
    return st.one_of(
        st.lists(_ints(scope, depth - 1), max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        _joined("({} + {})", part, part),
        _joined("{}.map(x, {})", part, inner),
        _joined("{}.filter(x, {})", part, _bools((*scope, "x"), depth - 1)),
    )


def _bools(scope: tuple[str, ...], depth: int) -> st.SearchStrategy[str]:
    if depth == 0:
        return _BOOL_LITERAL
    numbers, texts, part = _ints(scope, depth - 1), _strings(scope, depth - 1), _bools(scope, depth - 1)
    lists, inner = _lists(scope, depth - 1), _bools((*scope, "y"), depth - 1)
    return st.one_of(
        _BOOL_LITERAL,
        *(_joined(f"({{}} {o} {{}})", numbers, numbers) for o in ("<", "<=", "==", "!=", ">")),
        *(_joined(f"({{}} {o} {{}})", texts, texts) for o in ("==", "<", "!=")),
        *(_joined(f"({{}} {o} {{}})", part, part) for o in ("&&", "||", "==")),
        _joined("(dyn({}) == {})", numbers, texts),
        _joined("(dyn({}) || {})", numbers, part),
        _joined("(!{})", part),
        _joined("({} ? {} : {})", part, part, part),
        _joined("({} in {} + [1])", numbers, lists),
        _joined("{}.startsWith({})", texts, texts),
        *(_joined(f"{{}}.{macro}(y, {{}})", lists, inner) for macro in ("all", "exists", "exists_one")),
        _joined("cel.bind(y, {}, {})", numbers, inner),
    )


@examples(400)
@given(st.one_of(_bools((), 3), _ints((), 3), _lists((), 2)))
def test_random_expressions_agree(expression: str) -> None:
    assert own_outcome(expression) == google_outcome(expression)
