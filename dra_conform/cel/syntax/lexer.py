"""The lexer: splits an expression into tokens, by the lexical grammar of the CEL language definition."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dra_conform.cel.syntax.issues import Issue
from dra_conform.cel.values.value import INT_MAX, UINT_MAX, UInt, Value

RESERVED = frozenset(
    {"as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop"}
    | {"package", "namespace", "return", "var", "void", "while"}
)
_KEYWORDS: dict[str, Value] = {"true": True, "false": False, "null": None}


@dataclass(frozen=True, slots=True)
class Token:
    """A token. `kind` is `name`, `literal`, `end` or the operator itself; `text` is the source."""

    kind: str
    text: str
    offset: int
    value: Value = None


_TOKEN = re.compile(
    r"""
    (?P<space>[ \t\r\n\f]+|//[^\n]*)
  | (?P<string>[bB]?[rR]?(?:\"\"\"|'''|"|'))
  | (?P<double>[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)
  | (?P<int>(?:0x[0-9a-fA-F]+|[0-9]+)[uU]?)
  | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<op>&&|\|\||[=!<>]=|[-+*/%!<>?:.,()\[\]{}])
    """,
    re.VERBOSE,
)


def tokens(source: str) -> list[Token]:
    """Return all tokens of an expression, the last of kind `end`. Raise Issue for an invalid token."""
    result: list[Token] = []
    at = 0
    while at < len(source):
        match = _TOKEN.match(source, at)
        if match is None:
            raise Issue(at, f"Syntax error: token recognition error at: {source[at]!r}")
        kind, text = str(match.lastgroup), match.group()
        if kind == "string":
            token, end = _string(source, at, text)
            result.append(token)
        else:
            end = match.end()
            if kind != "space":
                result.append(_plain(kind, text, at))
        at = end
    result.append(Token("end", "<EOF>", len(source)))
    return result


def _plain(kind: str, text: str, at: int) -> Token:
    if kind == "double":
        return Token("literal", text, at, float(text))
    if kind == "int":
        return _integer(text, at)
    if kind == "name":
        if text in _KEYWORDS:
            return Token("literal", text, at, _KEYWORDS[text])
        return Token("in" if text == "in" else "name", text, at)
    return Token(text, text, at)


def _integer(text: str, at: int) -> Token:
    unsigned = text[-1] in "uU"
    digits = text[:-1] if unsigned else text
    number = (
        int(digits[2:], 16) if digits.startswith("0x") else int(digits) if len(digits) <= 20 else UINT_MAX + 1
    )
    if unsigned:
        if number > UINT_MAX:
            raise Issue(at, "invalid uint literal")
        return Token("literal", text, at, UInt(number))
    # INT_MAX + 1 is valid only directly after a minus, which the parser checks.
    if number > INT_MAX + 1:
        raise Issue(at, "invalid int literal")
    return Token("literal", text, at, number)


def _string(source: str, at: int, opening: str) -> tuple[Token, int]:
    quote = opening.lstrip("bBrR")
    prefix = opening[: -len(quote)].lower()
    begin = at + len(opening)
    end = begin
    while not source.startswith(quote, end):
        if end >= len(source) or (len(quote) == 1 and source[end] in "\r\n"):
            raise Issue(at, f"Syntax error: token recognition error at: {source[at:end]!r}")
        end += 2 if source[end] == "\\" and "r" not in prefix else 1
    body, after = source[begin:end], end + len(quote)
    # Every line end in a triple-quoted string is one newline character.
    body = body.replace("\r\n", "\n").replace("\r", "\n")
    text = source[at:after]
    if "b" in prefix:
        raw = body.encode() if "r" in prefix else _bytes(body, at)
        return Token("literal", text, at, raw), after
    return Token("literal", text, at, body if "r" in prefix else _text(body, at)), after


_ESCAPE = re.compile(
    r"\\(?:(?P<one>[abfnrtv\\?\"'`])|[xX](?P<x>[0-9a-fA-F]{2})|u(?P<u>[0-9a-fA-F]{4})"
    r"|U(?P<U>[0-9a-fA-F]{8})|(?P<octal>[0-3][0-7]{2})|(?P<bad>.|$))",
    re.DOTALL,
)
_ONE = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def _code(match: re.Match[str], at: int) -> int:
    kind, text = str(match.lastgroup), match.group(str(match.lastgroup))
    if kind == "one":
        return ord(_ONE.get(text, text))
    if kind == "bad":
        raise Issue(at, f"Syntax error: invalid escape sequence: {match.group()!r}")
    code = int(text, 8 if kind == "octal" else 16)
    if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        raise Issue(at, f"Syntax error: invalid unicode code point: {match.group()!r}")
    return code


def _text(body: str, at: int) -> str:
    return _ESCAPE.sub(lambda m: chr(_code(m, at)), body) if "\\" in body else body


def _bytes(body: str, at: int) -> bytes:
    parts: list[bytes] = []
    end = 0
    for match in _ESCAPE.finditer(body):
        parts.append(body[end : match.start()].encode())
        if match.lastgroup in {"u", "U"}:
            raise Issue(
                at, f"Syntax error: a bytes literal must not have a unicode escape: {match.group()!r}"
            )
        parts.append(bytes([_code(match, at)]))
        end = match.end()
    parts.append(body[end:].encode())
    return b"".join(parts)
