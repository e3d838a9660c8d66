"""Regular expressions match as in Go, in linear time."""

from __future__ import annotations

import pytest

from dra_conform.cel.patterns import compile_regex
from dra_conform.cel.values.cel_errors import EvaluationError


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("a+b", "xaab", ["aab"]),
        ("[0-9]+", "abc 123 45", ["123", "45"]),
        ("a*", "baac", ["", "aa", ""]),
        ("(?i)AbC", "abc", ["abc"]),
        ("a(?i)b|c", "AB aB C", ["aB", "C"]),
        ("a(?i:b)c", "aBc aBC", ["aBc"]),
        ("(?U)a+", "aa", ["a", "a"]),
        ("(?U)a+?", "aa", ["aa"]),
        ("^a$", "a\n", []),
        ("(?m)^a$", "b\na\n", ["a"]),
        ("a.b", "a\nb", []),
        ("(?s)a.b", "a\nb", ["a\nb"]),
        ("[^[:alpha:]]+", "ab12", ["12"]),
        (r"[[:^digit:]]+", "12ab", ["ab"]),
        (r"\d{2,3}", "١٢ 12", ["12"]),
        (r"\w+", "é_1", ["_1"]),
        (r"[\d-]+", "1-2", ["1-2"]),
        (r"[]a]+", "]a", ["]a"]),
        ("(?P<x>a)(?:b)*?c", "abbc", ["abbc"]),
        ("(?<x>a)", "a", ["a"]),
        (r"\Qa.b\E+", "a.bb", ["a.bb"]),
        ("x{,2}", "x{,2}", ["x{,2}"]),
        (r"\pL+", "é1", ["é"]),
        (r"\p{Lu}\P{Lu}", "aBc", ["Bc"]),
        (r"\bfoo\b", "a foo", ["foo"]),
        (r"\x41\x{42}\103", "ABC", ["ABC"]),
        (r"\.\-\n", ".-\n", [".-\n"]),
        ("(|a)b", "ab b", ["ab", "b"]),
        ("[a-c&&b]+", "&b", ["&b"]),
        (r"(?:a+)+$", "aab aa", ["aa"]),
        (r"^(?:a|b-)*\b", "ab-a x", ["ab-a"]),
        (r"(?i)(?:[^x -]+_?)+", "aB_c XY", ["aB_c", "Y"]),
        (r"(?:\n|[-]\Q~#& <>%é\E)+!", "\n-~#& <>%é!", ["\n-~#& <>%é!"]),
        ("(?:\n| |<)+", "a\n <", ["\n <"]),
        (r"(?:a*)*", "baac", ["", "aa", ""]),
        (r"\p{Greek}+", "aλδ", ["λδ"]),
        ("(?P<n>a)(?P<n>b)", "ab", ["ab"]),
        ("(?)a", "a", ["a"]),
        (r"\B", "xéA", []),
        (r"\Q\C\E", r"\C", [r"\C"]),
    ],
)
def test_matches(pattern: str, text: str, found: list[str]) -> None:
    compiled = compile_regex(pattern)
    assert compiled.search(text) == (found[0] if found else None)
    assert list(compiled.all(text)) == found


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("(?=a)", "invalid or unsupported Perl syntax: `(?=`"),
        ("(?<!a)", "invalid or unsupported Perl syntax: `(?<!`"),
        (r"(a)\1", r"invalid escape sequence: `\1`"),
        ("a**", "invalid nested repetition operator: `**`"),
        ("a++", "invalid nested repetition operator: `++`"),
        ("*a", "missing argument to repetition operator: `*`"),
        ("(+)", "missing argument to repetition operator: `+`"),
        ("(a", "missing closing ): `(a`"),
        ("a)", "unexpected ): `a)`"),
        ("[a", "missing closing ]: `[a`"),
        ("[z-a]", "invalid character class range: `z-a`"),
        ("[[:no:]]", "invalid character class range: `[:no:]`"),
        ("a{2000}", "invalid repeat count: `{2000}`"),
        ("a{" + "9" * 5000 + "}", "invalid repeat count"),
        ("a{3,2}", "invalid repeat count: `{3,2}`"),
        ("(?P<é>a)", "invalid named capture: `(?P<é>`"),
        (r"\C", r"invalid escape sequence: `\C`"),
        ("(?P<n", "invalid named capture"),
        ("(?z)a", "invalid or unsupported Perl syntax"),
        ("a\\", "trailing backslash at end of expression"),
        (r"\y", r"invalid escape sequence: `\y`"),
        (r"\p{Nope}", "invalid character class range"),
        ("(a{100}){100}", "invalid repeat count: `{100}`"),
    ],
)
def test_refused(pattern: str, message: str) -> None:
    with pytest.raises(EvaluationError) as e:
        compile_regex(pattern)
    assert str(e.value).startswith("error parsing regexp: ")
    assert message in str(e.value)


@pytest.mark.parametrize("text", ["a" * 5_000, "a" * 50_000])
@pytest.mark.parametrize("pattern", ["a?" * 30 + "a" * 30 + "b", "a*a*b", "^(a|b|ab)*c$", "x*y*z*a$"])
def test_long_texts_are_searched_once(pattern: str, text: str) -> None:
    compile_regex(pattern).search(text)


@pytest.mark.parametrize(
    "pattern", [r"(a+)+$", r"(a|a)*$", r"((a*)*)*$", r"(a|aa){1,}$", r"(?:a?){60}a{60}$"]
)
def test_every_pattern_takes_linear_time(pattern: str) -> None:
    assert compile_regex(pattern).search("a" * 60 + "b") in (None, "")
