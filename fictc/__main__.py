"""`python -m fictc`: the command line."""

from runner.cli import main

main()
