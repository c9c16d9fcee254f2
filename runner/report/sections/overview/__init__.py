"""Sections of every report: accuracies, targeted paradigms, models, perplexity, probabilities, corpora."""
