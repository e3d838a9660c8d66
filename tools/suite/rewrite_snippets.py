"""Rewrite steps inside other text: Gherkin lines, sentences in strings and backquotes, golden steps.

Snippets in tests and pages are often fragments or templates, which no parser reads. A sentence is rewritten
if it fills a line, a string or a pair of backquotes. Golden steps are rewritten in flow style or as Python
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
"""Keyword, sentence, and a replacement field with its table."""
_STRING = re.compile(r"(?P<start>(?i:[rbuf]*)(?P<quote>\"\"\"|'''|\"|'))(?P<body>.*)(?P=quote)", re.DOTALL)
_BACKQUOTED = re.compile(r"(?P<start>`)(?P<body>[^`\n]+)`")

_ITEM = re.compile(
    r"(?P<start>(?:^|\n|\\n)\s*- )(?P<key>claim|class|counters|gate|template|quota|held)(?=:(?:[ \n]|$))"
)
"""Setup step as an item of a list, with any value."""
_MEMBER = re.compile(r"^(?P<start>(?:, )?)(?P<key>admin|mode|consumed|shared|share)(?=: )")
"""Member that a string adds to a mapping."""


def rewrite_snippets(text: str, words: Words, *, python: bool) -> str:
    """Return the text with its steps in the new words. Raises CannotRewriteError."""
    text = rewrite_feature(text, words)
    find = _python_strings if python else _backquoted
    parts, end, table = [], 0, ""
    for start, stop, quote in find(text):
        body, table = _body(text[start:stop], quote, table, words)
        parts += [text[end:start], body]
        end = stop
    text = rewrite_flow("".join([*parts, text[end:]]), words)
    for start, stop, _ in reversed(list(find(text))):
        text = text[:start] + _fragment(text[start:stop], words) + text[stop:]
    return text


def _python_strings(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield start and end of the bodies of string literals, with their quotes."""
    lines = [0]
    for line in text.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        match = _STRING.fullmatch(token.string) if token.type == tokenize.STRING else None
        if match:
            begin = lines[token.start[0] - 1] + token.start[1]
            yield begin + match.start("body"), begin + match.end("body"), match["quote"]


def _backquoted(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _BACKQUOTED.finditer(text):
        yield match.start("body"), match.end("body"), "`"


def _body(body: str, quote: str, table: str, words: Words) -> tuple[str, str]:
    """Return a string's new body and the kind of the table that may follow it. `table` precedes it."""
    if len(quote) == 3 and (rewritten := _yaml(body, words)) != body:
        return rewritten, ""
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
    """Return a golden file or list of given steps in new words, or any other text unchanged."""
    plain = body.replace("%s", "xx")
    edits = golden_edits if "cases:" in body else given_edits
    try:
        return edited(body, edits(plain, words))
    except yaml.YAMLError:
        return body


def _fragment(body: str, words: Words) -> str:
    """Return a string with parts of golden steps in new words."""
    given_steps, members = words.steps["given"].names, words.types["DeviceOrResult"].names
    members = {**members, **words.types["Claim"].names}
    body = _ITEM.sub(lambda match: match["start"] + given_steps[match["key"]], body)
    return _MEMBER.sub(lambda match: match["start"] + members[match["key"]], body)


def _line(line: str, words: Words) -> tuple[str, str]:
    """Return a line with its sentence in new words, and the kind of its table."""
    match = _LINE.fullmatch(line)
    assert match
    if match[0].strip() == "nothing fits":  # also a message of dra-conform allocate
        return line, ""
    new, table = words.step(match["text"])
    return match["start"] + new + match["end"], table


def _likely(header: str, words: Words) -> Mapping[str, str]:
    """Return the new columns of a table whose sentence is unknown, by its first column."""
    match cells_of(header):
        case ["device", *_]:
            return {**words.columns["devices"], **words.columns["results"]}
        case ["request", *_]:
            return {**words.columns["requests"], **words.columns["results"]}
    return {}
