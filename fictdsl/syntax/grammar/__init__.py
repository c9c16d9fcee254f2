"""The Lark grammar, and the syntax tree built from its parse tree."""
