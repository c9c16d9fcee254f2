"""Snapshots of behaviour: what every command prints and writes, recorded as text.

`commands/GROUP.txt` lists command lines, and `recorded/GROUP.txt` what they did. `python -m tests.snapshots` records
them anew, `python -m tests.snapshots GROUP…` some of them.
"""
