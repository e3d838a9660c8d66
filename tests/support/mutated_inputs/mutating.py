"""Mutate valid inputs as text or as a tree. One random generator determines all changes."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator, Sequence
from typing import Any

from dra_conform.kube.json_values import Json

LONGEST = 100_000
"""Maximum number of characters. Longer inputs are truncated."""

_PIECES = (
    *(
        "[x]",
        "[[1]]",
        "[true]",
        "true",
        "null",
        "~",
        "{}",
        "{a: b}",
        "-1",
        "0",
        "1e400",
        "9" * 40,
        ".nan",
        "0x10",
    ),
    *(
        "&a [*a]",
        "*a",
        "<<: *x",
        "!!python/object:os.system",
        "!!binary x",
        "? ",
        "- ",
        "|",
        ">",
        "---\n",
        "'",
        '"',
    ),
    *(
        "(",
        "))",
        "[",
        "]",
        "{",
        "}",
        ":",
        ",",
        "\t",
        "\n",
        "\r",
        "\0",
        "\x1b[2J",
        "\u202e",
        "\ufeff",
        "\u0301",
        "😀",
    ),
    *(
        "device.",
        ".map(x, x)",
        ".all(x, x)",
        ".matches('a*a*b')",
        "+",
        "&&",
        "!",
        "cel.bind(a, [1], a + a)",
        "1.0",
    ),
    *(
        "Ki",
        "e5",
        "E",
        "m",
        "n",
        ".",
        "../",
        "/",
        "%s",
        "<amount>",
        "\\u",
        "\\",
        "#",
        "@",
        "Scenario:",
        "| a | b |",
    ),
)


def mutated(seeds: Sequence[str], chance: random.Random) -> str:
    """Return one of the seeds with one to four changes."""
    text = chance.choice(seeds)
    for _ in range(chance.randint(1, 4)):
        text = _changed(text, seeds, chance)
    return text[:LONGEST]


def _changed(text: str, seeds: Sequence[str], chance: random.Random) -> str:
    begin = chance.randint(0, len(text))
    end = min(len(text), begin + chance.choice((0, 1, 3, 10, 40, 200)))
    before, part, after = text[:begin], text[begin:end], text[end:]
    match chance.randrange(8):
        case 0:
            return before + after
        case 1:
            return before + part * chance.choice((2, 3, 50, 2000)) + after
        case 2:
            return before
        case 3:
            other = chance.choice(seeds)
            place = chance.randint(0, len(other))
            return before + other[place : place + 60] + after
        case 4:
            return before + chance.choice(_PIECES) * chance.choice((1, 1, 2, 1000)) + after
        case 5:
            return before + chr(chance.choice((*range(128), 0x85, 0x2028, 0xFFFF, 0x10FFFF))) + after
        case _:
            return _word_replaced(text, chance)


def _word_replaced(text: str, chance: random.Random) -> str:
    words = text.split(" ")
    words[chance.randrange(len(words))] = chance.choice(_PIECES)
    return " ".join(words)


_VALUES: tuple[Json, ...] = (
    *(
        None,
        True,
        False,
        0,
        -1,
        10**30,
        1.5,
        "",
        "x",
        "\0",
        "a" * 300,
        "<amount>",
        "*",
        "../x",
        "=",
        "a=b",
        "e",
    ),
    *(
        [],
        {},
        [[]],
        [[["x"]]],
        ["x"],
        [True],
        [None],
        {"x": None},
        {"": ""},
        {"x": {"y": ["z"]}},
        {"name": ["x"]},
    ),
)


def mutated_tree(seeds: Sequence[Json], chance: random.Random) -> str:
    """Return one of the seeds as JSON, with a few values replaced, renamed, duplicated or removed."""
    tree = copy.deepcopy(chance.choice(seeds))
    for _ in range(chance.randint(1, 3)):
        places = list(_places(tree))
        if not places:
            break
        holder, key = chance.choice(places)
        match chance.randrange(6):
            case 0:
                del holder[key]
            case 1 if isinstance(holder, list):
                holder.append(copy.deepcopy(holder[key]))
            case 1:
                holder[chance.choice(("x", "name", "kind", "apiVersion", "spec"))] = holder.pop(key)
            case 2:
                other, place = chance.choice(places)
                holder[key] = copy.deepcopy(other[place])
            case _:
                holder[key] = copy.deepcopy(chance.choice(_VALUES))
    return json.dumps(tree, default=str)


def _places(tree: Json) -> Iterator[tuple[Any, Any]]:
    members = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in members:
        yield tree, key
        yield from _places(value)
