"""Entry point of the command line: `fictc`, or `python -m fictc`."""

from __future__ import annotations

from fictc.installed import check_runner


def main() -> None:
    """Run the command line. Exits with code 2 if the package `runner` is hidden or missing."""
    check_runner()
    from runner.cli import main as command_line

    command_line()


if __name__ == "__main__":
    main()
