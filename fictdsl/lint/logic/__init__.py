"""Reasoning about tests and relations: satisfiability, implication, normal forms."""
