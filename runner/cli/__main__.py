"""`python -m runner.cli`: the command line without its installed script."""

from runner.cli import main

main()
