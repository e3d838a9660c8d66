"""Mutants that evaluate selectors as another interpreter of CEL would: eagerly, anchored, by the text of an amount."""

from __future__ import annotations

from tests.faulty.mutants.mutation import Mutant

_INCLUDES = "    if not isinstance(value, tuple):\n        return same(value, wanted)\n"

EXPRESSIONS = (
    Mutant("in selectors or needs its left side", ("    return _deciding(left, right, True)", "    return lambda frame: left(frame) or right(frame)")),
    Mutant("in selectors and needs its left side", ("    return _deciding(left, right, False)", "    return lambda frame: left(frame) and right(frame)")),
    Mutant("in selectors both sides of a choice are evaluated", ("        decision = condition(frame)\n", "        decision = condition(frame)\n        then(frame), otherwise(frame)\n")),
    Mutant("in selectors orValue takes what is false or zero for absent", ("        if v.present:\n            return v.value if unwrap else v", "        if v.present and (v.value or not unwrap):\n            return v.value if unwrap else v")),
    Mutant("in selectors a true side of or is not enough after one that fails", ("        except EvaluationError:\n            if _is(right, frame, decides):\n                return decides\n            raise", "        except EvaluationError:\n            if not decides and _is(right, frame, decides):\n                return decides\n            raise")),
    Mutant("in selectors includes is for lists", (_INCLUDES, "    if not isinstance(value, tuple):\n        return False\n")),
    Mutant("in selectors includes looks within texts", (_INCLUDES, "    if isinstance(value, str):\n        return str(wanted) in value\n" + _INCLUDES)),
    Mutant("in selectors isGreaterThan is at least", ("lambda a, b: a.nano > b.nano", "lambda a, b: a.nano >= b.nano")),
    Mutant("in selectors isLessThan is at most", ("lambda a, b: a.nano < b.nano", "lambda a, b: a.nano <= b.nano")),
    Mutant("in selectors amounts are compared in whole units", ("    return (a.nano > b.nano) - (a.nano < b.nano)", "    return (a.value() > b.value()) - (a.value() < b.value())")),
    Mutant("in selectors greater versions include the equal", ("lambda a, b: a > b),\n    Overload(\"isLessThan\"", "lambda a, b: a >= b),\n    Overload(\"isLessThan\"")),
    Mutant("in selectors lesser versions include the equal", ("(SEMVER, SEMVER), BOOL, lambda a, b: a < b),", "(SEMVER, SEMVER), BOOL, lambda a, b: a <= b),")),
    Mutant("in selectors a failing side of and is false", ("                return decides\n            raise\n        if first is decides", "                return decides\n            if not decides:\n                return False\n            raise\n        if first is decides")),
    Mutant("in selectors startsWith looks anywhere", ("BOOL, str.startswith, _second)", "BOOL, lambda a, b: b in a, _second)")),
    Mutant("in selectors matches is of the whole text", ("    return compile_regex(pattern).search(text)", "    return compile_regex(f\"^(?:{pattern})$\").search(text)")),
    Mutant("in selectors lowerAscii leaves a text as it is", ("lambda s: s.translate(_ASCII_LOWER)", "lambda s: s")),
    Mutant("in selectors quotients are rounded down", ("    return int64(quotient if (a < 0) == (b < 0) else -quotient)", "    return int64(a // b)")),
    Mutant("in selectors a remainder has the sign of the divisor", ("    return -rest if a < 0 else rest", "    return a % b")),
    Mutant("in selectors true equals 1", ("    if kind in _NUMBERS:\n        return other", "    if kind is bool and other in _NUMBERS:\n        return bool(a == b)\n    if kind in _NUMBERS:\n        return other")),
    Mutant("in selectors every domain is in the map", ("    if isinstance(where, dict):\n        return find(where, value).present\n    raise EvaluationError(\"no such overload\")", "    if isinstance(where, dict):\n        return type(where) is not dict or find(where, value).present\n    raise EvaluationError(\"no such overload\")")),
)  # fmt: skip
