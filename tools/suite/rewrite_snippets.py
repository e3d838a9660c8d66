"""Rewrite steps inside other text: Gherkin lines, sentences in strings and backquotes, and golden steps.

A snippet in a test or on a page is often a fragment or a template, which no parser reads. Sentences are
rewritten where they fill a line, a string or a pair of backquotes, golden steps in flow style or as Python
literals, also with the doubled braces of f-strings.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator, Mapping

import yaml
from former_words import Words
from rewrite_features import cells_of, rename_columns, rewrite_feature, table_at
from rewrite_flow import rewrite_flow
from rewrite_golden import edited, given_edits, golden_edits

_LINE = re.compile(
    r"(?P<start>\s*(?:(?:Given|When|Then|And|But|\*) )?)(?P<text>.*?)(?P<end>(?:\{[A-Z_]+\})?\s*)", re.DOTALL
)
"""A keyword, a sentence, and a replacement field that adds its table."""
_STRING = re.compile(r"(?P<start>(?i:[rbuf]*)(?P<quote>\"\"\"|'''|\"|'))(?P<body>.*)(?P=quote)", re.DOTALL)
_BACKQUOTED = re.compile(r"(?P<start>`)(?P<body>[^`\n]+)`")

_ITEM = re.compile(
    r"(?P<start>(?:^|\n|\\n)\s*- )(?P<key>claim|class|counters|gate|template|quota|held)(?=:(?:[ \n]|$))"
)
"""A given step as an item of a list, whatever its value is."""
_MEMBER = re.compile(r"^(?P<start>(?:, )?)(?P<key>admin|mode|consumed|shared|share)(?=: )")
"""A member that a string adds to a mapping."""


def rewrite_snippets(text: str, words: Words, *, python: bool) -> str:
    """The text with all steps that are found in the new words; raises CannotRewriteError."""
    text = rewrite_feature(text, words)
    find = _python_strings if python else _backquoted
    made, end, table = [], 0, ""
    for start, stop, quote in find(text):
        body, table = _body(text[start:stop], quote, table, words)
        made += [text[end:start], body]
        end = stop
    text = rewrite_flow("".join([*made, text[end:]]), words)
    for start, stop, _ in reversed(list(find(text))):
        text = text[:start] + _fragment(text[start:stop], words) + text[stop:]
    return text


def _python_strings(text: str) -> Iterator[tuple[int, int, str]]:
    """Where the bodies of string literals begin and end, with their quotes."""
    lines = [0]
    for line in text.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        found = _STRING.fullmatch(token.string) if token.type == tokenize.STRING else None
        if found:
            begin = lines[token.start[0] - 1] + token.start[1]
            yield begin + found.start("body"), begin + found.end("body"), found["quote"]


def _backquoted(text: str) -> Iterator[tuple[int, int, str]]:
    for found in _BACKQUOTED.finditer(text):
        yield found.start("body"), found.end("body"), "`"


def _body(body: str, quote: str, table: str, words: Words) -> tuple[str, str]:
    """A string's new body, and the kind of the table that may follow it; `table` is the one before it."""
    if len(quote) == 3 and (made := _yaml(body, words)) != body:
        return made, ""
    newline = "\n" if len(quote) == 3 else "\\n"
    escaped = f"\\{quote}"
    lines = body.replace(escaped, quote).split(newline)
    number = 0
    while number < len(lines):
        line = lines[number]
        if line.lstrip().startswith("|"):
            rows = table_at(lines, number)
            names = words.columns[table] if table else _likely(line, words)
            if rows:
                rename_columns(lines, rows, names)
            table, number = "", max(rows.stop, number + 1)
            continue
        lines[number], kind = _line(line, words)
        table = kind if line.strip() else table
        number += 1
    joined = newline.join(lines)
    return (joined.replace(quote, escaped) if escaped in body else joined), table


def _yaml(body: str, words: Words) -> str:
    """A golden file or a list of given steps in new words, also with `%s` in it; any other text as it is."""
    plain = body.replace("%s", "xx")
    edits = golden_edits if "cases:" in body else given_edits
    try:
        return edited(body, edits(plain, words))
    except yaml.YAMLError:
        return body


def _fragment(body: str, words: Words) -> str:
    """A string with parts of golden steps in new words."""
    given, members = words.steps["given"].names, words.types["DeviceOrResult"].names
    members = {**members, **words.types["Claim"].names}
    body = _ITEM.sub(lambda found: found["start"] + given[found["key"]], body)
    return _MEMBER.sub(lambda found: found["start"] + members[found["key"]], body)


def _line(line: str, words: Words) -> tuple[str, str]:
    """A line with the sentence in it in new words, and the kind of its table."""
    found = _LINE.fullmatch(line)
    assert found
    if found[0].strip() == "nothing fits":  # also a message of dra-conform allocate
        return line, ""
    new, table = words.step(found["text"])
    return found["start"] + new + found["end"], table


def _likely(header: str, words: Words) -> Mapping[str, str]:
    """The new columns of a table whose sentence is unknown, by its first column."""
    match cells_of(header):
        case ["device", *_]:
            return {**words.columns["devices"], **words.columns["results"]}
        case ["request", *_]:
            return {**words.columns["requests"], **words.columns["results"]}
    return {}
