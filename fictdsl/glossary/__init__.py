"""One-line descriptions of the terms of UD and of the language, for hovers, completion and the docs."""
