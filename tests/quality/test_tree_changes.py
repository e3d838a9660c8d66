"""Changes of syntax trees: what patterns match, what new code becomes, and when a change is stale."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest

from tests.faulty.mutants.tree_changes import Change, Stale, change

SOURCE = '''
from functools import cache
LIMIT = Limit(8, "a limit")

class Holder:
    field: bool = switch("kep", since="1.36")

    def many(self, items, other):
        """Words that may change."""
        total = {"count": 1, "name": other}
        for item in items:
            if item.size > other and item.free or none(items):
                self.note(item, size=item.size)
                total["count"] += item.size
            else:
                raise Refused(f"{item} is too large")
        match other:
            case 1:
                print()
        return max(total, key=lambda name: total[name]), [one for one in items if one.free]
'''


def _changed(old: str, new: str, nth: int = 0, scope: str = "Holder.many", variables: str = "") -> str:
    tree = ast.parse(SOURCE)
    change(tree, [Change("m", scope, old, new, nth, variables)])
    compile(tree, "m", "exec")
    before, after = ast.unparse(ast.parse(SOURCE)).splitlines(), ast.unparse(tree).splitlines()
    return "; ".join(line.strip() for line in after if line not in before)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("_.size > _", ">=", "if item.size >= other and item.free or none(items):"),
        ("none(_)", "_0 or True", "if item.size > other and item.free or none(items) or True:"),
        ("none(_)", "", "if item.size > other and item.free:"),
        ("_ or none(_)", "and", "if (item.size > other and item.free) and none(items):"),
        ("_1 and _.free", "_1", "if item.size > other or none(items):"),
        ("for _ in _0: ...", "_0[:1]", "for item in items[:1]:"),
        ("for _ in (_0 := _1): ...", "list(_1)", "for item in list(items):"),
        ("self.note(_1, size=_0)", "len(_1)", "self.note(item, size=len(item))"),
        ("self.note(..., size=_0)", "", "self.note(item)"),
        ("self.note(_0, ...)", "", "self.note(size=item.size)"),
        ("self.note(...)", "pass", "pass"),
        ("_[_] += _1", "print(_1); _0", "print(item.size)"),
        ("_[_] += _1", "if _1: _0", "if item.size:; total['count'] += item.size"),
        ("raise _", "", ""),
        ("if _: _0; ...", "", ""),
        ("for _ in _: _0", "", "pass"),
        ('{"count": _0, **_}', "2", "total = {'count': 2, 'name': other}"),
        ('{"name": _0, **_}', "", "total = {'count': 1}"),
        ("{**_}", '{**_0, "more": 1}', "total = {'count': 1, 'name': other, 'more': 1}"),
        ("return _0", "(*_0, 1)", "return (max(total, key=lambda name: total[name]), [one for one in items if one.free], 1)"),
        ("[_ for _ in _ if _0]", "", "return (max(total, key=lambda name: total[name]), [one for one in items])"),
        ("lambda _: _0", "0", "return (max(total, key=lambda name: 0), [one for one in items if one.free])"),
        ("match _:\n    case _: ...", "return; _0", "return"),
        ("max", "min", "return (min(total, key=lambda name: total[name]), [one for one in items if one.free])"),
    ],
)  # fmt: skip
def test_what_is_replaced(old: str, new: str, line: str) -> None:
    assert _changed(old, new) == line


def test_scopes_are_classes_fields_constants_and_imports() -> None:
    assert _changed("8", "9", scope="LIMIT") == "LIMIT = Limit(9, 'a limit')"
    assert _changed('"kep"', "", scope="Holder.field") == "field: bool = switch(since='1.36')"
    assert _changed("...", "import sys; _0", scope="cache") == "import sys"


def test_the_nth_match_and_names_for_variables() -> None:
    assert _changed("_.free", "True", 2).endswith("[one for one in items if True])")
    assert _changed("raise _", "return thing", variables="a b sum thing d e") == "return item"


def test_a_change_within_what_another_one_wraps() -> None:
    tree = ast.parse(SOURCE)
    wraps = Change("m", "Holder.many", "for _ in _: ...", "start(); _0")
    change(tree, [wraps, replace(wraps, old="_ > _", new="<")])
    assert "start()\n        for item in items:\n            if item.size < other" in ast.unparse(tree)


@pytest.mark.parametrize(
    ("one", "why"),
    [
        (Change("m", "Holder.few", "_", ""), r"there is no Holder\.few in m"),
        (
            Change("m", "Holder.many", "few(...)", ""),
            r"m\.Holder\.many has 0 matches of 'few\(\.\.\.\)', expected one",
        ),
        (Change("m", "Holder.many", "_.size", ""), "has 3 matches of '_.size', expected one"),
        (Change("m", "Holder.many", "_.size", "", 4), "has 3 matches of '_.size', expected at least 4"),
        (Change("m", "Holder.many", "max", "min", 0, "a b"), "has 6 local variables, expected 2: a b"),
    ],
)
def test_a_change_that_does_not_fit_is_stale(one: Change, why: str) -> None:
    with pytest.raises(Stale, match=why):
        change(ast.parse(SOURCE), [one])
