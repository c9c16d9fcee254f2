"""Interventions on a base corpus: select sentences, edit words, order sentences, inject text."""
