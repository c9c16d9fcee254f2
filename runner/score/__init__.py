"""Scoring of language models on minimal pairs, rated sentences and SyntaxGym suites."""
