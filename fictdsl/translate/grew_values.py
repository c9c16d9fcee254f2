"""Read the values of Grew requests: strings, words and regular expressions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from fictdsl.translate.writer import NoEquivalentError, regex

_VALUE = re.compile(
    r're"(?P<str_regex>(?:[^"\\]|\\.)*)"(?P<str_flag>i?)|'
    r'/(?P<slash_regex>(?:[^/\\]|\\.)*)/(?P<flag>i?)|"(?P<string>(?:[^"\\]|\\.)*)"'
)
_OPENERS, _CLOSERS = "[(", "])"


@dataclass(frozen=True, slots=True)
class RegexText:
    """A regular expression in the syntax of filters."""

    text: str
    ignore_case: bool = False

    def literal(self) -> str:
        """Return the expression between slashes. Raises NoEquivalentError for unsupported syntax."""
        return regex(self.text, ignore_case=self.ignore_case)


Values: TypeAlias = list[str | RegexText]


def split(text: str, separator: str) -> list[str]:
    """Split a text at each `separator` outside strings, regular expressions and brackets."""
    parts, depth, start, position = [], 0, 0, 0
    while position < len(text):
        quoted_value = _VALUE.match(text, position)
        if quoted_value and (
            text[position] != "/"
            or not text[start:position].strip()
            or text[start:position].rstrip().endswith(("=", ">", "|", "[", "^"))
        ):
            position = quoted_value.end()
            continue
        depth += (text[position] in _OPENERS) - (text[position] in _CLOSERS)
        if text[position] == separator and not depth:
            parts.append(text[start:position])
            start = position + 1
        position += 1
    return [*parts, text[start:]]


def values_of(text: str) -> Values:
    """Return the values in a text such as `a|"b"|re"c"`."""
    return [_value(value_text.strip()) for value_text in split(text, "|")]


def _value(text: str) -> str | RegexText:
    match = _VALUE.fullmatch(text)
    if match is None:
        return text
    if match["string"] is not None:
        return re.sub(r"\\(.)", r"\1", match["string"])
    if match["str_regex"] is not None:
        return RegexText(_from_ocaml_str(match["str_regex"]), bool(match["str_flag"]))
    return RegexText(_without_anchors(match["slash_regex"]), bool(match["flag"]))


def _from_ocaml_str(text: str) -> str:
    """Rewrite a regular expression of OCaml's Str, where `\\(`, `\\|` and `\\)` are the operators."""
    chars, position, in_class = [], 0, False
    while position < len(text):
        char, pair = text[position], text[position : position + 2]
        if char == "\\" and not in_class:
            if pair == "\\b":
                raise NoEquivalentError("in the regular expression: word boundaries")
            chars.append(pair[1:] if pair[1:] in tuple("()|") else pair)
            position += 2
            continue
        if char == "[" and not in_class:
            in_class = True
        elif char == "]" and in_class:
            in_class = False
        chars.append(f"\\{char}" if char in "(){}|/" and not in_class else f"\\{char}" if char == "/" else char)
        position += 1
    return _without_anchors("".join(chars))


def _without_anchors(text: str) -> str:
    """Return a regular expression without anchors, which whole-value matching makes redundant."""
    return text.removeprefix("^").removesuffix("$") if not text.endswith("\\$") else text.removeprefix("^")
