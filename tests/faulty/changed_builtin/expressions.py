"""Allocators whose selector interpreter confuses a function, an operator or a macro with a similar one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator

from dra_conform.kube.json_values import Json
from tests.faulty.changed_builtin.faulty_allocator import FaultyAllocator, World

ChangesRequest = Callable[[World], object]
Text = Callable[[str], str]


def _expressions(world: World) -> Iterator[Json]:
    """Return the objects with the expressions of DeviceClasses and requests."""
    of_classes = [
        selector for item in world.classes for selector in (item.get("spec") or {}).get("selectors") or ()
    ]
    for request in (
        *of_classes,
        *(selector for asked in world.exact_requests for selector in asked.get("selectors") or ()),
    ):
        if request.get("cel"):
            yield request["cel"]


def _said(change: Text) -> ChangesRequest:
    """Change the expressions."""

    def change_request(world: World) -> None:
        for expression in _expressions(world):
            expression["expression"] = change(expression["expression"])

    return change_request


def _as(pattern: str, other: str) -> ChangesRequest:
    return _said(lambda text: re.sub(pattern, other, text))


def _texts(change: Text) -> ChangesRequest:
    """Change the attributes with strings."""

    def change_request(world: World) -> None:
        for device in world.devices:
            for attribute in (device.get("attributes") or {}).values():
                if isinstance(attribute.get("string"), str):
                    attribute["string"] = change(attribute["string"])

    return change_request


def _last_line(text: str) -> str:
    return text.strip().splitlines()[-1]


def _without_comment_signs(text: str) -> str:
    return text if "\n" in text else re.sub(r"//.*?(?=[\"']|$)", "", text)


OF_EXPRESSIONS = (
    FaultyAllocator("a string matches as a whole", _as(r"\.matches\((['\"])([^'\"]*)\1", r".matches(\1^(?:\2)$\1")),
    FaultyAllocator("a string matches from its beginning", _as(r"\.matches\((['\"])", r".matches(\1^")),
    FaultyAllocator("a pattern does not know upper case", _as(r"\.matches\((['\"])", r".matches(\1(?i)")),
    FaultyAllocator("a pattern is a string to look for", _as(r"\.matches\(", ".contains(")),
    FaultyAllocator("a string ends with what it contains", _as(r"\.endsWith\(", ".contains(")),
    FaultyAllocator("a string begins with what it contains", _as(r"\.startsWith\(", ".contains(")),
    FaultyAllocator("a string contains what it begins with", _as(r"\.contains\(", ".startsWith(")),
    FaultyAllocator("a string contains what it contains in another case", _as(r"\.contains\((['\"])", r".matches(\1(?i)")),
    FaultyAllocator("two slashes in a string begin a comment", _said(_without_comment_signs)),
    FaultyAllocator("a backslash in a string is always itself", _as(r"(?<!\br)\"([^\"]*\\\\[^\"]*)\"", r'r"\1"')),
    FaultyAllocator("a raw string is an ordinary string", _as(r"\br(['\"])", r"\1")),
    FaultyAllocator("spaces in strings of selectors are left out", _as(r"(['\"])([^'\" ]*) ([^'\" ]*)\1", r"\1\2\3\1")),
    FaultyAllocator("one is enough for exists_one, and more are too", _as(r"\.exists_one\(", ".exists(")),
    FaultyAllocator("exists wants exactly one", _as(r"\.exists\(", ".exists_one(")),
    FaultyAllocator("all wants one", _as(r"\.all\(", ".exists(")),
    FaultyAllocator("exists wants all", _as(r"\.exists\(", ".all(")),
    FaultyAllocator("filter keeps what map makes", _as(r"\.filter\(", ".map(")),
    FaultyAllocator("has is always true", _as(r"\bhas\([^()]*\)", "true")),
    FaultyAllocator("the last line of an expression counts", _said(_last_line)),
    FaultyAllocator("lowerAscii has no effect", _as(r"\.lowerAscii\(\)", "")),
    FaultyAllocator("a string is split once", _as(r"\.split\((['\"][^'\"]*['\"])\)", r".split(\1, 2)")),
    FaultyAllocator("the limit of split is not read", _as(r"\.split\((['\"][^'\"]*['\"]), *\d+\)", r".split(\1)")),
    FaultyAllocator("the limit of replace is not read", _as(r"\.replace\((['\"][^'\"]*['\"]), *(['\"][^'\"]*['\"]), *\d+\)", r".replace(\1, \2)")),
    FaultyAllocator("a string is replaced once", _as(r"\.replace\((['\"][^'\"]*['\"]), *(['\"][^'\"]*['\"])\)", r".replace(\1, \2, 1)")),
    FaultyAllocator("indexOf looks from the end", _as(r"\.indexOf\(", ".lastIndexOf(")),
    FaultyAllocator("the second number of substring is a length", _as(r"\.substring\((\d+), *(\d+)\)", r".substring(\1).substring(0, \2)")),
    FaultyAllocator("lists begin at one", _as(r"\[([1-9]\d*)\]", r"[\1 - 1]")),
    FaultyAllocator("the driver is asked for its beginning", _as(r"device\.driver == (['\"][^'\"]*['\"])", r"device.driver.startsWith(\1)")),
    FaultyAllocator("the driver is asked for its end", _as(r"device\.driver == (['\"][^'\"]*['\"])", r"device.driver.endsWith(\1)")),
    FaultyAllocator("a domain in a selector is read in lower case", _said(lambda text: re.sub(r"(attributes|capacity)(\[['\"][^'\"]*['\"]\])", lambda found: found[1] + found[2].lower(), text))),
    FaultyAllocator("adding to a quantity subtracts", _as(r"\.add\(", ".sub(")),
    FaultyAllocator("subtracting from a quantity adds", _as(r"\.sub\(", ".add(")),
    FaultyAllocator("a quantity in a selector is an integer", _as(r"\.isInteger\(\)", ".isGreaterThan(quantity('0'))")),
    FaultyAllocator("the middle of a version is its end", _as(r"\.minor\(\)", ".patch()")),
    FaultyAllocator("the end of a version is its middle", _as(r"\.patch\(\)", ".minor()")),
    FaultyAllocator("quantities in selectors have decimal suffixes only", _as(r"(quantity\(['\"]\d+[MGTPE])i", r"\1")),
    FaultyAllocator("hexadecimal numbers are decimal", _as(r"\b0x([0-9]+)", r"\1")),
    FaultyAllocator("and binds no tighter than or", _as(r"(.*?) \|\| (.*) && (.*)", r"(\1 || \2) && \3")),
    FaultyAllocator("less is at most in numbers", _as(r" < (?=\d)", " <= ")),
    FaultyAllocator("more is at least in numbers", _as(r" > (?=\d)", " >= ")),
    FaultyAllocator("strings have only ASCII letters", _texts(lambda text: text.encode("ascii", "ignore").decode())),
    FaultyAllocator("diacritics are ignored", _texts(lambda text: unicodedata.normalize("NFD", text).encode("ascii", "ignore").decode())),
    FaultyAllocator("strings are composed to what they look like", _texts(lambda text: unicodedata.normalize("NFC", text))),
    FaultyAllocator("strings are decomposed", _texts(lambda text: unicodedata.normalize("NFD", text))),
    FaultyAllocator("the beginning of a string loses its spaces", _texts(str.lstrip)),
)  # fmt: skip
