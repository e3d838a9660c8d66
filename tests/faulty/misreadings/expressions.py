"""Allocators whose selector interpreter confuses a function, an operator or a macro with a similar one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any

from tests.faulty.misreadings.misreading import Misreading, World

Json = Any
Reads = Callable[[World], object]
Text = Callable[[str], str]

_ARGUMENT = r"((?:[^()]|\([^()]*\))*)"


def _expressions(world: World) -> Iterator[Json]:
    """Return the objects with the expressions of DeviceClasses and requests."""
    of_classes = [
        selector for item in world.classes for selector in (item.get("spec") or {}).get("selectors") or ()
    ]
    for request in (
        *of_classes,
        *(selector for asked in world.asked for selector in asked.get("selectors") or ()),
    ):
        if request.get("cel"):
            yield request["cel"]


def _said(change: Text) -> Reads:
    """Change the expressions."""

    def reads(world: World) -> None:
        for expression in _expressions(world):
            expression["expression"] = change(expression["expression"])

    return reads


def _as(pattern: str, other: str) -> Reads:
    return _said(lambda text: re.sub(pattern, other, text))


def _texts(change: Text) -> Reads:
    """Change the attributes with strings."""

    def reads(world: World) -> None:
        for device in world.devices:
            for attribute in (device.get("attributes") or {}).values():
                if isinstance(attribute.get("string"), str):
                    attribute["string"] = change(attribute["string"])

    return reads


def _last_line(text: str) -> str:
    return text.strip().splitlines()[-1]


def _without_comment_signs(text: str) -> str:
    return text if "\n" in text else re.sub(r"//.*?(?=[\"']|$)", "", text)


OF_EXPRESSIONS = (
    Misreading("a string matches as a whole", _as(r"\.matches\((['\"])([^'\"]*)\1", r".matches(\1^(?:\2)$\1")),
    Misreading("a string matches from its beginning", _as(r"\.matches\((['\"])", r".matches(\1^")),
    Misreading("a pattern does not know upper case", _as(r"\.matches\((['\"])", r".matches(\1(?i)")),
    Misreading("a pattern is a string to look for", _as(r"\.matches\(", ".contains(")),
    Misreading("a string ends with what it contains", _as(r"\.endsWith\(", ".contains(")),
    Misreading("a string begins with what it contains", _as(r"\.startsWith\(", ".contains(")),
    Misreading("a string contains what it begins with", _as(r"\.contains\(", ".startsWith(")),
    Misreading("a string contains what it contains in another case", _as(r"\.contains\((['\"])", r".matches(\1(?i)")),
    Misreading("two slashes in a string begin a comment", _said(_without_comment_signs)),
    Misreading("a backslash in a string is always itself", _as(r"(?<!\br)\"([^\"]*\\\\[^\"]*)\"", r'r"\1"')),
    Misreading("a raw string is an ordinary string", _as(r"\br(['\"])", r"\1")),
    Misreading("spaces in strings of selectors are left out", _as(r"(['\"])([^'\" ]*) ([^'\" ]*)\1", r"\1\2\3\1")),
    Misreading("one is enough for exists_one, and more are too", _as(r"\.exists_one\(", ".exists(")),
    Misreading("exists wants exactly one", _as(r"\.exists\(", ".exists_one(")),
    Misreading("all wants one", _as(r"\.all\(", ".exists(")),
    Misreading("exists wants all", _as(r"\.exists\(", ".all(")),
    Misreading("filter keeps what map makes", _as(r"\.filter\(", ".map(")),
    Misreading("has is always true", _as(r"\bhas\([^()]*\)", "true")),
    Misreading("the last line of an expression counts", _said(_last_line)),
    Misreading("lowerAscii has no effect", _as(r"\.lowerAscii\(\)", "")),
    Misreading("a string is split once", _as(r"\.split\((['\"][^'\"]*['\"])\)", r".split(\1, 2)")),
    Misreading("the limit of split is not read", _as(r"\.split\((['\"][^'\"]*['\"]), *\d+\)", r".split(\1)")),
    Misreading("the limit of replace is not read", _as(r"\.replace\((['\"][^'\"]*['\"]), *(['\"][^'\"]*['\"]), *\d+\)", r".replace(\1, \2)")),
    Misreading("a string is replaced once", _as(r"\.replace\((['\"][^'\"]*['\"]), *(['\"][^'\"]*['\"])\)", r".replace(\1, \2, 1)")),
    Misreading("indexOf looks from the end", _as(r"\.indexOf\(", ".lastIndexOf(")),
    Misreading("the second number of substring is a length", _as(r"\.substring\((\d+), *(\d+)\)", r".substring(\1).substring(0, \2)")),
    Misreading("lists begin at one", _as(r"\[([1-9]\d*)\]", r"[\1 - 1]")),
    Misreading("the driver is asked for its beginning", _as(r"device\.driver == (['\"][^'\"]*['\"])", r"device.driver.startsWith(\1)")),
    Misreading("the driver is asked for its end", _as(r"device\.driver == (['\"][^'\"]*['\"])", r"device.driver.endsWith(\1)")),
    Misreading("a domain in a selector is read in lower case", _said(lambda text: re.sub(r"(attributes|capacity)(\[['\"][^'\"]*['\"]\])", lambda found: found[1] + found[2].lower(), text))),
    Misreading("adding to a quantity subtracts", _as(r"\.add\(", ".sub(")),
    Misreading("subtracting from a quantity adds", _as(r"\.sub\(", ".add(")),
    Misreading("a quantity in a selector is an integer", _as(r"\.isInteger\(\)", ".isGreaterThan(quantity('0'))")),
    Misreading("the middle of a version is its end", _as(r"\.minor\(\)", ".patch()")),
    Misreading("the end of a version is its middle", _as(r"\.patch\(\)", ".minor()")),
    Misreading("quantities in selectors have decimal suffixes only", _as(r"(quantity\(['\"]\d+[MGTPE])i", r"\1")),
    Misreading("hexadecimal numbers are decimal", _as(r"\b0x([0-9]+)", r"\1")),
    Misreading("and binds no tighter than or", _as(r"(.*?) \|\| (.*) && (.*)", r"(\1 || \2) && \3")),
    Misreading("less is at most in numbers", _as(r" < (?=\d)", " <= ")),
    Misreading("more is at least in numbers", _as(r" > (?=\d)", " >= ")),
    Misreading("strings have only ASCII letters", _texts(lambda text: text.encode("ascii", "ignore").decode())),
    Misreading("diacritics are ignored", _texts(lambda text: unicodedata.normalize("NFD", text).encode("ascii", "ignore").decode())),
    Misreading("strings are composed to what they look like", _texts(lambda text: unicodedata.normalize("NFC", text))),
    Misreading("strings are decomposed", _texts(lambda text: unicodedata.normalize("NFD", text))),
    Misreading("the beginning of a string loses its spaces", _texts(str.lstrip)),
)  # fmt: skip
