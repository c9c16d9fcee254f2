"""Commands on models and results: score, report."""
