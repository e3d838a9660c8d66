"""Mutants of `dra_conform.cel`."""

from __future__ import annotations

from tests.faulty.mutants.catalogue import Table

MUTANTS: Table = {
    "cel.evaluation.logic": {
        "_deciding: left right decides other frame first second": (
            ("names", "in selectors both sides of and must be known", "if _is(...): ...", "", 1),
            ("names", "in selectors a wrong side of and is enough", "if _: ...", "", 2),
            ("expressions", "in selectors a true side of or is not enough after one that fails", "_is(_, _, _1)", "not _1 and _0", 1),
            ("expressions", "in selectors a failing side of and is false", "raise", "if not decides: return False\n_0", 2)),
        "disjunction": (("expressions", "in selectors or needs its left side", "_deciding(_1, _2, ...)", "lambda frame: _1(frame) or _2(frame)"),),
        "conjunction": (("expressions", "in selectors and needs its left side", "_deciding(_1, _2, ...)", "lambda frame: _1(frame) and _2(frame)"),),
        "ternary: condition then otherwise frame decision": (("expressions", "in selectors both sides of a choice are evaluated", "_ = _(_1)", "_0; then(_1), otherwise(_1)"),),
        "alternative: value other unwrap frame v": (("expressions", "in selectors orValue takes what is false or zero for absent", "_.present", "_0 and (v.value or not unwrap)"),),
    },
    "cel.functions.arithmetic": {
        "divide: a b quotient": (("expressions", "in selectors quotients are rounded down", "int64(_0)", "a // b"),),
        "remainder: a b rest": (("expressions", "in selectors a remainder has the sign of the divisor", "-_ if _ < 0 else _", "a % b"),),
    },
    "cel.functions.sets": {
        "_includes": (
            ("expressions", "in selectors includes is for lists", "same(...)", "False", 1),
            ("expressions", "in selectors includes looks within texts", "if not isinstance(_1, ...): return same(_, _2)", "if isinstance(_1, str): return str(_2) in _1\n_0")),
    },
    "cel.functions.indexing": {
        "membership": (("expressions", "in selectors every domain is in the map", "find(_1, _).present", "type(_1) is not dict or _0"),),
    },
    "cel.functions.quantities": {
        "OVERLOADS": (("expressions", "in selectors isGreaterThan is at least", "_1 > _2", "_1 >= _2"), ("expressions", "in selectors isLessThan is at most", "_1 < _2", "_1 <= _2")),
        "_compare_to": (("expressions", "in selectors amounts are compared in whole units", "(_1.nano > _2.nano) - _", "(_1.value() > _2.value()) - (_1.value() < _2.value())"),),
    },
    "cel.functions.semver": {
        "OVERLOADS": (("expressions", "in selectors greater versions include the equal", "a > b", "a >= b"), ("expressions", "in selectors lesser versions include the equal", "a < b", "a <= b")),
    },
    "cel.functions.standard": {
        "STANDARD": (("expressions", "in selectors startsWith looks anywhere", "_.startswith", "lambda a, b: b in a"),),
        "_matches: text pattern": (("expressions", "in selectors matches is of the whole text", "compile_regex(_0)", "f'^(?:{pattern})$'"),),
    },
    "cel.functions.strings": {
        "OVERLOADS": (("expressions", "in selectors lowerAscii leaves a text as it is", "s.translate(_ASCII_LOWER)", "s"),),
    },
    "cel.values.device": {
        "device_of: driver device attributes name attribute domain short capacity amount": (
            ("names", "in selectors drivers have no case", "DeviceView(_0, ...)", "_0.lower()"),
            ("names", "in selectors a driver is its domain", "DeviceView(_0, ...)", "_0.partition('.')[2]"),
            ("names", "in selectors every device is shared", "bool(_1)", "_1 is not False"),
            ("names", "in selectors no device is shared", "bool(...)", "False"),
            ("names", "in selectors a device without capacity is not shared", "_1.allow_multiple_allocations", "_0 and _1.capacity"),
            ("names", "in selectors the last of two domains stays", "_1, _ = qualified(...)", "_0; attributes = Domains({_1: attributes.get(_1, {})})", 1),
            ("names", "in selectors capacity is what the policy gives", "_ = _1.value", "policy = _1.request_policy; _0"),
            ("names", "& in selectors capacity is what the policy gives", "_.value", "policy.default if policy and policy.default else _0"),
            ("names", "in selectors capacity is whole units", "_.value", "Quantity.whole(_0.value())"),
            ("names", "in selectors four attributes are seen", "_.attributes.items()", "list(_0)[:4]"),
            ("names", "in selectors two capacities are seen", "_.capacity.items()", "list(_0)[:2]")),
        "qualified": (
            ("names", "in selectors domains are the driver's", "(_, _2) if _ else (_1, _3)", "_1, _2 or _3"),
            ("names", "in selectors bare names have no domain", "_ if _ else (_0, ...)", "''"),
            ("names", "in selectors a domain is without its subdomain", "(_2, _4) if _1 else (_3, _5)", "(_2.partition('.')[2], _4) if _1 and _2 != _3 else (_3, _4 or _5)"),
            ("names", "in selectors names have no case", "(_, _0) if _ else _", "_0.lower()"),
            ("names", "& in selectors names have no case", "_ if _ else (_, _0)", "_0.lower()")),
        "Domains.__missing__": (("names", "in selectors an unknown domain fails", "return _EMPTY", "raise EvaluationError('no such key')"),),
        "_value": (
            ("names", "in selectors zero and false are no values", "_1 is not None", "_1", 3),
            ("names", "in selectors texts are trimmed", "return _0", "_0.strip() if isinstance(_0, str) else _0", 3),
            ("names", "in selectors whole numbers are of 53 bits", "return _0", "int(float(_0)) if type(_0) is int else _0", 3)),
    },
    "cel.values.equality": {
        "equal": (("expressions", "in selectors true equals 1", "if _1 in _NUMBERS: return _2 and _3", "if _1 is bool and _2: return _3\n_0"),),
    },
    "cel.values.semantic_version": {
        "Semver.__post_init__": (
            ("versions", "a pre-release is the release", "_1, _2, _3, _, _", "_1, _2, _3"),
            ("versions", "a pre-release is after the release", "_, _, _, _0, ...", "not _0"),
            ("versions", "pre-releases are compared as text", "tuple(_0)", "map(str, self.prerelease)"),
            ("versions", "a number in a pre-release is after a word", "_0, _, ''", "1"),
            ("versions", "& a number in a pre-release is after a word", "1", "0"),
            ("versions", "the first part of a pre-release counts", "_, _, _, _, _0", "_0[:1]"),
            ("versions", "builds differ", "object.__setattr__(_, _, _0)", "*_0, self.build"),
            ("versions", "versions are compared as text", "_1, _2, _3, _4, _5", "str(_1), str(_2), str(_3), _4, _5"),
            ("versions", "patches do not count", "_.patch", "0"),
            ("versions", "minors do not count", "_.minor", "0")),
    },
}  # fmt: skip
