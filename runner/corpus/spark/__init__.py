"""Engines on Apache Spark."""
