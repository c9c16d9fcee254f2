"""Explain why a text does not parse."""
