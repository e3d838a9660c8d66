"""Rewrite golden steps in flow style, such as `{claim: {name: c}}`, anywhere in a text.

Keys of steps are common words, so a mapping is a step only if it has a member that steps of its key have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from former_words import Members, Words

Edit = tuple[int, int, str]
_KEY = re.compile(r"""(?P<quote>["']?)(?P<key>[\w.*-]+|<[^<>]+>)(?P=quote)\s*:""")
_SPACE = re.compile(r"(?:\s|,|\\n)*")
_MEMBERS = {
    ("given", "class"): "name",
    ("given", "counting"): "class",
    ("given", "devices"): "device",
    ("given", "counters"): "set",
    ("given", "pool"): "pool|slices",
    ("given", "config"): "claim|class",
    ("given", "gate"): "[A-Z][A-Za-z]+",
    ("given", "claim"): "name",
    ("given", "constraint"): "claim",
    ("given", "held"): "claim",
    ("given", "pod"): "name",
    ("given", "template"): "name",
    ("given", "recorded"): "pod",
    ("given", "quota"): "name",
    ("given", "component"): "components|gates|release",
    ("when", "allocate"): "claims",
    ("when", "count"): "pod",
    ("when", "publish"): "device",
    ("when", "fail"): "kind|times|verb|reason",
    ("when", "try"): "pod",
    ("then", "gets"): "claim",
    ("then", "has"): "claim",
    ("then", "consumes"): "claim",
    ("then", "devices"): "claim",
    ("then", "configured"): "claim",
    ("then", "error"): "category",
    ("then", "uncounted"): "reason",
    ("then", "takes"): "cpu|memory|ephemeral-storage",
    ("then", "uses"): r"requests\.[\w./-]+|[\w./-]+/devices|cpu|pods",
    ("then", "runs"): "pod",
    ("then", "reserved"): "claim",
    ("then", "records"): "pod",
    ("then", "missing"): "kind",
    ("then", "state"): "kind",
    ("then", "refused"): "pod",
    ("then", "prepared"): "claim",
    ("then", "event"): "pod",
    ("then", "grown"): "metric",
    ("then", "served"): "pod",
    ("then", "reads"): r"apiVersion|spec\.[\w.\[\]]+|metadata\.[\w.]+|status\.[\w.\[\]]+",
    ("then", "ends"): "phase|code",
    ("then", "holds"): "after",
    ("then", "after"): "after",
}
"""By key of a step, members of which it has at least one. Keys with a dash are always steps."""
_PLAIN = {
    ("when", "settle"): "true",
    ("when", "bind"): r"\w+",
    ("when", "usage"): "default",
    ("when", "advance"): r"\d+",
    ("then", "error"): "true",
    ("then", "unchanged"): "true",
    ("then", "unallocated"): r"\w+",
    ("then", "uncounted"): "true",
    ("then", "unreached"): "[A-Z][a-zA-Z]+",
}
"""By key, patterns of the values of steps with a scalar. Keys with a dash are always steps."""


_ITEMS = {
    "device": "DeviceOrResult",
    "request": "RequestOrResult",
    "subrequest": "Claim",
    "set": "CounterSet",
}
"""Types of mappings outside of steps, by the name of their first member."""
_ITEM = re.compile(r"""\{+["']?(?P<key>device|request|subrequest|set(?=["']?:[^{}]*counters))["']?:""")


class _LostError(ValueError):
    """The text is not YAML in flow style, so it cannot be read further."""


def rewrite_flow(text: str, words: Words) -> str:
    """Return the text with golden steps in flow style in the new words."""
    edits: dict[tuple[int, int], str] = {}
    for key in _KEY.finditer(text):
        for keyword, members in words.steps.items():
            name = key["key"]
            if name in members.names and _is_step(text, key, keyword, words):
                edits_of_step = [(key.start("key"), key.end("key"), members.names[name])]
                try:
                    list(_value(text, key.end(), members.types.get(name, ""), words, edits_of_step))
                except _LostError:
                    continue
                edits |= {(start, end): new for start, end, new in edits_of_step}
    for item in _ITEM.finditer(text):
        edits_of_step = []
        try:
            list(_value(text, item.start(), _ITEMS[item["key"]], words, edits_of_step))
        except _LostError:
            continue
        edits |= {(start, end): new for start, end, new in edits_of_step}
    for case in re.finditer(r"""(?<![\w-])acts(?=["']?:\s*(?:\[|\n|\\n|$))""", text, re.MULTILINE):
        edits[case.start(), case.end()] = words.case["acts"]
    for (start, end), new in sorted(edits.items(), reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _is_step(text: str, key: re.Match[str], keyword: str, words: Words) -> bool:
    """Return whether a key is a step's key of this keyword, by the text before and after it."""
    name, before, after = key["key"], text[: key.start()].rstrip(" "), text[key.end() :].lstrip(" ")
    begins = not before or before[-1] in "{[-\n'\"`" or before.endswith("\\n")
    if not begins or (key.start() and text[key.start() - 1] in "-.\\/<"):
        return False
    if after.startswith(("{", "[")):
        if "-" in name:
            return True
        member = _MEMBERS.get((keyword, name))
        list_of = (keyword, name) in (("given", "devices"), ("given", "counters"), ("when", "publish"))
        if member is None or after.startswith("[") != list_of:
            return False
        return re.match(rf"""[\s{{\[\\n]*["']?(?:{member})["']?\s*:""", after) is not None or bool(
            re.match(r"\{+\}", after) and name == "takes"
        )
    plain = _PLAIN.get((keyword, name))
    return "-" in name or (
        plain is not None and bool(re.match(rf"(?i:{plain})(?=\s*(?:[#}},\"'`\\]|$))", after))
    )


def _value(text: str, at: int, kind: str, words: Words, found: list[Edit]) -> Iterator[int]:
    """Read a value of a type from position `at`, and yield the position of its end. Raises _LostError."""
    at = _space(text, at)
    if text.startswith("{{", at) or (text.startswith("{", at) and not _interpolated(text, at)):
        yield _mapping(text, at, kind, words, found)
    elif text.startswith("[", at):
        at = _space(text, at + 1)
        while not text.startswith("]", at):
            at = _space(text, next(_value(text, at, kind, words, found)))
        yield at + 1
    else:
        yield _scalar(text, at)


def _mapping(text: str, at: int, kind: str, words: Words, found: list[Edit]) -> int:
    brace = 2 if text.startswith("{{", at) else 1
    of_type = words.types.get(kind, Members({}, {}))
    at = _space(text, at + brace)
    while not text.startswith("}" * brace, at):
        key = _KEY.match(text, at)
        if key is None:
            at = _space(text, _scalar(text, at))
            continue
        name = key["key"]
        if name in of_type.names:
            found.append((key.start("key"), key.end("key"), of_type.names[name]))
        inner = kind[1:] if kind.startswith("*") else of_type.types.get(name, "")
        at = _space(text, next(_value(text, key.end(), inner, words, found)))
    return at + brace


def _interpolated(text: str, at: int) -> bool:
    """Return whether a brace begins a replacement field, such as `{name}`."""
    return re.match(r"\{[\w.\[\]]*\}", text[at : at + 60]) is not None and text[at + 1] != "}"


def _scalar(text: str, at: int) -> int:
    """Return the end of a plain or quoted scalar or expression. Raises _LostError at the end of the text."""
    start, depth = at, 0
    while at < len(text):
        letter = text[at]
        if letter in "\"'" and at == start:
            end = text.find(letter, at + 1)
            if end < 0:
                break
            at = end + 1
            continue
        if letter in "([{":
            depth += 1
        elif letter in ")]}":
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and (letter in ",\n" or text.startswith("\\n", at)):
            break
        at += 1
    if at == start or at >= len(text):
        raise _LostError
    return at


def _space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    at = match.end() if match else at
    if at >= len(text):
        raise _LostError
    return at
