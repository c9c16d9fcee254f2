"""Syntax highlighting of `.fict` files, as a Pygments lexer."""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer, bygroups, include, words
from pygments.token import Comment, Keyword, Literal, Name, Number, Operator, Punctuation, String, Whitespace

from fictdsl.syntax.nodes import RESERVED, SUBSTRING_OPERATORS

_NAME = r"[A-Za-z]\w*"


class FictLexer(RegexLexer):  # type: ignore[misc]
    """Pygments lexer for `.fict` files. Characters that match no rule become error tokens."""

    name = "FiCT"
    aliases: ClassVar = ["fict"]
    filenames: ClassVar = ["*.fict"]
    tokens: ClassVar = {
        "common": [
            (r"\s+", Whitespace),
            (r"#[^\n]*", Comment.Single),
            (r'"(?:[^"\\\r\n]|\\[^\r\n])*"', String.Double),
            (r"\$[A-Za-z]\w*", Name.Variable.Instance),
        ],
        "membership": [(r"(in)(\s*)(\{)", bygroups(Operator.Word, Whitespace, Punctuation), "values")],
        "root": [
            include("common"),
            include("membership"),
            (r"(fict)(\s+)([0-9][\w.]*)", bygroups(Keyword.Declaration, Whitespace, Number)),
            (r"(filter|rewrite)(\s+)([a-z][a-z0-9-]*)", bygroups(Keyword.Declaration, Whitespace, Name.Class)),
            (rf"(pattern)(\s+)({_NAME})", bygroups(Keyword.Declaration, Whitespace, Name.Function)),
            (
                rf"(list)(\s+)({_NAME})(\s*)(=)(\s*)(\{{)",
                bygroups(Keyword.Declaration, Whitespace, Name.Constant, Whitespace, Operator, Whitespace, Punctuation),
                "values",
            ),
            (
                rf"(list)(\s+)({_NAME})(\s+)(from)\b",
                bygroups(Keyword.Declaration, Whitespace, Name.Constant, Whitespace, Keyword),
            ),
            (rf"(list)(\s+)({_NAME})", bygroups(Keyword.Declaration, Whitespace, Name.Constant)),
            (rf"(for)(\s+)({_NAME})", bygroups(Keyword, Whitespace, Name.Variable.Instance)),
            (r"[a-z0-9_-]+/[A-Za-z0-9_-]+", Name.Entity),
            (r"(may)(\s+)(be)\b", bygroups(Keyword, Whitespace, Keyword)),
            (r"(?:not\s+)?in(?=\s*@)", Operator.Word),
            (r"@[A-Za-z]\w*", Name.Constant),
            (r"as-is\b|head-final\b", Keyword),
            (r"(?:delete|move|swap|insert|set|reverse|order|shuffle|interleave)(?=\s+[\w\"$])", Keyword),
            (words(RESERVED, prefix=r"\b", suffix=r"\b"), Keyword),
            (r"(<-|-|=)(\s*)(\[)", bygroups(Operator, Whitespace, Punctuation), "labels"),
            (rf"{_NAME}(?=\s*\()", Name.Function),
            (
                rf"({_NAME})(\s*)(\.)(\s*)({_NAME})",
                bygroups(Name.Variable, Whitespace, Punctuation, Whitespace, Name.Attribute),
            ),
            (rf"{_NAME}|_\b", Name.Variable),
            (r"(:)(\s*)(\w+(?:\s*\|\s*\w+)*)", bygroups(Punctuation, Whitespace, Name.Builtin)),
            (r"[0-9]+", Number.Integer),
            (r"\[", Punctuation, "tests"),
            (r"->>|->|<-|==>|<<|<=|>=|!=|[-+<>~=|]", Operator),
            (r"\.\.|[{}();,.:]", Punctuation),
        ],
        "labels": [
            include("common"),
            (r"/(?:[^/\\\r\n]|\\[^\r\n])*/\w*", String.Regex),
            (r"\w+(?:[:@]\w+)*", Name.Tag),
            (r"[|^=]", Operator),
            (r"(\])(\s*)(->>|->|=>|-)?", bygroups(Punctuation, Whitespace, Operator), "#pop"),
        ],
        "tests": [
            include("common"),
            include("membership"),
            (r"@[A-Za-z]\w*", Name.Constant),
            (r"(?:not|or|has|in)\b", Operator.Word),
            (rf'(?:{"|".join(SUBSTRING_OPERATORS)})(?=\s*")', Operator.Word),
            (r"lower\b", Name.Function),
            (r"\w+", Name.Attribute),
            (r"==|!=|<=|>=|[=<>|]", Operator, "value"),
            (r"\[", Punctuation, "#push"),
            (r"\]", Punctuation, "#pop"),
            (r"[().,]", Punctuation),
        ],
        "value": [
            (r'"(?:[^"\\\r\n]|\\[^\r\n])*"', String.Double, "#pop"),
            (r"/(?:[^/\\\r\n]|\\[^\r\n])*/\w*", String.Regex, "#pop"),
            (r"\$[A-Za-z]\w*", Name.Variable.Instance, "#pop"),
            (r"\w+(?::\w+)*", Literal, "#pop"),
            include("common"),
            (r"(?=[\],)])", Punctuation, "#pop"),
        ],
        "values": [
            include("common"),
            (r"[()]", Punctuation),
            (r"\}", Punctuation, "#pop"),
            (r",", Punctuation),
            (r"[\w-]+(?::\w+)*", Literal),
        ],
    }
