"""Former words of steps, from former_words.yaml, and the rewriting of a sentence into current words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

_SMALL = {"Pod": "pod", "Node": "node", "Namespace": "namespace"}
"""Kinds that sentences write in lower case."""
_KINDS = (
    "Node|Namespace|DeviceClass|ResourceSlice|ResourceClaim|ResourceClaimTemplate|DeviceTaintRule|Pod"
    "|ResourceQuota"
)
_AMOUNT = r'(?:\S+ of "[^"]*"|<[^<>]+>)'
_PHASES = "PreEnqueue|PreFilter|Filter|PostFilter|Reserve|PreBind|Bind|Unreserve"
_EXPRESSIONS = {
    "kind": f"{_KINDS}|<[^<>]+>",
    "phase": f"{_PHASES}|<[^<>]+>",
    "amounts": f"{_AMOUNT}(?:(?: and|,) {_AMOUNT})*",
}
"""Patterns of placeholders without quotes. Other placeholders match any words."""
_TOKEN = re.compile(r'"\{(?P<quoted>\w+)\}"|\{(?P<bare>\w+)\}|(?P<bracket>[\[\]])|(?P<literal>[^"\[\]{]+|.)')
_BEGINNING = re.compile(
    r"(?:(?:in|since|until|from) Kubernetes [^:]*?, because [^:]+: )?"
    r'(?:as user "[^"]*"(?: in groups? "[^"]*")?, )?'
)
"""What may precede a sentence in a step: the releases of a deviation, or the user of a write."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A former sentence: its pattern, the new sentence, and the kind of its data table."""

    pattern: re.Pattern[str]
    new: str
    table: str


@dataclass(frozen=True, slots=True)
class Members:
    """The new names of the members of a mapping, and the types of their values (`*TYPE` is a map of TYPE)."""

    names: Mapping[str, str]
    types: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Words:
    """All former words. `steps` are golden keys by keyword, `case` the members of a golden case."""

    sentences: Sequence[Sentence]
    columns: Mapping[str, Mapping[str, str]]
    case: Mapping[str, str]
    steps: Mapping[str, Members]
    types: Mapping[str, Members]

    def step(self, text: str) -> tuple[str, str]:
        """Return a step's new text without keyword, and the kind of its table; the same text if unknown."""
        match = _BEGINNING.match(text)
        start = match[0] if match else ""
        new, table = self.sentence(text[len(start) :])
        return start + new, table

    def sentence(self, text: str) -> tuple[str, str]:
        for known in self.sentences:
            match = known.pattern.fullmatch(text)
            if match:
                return _filled(known.new, match), known.table
        return text, ""


@cache
def words() -> Words:
    """Return the words of former_words.yaml."""
    read = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
    return Words(
        [
            Sentence(_pattern(sentence["former"]), sentence["new"], sentence.get("table", ""))
            for sentence in read["sentences"]
        ],
        read["columns"],
        read["case"],
        {keyword: _members(several) for keyword, several in read["steps"].items()},
        {name: _members(several) for name, several in read["types"].items()},
    )


def _members(several: Mapping[str, Any]) -> Members:
    parts = {name: value.split(" ") for name, value in several.items()}
    return Members(
        {name: part[0] for name, part in parts.items()},
        {name: part[1] for name, part in parts.items() if len(part) > 1},
    )


def _pattern(sentence: str) -> re.Pattern[str]:
    pattern, optional = "", 0
    for token in _TOKEN.finditer(sentence):
        if token["quoted"]:
            pattern += f'"(?P<{token["quoted"]}>[^"]*)"'
        elif token["bare"]:
            pattern += f"(?P<{token['bare']}>{_EXPRESSIONS.get(token['bare'], '.+?')})"
        elif token[0] == "[":
            pattern += f"(?P<_{optional}>"
            optional += 1
        else:
            pattern += ")?" if token[0] == "]" else re.escape(token[0])
    return re.compile(pattern)


def _filled(sentence: str, match: re.Match[str]) -> str:
    """Return the new sentence with the placeholders and the optional parts of a match."""
    return "".join(_parts(sentence, match))


def _parts(sentence: str, match: re.Match[str]) -> Iterator[str]:
    optional, shown = 0, True
    for token in _TOKEN.finditer(sentence):
        if token[0] == "[":
            shown = match[f"_{optional}"] is not None
            optional += 1
        elif token[0] == "]":
            shown = True
        elif shown and token["quoted"]:
            yield f'"{match[token["quoted"]]}"'
        elif shown and token["bare"]:
            name = match[token["bare"]]
            yield _SMALL.get(name, name) if token["bare"] == "kind" else name
        elif shown:
            yield token[0]
