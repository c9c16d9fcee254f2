"""Run the parts of `tests.cuda.parts` on a GPU and print a table; parts that lack a package or a GPU are skipped."""

from __future__ import annotations

import sys

if __name__ == "__main__":
    from tests.cuda.report import main

    sys.exit(main(sys.argv[1:]))
