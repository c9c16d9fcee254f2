"""Commands that run filters on a corpus: match, count, compare."""
