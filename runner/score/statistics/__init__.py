"""Tests, intervals and effect sizes."""
