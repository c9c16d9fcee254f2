"""The formatter: print syntax trees as canonical text."""
