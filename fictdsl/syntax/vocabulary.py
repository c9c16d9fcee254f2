"""The reserved words of the language, and the closed sets of words that it accepts."""

from __future__ import annotations

_RESERVED = """fict use list pattern filter for file about source note targets match without either or at least
most exactly sentence between remove keep mask count with node subtree span and not in has lower phrase
maybe may crossing"""
RESERVED: tuple[str, ...] = tuple(_RESERVED.split())
ITEM_WORDS: tuple[str, ...] = ("use", "list", "pattern", "filter")
SUBSTRING_OPERATORS: tuple[str, ...] = ("contains", "starts", "ends")  # words that are free as names
VERSION = "1"
ACTIONS: tuple[str, ...] = ("remove", "keep", "mask", "count")
