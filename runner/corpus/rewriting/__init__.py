"""Apply rewrites: match, change the words of a sentence, and compute its new text."""
