"""Describe filters and query plans in plain English."""
