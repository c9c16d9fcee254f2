"""Rules about word forms, lists of words and regular expressions."""
