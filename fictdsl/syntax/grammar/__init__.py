"""The Lark grammar, and the construction of the syntax tree from Lark's parse tree."""
