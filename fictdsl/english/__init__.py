"""From a compiled filter to plain English."""
