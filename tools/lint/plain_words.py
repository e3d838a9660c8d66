"""Check docstrings, pages and schemas for discouraged words, and name the standard terms.

`make lint` runs it. Titles and statements of the suite are checked by `dra-conform lint`, with the same table
of terms.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from dra_conform.conformance.suite.language import STANDARD_TERMS, WordList

NOT_YET: tuple[str, ...] = ()
"""Packages and pages that are not checked yet. Remove an entry as soon as its words are mended."""

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("dra_conform", "tools")
PAGES = ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "docs")
SCHEMAS = "dra_conform/schemas"

_WORDS = WordList(
    {
        **STANDARD_TERMS,
        r"wardens?|reapers?|leash(?:es)?|keepers?": "supervisor",
        r"errands?": "request",
        r"company": "isolation, or scenario namespace",
        r"patience": "polling limits",
        r"canar(?:y|ies)": "probe pod",
        r"calm": "quiescent",
        r"(?:the\s+)?givens": "setup, or preconditions",
        r"liftings?": "partial implementation",
        r"tellers?": "implementation, or observer",
        r"wrong\s+wrappers?": "faulty implementation",
    }
)

_ID = r"\b[A-Z]+[A-Z0-9-]*/[\w/*.-]+|(?<= )(?:\.\.\.[/-]|-)(?=\w)[\w/*.-]+"
"""The id of a requirement, in whole or shortened."""
_DESCRIPTION = re.compile(r'"(?:description|title)": ("(?:[^"\\]|\\.)*")')
_QUOTED_IN_CODE = re.compile(rf'``.*?``|`[^`]*`|"[^"\n]*"|{_ID}', re.DOTALL)
_QUOTED_IN_PAGES = re.compile(
    r"^( *)(```+|~~~+).*?^\1\2"  # blocks of code
    r"|<!--.*?-->|<code>.*?</code>|`[^`]*`"
    r'|"[^"\n]*"'  # messages of an API
    r"|(?<=\])\([^)\n]*\)"  # targets of links
    r"|^ *>[^\n]*"  # quotations
    rf"|{_ID}",
    re.DOTALL | re.MULTILINE,
)


def main(root: Path, not_yet: Sequence[str] = NOT_YET) -> int:
    """Print each discouraged word as `file:line: …`, and return the exit code: 1 if there is any."""
    checked = 0
    problems: list[str] = []
    useless = set(not_yet)
    for path in _files(root):
        name = path.relative_to(root).as_posix()
        text = path.read_text("utf-8")
        problems_of_file = list(_PROBLEMS[path.suffix](text))
        excepted = {entry for entry in not_yet if f"{name}/".startswith(f"{entry}/")}
        if excepted and problems_of_file:
            useless -= excepted
        elif not excepted:
            checked += 1
            problems += [f"{name}:{line}: {problem}" for line, problem in problems_of_file]
    for entry in sorted(useless):
        print(f"{entry}: has no discouraged words, so remove it from NOT_YET in tools/lint/plain_words.py")
    print(*problems, f"{checked} files, {len(problems)} discouraged words", sep="\n")
    return 1 if problems else 0


def problems_of_page(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and problem of each discouraged word in a Markdown page, except code and quotations."""
    yield from _problems(_without(_QUOTED_IN_PAGES, text), 1)


def problems_of_module(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the problem of each discouraged word in public docstrings, ignoring code."""
    for line, text in _docstrings(ast.parse(source).body):
        yield from _problems(_without(_QUOTED_IN_CODE, text), line)


def problems_of_schema(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the problem of each discouraged word in descriptions of a JSON schema, except
    code."""
    for description in _DESCRIPTION.finditer(text):
        line = text.count("\n", 0, description.start()) + 1
        yield from _problems(_without(_QUOTED_IN_CODE, json.loads(description[1])), line)


_PROBLEMS = {".md": problems_of_page, ".py": problems_of_module, ".json": problems_of_schema}


def _files(root: Path) -> Iterator[Path]:
    for package in PACKAGES:
        yield from sorted((root / package).rglob("*.py"))
    yield from sorted((root / SCHEMAS).rglob("*.json"))
    for page in PAGES:
        yield from sorted((root / page).rglob("*.md")) if (root / page).is_dir() else [root / page]


def _docstrings(body: Sequence[ast.stmt]) -> Iterator[tuple[int, str]]:
    """Yield the line and text of each docstring of the module, attributes, public classes and functions."""
    for node in body:
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node.lineno, text
            case ast.ClassDef(name=name, body=members) if not name.startswith("_"):
                yield from _docstrings(members)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if not name.startswith("_"):
                yield from _docstrings(node.body[:1])


def _without(quoted: re.Pattern[str], text: str) -> str:
    """Return the text with quotations blanked out, so that lines keep their numbers."""
    return quoted.sub(lambda match: re.sub(r"[^\n]", "`", match.group()), text)


def _problems(text: str, first_line: int) -> Iterator[tuple[int, str]]:
    for offset, problem in _WORDS.problems(text):
        yield first_line + text.count("\n", 0, offset), problem


if __name__ == "__main__":
    sys.exit(main(ROOT))
