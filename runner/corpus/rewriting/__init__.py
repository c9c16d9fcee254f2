"""Apply rewrites: match, change the words of a sentence, and spell the result."""
