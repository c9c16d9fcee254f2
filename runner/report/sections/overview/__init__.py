"""Sections that every report has: accuracies, targeted paradigms, models, perplexities, probabilities, corpora."""
