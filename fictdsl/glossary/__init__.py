"""What the words of UD and of the language mean, each in a line: one source for hovers, completion and the docs."""
