"""What a condition does to the base corpus: sentences out, words out, text in, another order; all of it by content."""
